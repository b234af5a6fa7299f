import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// What a workout builder has gathered, and which calls it still takes. Every refusal leaves it as it was.
struct WorkoutBuilderState: Sendable {
    enum Phase: Hashable, Sendable {
        /// Before collection began.
        case fresh
        case collecting
        /// Collection has ended; the workout is still to be made.
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
    /// In ascending order; their durations and events are worked out when they are handed out.
    private(set) var activities: [WorkoutBody.Activity] = []
    /// The samples, each with its place in the store.
    private(set) var members: [SampleRecord] = []
    private(set) var places: [StoredIdentity] = []
    private var known: Set<Int64> = []

    init(configuration: HKWorkoutConfiguration.Settings) {
        self.configuration = configuration
    }

    // MARK: Collection

    mutating func begin(at instant: Double) throws(EngineError) {
        guard phase == .fresh else { throw refusal("begin collection") }
        guard instant.isFinite else { throw .invalidArgument("The workout needs a start date.") }
        start = instant
        phase = .collecting
    }

    /// Ends collection. Neither an event nor an activity may lie after the end; an activity that still
    /// runs ends with the workout.
    mutating func end(at instant: Double) throws(EngineError) {
        guard phase == .collecting, let start else { throw refusal("end collection") }
        guard instant.isFinite, instant >= start else {
            throw .invalidArgument("The workout's end date must be at or after its start date.")
        }
        let last = (events.map(\.end) + activities.map { $0.end ?? $0.start }).max() ?? start
        guard instant >= last else {
            throw .invalidArgument("The workout cannot end before its events and activities.")
        }
        finishActivity(at: instant)
        end = instant
        phase = .collected
    }

    /// Whether samples, events, activities and metadata may be added.
    func requireOpen(_ action: String) throws(EngineError) {
        guard phase == .collecting || phase == .collected else { throw refusal(action) }
    }

    private func refusal(_ action: String) -> EngineError {
        let reason =
            switch phase {
            case .fresh: "collection has not begun"
            case .collecting: "collection has not ended"
            case .collected: "collection has ended"
            case .finishing, .finished: "the workout has been finished"
            case .discarded: "the workout has been discarded"
            }
        return .invalidArgument("The workout builder cannot \(action): \(reason).")
    }

    // MARK: Samples

    /// Checks samples that an application adds, before they are saved.
    func validate(_ samples: [SampleRecord]) throws(EngineError) {
        try requireOpen("add samples")
        guard let start, samples.allSatisfy({ $0.start >= start }) else {
            throw .invalidArgument("Samples must not start before the workout does.")
        }
    }

    /// Takes stored samples; those it has already are passed over. Returns the types of the others.
    mutating func take(_ samples: [SampleRecord], at places: [StoredIdentity]) -> Set<TypeCode> {
        guard phase == .collecting || phase == .collected else { return [] }
        var types: Set<TypeCode> = []
        for (sample, place) in zip(samples, places) where known.insert(place.sequence).inserted {
            members.append(sample)
            self.places.append(place)
            types.insert(sample.type)
        }
        return types
    }

    /// Lets go of samples that begin after an instant and stand at one of these places.
    mutating func drop(after instant: Double, at sequences: Set<Int64>) {
        let kept = members.indices.filter {
            members[$0].start <= instant || !sequences.contains(places[$0].sequence)
        }
        guard kept.count < members.count else { return }
        (members, places) = (kept.map { members[$0] }, kept.map { places[$0] })
    }

    // MARK: Events and metadata

    mutating func add(_ new: [WorkoutBody.Event]) throws {
        try requireOpen("add events")
        guard !new.isEmpty else { throw EngineError.invalidArgument("There are no events to add.") }
        let merged = (events + new).enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        // The store's own rules, so that what is taken here can be saved in the end.
        try RecordValidation.validate(
            record(end: end ?? merged.map(\.end).max() ?? 0, events: merged),
            description: HKObjectType.workoutType().typeDescription)
        events = merged
    }

