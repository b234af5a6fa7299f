public import Foundation
import HealthModel

/// A period of exercise: its activity type, events, activities and totals.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkout: HKSample, @unchecked Sendable {
    final let body: WorkoutBody
    /// The samples of the workout if it was read from a store. Records, because a workout may have thousands of samples
    /// and few applications look at its statistics.
    final let members: [SampleRecord]

    init(_ base: SampleBase, body: WorkoutBody, members: [SampleRecord] = []) {
        self.body = body
        self.members = members
        super.init(base)
    }

    /// The type of activity; `.other` if this version does not know it.
    open var workoutActivityType: HKWorkoutActivityType {
        HKWorkoutActivityType(rawValue: body.activityType) ?? .other
    }

    /// The duration in seconds, without pauses.
    open var duration: TimeInterval { body.duration }

    /// Pauses, laps, markers and other events in ascending order; `nil` if there are none.
    open var workoutEvents: [HKWorkoutEvent]? {
        body.events.isEmpty ? nil : body.events.map { HKWorkoutEvent($0) }
    }

    /// The activities in ascending order. A workout without activities of its own has one that spans all of it.
    open var workoutActivities: [HKWorkoutActivity] {
        let zones = body.zones
        return body.activities(of: identity, start: start, end: end).map {
            HKWorkoutActivity(withEvents($0), zones: self.zones(of: $0, in: zones), members: members)
        }
    }

    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(ObjectCoding.self, from: coder),
            let record = archive.object, case .workout(let body) = record.body,
            let base = archive.base(of: record), base.context.type is HKWorkoutType
        else { return nil }
        self.body = body
        members = record.members
        super.init(base)
    }

    override var recordBody: ObjectBody { .workout(body) }

    override var linkedRecords: [SampleRecord] { members }

    override var summary: String { "\(sampleType.identifier) \(body.activityType)" }

    /// Returns the activity with the workout's events that overlap it, unless it has its own events.
    private func withEvents(_ activity: WorkoutBody.Activity) -> WorkoutBody.Activity {
        guard activity.events.isEmpty, !body.events.isEmpty else { return activity }
        var activity = activity
        activity.events = body.events.filter(activity.overlaps)
        return activity
    }

    /// Returns the time in the zones of an activity. One that spans the workout has those of the workout.
    private func zones(of activity: WorkoutBody.Activity, in zones: [WorkoutZoneRecord]) -> [WorkoutZoneRecord] {
        let own = zones.filter { $0.activity == activity.uuid }
        let isWhole = activity.start == start && activity.end == end
        return own.isEmpty && isWhole ? zones.filter { $0.activity == nil } : own
    }

    // MARK: Totals

    /// The active energy of the workout: the total it was created with, else the sum of its statistics.
    open var totalEnergyBurned: HKQuantity? {
        total(.energyBurned, in: .kilocalorie())
    }

    /// The distance of the workout: the total it was created with, else the sum of its statistics; of a multisport workout,
    /// that of all legs.
    open var totalDistance: HKQuantity? {
        total(.distance, in: .meter())
    }

    /// The swimming strokes of the workout: the total it was created with, else the sum of its statistics.
    open var totalSwimmingStrokeCount: HKQuantity? {
        total(.swimmingStrokeCount, in: .count())
    }

    /// The flights climbed in the workout: the total it was created with, else the sum of its statistics.
    open var totalFlightsClimbed: HKQuantity? {
        total(.flightsClimbed, in: .count())
    }

    /// A total; none for one of another dimension, which an archive or a device can have stored.
    private func total(_ total: WorkoutTotal, in unit: HKUnit) -> HKQuantity? {
        body.total(total).flatMap { HKQuantity($0, compatibleWith: unit) }
    }

    // MARK: Statistics

    /// Returns statistics over the workout's samples of one type; `nil` if there are none.
    ///
    /// Statistics that were imported with the workout are returned unchanged; others are computed from the
    /// samples of the workout.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        statisticsSource.statistics(for: quantityType)
    }

    /// The statistics of every type that has samples in the workout.
    open var allStatistics: [HKQuantityType: HKStatistics] { statisticsSource.all }

    // MARK: Zones

    /// The time in each zone of a type, as its builder measured it; `nil` if there is none.
    open func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? {
        HKWorkoutZoneGroup.group(of: quantityType, in: body.zones.filter { $0.activity == nil })
    }

    /// The time in the zones of every type that was measured; `nil` if there is none.
    open var zoneGroupsByType: [HKQuantityType: HKWorkoutZoneGroup]? {
        HKWorkoutZoneGroup.groupsByType(body.zones.filter { $0.activity == nil })
    }

    private var statisticsSource: WorkoutStatisticsSource {
        WorkoutStatisticsSource(start: start, end: end, stored: body.statistics, members: members)
    }
}

extension HKWorkout {
    /// Whether the workout has several sports, whose distances add up.
    package var isMultisport: Bool { body.isMultisport }

    /// The pauses between the events, in seconds since 2001-01-01 00:00:00 UTC.
    package var pauses: [ClosedRange<Double>] { body.pauses(until: end) }
}

extension HKWorkoutActivityType {
    /// The types whose samples are a distance, that of the activity first.
    package var distanceTypes: [HKQuantityTypeIdentifier] {
        WorkoutBody.distanceTypes(of: rawValue).map { HKQuantityTypeIdentifier(rawValue: $0) }
    }
}

extension HKWorkoutType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        guard case .workout(let body) = record.body else { return nil }
        return HKWorkout(base, body: body, members: record.members)
    }
}

extension HKSamplePredicate {
    /// A predicate for workouts.
    public static func workout(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkout> {
        HKSamplePredicate<HKWorkout>(type: .workoutType(), predicate: predicate)
    }
}
