public import Foundation
import HealthModel
import Synchronization

/// Builds a workout incrementally from samples, events, activities and metadata.
///
/// Samples are saved at once and remain in the store even if the workout is discarded. Calls take effect serially, in
/// the order they are made on a store; what they add is visible in the properties when their completion is called. A
/// call that the builder's state does not allow fails with ``HKError/errorInvalidArgument`` and changes nothing:
///
/// - Samples, events, activities and metadata may be added from `beginCollection` until `finishWorkout`.
/// - `finishWorkout` requires `endCollection`, and may be repeated if the store failed.
// Unchecked: all mutable state is in Mutexes; the compiler checks only final classes.
open class HKWorkoutBuilder: NSObject, _CVarArgObject, @unchecked Sendable {
    final let connection: StoreConnection
    final let state: Mutex<WorkoutBuilderState>

    /// The builders of the series that belong to the workout.
    struct Series {
        var route: HKWorkoutRouteBuilder?
        var heartbeats: HKHeartbeatSeriesBuilder?
    }

    final let series = Mutex(Series())

    /// The device that records the workout and its series.
    open var device: HKDevice? { storedDevice }
    private let storedDevice: HKDevice?

    /// Creates a builder of a workout.
    public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?) {
        connection = healthStore.connection
        storedDevice = device
        state = Mutex(WorkoutBuilderState(configuration: configuration.settings))
    }

    init(_ connection: StoreConnection, state: WorkoutBuilderState, device: HKDevice?) {
        self.connection = connection
        storedDevice = device
        self.state = Mutex(state)
    }

    // MARK: Properties

    /// The type of activity and its location.
    open var workoutConfiguration: HKWorkoutConfiguration {
        HKWorkoutConfiguration(state.withLock { $0.configuration })
    }

    /// The date collection began; `nil` before.
    open var startDate: Date? {
        state.withLock { $0.start }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The date collection ended; `nil` before.
    open var endDate: Date? {
        state.withLock { $0.end }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The metadata so far.
    open var metadata: [String: Any] { MetadataDictionary(state.withLock { $0.metadata }).values }

    /// The events so far, in ascending order.
    open var workoutEvents: [HKWorkoutEvent] {
        state.withLock { $0.events }.map { HKWorkoutEvent($0) }
    }

    /// The activities so far, in ascending order.
    open var workoutActivities: [HKWorkoutActivity] {
        let state = state.withLock { $0 }
        return state.completedActivities.map { activity in
            HKWorkoutActivity(activity, zones: state.zoneTimes(of: activity), members: state.members.records)
        }
    }

    /// Returns statistics over the samples of one type so far; `nil` if there are none.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        state.withLock { $0.statistics }.statistics(for: quantityType)
    }

    /// The statistics of every type that has samples.
    open var allStatistics: [HKQuantityType: HKStatistics] { state.withLock { $0.statistics }.all }

    /// Sets the zones of a type for this workout, instead of the person's; `nil` returns to those. They are neither
    /// kept for other workouts nor shared with other devices.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` once collection has begun, for a type without zones, and for zones
    /// of another type.
    open func setCustomZoneConfiguration(
        _ configuration: HKWorkoutZoneConfiguration?, for quantityType: HKQuantityType
    ) async throws {
        try await connection.perform(settingZones(configuration, of: quantityType))
    }

    /// The zones of a type that the workout is measured in: those that were set, else the person's; never `nil`.
    ///
    /// - Throws: ``HKError/errorNoData`` if there are none, ``HKError/errorInvalidArgument`` for a type without zones.
    open func zoneConfiguration(for quantityType: HKQuantityType) async throws -> HKWorkoutZoneConfiguration? {
        try await connection.perform(findingZones(of: quantityType))
    }

    /// The time in each zone of a type so far; `nil` without zones or samples.
    open func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? {
        HKWorkoutZoneGroup.group(of: quantityType, in: state.withLock { $0 }.zoneTimes())
    }

    /// Returns the seconds from the start of collection to a date, without pauses; 0 before the start, and at
    /// most those until the end.
    open func elapsedTime(at date: Date) -> TimeInterval {
        state.withLock { $0.elapsed(at: date.timeIntervalSinceReferenceDate) }
    }

    /// Returns the builder of a series that is saved with the workout; one for each type.
    ///
    /// Heartbeats are relative to the workout's start, so their builder exists only once collection has begun.
    /// Returns `nil` for a type of series without such a builder.
    open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
        let start = startDate
        return series.withLock { series in
            switch seriesType {
            case HKSeriesType.workoutRoute():
                let builder = series.route ?? HKWorkoutRouteBuilder(connection, device: device, isAttached: true)
                series.route = builder
                return builder
            case HKSeriesType.heartbeat():
                guard let start else { return nil }
                let builder =
                    series.heartbeats
                    ?? HKHeartbeatSeriesBuilder(connection, device: device, start: start, isAttached: true)
                series.heartbeats = builder
                return builder
            default: return nil
            }
        }
    }

    // MARK: Collection

    /// Begins collection. Allowed once.
    @preconcurrency
    open func beginCollection(
        withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(beginning(startDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Begins collection. See ``beginCollection(withStart:completion:)``.
    open func beginCollection(at startDate: Date) async throws {
        try await succeeding { beginCollection(withStart: startDate, completion: $0) }
    }

    /// Ends collection, and the activity that is still running. The end date must not be before the start date,
    /// an event or an activity.
    @preconcurrency
    open func endCollection(
        withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(ending(endDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Ends collection. See ``endCollection(withEnd:completion:)``.
    open func endCollection(at endDate: Date) async throws {
        try await succeeding { endCollection(withEnd: endDate, completion: $0) }
    }

    // MARK: Samples, events, metadata

    /// Saves samples and adds them to the workout; samples this application has saved before are only added. They
    /// must not start before the workout. All or none are saved.
    @preconcurrency
    open func add(
        _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(adding(samples)) { completion($0.isSuccess, $0.error) }
    }

    /// Saves samples and adds them to the workout. See ``add(_:completion:)``.
    open func addSamples(_ samples: [HKSample]) async throws {
        try await succeeding { add(samples, completion: $0) }
    }

    /// Adds events, all or none. The first event of a workout must not be a resume event.
    @preconcurrency
    open func addWorkoutEvents(
        _ workoutEvents: [HKWorkoutEvent], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(adding(workoutEvents)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds events. See ``addWorkoutEvents(_:completion:)``.
    open func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
        try await succeeding { addWorkoutEvents(workoutEvents, completion: $0) }
    }

    /// Adds metadata; values replace those of the same key.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(adding(metadata)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds metadata; values replace those of the same key.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        try await succeeding { addMetadata(metadata, completion: $0) }
    }

    // MARK: Activities

    /// Adds an activity. It must be within the workout, must not overlap another one, and must have the workout's
    /// activity type or be a part of a swim-bike-run.
    @preconcurrency
    open func addWorkoutActivity(
        _ workoutActivity: HKWorkoutActivity, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(adding(workoutActivity)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds an activity. See ``addWorkoutActivity(_:completion:)``.
    open func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
        try await succeeding { addWorkoutActivity(workoutActivity, completion: $0) }
    }

    /// Sets the end date of an activity.
    @preconcurrency
    open func updateActivity(
        uuid UUID: UUID, end endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(updating(UUID, end: endDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Sets the end date of an activity.
    open func updateActivity(uuid UUID: UUID, end endDate: Date) async throws {
        try await succeeding { updateActivity(uuid: UUID, end: endDate, completion: $0) }
    }

    /// Adds metadata to an activity; values replace those of the same key.
    @preconcurrency
    open func updateActivity(
        uuid UUID: UUID, adding metadata: [String: Any],
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(updating(UUID, adding: metadata)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds metadata to an activity; values replace those of the same key.
    open func updateActivity(uuid UUID: UUID, adding metadata: [String: Any]) async throws {
        try await succeeding { updateActivity(uuid: UUID, adding: metadata, completion: $0) }
    }

    // MARK: Finishing

    /// Saves the workout with its samples, events, activities, statistics and series.
    ///
    /// The workout is saved, but `nil` without an error, while the device is locked, as a test can simulate.
    @preconcurrency
    open func finishWorkout(completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
        connection.perform(finishing()) { completion((try? $0.get()) ?? nil, $0.error) }
    }

    /// Saves the workout. See ``finishWorkout(completion:)``.
    @discardableResult
    open func finishWorkout() async throws -> HKWorkout? {
        try await awaiting { finishWorkout(completion: $0) }
    }

    /// Discards everything but the samples, which remain in the store. Every later call fails.
    open func discardWorkout() {
        state.withLock { $0.discard() }
        if state.withLock({ $0.phase }) == .discarded {
            let (route, heartbeats) = series.withLock { ($0.route, $0.heartbeats) }
            route?.discard()
            heartbeats?.discard()
            didChange()
        }
    }

    // MARK: For a live builder

    /// Called when collection has begun.
    func didBegin() throws {}

    /// Called when collection is about to end.
    func willEnd() {}

    /// Called when collection has ended.
    func didEnd(at instant: Double) {}

    /// Called when samples of these types were added.
    func didAddSamples(of types: Set<HKSampleType>) {}

    /// Called when events were added.
    func didAddEvents(_ count: Int) {}

    /// Called after a change that is worth keeping in case of a crash.
    func didChange() {}
}
