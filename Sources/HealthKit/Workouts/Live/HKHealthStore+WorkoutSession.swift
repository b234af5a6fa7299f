import Foundation
import Synchronization

extension HKHealthStore {
    /// Returns this application's running session on the store. After a crash it is recreated from its record in
    /// the store, with its builder, whose samples are those of its types saved since it began; predicates of its
    /// data source are lost. The handler receives `nil` if no session is running.
    @preconcurrency
    public func recoverActiveWorkoutSession(
        completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
    ) {
        connection.perform(StoreWork(.writing) { try HKWorkoutSession.recovered(self) }) {
            completion((try? $0.get()) ?? nil, $0.error)
        }
    }

    /// Returns this application's running session on the store. See
    /// ``recoverActiveWorkoutSession(completion:)``.
    public func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
        try await connection.perform(StoreWork(.writing) { try HKWorkoutSession.recovered(self) })
    }

    /// Starts the application on a watch. Always fails with ``HKError/errorInvalidArgument``: there is no
    /// watch here.
    @preconcurrency
    public func startWatchApp(
        with workoutConfiguration: HKWorkoutConfiguration,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(Self.refusal) { completion($0.isSuccess, $0.error) }
    }

    /// Starts the application on a watch. Always fails with ``HKError/errorInvalidArgument``: there is no
    /// watch here.
    public func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
        try await connection.perform(Self.refusal)
    }

    /// A handler of sessions that another device mirrors to this one. Never called: sessions are not mirrored here.
    @preconcurrency
    public var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
        get { mirroring.handler }
        set { mirroring.handler = newValue }
    }

    private static let refusal = StoreWork<Void>(.reading) {
        throw HKError.make(.errorInvalidArgument, "There is no watch to start an application on.")
    }
}

/// The running sessions of this process by token. They are not retained.
final class LiveSessions: Sendable {
    static let shared = LiveSessions()

    private struct Entry: Sendable {
        weak var session: HKWorkoutSession?
    }

    private let entries = Mutex<[UUID: Entry]>([:])

    func add(_ session: HKWorkoutSession, token: UUID) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.session != nil }
            entries[token] = Entry(session: session)
        }
    }

    func remove(_ token: UUID) {
        entries.withLock { $0[token] = nil }
    }

    func session(_ token: UUID) -> HKWorkoutSession? {
        entries.withLock { $0[token]?.session }
    }
}

/// The handler of mirrored sessions.
final class MirroringHandler: Sendable {
    typealias Handler = @Sendable (HKWorkoutSession) -> Void

    private let stored = Mutex<Handler?>(nil)

    var handler: Handler? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
