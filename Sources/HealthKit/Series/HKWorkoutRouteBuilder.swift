public import CoreLocation
import Foundation
import HealthModel
import Synchronization

/// Builds a route from locations and adds it to a workout.
///
/// Locations may be inserted in any order; they are sorted by date at the end. After an insertion that fails,
/// all later calls fail. Calls take effect serially, in the order they are made on a store.
///
/// A builder from ``HKWorkoutBuilder/seriesBuilder(for:)`` is finished by its workout builder.
// Unchecked: all mutable state is in a Mutex.
open class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
    private let state = Mutex(SeriesBuilderState(RouteColumns()))

    /// Creates a builder of one route, with the device that records it.
    public init(healthStore: HKHealthStore, device: HKDevice?) {
        super.init(healthStore.connection, device: device, isAttached: false)
    }

    override init(_ connection: StoreConnection, device: HKDevice?, isAttached: Bool) {
        super.init(connection, device: device, isAttached: isAttached)
    }

    // MARK: Locations and metadata

    /// Adds locations. Fails with ``HKError/errorInvalidArgument`` for an empty array, for a location without a
    /// valid coordinate, and after the route is finished or discarded.
    @preconcurrency
    open func insertRouteData(
        _ routeData: [CLLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(insertion(routeData)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds locations. See ``insertRouteData(_:completion:)``.
    open func insertRouteData(_ routeData: [CLLocation]) async throws {
        try await succeeding { insertRouteData(routeData, completion: $0) }
    }

    /// Adds metadata; values replace those of the same key. An error changes nothing.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(addition(metadata)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds metadata. See ``addMetadata(_:completion:)``.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        try await succeeding { addMetadata(metadata, completion: $0) }
    }

    // MARK: Finishing

    /// Saves the route and adds it to a stored workout. Fails with
    /// ``HKError/errorInvalidArgument`` without locations, or if the workout is not stored.
    @preconcurrency
    open func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?,
        completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
    ) {
        connection.perform(finishing(workout, metadata)) { completion(try? $0.get(), $0.error) }
    }

    /// Saves the route and adds it to a stored workout. See
    /// ``finishRoute(with:metadata:completion:)``.
    @discardableResult
    open func finishRoute(with workout: HKWorkout, metadata: [String: Any]?) async throws -> HKWorkoutRoute {
        try await obtaining { finishRoute(with: workout, metadata: metadata, completion: $0) }
    }

    /// Discards the locations; every later call fails.
    open override func discard() {
        state.withLock { $0.discard() }
    }

    // MARK: For a workout builder

    /// Returns the route for the workout builder to save; `nil` if there are no locations.
    func finishedPart() throws -> HKWorkoutRoute? {
        guard state.withLock({ $0.phase == .open && $0.elements.count > 0 }) else { return nil }
        return try finished()
    }

    /// Completes ``finishedPart()``.
    func conclude(isStored: Bool) {
        state.withLock { $0.conclude(isStored: isStored) }
    }

    // MARK: Work

    private func insertion(_ locations: [CLLocation]) -> StoreWork<Void> {
        StoreWork(.writing) { try self.state.withLock { try $0.insert(locations) } }
    }

    private func addition(_ metadata: [String: Any]) -> StoreWork<Void> {
        // Converted here: a dictionary of any values cannot be passed to another thread.
        let converted = Result { try MetadataDictionary.record(of: metadata) }
        return StoreWork(.writing) {
            let more = try converted.get()
            try self.state.withLock { try $0.merge(more) }
        }
    }

    private func finishing(_ workout: HKWorkout, _ metadata: [String: Any]?) -> StoreWork<HKWorkoutRoute> {
        let converted = Result { try MetadataDictionary.record(of: metadata) }
        return StoreWork(.writing) {
            try self.requireUnattached()
            let route = try self.finished(with: try converted.get())
            do {
                try self.connection.addPart(route, to: workout)
            } catch {
                self.conclude(isStored: false)
                throw error
            }
            self.conclude(isStored: true)
            return route
        }
    }

    /// Returns the route with its locations sorted by date; ``conclude(isStored:)`` completes the call.
    private func finished(with more: Metadata = .empty) throws -> HKWorkoutRoute {
        let (points, metadata) = try state.withLock { state in
            (try state.sortedLocations(), state.metadata.merging(more))
        }
        let times = points.timestamps
        return HKWorkoutRoute(
            base(HKSeriesType.workoutRoute(), from: times[0], to: times[times.count - 1], metadata: metadata),
            fields: points)
    }
}

extension SeriesBuilderState<RouteColumns> {
    /// Adds locations in any order. After an error all later calls fail.
    fileprivate mutating func insert(_ locations: [CLLocation]) throws(HKError) {
        try requireOpen()
        guard !locations.isEmpty, locations.allSatisfy(Self.isUsable) else {
            fail()
            throw invalid(
                locations.isEmpty
                    ? "The array of locations is empty."
                    : "A location of a route must have a valid coordinate and date.")
        }
        for location in locations { elements.append(location) }
    }

    fileprivate mutating func sortedLocations() throws(HKError) -> RouteColumns {
        try requireOpen()
        guard elements.count > 0 else { throw invalid("A route without locations cannot be finished.") }
        try beginFinishing()
        elements.sort()
        return elements
    }

    private static func isUsable(_ location: CLLocation) -> Bool {
        CLLocationCoordinate2DIsValid(location.coordinate) && location.timestamp.timeIntervalSinceReferenceDate.isFinite
            && location.timestamp < .distantFuture
    }
}
