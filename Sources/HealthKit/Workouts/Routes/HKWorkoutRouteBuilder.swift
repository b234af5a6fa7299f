public import CoreLocation
import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// Makes a route of locations and attaches it to a workout.
///
/// Locations may come in any order and are sorted by date in the end. A refused insertion is final: all
/// later calls fail. Calls take effect one after the other, in the order they were made on a store.
///
/// A builder that came from ``HKWorkoutBuilder/seriesBuilder(for:)`` is finished by its workout builder.
// Unchecked: what changes is in a Mutex.
open class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
    private let connection: StoreConnection
    private let device: HKDevice?
    /// Whether a workout builder will finish the route.
    private let isAttached: Bool
    private let draft = Mutex(RouteDraft())

    /// A builder of one route, with the device that measured.
    public convenience init(healthStore: HKHealthStore, device: HKDevice?) {
        self.init(healthStore.connection, device: device, isAttached: false)
    }

    init(_ connection: StoreConnection, device: HKDevice?, isAttached: Bool) {
        self.connection = connection
        self.device = device
        self.isAttached = isAttached
        super.init()
    }

    // MARK: Locations and metadata

    /// Adds locations. Fails with ``HKError/errorInvalidArgument`` for none, for one without a valid
    /// coordinate, and after the end of the builder.
    @preconcurrency
    public func insertRouteData(
        _ routeData: [CLLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, insertion(routeData)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds locations. See ``insertRouteData(_:completion:)``.
    public func insertRouteData(_ routeData: [CLLocation]) async throws {
        try await connection.perform(.writing, insertion(routeData))
    }

    /// Lays metadata over what there is, key by key; on an error nothing changes.
    @preconcurrency
    public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, addition(metadata)) { completion($0.isSuccess, $0.error) }
    }

    /// Lays metadata over what there is. See ``addMetadata(_:completion:)``.
    public func addMetadata(_ metadata: [String: Any]) async throws {
        try await connection.perform(.writing, addition(metadata))
    }

    // MARK: The end

    /// Saves the route and attaches it to a workout that is stored. Fails with
    /// ``HKError/errorInvalidArgument`` without locations, or when the workout is not stored.
    @preconcurrency
    public func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?,
        completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
    ) {
        connection.perform(.writing, finishing(workout, metadata)) { completion(try? $0.get(), $0.error) }
    }

    /// Saves the route and attaches it to a workout that is stored. See
    /// ``finishRoute(with:metadata:completion:)``.
    @discardableResult
    public func finishRoute(with workout: HKWorkout, metadata: [String: Any]?) async throws -> HKWorkoutRoute {
        try await connection.perform(.writing, finishing(workout, metadata))
    }

    /// Throws the locations away; every later call fails.
    open override func discard() {
        draft.withLock { $0.discard() }
    }

    // MARK: For a workout builder

    /// The route as the workout builder saves it; `nil` when there is nothing to save.
    func finished() throws -> ObjectRecord? {
        let device = device?.record
        return try draft.withLock { draft -> ObjectRecord? in
            guard draft.phase == .open, draft.points.count > 0 else { return nil }
            return try draft.finish(device: device, metadata: .empty)
        }
    }

    /// Ends what ``finished()`` began.
    func conclude(isStored: Bool) {
        draft.withLock { $0.conclude(isStored: isStored) }
    }

    // MARK: Work

    private func insertion(_ locations: [CLLocation]) -> @Sendable (HealthEngine) throws -> Void {
        { _ in try self.draft.withLock { try $0.insert(locations) } }
    }

    private func addition(_ metadata: [String: Any]) -> @Sendable (HealthEngine) throws -> Void {
        // Read here: a dictionary of any values cannot travel to another thread.
        let given = Result { try Metadata(metadata) }
        return { _ in
            let record = try given.get()
            try self.draft.withLock { try $0.merge(record) }
        }
    }

    private func finishing(
        _ workout: HKWorkout, _ metadata: [String: Any]?
    ) -> @Sendable (HealthEngine) throws -> HKWorkoutRoute {
        let given = Result { try Metadata(metadata) }
        return { engine in
            guard !self.isAttached else {
                throw EngineError.invalidArgument("This route is finished by its workout builder.")
            }
            let more = try given.get()
            let device = self.device?.record
            let record = try self.draft.withLock { try $0.finish(device: device, metadata: more) }
            do {
                try engine.addParts([record], toObject: workout.uuid, as: self.connection.caller)
            } catch {
                self.conclude(isStored: false)
                throw error
            }
            self.conclude(isStored: true)
            guard case .document(let document) = record.body else {
                throw EngineError.invalidArgument("The route has no points.")
            }
            return HKWorkoutRoute(
                identity: record.uuid ?? UUID(),
                context: ObjectContext(
                    type: HKSeriesType.workoutRoute(), revision: HKSourceRevision(self.connection.caller.revision),
                    device: self.device, metadata: record.metadata),
                start: record.start, end: record.end, document: document)
        }
    }
}
