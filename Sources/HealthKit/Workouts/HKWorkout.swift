public import Foundation
import HealthModel

/// A period of exercise: its kind, its events, its activities, and totals.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkout: HKSample, @unchecked Sendable {
    final let body: WorkoutBody
    /// The samples that belong to the workout, for a workout read from a store.
    final let members: [SampleRecord]

    init(
        identity: UUID, context: ObjectContext, start: Double, end: Double, body: WorkoutBody,
        members: [SampleRecord] = []
    ) {
        self.body = body
        self.members = members
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// What kind of exercise it was; `.other` for a kind this version does not know.
    open var workoutActivityType: HKWorkoutActivityType {
        HKWorkoutActivityType(rawValue: body.activityType) ?? .other
    }

    /// Seconds from start to end, pauses left out.
    open var duration: TimeInterval { body.duration }

    /// Pauses, laps, markers … in ascending order; `nil` when there are none.
    open var workoutEvents: [HKWorkoutEvent]? {
        body.events.isEmpty ? nil : body.events.map { HKWorkoutEvent($0) }
    }

    /// The parts of the workout in ascending order. A workout without parts of its own has one that
    /// spans all of it.
    open var workoutActivities: [HKWorkoutActivity] {
        let activities = body.activities.isEmpty ? [defaultActivity] : body.activities
        return activities.map { HKWorkoutActivity(withEvents($0), members: members) }
    }

    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(ObjectArchive.self, from: coder),
            case .object(let record) = archive.item, case .workout(let body) = record.body,
            let base = archive.base(of: record), base.context.type is HKWorkoutType
        else { return nil }
        self.body = body
        members = record.members
        super.init(identity: base.identity, context: base.context, start: record.start, end: record.end)
    }

    override var summary: String { "\(sampleType.identifier) \(body.activityType)" }

    /// The activity with the workout's events that overlap it, unless it came with its own.
    private func withEvents(_ activity: WorkoutBody.Activity) -> WorkoutBody.Activity {
        guard activity.events.isEmpty, !body.events.isEmpty else { return activity }
        var activity = activity
        let end = activity.end ?? .infinity
        activity.events = body.events.filter { $0.start <= end && $0.end >= activity.start }
        return activity
    }

    /// The part that spans the whole workout. Its identity is the workout's with the last bit turned,
    /// so that it is the same each time.
    private var defaultActivity: WorkoutBody.Activity {
        var bytes = identity.uuid
        bytes.15 ^= 1
        return WorkoutBody.Activity(
            uuid: UUID(uuid: bytes), activityType: body.activityType, start: start, end: end,
            duration: body.duration, events: body.events, statistics: body.statistics)
    }
}
