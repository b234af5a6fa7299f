public import Foundation
import HealthEngine

extension HKHealthStore {
    /// The session of this application that runs on the store. After a crash it is made anew from what
    /// the store keeps of it, with its builder, whose samples are those of its types saved since it began;
    /// predicates of its data source are not kept. The handler is given `nil` when no session runs.
    @preconcurrency
    public func recoverActiveWorkoutSession(
        completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
    ) {
        connection.perform(.writing, { try HKWorkoutSession.recovered(self, in: $0) }) {
            completion((try? $0.get()) ?? nil, $0.error)
        }
    }

    /// The session of this application that runs on the store. See
    /// ``recoverActiveWorkoutSession(completion:)``.
    public func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
        try await connection.perform(.writing) { try HKWorkoutSession.recovered(self, in: $0) }
    }

    /// Starts the application on a watch. Always fails with ``HKError/errorInvalidArgument``: there is no
    /// watch here.
    @preconcurrency
    public func startWatchApp(
        with workoutConfiguration: HKWorkoutConfiguration,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.reading, Self.refuseWatch) { completion($0.isSuccess, $0.error) }
    }

    /// Starts the application on a watch. Always fails with ``HKError/errorInvalidArgument``: there is no
    /// watch here.
    public func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
        try await connection.perform(.reading, Self.refuseWatch)
    }

    /// Called with a session that another device mirrors to this one. Kept, and never called: sessions
    /// are not mirrored here.
    @preconcurrency
    public var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
        get { mirroring.handler }
        set { mirroring.handler = newValue }
    }

    private static let refuseWatch: @Sendable (HealthEngine) throws -> Void = { _ in
        throw EngineError.invalidArgument("There is no watch to start an application on.")
    }
}
