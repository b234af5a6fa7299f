import Foundation
import HealthInsights
import HealthKit

/// A day so far as JSON. Durations are seconds; references are averages of the days of the last four weeks that have
/// samples.
struct TodayAnswer: Encodable {
    struct Ring: Encodable {
        var quantity: Double
        var goal: Double?
        var unit: String
        var progress: Double?
        var average: Double?
    }

    struct Rings: Encodable {
        var activityMoveMode: String
        var move: Ring
        var exercise: Ring
        var stand: Ring
        var referenceDays: Int
        var referenceDaysClosed: Int
    }

    struct Sum: Encodable {
        var quantity: Double?
        var averageByNow: Double?
        var average: Double?
        var referenceDays: Int?
    }

    struct Energy: Encodable {
        var unit = "kcal"
        var consumed: Sum
        var active: Sum
        var resting: Double?
        var net: Double?
        var missing: [String]
    }

    struct HeartRate: Encodable {
        var unit = "count/min"
        var latestQuantity: Double
        var latestDate: String
        var averageQuantity: Double
        var minimumQuantity: Double
        var maximumQuantity: Double
        var resting: Double?
        var average: Double?
        var restingAverage: Double?
    }

    struct SleepReference: Encodable {
        var nights: Int
        var timeAsleep: Double?
        var timeInBed: Double?
        var efficiency: Double?
    }

    var date: String
    var rings: Rings?
    var energy: Energy
    var steps: Sum
    var heartRate: HeartRate?
    var sleep: SleepAnswer?
    var sleepReference: SleepReference
    var workout: WorkoutAnswer?
    var workoutReference: WorkoutFiguresAnswer
}

extension TodayListing {
    var answer: TodayAnswer {
        TodayAnswer(
            date: dates.iso(summary.date), rings: summary.rings.map(rings), energy: energyAnswer,
            steps: sum(summary.steps.value, summary.steps.reference), heartRate: summary.heartRate.map(heartRate),
            sleep: summary.sleep.map { SleepAnswer($0) },
            sleepReference: TodayAnswer.SleepReference(
                nights: summary.sleepReference.nights, timeAsleep: summary.sleepReference.timeAsleep,
                timeInBed: summary.sleepReference.timeInBed, efficiency: summary.sleepReference.efficiency),
            workout: summary.workout.map { WorkoutListing(dates: dates, units: units).answer($0) },
            workoutReference: WorkoutFiguresAnswer(summary.workoutReference))
    }

    private func rings(_ rings: TodayRings) -> TodayAnswer.Rings {
        func ring(_ value: HKQuantity, _ goal: HKQuantity?, _ unit: HKUnit, _ progress: Double?, _ average: Double?)
            -> TodayAnswer.Ring
        {
            TodayAnswer.Ring(
                quantity: value.doubleValue(for: unit), goal: goal?.doubleValue(for: unit), unit: unit.unitString,
                progress: progress, average: average)
        }
        let move: HKUnit = rings.moveMode == .appleMoveTime ? .minute() : .kilocalorie()
        return TodayAnswer.Rings(
            activityMoveMode: "\(rings.moveMode)",
            move: ring(rings.move, rings.moveGoal, move, rings.progress.move, rings.reference?.move),
            exercise: ring(
                rings.exercise, rings.exerciseGoal, .minute(), rings.progress.exercise, rings.reference?.exercise),
            stand: ring(rings.stand, rings.standGoal, .count(), rings.progress.stand, rings.reference?.stand),
            referenceDays: rings.reference?.days ?? 0, referenceDaysClosed: rings.reference?.daysClosed ?? 0)
    }

    private func sum(_ value: Double?, _ reference: DailyReference) -> TodayAnswer.Sum {
        TodayAnswer.Sum(
            quantity: value, averageByNow: reference.averageByNow, average: reference.average,
            referenceDays: reference.figures.daysWithData)
    }

    private var energyAnswer: TodayAnswer.Energy {
        let (energy, kilocalorie) = (summary.energy, HKUnit.kilocalorie())
        return TodayAnswer.Energy(
            consumed: sum(energy.balance.consumed.doubleValue(for: kilocalorie), energy.consumedReference),
            active: sum(energy.balance.active.doubleValue(for: kilocalorie), energy.activeReference),
            resting: energy.balance.resting?.doubleValue(for: kilocalorie),
            net: energy.balance.net?.doubleValue(for: kilocalorie),
            missing: energy.balance.missing.map(\.rawValue))
    }

    private func heartRate(_ heart: TodayHeartRate) -> TodayAnswer.HeartRate {
        TodayAnswer.HeartRate(
            latestQuantity: heart.latest, latestDate: dates.iso(heart.latestDate), averageQuantity: heart.average,
            minimumQuantity: heart.minimum, maximumQuantity: heart.maximum, resting: heart.resting,
            average: heart.reference.average, restingAverage: heart.restingReference.average)
    }
}

/// How to enter the values that resting energy requires.
struct EnergyMissing {
    let missing: [EnergyBalance.Missing]

    init(_ missing: [EnergyBalance.Missing]) {
        self.missing = missing
    }

    /// The commands, or nothing if nothing is missing.
    var text: String {
        guard !missing.isEmpty else { return "" }
        let lines = missing.map { missing in
            switch missing {
            case .weight: "  weight         hk add bodyMass 70 kg\n"
            case .height: "  height         hk add height 172 cm\n"
            case .dateOfBirth: "  date of birth  hk profile --birth-date 1987-05-04\n"
            case .biologicalSex: "  sex            hk profile --sex female\n"
            }
        }
        return "Resting energy can’t be calculated without these values:\n\(lines.joined())"
    }
}
