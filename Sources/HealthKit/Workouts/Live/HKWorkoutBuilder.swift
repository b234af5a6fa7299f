public import Foundation
import Synchronization

/// Builds a workout incrementally from samples, events, activities and metadata.
///
/// Samples are saved at once and remain in the store even if the workout is discarded. Calls take effect one
/// after the other, in the order they are made on a store; what they add is visible in the properties when
/// their completion is called. A call that the builder's state does not allow fails with
/// ``HKError/errorInvalidArgument`` and changes nothing:
///
/// - Samples, events, activities and metadata may be added from `beginCollection` until `finishWorkout`.
/// - `finishWorkout` requires `endCollection`, and may be repeated if the store failed.
// Unchecked: all mutable state is in Mutexes; the compiler checks only final classes.
open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
    final let connection: StoreConnection
    final let state: Mutex<WorkoutBuilderState>
    private struct Series {
        var route: HKWorkoutRouteBuilder?
        var heartbeats: HKHeartbeatSeriesBuilder?
    }

    private let series = Mutex(Series())

    /// The device that records the workout and its series.
    public final let device: HKDevice?

    /// Creates a builder of a workout.
    public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?) {
        connection = healthStore.connection
        self.device = device
        state = Mutex(WorkoutBuilderState(configuration: configuration.settings))
        super.init()
    }

    init(_ connection: StoreConnection, state: WorkoutBuilderState, device: HKDevice?) {
        self.connection = connection
        self.device = device
        self.state = Mutex(state)
        super.init()
    }

    // MARK: Properties

    /// The type of activity and its location.
    public var workoutConfiguration: HKWorkoutConfiguration {
        HKWorkoutConfiguration(state.withLock { $0.configuration })
    }

    /// The date collection began; `nil` before.
    public var startDate: Date? {
        state.withLock { $0.start }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The date collection ended; `nil` before.
    public var endDate: Date? {
        state.withLock { $0.end }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The metadata so far.
    public var metadata: [String: Any] { state.withLock { $0.metadata }.values }

    /// The events so far, in ascending order.
    public var workoutEvents: [HKWorkoutEvent] {
        state.withLock { $0.events }.map { HKWorkoutEvent($0) }
    }

    /// The activities so far, in ascending order.
    public var workoutActivities: [HKWorkoutActivity] {
        let (activities, members) = state.withLock { ($0.completedActivities, $0.members.members) }
        return activities.map { HKWorkoutActivity($0, members: members) }
    }

    /// Returns statistics over the samples of one type so far; `nil` if there are none.
    public func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        state.withLock { $0.statistics }.statistics(for: quantityType)
    }

    /// The statistics of every type that has samples.
    public var allStatistics: [HKQuantityType: HKStatistics] { state.withLock { $0.statistics }.all }

    /// Returns the seconds from the start of collection to a date, without pauses; 0 before the start, and at
    /// most those until the end.
    public func elapsedTime(at date: Date) -> TimeInterval {
        state.withLock { $0.elapsed(at: date.timeIntervalSinceReferenceDate) }
    }

    /// Returns the builder of a series that is saved with the workout; one for each type.
    ///
    /// Heartbeats are relative to the workout's start, so their builder exists only once collection has begun.
    /// Returns `nil` for a type of series without such a builder.
    public func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
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

    /// Discards everything but the samples, which remain in the store. Every later call fails.
    public func discardWorkout() {
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

// The work behind the public calls, which perform it in the store's order of changes.
extension HKWorkoutBuilder {
    func beginning(_ start: Date) -> StoreWork<Void> {
        let instant = start.timeIntervalSinceReferenceDate
        return StoreWork(.writing) {
            try self.state.withLock { try $0.begin(at: instant) }
            try self.didBegin()
            self.didChange()
        }
    }

    func ending(_ end: Date) -> StoreWork<Void> {
        let instant = end.timeIntervalSinceReferenceDate
        return StoreWork(.writing) {
            self.willEnd()
            try self.state.withLock { try $0.end(at: instant) }
            self.didEnd(at: instant)
            self.didChange()
        }
    }

    func adding(_ samples: [HKSample]) -> StoreWork<Void> {
        StoreWork(.writing) {
            try self.state.withLock { try $0.validate(samples) }
            let stored = try self.connection.saveMembers(samples)
            let types = self.state.withLock { $0.append(stored) }
            self.didAddSamples(of: types)
        }
    }

    func adding(_ events: [HKWorkoutEvent]) -> StoreWork<Void> {
        let fields = events.map(\.fields)
        return StoreWork(.writing) {
            try self.state.withLock { try $0.add(fields) }
            self.didAddEvents(fields.count)
            self.didChange()
        }
    }

    func adding(_ activity: HKWorkoutActivity) -> StoreWork<Void> {
        let fields = activity.fields
        return StoreWork(.writing) {
            try self.state.withLock { try $0.add(fields) }
            self.didChange()
        }
    }

    func adding(_ metadata: [String: Any]) -> StoreWork<Void> {
        // Converted here: a dictionary of any values cannot be passed to another thread.
        let converted = Result { try MetadataDictionary(metadata) }
        return StoreWork(.writing) {
            let more = try converted.get()
            try self.state.withLock { try $0.merge(more) }
            self.didChange()
        }
    }

    func updating(_ uuid: UUID, end: Date) -> StoreWork<Void> {
        let instant = end.timeIntervalSinceReferenceDate
        return StoreWork(.writing) {
            try self.state.withLock { try $0.update(uuid, end: instant) }
            self.didChange()
        }
    }

    func updating(_ uuid: UUID, adding metadata: [String: Any]) -> StoreWork<Void> {
        let converted = Result { try MetadataDictionary(metadata) }
        return StoreWork(.writing) {
            let more = try converted.get()
            try self.state.withLock { try $0.update(uuid, adding: more) }
            self.didChange()
        }
    }

    func finishing() -> StoreWork<HKWorkout?> {
        StoreWork(.writing) {
            try self.state.withLock { try $0.beginFinishing() }
            let (route, heartbeats) = self.series.withLock { ($0.route, $0.heartbeats) }
            do {
                let parts: [HKSample?] = [try route?.finishedPart(), try heartbeats?.finishedPart()]
                let workout = try self.connection.save(
                    self.state.withLock { $0 }, device: self.device, parts: parts.compactMap { $0 })
                route?.conclude(isStored: true)
                heartbeats?.conclude(isStored: true)
                self.state.withLock { $0.conclude(isStored: true) }
                self.didChange()
                return workout
            } catch {
                route?.conclude(isStored: false)
                heartbeats?.conclude(isStored: false)
                self.state.withLock { $0.conclude(isStored: false) }
                throw error
            }
        }
    }
}
