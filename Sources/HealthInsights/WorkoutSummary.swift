public import Foundation
public import HealthKit

/// The figures of one workout.
public struct WorkoutSummary: Hashable, Sendable {
    /// The identifier of the workout.
    public var uuid: UUID
    /// The type of activity.
    public var activityType: HKWorkoutActivityType
    /// The start.
    public var start: Date
    /// The end.
    public var end: Date
    /// Seconds without pauses.
    public var duration: TimeInterval
    /// The active energy; `nil` if unknown.
    public var energy: HKQuantity?
    /// The distance, of a multisport workout the sum of its legs; `nil` if unknown or if the activity has none.
    public var distance: HKQuantity?
    /// Beats per minute; here and below, `nil` if unknown.
    public var averageHeartRate: Double?
    /// Beats per minute.
    public var minimumHeartRate: Double?
    /// Beats per minute.
    public var maximumHeartRate: Double?
    /// The elevation ascended.
    public var elevationAscended: HKQuantity?
    /// Whether the workout was indoors; `nil` if unknown.
    public var isIndoor: Bool?
    /// The title that the person or a service gave it, in the metadata that Strava's archive becomes.
    public var title: String?
    /// The time zone in the metadata of the workout.
    public var timeZone: TimeZone?
    /// The source of the workout.
    public var source: HKSource

    /// Returns the figures of a workout, from its totals, statistics and metadata.
    public init(_ workout: HKWorkout) {
        uuid = workout.uuid
        activityType = workout.workoutActivityType
        start = workout.startDate
        end = workout.endDate
        duration = workout.duration
        energy =
            workout.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity() ?? workout.totalEnergyBurned
        distance = Self.distance(of: workout)
        let heartRate = workout.statistics(for: HKQuantityType(.heartRate))
        // A device that measured nothing may have written zeros.
        func rate(_ quantity: HKQuantity?) -> Double? {
            quantity.map { $0.doubleValue(for: .beatsPerMinute) }.flatMap { $0 > 0 ? $0 : nil }
        }
        averageHeartRate = rate(heartRate?.averageQuantity())
        minimumHeartRate = rate(heartRate?.minimumQuantity())
        maximumHeartRate = rate(heartRate?.maximumQuantity())
        let metadata = workout.metadata
        let ascended = metadata?[HKMetadataKeyElevationAscended] as? HKQuantity
        elevationAscended = ascended.flatMap { $0.is(compatibleWith: .meter()) ? $0 : nil }
        isIndoor = (metadata?[HKMetadataKeyIndoorWorkout] as? NSNumber)?.boolValue
        title = metadata?["Title"] as? String
        timeZone = (metadata?[HKMetadataKeyTimeZone] as? String).flatMap { TimeZone(identifier: $0) }
        source = workout.sourceRevision.source
    }

    /// The distance in meters.
    public var meters: Double? { distance?.doubleValue(for: .meter()) }

    /// The energy in kilocalories.
    public var kilocalories: Double? { energy?.doubleValue(for: .kilocalorie()) }

    /// Seconds per kilometer, without pauses; `nil` without a distance, or if the activity is not about one.
    public var pace: TimeInterval? {
        activityType.coversDistance ? WorkoutFigures.pace(seconds: duration, meters: meters) : nil
    }

    /// Meters per second, without pauses; `nil` as ``pace`` is.
    public var speed: Double? { pace.map { 1_000 / $0 } }

    /// The total, else the sum of the samples: of the sport's distance, or of all legs of a multisport workout.
    private static func distance(of workout: HKWorkout) -> HKQuantity? {
        if let total = workout.totalDistance, total.doubleValue(for: .meter()) > 0 { return total }
        let sums = workout.workoutActivityType.distanceTypes.compactMap {
            workout.statistics(for: HKQuantityType($0))?.sumQuantity()
        }
        guard workout.isMultisport, sums.count > 1 else { return sums.first ?? workout.totalDistance }
        return HKQuantity(unit: .meter(), doubleValue: sums.reduce(0) { $0 + $1.doubleValue(for: .meter()) })
    }
}

/// The sums of several workouts.
public struct WorkoutFigures: Hashable, Sendable {
    /// The number of workouts.
    public private(set) var count = 0
    /// Seconds without pauses.
    public private(set) var duration: TimeInterval = 0
    /// Kilocalories of the workouts whose energy is known.
    public private(set) var kilocalories: Double = 0
    /// Meters of the workouts that have a distance.
    public private(set) var meters: Double = 0
    /// Meters and seconds of the workouts that are about a distance.
    private var pacedMeters: Double = 0
    private var secondsWithDistance: TimeInterval = 0

    /// Meters per second of the workouts that are about a distance; `nil` if there are none.
    public var speed: Double? { pace.map { 1_000 / $0 } }

    /// Creates the sums of workouts.
    public init(_ workouts: [WorkoutSummary] = []) {
        for workout in workouts {
            count += 1
            duration += workout.duration
            kilocalories += workout.kilocalories ?? 0
            guard let meters = workout.meters, meters > 0 else { continue }
            self.meters += meters
            guard workout.activityType.coversDistance else { continue }
            pacedMeters += meters
            secondsWithDistance += workout.duration
        }
    }

    /// The average of the durations, in seconds; `nil` without workouts.
    public var averageDuration: TimeInterval? { count > 0 ? duration / Double(count) : nil }

    /// Seconds per kilometer of the workouts that are about a distance; `nil` if there are none.
    public var pace: TimeInterval? { Self.pace(seconds: secondsWithDistance, meters: pacedMeters) }