    mutating func merge(_ more: Metadata) throws(EngineError) {
        try requireOpen("add metadata")
        metadata = metadata.merging(more)
    }

    // MARK: Activities

    mutating func add(_ activity: WorkoutBody.Activity) throws(EngineError) {
        try requireOpen("add an activity")
        try ActivityRules.check(activity, in: configuration)
        guard let start, activity.start >= start, activity.end ?? activity.start <= end ?? .infinity else {
            throw .invalidArgument("An activity must lie within its workout.")
        }
        guard !activities.contains(where: { $0.uuid == activity.uuid }) else {
            throw .invalidArgument("The workout has this activity already.")
        }
        let newEnd = activity.end ?? .infinity
        guard activities.allSatisfy({ ($0.end ?? .infinity) <= activity.start || $0.start >= newEnd }) else {
            throw .invalidArgument("Activities of a workout must not overlap.")
        }
        activities.append(activity)
        activities.sort { $0.start < $1.start }
        if let end { finishActivity(at: end) }
    }

    mutating func update(_ uuid: UUID, end instant: Double) throws(EngineError) {
        let index = try index(of: uuid)
        let next = activities.indices.contains(index + 1) ? activities[index + 1].start : .infinity
        guard instant >= activities[index].start, instant <= min(next, end ?? .infinity) else {
            throw .invalidArgument("An activity must end after its start, within its workout and before the next one.")
        }
        activities[index].end = instant
    }

    mutating func update(_ uuid: UUID, adding more: Metadata) throws(EngineError) {
        let index = try index(of: uuid)
        activities[index].metadata = activities[index].metadata.merging(more)
    }

    private func index(of uuid: UUID) throws(EngineError) -> Int {
        try requireOpen("change an activity")
        guard let index = activities.firstIndex(where: { $0.uuid == uuid }) else {
            throw .invalidArgument("The workout has no such activity.")
        }
        return index
    }

    private mutating func finishActivity(at instant: Double) {
        for index in activities.indices where activities[index].end == nil {
            activities[index].end = instant
        }
    }

    // MARK: The end

    mutating func beginFinishing() throws(EngineError) {
        guard phase == .collected else { throw refusal("finish the workout") }
        phase = .finishing
    }

    /// Ends a finish; one that failed may be tried again.
    mutating func conclude(isStored: Bool) {
        guard phase == .finishing else { return }
        phase = isStored ? .finished : .collected
    }

    mutating func discard() {
        guard phase != .finished, phase != .finishing else { return }
        phase = .discarded
        members = []
        places = []
    }

    // MARK: Time

    /// Seconds from the start to an instant, pauses left out; 0 before the start, and no more than until
    /// the end.
    func elapsed(at instant: Double) -> Double {
        guard let start, instant > start else { return 0 }
        return WorkoutPauses.duration(from: start, to: min(instant, end ?? instant), events: events)
    }

    // MARK: After a crash

    /// What has to be kept so that the builder can be taken up again; samples are in the store.
    struct Snapshot: Codable, Sendable {
        var isCollecting: Bool
        var start: Double?
        var end: Double?
        var metadata: Metadata
        var events: [WorkoutBody.Event]
        var activities: [WorkoutBody.Activity]
    }

    /// `nil` when there is nothing left to take up.
    var snapshot: Snapshot? {
        guard phase == .fresh || phase == .collecting || phase == .collected else { return nil }
        return Snapshot(
            isCollecting: phase == .collecting, start: start, end: end, metadata: metadata, events: events,
            activities: activities)
    }

    init(_ snapshot: Snapshot, configuration: HKWorkoutConfiguration.Settings) {
        self.configuration = configuration
        phase = snapshot.start == nil ? .fresh : snapshot.isCollecting ? .collecting : .collected
        start = snapshot.start
        end = snapshot.end
        metadata = snapshot.metadata
        events = snapshot.events
        activities = snapshot.activities
    }
}
