import Foundation
import HealthEngine
import HealthModel

/// The contents that a workout builder has collected, and the calls it allows. A call that throws changes nothing.
struct WorkoutBuilderState: Sendable {
    enum Phase: Hashable, Sendable {
        /// Before collection.
        case fresh
        case collecting
        /// After collection, before the workout is saved.
        case collected
        case finishing, finished, discarded
    }

    let configuration: HKWorkoutConfiguration.Settings
    private(set) var phase = Phase.fresh
    /// Seconds since 2001-01-01 00:00:00 UTC.
    private(set) var start: Double?
    private(set) var end: Double?
    private(set) var metadata = Metadata.empty
    /// In ascending order.
    private(set) var events: [WorkoutBody.Event] = []
    /// In ascending order, without durations and events; see ``completedActivities``.
    private(set) var activities: [WorkoutBody.Activity] = []
    private(set) var members = BuilderMembers()
    /// The zones that the application set, by quantity type.
    private(set) var customZones: [String: WorkoutZoneRecord] = [:]
    /// The person's zones when collection began.
    var personZones: [String: WorkoutZoneRecord] = [:]

    init(configuration: HKWorkoutConfiguration.Settings) {
        self.configuration = configuration
    }

    // MARK: Collection

    mutating func begin(at instant: Double) throws(HKError) {
        guard phase == .fresh else { throw unexpectedCall("begin collection") }
        guard instant.isFinite else { throw invalid("A workout requires a start date.") }
        start = instant
        phase = .collecting
    }

    /// Undoes ``begin(at:)``, because nothing could be collected.
    mutating func cancelBeginning() {
        start = nil
        phase = .fresh
        personZones = [:]
    }

    /// Ends collection, and the activity that is still running. No event or activity may be after the end.
    mutating func end(at instant: Double) throws(HKError) {
        guard phase == .collecting, let start else { throw unexpectedCall("end collection") }
        guard instant.isFinite, instant >= start else {
            throw invalid("The workout's end date must be at or after its start date.")
        }
        let last = (events.map(\.end) + activities.map { $0.end ?? $0.start }).max() ?? start
        guard instant >= last else {
            throw invalid("The workout cannot end before its events and activities.")
        }
        finishActivity(at: instant)
        end = instant
        phase = .collected
    }

    /// Checks that samples, events, activities and metadata may be added.
    func requireOpen(_ action: String) throws(HKError) {
        guard phase == .collecting || phase == .collected else { throw unexpectedCall(action) }
    }

    private func unexpectedCall(_ action: String) -> HKError {
        let reason =
            switch phase {
            case .fresh: "collection has not begun"
            case .collecting: "collection has not ended"
            case .collected: "collection has ended"
            case .finishing, .finished: "the workout has been finished"
            case .discarded: "the workout has been discarded"
            }
        return invalid("The workout builder cannot \(action): \(reason).")
    }

    private func invalid(_ reason: String) -> HKError {
        HKError.make(.errorInvalidArgument, reason)
    }

    // MARK: Samples

    /// Validates samples of an application before they are saved.
    func validate(_ samples: [HKSample]) throws(HKError) {
        try requireOpen("add samples")
        guard let start, samples.allSatisfy({ $0.start >= start }) else {
            throw invalid("Samples must not start before the workout does.")
        }
    }

    /// Adds stored samples; known ones are ignored. Returns the types of the others.
    mutating func append(_ samples: StoredSamples) -> Set<HKSampleType> {
        guard phase == .collecting || phase == .collected else { return [] }
        return members.append(samples)
    }

    /// Removes the samples among `sequences` that start after an instant.
    mutating func removeSamples(after instant: Double, in sequences: Set<Int64>) {
        members.remove(after: instant, in: sequences)
    }

    /// The statistics of the samples so far.
    var statistics: WorkoutStatisticsSource {
        let start = start ?? 0
        return WorkoutStatisticsSource(
            start: start, end: end ?? members.lastEnd(from: start), stored: [], members: members.records)
    }