    /// Seconds per kilometer; `nil` without a distance or a duration.
    static func pace(seconds: TimeInterval, meters: Double?) -> TimeInterval? {
        guard let meters, meters > 0, seconds > 0 else { return nil }
        return seconds / (meters / 1_000)
    }
}

/// The workouts of one week, or of another interval.
public struct WorkoutWeek: Hashable, Sendable {
    /// One activity of the week.
    public struct Activity: Hashable, Sendable {
        /// The type of activity.
        public var activityType: HKWorkoutActivityType
        /// The sums of its workouts.
        public var figures: WorkoutFigures
    }

    /// The week.
    public let interval: DateInterval
    /// The workouts that began in the week, in ascending order.
    public let workouts: [WorkoutSummary]

    /// Returns the weeks of an interval with the workouts that began in them, also those without any, in ascending order.
    /// The first and the last week are complete.
    ///
    /// - Parameters:
    ///   - workouts: Workouts in ascending order. Those of other weeks are left out.
    ///   - component: Another unit of the calendar than the week, from the day to the year.
    /// - Throws: `HKError.errorInvalidArgument` for more than 100,000 weeks.
    public static func weeks(
        of workouts: [WorkoutSummary], in interval: DateInterval, every component: Calendar.Component = .weekOfYear,
        calendar: Calendar
    ) throws -> [WorkoutWeek] {
        guard var week = calendar.dateInterval(of: component, for: interval.start) else { return [] }
        try PeriodLimit.check(
            interval.duration / week.duration, PeriodLimit.consecutive, component == .weekOfYear ? "weeks" : "periods")
        var rest = workouts.drop { $0.start < week.start }
        var weeks: [WorkoutWeek] = []
        while true {
            let found = rest.prefix { $0.start < week.end }
            weeks.append(WorkoutWeek(interval: week, workouts: Array(found)))
            rest = rest.dropFirst(found.count)
            guard week.end < interval.end, let next = calendar.dateInterval(of: component, for: week.end),
                next.end > week.end
            else { return weeks }
            week = next
        }
    }

    /// The sums of all workouts.
    public var figures: WorkoutFigures { WorkoutFigures(workouts) }

    /// The sums by type of activity, the one with the longest duration first.
    public var activities: [Activity] {
        Dictionary(grouping: workouts, by: \.activityType)
            .map { Activity(activityType: $0.key, figures: WorkoutFigures($0.value)) }
            .sorted {
                ($1.figures.duration, $0.activityType.rawValue) < ($0.figures.duration, $1.activityType.rawValue)
            }
    }
}

/// The best workouts of one type of activity.
public struct WorkoutRecords: Hashable, Sendable {
    /// Workouts that are shorter, in meters, don't count for ``fastest``: pauses and inaccurate positions weigh too
    /// much.
    public static let minimumMeters = 1_000.0

    /// The type of activity.
    public let activityType: HKWorkoutActivityType
    /// The number of workouts.
    public let count: Int
    /// The workout with the longest duration. Here and below, the earliest of equal workouts.
    public let longest: WorkoutSummary?
    /// The workout with the longest distance; `nil` if none has a distance.
    public let farthest: WorkoutSummary?
    /// The workout with the fastest average pace; `nil` if none is long enough.
    public let fastest: WorkoutSummary?
    /// The workout with the most energy; `nil` if none has an energy.
    public let mostEnergy: WorkoutSummary?

    /// Returns the records of every type of activity, the most frequent type first.
    ///
    /// - Parameter workouts: Workouts in ascending order.
    public static func records(of workouts: [WorkoutSummary]) -> [WorkoutRecords] {
        Set(workouts.map(\.activityType)).map { WorkoutRecords(activityType: $0, workouts: workouts) }
            .sorted { ($1.count, $0.activityType.rawValue) < ($0.count, $1.activityType.rawValue) }
    }

    /// The limits of a workout that counts as a record: two days, and 20,000 kilocalories. More is a workout that nobody ended.
    private static let maximumDuration = 48 * 3_600.0
    private static let maximumKilocalories = 20_000.0

    /// Finds the records of one type of activity in ascending order of workouts. A figure that is beyond what people can
    /// do, such as a walk by car, is not a record.
    public init(activityType: HKWorkoutActivityType, workouts: [WorkoutSummary]) {
        let workouts = workouts.filter { $0.activityType == activityType }
        self.activityType = activityType
        count = workouts.count
        let ended = workouts.filter { (0...Self.maximumDuration).contains($0.duration) }
        let plausible = ended.filter { $0.speed ?? 0 <= activityType.maximumSpeed }
        longest = Self.best(ended) { $0.duration > 0 ? $0.duration : nil }
        farthest = Self.best(plausible) { $0.meters.flatMap { $0 > 0 ? $0 : nil } }
        fastest = Self.best(plausible) { ($0.meters ?? 0) >= Self.minimumMeters ? $0.speed : nil }
        mostEnergy = Self.best(ended) {
            $0.kilocalories.flatMap { $0 > 0 && $0 <= Self.maximumKilocalories ? $0 : nil }
        }
    }

    private static func best(
        _ workouts: [WorkoutSummary], _ value: (WorkoutSummary) -> Double?
    ) -> WorkoutSummary? {
        var best: (workout: WorkoutSummary, value: Double)?
        for workout in workouts {
            if let value = value(workout), value > best?.value ?? -.infinity { best = (workout, value) }
        }
        return best?.workout
    }
}

extension HKUnit {
    /// The unit of heart rates.
    static var beatsPerMinute: HKUnit { .count().unitDivided(by: .minute()) }
}
