public import CoreLocation
import Foundation
import Synchronization

/// Builds a route from locations and adds it to a workout.
///
/// Locations may be inserted in any order; they are sorted by date at the end. After an insertion that fails,
/// all later calls fail. Calls take effect one after the other, in the order they are made on a store.
///
/// A builder from ``HKWorkoutBuilder/seriesBuilder(for:)`` is finished by its workout builder.
// Unchecked: all mutable state is in a Mutex.
open class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
    private let connection: StoreConnection
    private let device: HKDevice?
    /// Whether a workout builder finishes the route.
    private let isAttached: Bool
    private let draft = Mutex(RouteDraft())

    /// Creates a builder of one route, with the device that records it.
    public init(healthStore: HKHealthStore, device: HKDevice?) {
        connection = healthStore.connection
        self.device = device
        isAttached = false
        super.init()
    }

    init(_ connection: StoreConnection, device: HKDevice?, isAttached: Bool) {
        self.connection = connection
        self.device = device
        self.isAttached = isAttached
        super.init()
    }

    /// A Boolean value that indicates whether calls may be overridden; see ``HKHealthStore``.
    private var isSubclass: Bool { type(of: self) != HKWorkoutRouteBuilder.self }

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
        if isSubclass { return try await succeeding { insertRouteData(routeData, completion: $0) } }
        try await connection.perform(insertion(routeData))
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
        if isSubclass { return try await succeeding { addMetadata(metadata, completion: $0) } }
        try await connection.perform(addition(metadata))
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
        if isSubclass {
            return try await obtaining { finishRoute(with: workout, metadata: metadata, completion: $0) }
        }
        return try await connection.perform(finishing(workout, metadata))
    }

    /// Discards the locations; every later call fails.
    open override func discard() {
        draft.withLock { $0.discard() }
    }

    // MARK: For a workout builder

    /// Returns the route for the workout builder to save; `nil` if there are no locations.
    func finishedPart() throws -> HKWorkoutRoute? {
        try draft.withLock { draft in
            guard draft.phase == .open, draft.points.count > 0 else { return nil }
            return route(try draft.finish(), draft.metadata)
        }
    }

    /// Completes ``finishedPart()``.
    func conclude(isStored: Bool) {
        draft.withLock { $0.conclude(isStored: isStored) }
    }

    // MARK: Work

    private func insertion(_ locations: [CLLocation]) -> StoreWork<Void> {
        StoreWork(.writing) { try self.draft.withLock { try $0.insert(locations) } }
    }

    private func addition(_ metadata: [String: Any]) -> StoreWork<Void> {
        // Converted here: a dictionary of any values cannot be passed to another thread.
        let converted = Result { try MetadataDictionary(metadata) }
        return StoreWork(.writing) {
            let more = try converted.get()
            try self.draft.withLock { try $0.merge(more) }
        }
    }

    private func finishing(_ workout: HKWorkout, _ metadata: [String: Any]?) -> StoreWork<HKWorkoutRoute> {
        let converted = Result { try MetadataDictionary(metadata) }
        return StoreWork(.writing) {
            guard !self.isAttached else {
                throw HKError.make(.errorInvalidArgument, "This route is finished by its workout builder.")
            }
            let more = try converted.get()
            let route = try self.draft.withLock { draft in
                self.route(try draft.finish(), draft.metadata.merging(more))
            }
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

    private func route(_ points: RouteColumns, _ metadata: MetadataDictionary) -> HKWorkoutRoute {
        let times = points.timestamps
        return HKWorkoutRoute(
            SampleBase.built(
                by: connection, type: HKSeriesType.workoutRoute(), start: times[0], end: times[times.count - 1],
                device: device, metadata: metadata),
            fields: points)
    }
}

/// The locations a route builder has collected, and the calls it allows.
struct RouteDraft: Sendable {
    enum Phase: Sendable {
        case open
        /// After a failed insertion; the builder cannot be used any more.
        case failed
        case finishing, finished, discarded
    }

    private(set) var phase = Phase.open
    private(set) var points = RouteColumns()
    private(set) var metadata = MetadataDictionary.empty

    /// Adds locations in any order. After an error all later calls fail.
    mutating func insert(_ locations: [CLLocation]) throws(HKError) {
        try requireOpen()
        guard !locations.isEmpty, locations.allSatisfy(Self.isUsable) else {
            phase = .failed
            throw invalid(
                locations.isEmpty
                    ? "The array of locations is empty."
                    : "A location of a route must have a valid coordinate and date.")
        }
        for location in locations { points.append(location) }
    }

    mutating func merge(_ more: MetadataDictionary) throws(HKError) {
        try requireOpen()
        metadata = metadata.merging(more)
    }

    /// Returns the sorted locations; ``conclude(isStored:)`` completes the call.
    ///
    /// - Throws: an error without locations, and in any phase but the open one.
    mutating func finish() throws(HKError) -> RouteColumns {
        try requireOpen()
        guard points.count > 0 else { throw invalid("A route without locations cannot be finished.") }
        phase = .finishing
        points.sort()
        return points
    }

    /// Completes a finish: releases the locations if they are stored, and allows another try if they are not.
    mutating func conclude(isStored: Bool) {
        guard phase == .finishing else { return }
        phase = isStored ? .finished : .open
        if isStored { points = RouteColumns() }
    }

    mutating func discard() {
        phase = .discarded
        points = RouteColumns()
    }

    private func requireOpen() throws(HKError) {
        switch phase {
        case .open: return
        case .failed: throw invalid("The route builder has failed.")
        case .finishing, .finished: throw invalid("The route has been finished.")
        case .discarded: throw invalid("The route has been discarded.")
        }
    }

    private func invalid(_ reason: String) -> HKError {
        HKError.make(.errorInvalidArgument, reason)
    }

    private static func isUsable(_ location: CLLocation) -> Bool {
        CLLocationCoordinate2DIsValid(location.coordinate)
            && location.timestamp.timeIntervalSinceReferenceDate.isFinite
            && location.timestamp < .distantFuture
    }
}
