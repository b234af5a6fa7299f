import Foundation
import HealthInsights
import HealthKit
import HealthModel

/// A quantity with its unit, as JSON.
struct QuantityAnswer: Encodable {
    var quantity: Double
    var unit: String

    init?(_ quantity: HKQuantity?, _ unit: HKUnit) {
        guard let quantity else { return nil }
        self.quantity = quantity.doubleValue(for: unit)
        self.unit = unit.unitString
    }
}

/// The figures of a workout as JSON, with HealthKit's property names. Durations are seconds, paces are seconds per
/// kilometer.
struct WorkoutAnswer: Encodable {
    struct Split: Encodable {
        var number: Int
        var startDate: String
        var endDate: String
        /// Meters.
        var distance: Double
        var duration: Double
        var pace: Double
        var averageHeartRate: Double?
        var isComplete: Bool
    }

    struct Zones: Encodable {
        struct Zone: Encodable {
            var index: Int
            var minimum: Double?
            var maximum: Double?
            var duration: Double
        }

        var quantityType = HKQuantityTypeIdentifier.heartRate.rawValue
        var unit = "count/min"
        /// `system`, `user` or `app` for zones of the workout, else `preferred` or `estimated`.
        var source: String
        var estimatedMaximum: Double?
        var zones: [Zone]

        init(_ zones: HeartRateZones) {
            switch zones.origin {
            case .workout(let source): self.source = "\(source)"
            case .preferred: source = "preferred"
            case .estimated(let maximum):
                source = "estimated"
                estimatedMaximum = maximum
            }
            self.zones = zones.zones.map {
                Zone(index: $0.number - 1, minimum: $0.minimum, maximum: $0.maximum, duration: $0.duration)
            }
        }
    }

    var number: Int?
    var uuid: String
    var startDate: String
    var endDate: String
    var workoutActivityType: UInt
    var workoutActivityTypeName: String
    var duration: Double
    var totalEnergyBurned: QuantityAnswer?
    var totalDistance: QuantityAnswer?
    var pace: Double?
    var averageHeartRate: Double?
    var minimumHeartRate: Double?
    var maximumHeartRate: Double?
    var elevationAscended: QuantityAnswer?
    var isIndoor: Bool?
    var source: String
    var splits: [Split]?
    var heartRateZones: Zones?
}

/// Several workouts as JSON: a week, or a type of activity within one.
struct WorkoutFiguresAnswer: Encodable {
    var startDate: String?
    var endDate: String?
    var workoutActivityType: UInt?
    var workoutActivityTypeName: String?
    var count: Int
    var duration: Double
    /// Kilocalories.
    var totalEnergyBurned: Double
    /// Meters.
    var totalDistance: Double
    var pace: Double?
    var activities: [WorkoutFiguresAnswer]?

    init(_ figures: WorkoutFigures) {
        count = figures.count
        duration = figures.duration
        totalEnergyBurned = figures.kilocalories
        totalDistance = figures.meters
        pace = figures.pace
    }
}

/// The best workouts of a type of activity as JSON.
struct WorkoutRecordsAnswer: Encodable {
    var workoutActivityType: UInt
    var workoutActivityTypeName: String
    var count: Int
    var longest: WorkoutAnswer?
    var farthest: WorkoutAnswer?
    var fastest: WorkoutAnswer?
    var mostEnergy: WorkoutAnswer?
}

extension WorkoutListing {
    func answer(_ workout: WorkoutSummary, number: Int? = nil) -> WorkoutAnswer {
        WorkoutAnswer(
            number: number, uuid: workout.uuid.uuidString, startDate: dates.iso(workout.start),
            endDate: dates.iso(workout.end),
            workoutActivityType: workout.activityType.rawValue, workoutActivityTypeName: "\(workout.activityType)",
            duration: workout.duration, totalEnergyBurned: QuantityAnswer(workout.energy, .kilocalorie()),
            totalDistance: QuantityAnswer(workout.distance, .meter()), pace: workout.pace,
            averageHeartRate: workout.averageHeartRate, minimumHeartRate: workout.minimumHeartRate,
            maximumHeartRate: workout.maximumHeartRate,
            elevationAscended: QuantityAnswer(workout.elevationAscended, .meter()), isIndoor: workout.isIndoor,
            source: workout.source.name)
    }

    func answer(_ detail: WorkoutDetail) -> WorkoutAnswer {
        var answer = answer(detail.summary)
        answer.splits = detail.splits.map { splits in
            splits.splits.map { split in
                WorkoutAnswer.Split(
                    number: split.number, startDate: dates.iso(split.start), endDate: dates.iso(split.end),
                    distance: split.meters, duration: split.duration, pace: split.pace,
                    averageHeartRate: split.averageHeartRate, isComplete: split.isComplete)
            }
        }
        answer.heartRateZones = detail.zones.map { WorkoutAnswer.Zones($0) }
        return answer
    }

    func answer(_ week: WorkoutWeek) -> WorkoutFiguresAnswer {
        var answer = WorkoutFiguresAnswer(week.figures)
        answer.startDate = dates.iso(week.interval.start)
        answer.endDate = dates.iso(week.interval.end)
        answer.activities = week.activities.map { activity in
            var answer = WorkoutFiguresAnswer(activity.figures)
            answer.workoutActivityType = activity.activityType.rawValue
            answer.workoutActivityTypeName = "\(activity.activityType)"
            return answer
        }
        // A pace of different activities means nothing.
        if week.activities.count > 1 { answer.pace = nil }
        return answer
    }

    func answer(_ records: WorkoutRecords) -> WorkoutRecordsAnswer {
        WorkoutRecordsAnswer(
            workoutActivityType: records.activityType.rawValue, workoutActivityTypeName: "\(records.activityType)",
            count: records.count, longest: records.longest.map { answer($0) },
            farthest: records.farthest.map { answer($0) },
            fastest: records.fastest.map { answer($0) }, mostEnergy: records.mostEnergy.map { answer($0) })
    }
}

/// The time of a workout in the zones of one type, as JSON and as text.
struct WorkoutZoneAnswer: Encodable {
    /// A zone. The first one has no minimum, the last one no maximum.
    struct Zone: Encodable {
        var minimum: Double?
        var maximum: Double?
        /// Seconds.
        var duration: Double
    }

    var quantityType: String
    /// The unit of the boundaries.
    var unit: String
    /// `system`, `user` or `app`.
    var source: String
    var zones: [Zone]

    init(_ record: WorkoutZoneRecord) {
        quantityType = record.type
        unit = record.unit
        source = record.source.rawValue
        zones = record.durations.enumerated().map { index, duration in
            Zone(
                minimum: index == 0 ? nil : record.boundaries[index - 1],
                maximum: index == record.boundaries.count ? nil : record.boundaries[index], duration: duration)
        }
    }

    /// The whole minutes in each zone: `heartRate zones 2/4/20/8/0 min`.
    var text: String {
        let minutes = zones.map { NumberOutput.text($0.duration / 60, digits: 0) }.joined(separator: "/")
        return "\(TypeName.short(quantityType)) zones \(minutes) min"
    }
}