    /// Sets the zones of a type for this workout; `nil` returns to those of the person.
    mutating func setZones(_ zones: WorkoutZoneRecord?, of type: String) throws(HKError) {
        guard phase == .fresh else { throw invalid("Workout zones must be set before collection begins.") }
        guard WorkoutZoneRecord.types.contains(type) else {
            throw invalid("Type \(type) does not have workout zones.")
        }
        guard zones == nil || zones?.type == type else {
            throw invalid("The zones are not those of type \(type).")
        }
        customZones[type] = zones
    }

    // MARK: Events and metadata

    mutating func add(_ new: [WorkoutBody.Event]) throws {
        try requireOpen("add events")
        guard !new.isEmpty else { throw invalid("The array of events is empty.") }
        let merged = (events + new).enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        // The store's own rules, so that the workout can be saved in the end.
        let start = start ?? 0
        let type = HKObjectType.workoutType()
        try RecordValidation.validate(
            ObjectRecord(
                type: type.code, start: start, end: max(start, end ?? merged.map(\.end).max() ?? 0),
                body: .workout(body(events: merged))), description: type.typeDescription)
        events = merged
    }

    mutating func merge(_ more: Metadata) throws(HKError) {
        try requireOpen("add metadata")
        metadata = metadata.merging(more)
    }

    // MARK: Activities

    mutating func add(_ activity: WorkoutBody.Activity) throws(HKError) {
        try requireOpen("add an activity")
        guard WorkoutBody.Activity.isAllowed(activity.activityType, in: configuration.activityType) else {
            throw invalid("The workout's activity type does not allow such an activity.")
        }
        guard let start, activity.start >= start, activity.end ?? activity.start <= end ?? .infinity else {
            throw invalid("An activity must lie within its workout.")
        }
        guard !activities.contains(where: { $0.uuid == activity.uuid }) else {
            throw invalid("The workout already has this activity.")
        }
        let newEnd = activity.end ?? .infinity
        guard activities.allSatisfy({ ($0.end ?? .infinity) <= activity.start || $0.start >= newEnd }) else {
            throw invalid("The activities of a workout must not overlap.")
        }
        activities.append(activity)
        activities.sort { $0.start < $1.start }
        if let end { finishActivity(at: end) }
    }

    mutating func update(_ uuid: UUID, end instant: Double) throws(HKError) {
        let index = try index(of: uuid)
        let next = activities.indices.contains(index + 1) ? activities[index + 1].start : .infinity
        guard instant >= activities[index].start, instant <= min(next, end ?? .infinity) else {
            throw invalid("An activity must end after its start, within its workout and before the next activity.")
        }
        activities[index].end = instant
    }

    mutating func update(_ uuid: UUID, adding more: Metadata) throws(HKError) {
        let index = try index(of: uuid)
        activities[index].metadata = activities[index].metadata.merging(more)
    }

    private func index(of uuid: UUID) throws(HKError) -> Int {
        try requireOpen("change an activity")
        guard let index = activities.firstIndex(where: { $0.uuid == uuid }) else {
            throw invalid("The workout has no such activity.")
        }
        return index
    }

    private mutating func finishActivity(at instant: Double) {
        for index in activities.indices where activities[index].end == nil {
            activities[index].end = instant
        }
    }

    /// The activities with their durations and the events that overlap them.
    var completedActivities: [WorkoutBody.Activity] {
        activities.map { completed($0) }
    }

    private func completed(_ activity: WorkoutBody.Activity) -> WorkoutBody.Activity {
        var activity = activity
        activity.events = events.filter(activity.overlaps)
        activity.duration = WorkoutPauses.duration(
            from: activity.start, to: activity.end ?? activity.start, events: events)
        return activity
    }

    // MARK: Finishing

