public import Foundation

/// A period of exercise: its activity type, events, activities and totals.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkout: HKSample, @unchecked Sendable {
    /// What is particular to workouts, as plain values.
    struct Fields: Hashable, Sendable {
        /// Raw value of the activity type.
        var activityType: UInt
        /// Seconds, without pauses.
        var duration: Double
        var totalEnergyBurned: QuantityFields?
        var totalDistance: QuantityFields?
        var totalSwimmingStrokeCount: QuantityFields?
        var totalFlightsClimbed: QuantityFields?
        /// In ascending order.
        var events: [HKWorkoutEvent.Fields] = []
        /// In ascending order.
        var activities: [HKWorkoutActivity.Fields] = []
        var statistics: [WorkoutStatistics] = []
        var archived = ArchivedContent()
        /// The time in zones, of the workout and of its activities.
        var zones: [WorkoutZoneTimes] = []
    }

    final let fields: Fields
    /// The samples of the workout if it was read from a store.
    final let members: WorkoutMembers

    init(_ base: SampleBase, fields: Fields, members: WorkoutMembers = WorkoutMembers()) {
        self.fields = fields
        self.members = members
        super.init(base)
    }

    /// The type of activity; `.other` if this version does not know it.
    open var workoutActivityType: HKWorkoutActivityType {
        HKWorkoutActivityType(rawValue: fields.activityType) ?? .other
    }

    /// The duration in seconds, without pauses.
    open var duration: TimeInterval { fields.duration }

    /// Pauses, laps, markers and other events in ascending order; `nil` if there are none.
    open var workoutEvents: [HKWorkoutEvent]? {
        fields.events.isEmpty ? nil : fields.events.map { HKWorkoutEvent($0) }
    }

    /// The activities in ascending order. A workout without activities of its own has one that spans all of it.
    open var workoutActivities: [HKWorkoutActivity] {
        let activities = fields.activities.isEmpty ? [defaultActivity] : fields.activities
        return activities.map { HKWorkoutActivity(withZones(withEvents($0)), members: members) }
    }

    public required init?(coder: NSCoder) {
        guard let archive = ObjectArchive.workout(from: coder) else { return nil }
        fields = archive.fields
        members = archive.members
        super.init(archive.base)
    }

    override var summary: String { "\(sampleType.identifier) \(fields.activityType)" }

    /// Returns the activity with the workout's events that overlap it, unless it has events of its own.
    private func withEvents(_ activity: HKWorkoutActivity.Fields) -> HKWorkoutActivity.Fields {
        guard activity.events.isEmpty, !fields.events.isEmpty else { return activity }
        var activity = activity
        activity.events = fields.events.filter(activity.overlaps)
        return activity
    }

    /// Returns the activity with the time in its zones. One that spans the workout has those of the workout.
    private func withZones(_ activity: HKWorkoutActivity.Fields) -> HKWorkoutActivity.Fields {
        guard !fields.zones.isEmpty else { return activity }
        var activity = activity
        let own = fields.zones.filter { $0.activity == activity.uuid }
        let isWhole = activity.start == start && activity.end == end
        activity.zones = own.isEmpty && isWhole ? fields.zones.filter { $0.activity == nil } : own
        return activity
    }

    /// The activity that spans the whole workout. Its identity is the workout's with the last bit inverted, so
    /// that it is always the same.
    private var defaultActivity: HKWorkoutActivity.Fields {
        var bytes = identity.uuid
        bytes.15 ^= 1
        return HKWorkoutActivity.Fields(
            uuid: UUID(uuid: bytes), activityType: fields.activityType, start: start, end: end,
            duration: fields.duration, events: fields.events, statistics: fields.statistics)
    }

    // MARK: Totals

    /// The active energy of the workout: the total it was created with, else the sum of its statistics.
    open var totalEnergyBurned: HKQuantity? {
        total(fields.totalEnergyBurned, orSumOf: [.activeEnergyBurned])
    }

    /// The distance of the workout: the total it was created with, else the sum of its statistics.
    open var totalDistance: HKQuantity? {
        total(fields.totalDistance, orSumOf: Self.distances)
    }

    /// The swimming strokes of the workout: the total it was created with, else the sum of its statistics.
    open var totalSwimmingStrokeCount: HKQuantity? {
        total(fields.totalSwimmingStrokeCount, orSumOf: [.swimmingStrokeCount])
    }

    /// The flights climbed in the workout: the total it was created with, else the sum of its statistics.
    open var totalFlightsClimbed: HKQuantity? {
        total(fields.totalFlightsClimbed, orSumOf: [.flightsClimbed])
    }

    private func total(
        _ given: QuantityFields?, orSumOf types: [HKQuantityTypeIdentifier]
    ) -> HKQuantity? {
        if let given { return given.quantity }
        return fields.sum(of: types)?.quantity
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
        fields.zones.filter { $0.activity == nil }.group(of: quantityType)
    }

    /// The time in the zones of every type that was measured; `nil` if there is none.
    open var zoneGroupsByType: [HKQuantityType: HKWorkoutZoneGroup]? {
        fields.zones.filter { $0.activity == nil }.groupsByType
    }

    private var statisticsSource: WorkoutStatisticsSource {
        WorkoutStatisticsSource(start: start, end: end, stored: fields.statistics, members: members)
    }
}

extension HKWorkout {
    /// The types whose sums are the total distance.
    static let distances: [HKQuantityTypeIdentifier] = [
        .distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceWheelchair,
        .distanceDownhillSnowSports, .distanceCrossCountrySkiing, .distancePaddleSports,
        .distanceRowing, .distanceSkatingSports,
    ]
}

extension HKWorkout.Fields {
    /// Returns the stored sum of the first of the types that has one.
    func sum(of types: [HKQuantityTypeIdentifier]) -> QuantityFields? {
        for type in types {
            if let found = statistics.first(where: { $0.type == type.rawValue }), let sum = found.sum {
                return QuantityFields(value: sum, unit: found.unit)
            }
        }
        return nil
    }
}
