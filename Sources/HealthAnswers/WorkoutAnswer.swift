import Foundation
import HealthFormats
package import HealthInsights
package import HealthKit
package import HealthModel

/// The units in which workouts are shown: the person's units of distance and energy.
package struct WorkoutUnits: Sendable {
    /// Kilometers or miles.
    package var length: WorkoutSplit.Length
    /// The unit of energy.
    package let energy: HKUnit

    /// Reads the units of the person.
    package init(_ setting: QuestionSetting) throws {
        let distance = TypeCatalog.description(for: HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue)
        length = try distance.map(setting.displayUnit) == "mi" ? .mile : .kilometer
        energy = try setting.energyUnit()
    }

    /// `km` or `mi`.
    package var lengthName: String { length == .mile ? "mi" : "km" }
    /// The unit of elevations: feet beside miles, else meters.
    package var elevation: HKUnit { length == .mile ? .foot() : .meter() }

    func distance(_ meters: Double?) -> QuantityRecord? {
        meters.map { QuantityRecord($0 / length.meters, unit: lengthName) }
    }

    func speed(_ metersPerSecond: Double?) -> QuantityRecord? {
        metersPerSecond.map { QuantityRecord($0 * 3_600 / length.meters, unit: "\(lengthName)/hr") }
    }

    /// Seconds per kilometer or mile, or per 100 m as swimmers count, from seconds per kilometer; `nil` for an activity
    /// that has a speed.
    package func pace(_ pace: Double?, of activity: HKWorkoutActivityType) -> QuantityRecord? {
        guard activity.hasPace, let pace else { return nil }
        return activity == .swimming
            ? QuantityRecord(pace / 10, unit: "s/hm")
            : QuantityRecord(pace * length.meters / 1_000, unit: "s/\(lengthName)")
    }
}

/// The figures of a workout, with HealthKit's property names.
package struct WorkoutAnswer: AnswerObject, Sendable {
    package let summary: WorkoutSummary
    let units: WorkoutUnits
    /// The position in the list of all workouts, 1 for the latest.
    package var number: Int?

    package static let fields: [AnswerField<Self>] = [
        .init("number", \.number), .init("uuid", \.summary.uuid),
        .init("workoutActivityType") { Int($0.summary.activityType.rawValue) },
        .init("workoutActivityTypeName") { ValueNames.activity($0.summary.activityType.rawValue) },
        .init("startDate", \.summary.start), .init("endDate", \.summary.end),
        .init("duration", unit: "s", \.summary.duration),
        .init("totalEnergyBurned") { $0.summary.energy?.record(in: $0.units.energy) },
        .init("totalDistance") { $0.units.distance($0.summary.meters) },
        .init("pace") { $0.units.pace($0.summary.pace, of: $0.summary.activityType) },
        .init("speed") { $0.units.speed($0.summary.speed) },
        .init("averageHeartRate", unit: "count/min", \.summary.averageHeartRate),
        .init("minimumHeartRate", unit: "count/min", \.summary.minimumHeartRate),
        .init("maximumHeartRate", unit: "count/min", \.summary.maximumHeartRate),
        .init("elevationAscended") { $0.summary.elevationAscended?.record(in: $0.units.elevation) },
        .init("isIndoor", \.summary.isIndoor), .init("title", \.summary.title),
        .init("source", \.summary.source.name),
        .init("bundleIdentifier", \.summary.source.bundleIdentifier),
    ]
}

/// The sums of several workouts.
package struct WorkoutFiguresAnswer: AnswerObject, Sendable {
    package let figures: WorkoutFigures
    let units: WorkoutUnits
    /// The type of activity, if there is one: a pace or a speed of several means nothing.
    var activityType: HKWorkoutActivityType?

    package static let fields: [AnswerField<Self>] = [
        .init("count", \.figures.count), .init("duration", unit: "s", \.figures.duration),
        .init("averageDuration", unit: "s", \.figures.averageDuration),
        .init("totalEnergyBurned") {
            HKQuantity(unit: .kilocalorie(), doubleValue: $0.figures.kilocalories).record(in: $0.units.energy)
        }, .init("totalDistance") { $0.units.distance($0.figures.meters) },
        .init("pace") { answer in answer.activityType.flatMap { answer.units.pace(answer.figures.pace, of: $0) } },
        .init("speed") { $0.activityType == nil ? nil : $0.units.speed($0.figures.speed) },
    ]
}