    mutating func beginFinishing() throws(HKError) {
        guard phase == .collected else { throw unexpectedCall("finish the workout") }
        phase = .finishing
    }

    /// Completes a finish; one that failed may be repeated.
    mutating func conclude(isStored: Bool) {
        guard phase == .finishing else { return }
        phase = isStored ? .finished : .collected
    }

    mutating func discard() {
        guard phase != .finished, phase != .finishing else { return }
        phase = .discarded
        members.removeAll()
    }

    /// Returns the workout to save.
    ///
    /// - Parameters:
    ///   - identity: The identity of the activity of a workout without activities.
    ///   - statistics: Returns the statistics of the samples in a range, for the workout or an activity.
    func workout(
        activity identity: UUID,
        statistics: (_ start: Double, _ end: Double, _ isActivity: Bool) -> [WorkoutBody.Statistics]
    ) -> (start: Double, end: Double, body: WorkoutBody) {
        let start = start ?? 0
        let end = max(start, end ?? start)
        var workout = body(events: events)
        let parts =
            activities.isEmpty ? [WorkoutBody.Activity(identity, configuration, start: start, end: end)] : activities
        workout.activities = parts.map { activity in
            var activity = completed(activity)
            activity.statistics = statistics(activity.start, activity.end ?? activity.start, true)
            // Events are stored once, with the workout.
            activity.events = []
            return activity
        }
        workout.zones = zoneTimes() + (activities.isEmpty ? [] : workout.activities.flatMap { zoneTimes(of: $0) })
        workout.statistics = statistics(start, end, false)
        workout.totalEnergyBurned = workout.sum(.energyBurned)
        workout.totalDistance = workout.sum(.distance)
        workout.totalSwimmingStrokeCount = workout.sum(.swimmingStrokeCount)
        workout.totalFlightsClimbed = workout.sum(.flightsClimbed)
        return (start, end, workout)
    }

    /// Returns a workout of these events without anything else.
    private func body(events: [WorkoutBody.Event]) -> WorkoutBody {
        let start = start ?? 0
        return WorkoutBody(
            activityType: configuration.activityType,
            duration: WorkoutPauses.duration(
                from: start, to: max(start, end ?? events.map(\.end).max() ?? 0), events: events), events: events)
    }

    /// Returns the seconds from the start to an instant, without pauses; 0 before the start, and at most those
    /// until the end.
    func elapsed(at instant: Double) -> Double {
        guard let start, instant > start else { return 0 }
        return WorkoutPauses.duration(from: start, to: min(instant, end ?? instant), events: events)
    }
}

// MARK: - Recovery after a crash

extension WorkoutBuilderState {
    /// The stored state from which the builder is recovered; its samples are in the store already.
    struct Snapshot: Codable, Sendable {
        var isCollecting: Bool
        var start: Double?
        var end: Double?
        var metadata: Metadata
        var events: [WorkoutBody.Event]
        var activities: [WorkoutBody.Activity]
        var customZones: [String: WorkoutZoneRecord]?
        var personZones: [String: WorkoutZoneRecord]?
    }

    /// The snapshot; `nil` if there is nothing to recover.
    var snapshot: Snapshot? {
        guard phase == .fresh || phase == .collecting || phase == .collected else { return nil }
        return Snapshot(
            isCollecting: phase == .collecting, start: start, end: end, metadata: metadata, events: events,
            activities: activities, customZones: customZones, personZones: personZones)
    }

    init(_ snapshot: Snapshot, configuration: HKWorkoutConfiguration.Settings) {
        self.configuration = configuration
        phase = snapshot.start == nil ? .fresh : snapshot.isCollecting ? .collecting : .collected
        start = snapshot.start
        end = snapshot.end
        metadata = snapshot.metadata
        events = snapshot.events
        activities = snapshot.activities
        customZones = snapshot.customZones ?? [:]
        personZones = snapshot.personZones ?? [:]
    }
}
