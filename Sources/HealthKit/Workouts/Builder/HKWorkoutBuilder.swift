public import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Synchronization

/// Makes a workout little by little: samples, events, activities, metadata, and in the end the workout.
///
/// Samples are written to the store at once and stay there whatever becomes of the workout. Calls take
/// effect one after the other, in the order they were made on a store; what they add shows in the
/// properties once their completion has run. A call that does not fit the builder's state fails with
/// ``HKError/errorInvalidArgument`` and changes nothing:
///
/// - Samples, events, activities and metadata may be added from `beginCollection` until `finishWorkout`.
/// - `finishWorkout` wants `endCollection` first, and may be tried again when the store failed.
// Unchecked: what changes is in Mutexes; the compiler checks only final classes.
open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
    final let connection: StoreConnection
    final let state: Mutex<WorkoutBuilderState>
    private struct Series {
        var route: HKWorkoutRouteBuilder?
        var heartbeats: HKHeartbeatSeriesBuilder?
    }

    private let series = Mutex(Series())

    /// The device that measures, for the workout and its route.
    public final let device: HKDevice?

    /// A builder of a workout with this configuration.
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

    // MARK: What there is

    /// What is done, and where.
    public var workoutConfiguration: HKWorkoutConfiguration {
        HKWorkoutConfiguration(state.withLock { $0.configuration })
    }

    /// When collection began; `nil` before.
    public var startDate: Date? {
        state.withLock { $0.start }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// When collection ended; `nil` before.
    public var endDate: Date? {
        state.withLock { $0.end }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The metadata so far.
    public var metadata: [String: Any] { MetadataDictionary(state.withLock { $0.metadata }).values }

    /// The events so far, in ascending order.
    public var workoutEvents: [HKWorkoutEvent] {
        state.withLock { $0.events }.map { HKWorkoutEvent($0) }
    }

    /// The activities so far, in ascending order.
    public var workoutActivities: [HKWorkoutActivity] {
        let (activities, members) = state.withLock { ($0.completedActivities, $0.members) }
        return activities.map { HKWorkoutActivity($0, members: members) }
    }

    /// Figures over the samples of one type so far; `nil` when there is none.
    public func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        state.withLock { $0.statistics }.statistics(for: quantityType)
    }

    /// The figures of every type that has samples.
    public var allStatistics: [HKQuantityType: HKStatistics] { state.withLock { $0.statistics }.all }

    /// Seconds from the start of collection to an instant, pauses left out; 0 before the start, and no
    /// more than until the end.
    public func elapsedTime(at date: Date) -> TimeInterval {
        state.withLock { $0.elapsed(at: date.timeIntervalSinceReferenceDate) }
    }

    /// The builder of a series that is attached to the workout when it is finished; one for each type.
    ///
    /// Beats are told by their time since the workout's start, so there is a builder of heartbeats only once
    /// collection has begun. `nil` for a type of series that is not built so.
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

    /// Throws away everything but the samples, which stay in the store. Every later call fails.
    public func discardWorkout() {
        state.withLock { $0.discard() }
        if state.withLock({ $0.phase }) == .discarded {
            let (route, heartbeats) = series.withLock { ($0.route, $0.heartbeats) }
            route?.discard()
            heartbeats?.discard()
            changed()
        }
    }

    // MARK: For a live builder

    /// Collection has begun.
    func didBegin(_ engine: HealthEngine) throws {}

    /// Collection is about to end.
    func willEnd(_ engine: HealthEngine) {}

    /// Collection has ended.
    func didEnd(at instant: Double) {}

    /// Samples of these types came.
    func didTake(_ types: Set<TypeCode>) {}

    /// So many events came.
    func didAddEvents(_ count: Int) {}

    /// Something changed that is worth keeping for a crash.
    func changed() {}
}

// The work behind the public calls, which run it in the store's order of changes.
extension HKWorkoutBuilder {
    typealias Work<Value> = @Sendable (HealthEngine) throws -> Value

    func beginning(_ start: Date) -> Work<Void> {
        let instant = start.timeIntervalSinceReferenceDate
        return { engine in
            try self.state.withLock { try $0.begin(at: instant) }
            try self.didBegin(engine)
            self.changed()
        }
    }

    func ending(_ end: Date) -> Work<Void> {
        let instant = end.timeIntervalSinceReferenceDate
        return { engine in
            self.willEnd(engine)
            try self.state.withLock { try $0.end(at: instant) }
            self.didEnd(at: instant)
            self.changed()
        }
    }

    func adding(_ samples: [HKSample]) -> Work<Void> {
        { engine in
            let records = try RecordEncoder.items(samples).map { item in
                guard case .sample(let record) = item else {
                    throw EngineError.invalidArgument(
                        "Only quantity and category samples can be added to a workout.")
                }
                return record
            }
            try self.state.withLock { try $0.validate(records) }
            let places = try engine.saveMembers(records, as: self.connection.caller)
            let types = self.state.withLock { $0.take(records, at: places) }
            self.didTake(types)
        }
    }

    func adding(_ events: [HKWorkoutEvent]) -> Work<Void> {
        let records = events.map(\.record)
        return { _ in
            try self.state.withLock { try $0.add(records) }
            self.didAddEvents(records.count)
            self.changed()
        }
    }

    func adding(_ activity: HKWorkoutActivity) -> Work<Void> {
        let body = activity.body
        return { _ in
            try self.state.withLock { try $0.add(body) }
            self.changed()
        }
    }

    func adding(_ metadata: [String: Any]) -> Work<Void> {
        // Read here: a dictionary of any values cannot travel to another thread.
        let given = Result { try Metadata(metadata) }
        return { _ in
            let more = try given.get()
            try self.state.withLock { try $0.merge(more) }
            self.changed()
        }
    }

    func updating(_ uuid: UUID, end: Date) -> Work<Void> {
        let instant = end.timeIntervalSinceReferenceDate
        return { _ in
            try self.state.withLock { try $0.update(uuid, end: instant) }
            self.changed()
        }
    }

    func updating(_ uuid: UUID, adding metadata: [String: Any]) -> Work<Void> {
        let given = Result { try Metadata(metadata) }
        return { _ in
            let more = try given.get()
            try self.state.withLock { try $0.update(uuid, adding: more) }
            self.changed()
        }
    }

    func finishing() -> Work<HKWorkout?> {
        { engine in
            try self.state.withLock { try $0.beginFinishing() }
            let (route, heartbeats) = self.series.withLock { ($0.route, $0.heartbeats) }
            do {
                let parts = [try route?.finished(), try heartbeats?.finishedPart()].compactMap { $0 }
                let workout = try self.save(parts, in: engine)
                route?.conclude(isStored: true)
                heartbeats?.conclude(isStored: true)
                self.state.withLock { $0.conclude(isStored: true) }
                self.changed()
                return workout
            } catch {
                route?.conclude(isStored: false)
                heartbeats?.conclude(isStored: false)
                self.state.withLock { $0.conclude(isStored: false) }
                throw error
            }
        }
    }

    private func save(_ parts: [ObjectRecord], in engine: HealthEngine) throws -> HKWorkout {
        let device = device?.record
        let series = try engine.quantitySeries(at: state.withLock { $0.seriesPlaces })
        let (record, members, places) = state.withLock { state in
            (
                state.workout(uuid: UUID(), activity: UUID(), device: device, series: series), state.members,
                state.places
            )
        }
        guard case .workout(let body) = record.body else {
            throw EngineError.invalidArgument("The builder has no workout.")
        }
        try engine.save(record, owning: places, parts: parts, as: connection.caller)
        return HKWorkout(
            identity: record.uuid ?? UUID(),
            context: ObjectContext(
                type: .workoutType(), revision: HKSourceRevision(connection.caller.revision),
                device: self.device, metadata: record.metadata),
            start: record.start, end: record.end, body: body, members: members)
    }
}
