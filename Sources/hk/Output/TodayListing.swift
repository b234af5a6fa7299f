import Foundation
import HealthAnswers
import HealthInsights
import HealthKit

/// A day so far as one screen of text.
struct TodayListing {
    let summary: TodaySummary
    let dates: DateOutput
    let units: WorkoutUnits

    var text: String {
        var table = Table([
            .text(dates.weekday(summary.date)), .text(String(dates.minute(summary.date).suffix(5))), .number("by now"),
            .number("a day"),
        ])
        for row in rings + energy + [steps] + heart + sleep { table.add(row) }
        let missing = summary.energy.balance.missing.advice
        return table.text() + workout + (missing.isEmpty ? "" : "\n" + missing)
    }

    // MARK: Rows

    private var rings: [[String]] {
        guard let rings = summary.rings.today else { return [["rings", "–", "", ""]] }
        let reference = summary.rings.reference
        return [
            ring("move", rings.move, rings.moveUnit(energy: units.energy), rings.progress.move, reference?.move),
            ring("exercise", rings.exercise, .minute(), rings.progress.exercise, reference?.exercise),
            ring("stand", rings.stand, .count(), rings.progress.stand, reference?.stand),
        ]
    }

    private func ring(_ name: String, _ ring: DayRings.Ring, _ unit: HKUnit, _ share: Double?, _ average: Double?)
        -> [String]
    {
        let unitName = unit == .count() ? "h" : unit.unitString
        let figures = RingCells.cells(ring, unit, unitName, share).filter { !$0.isEmpty }.joined(separator: ", ")
        let usual = average.map { "\(number($0)) \(unitName)" } ?? "–"
        return [name, figures, "", usual]
    }

    private var energy: [[String]] {
        let balance = summary.energy.balance
        func row(_ name: String, _ quantity: HKQuantity?, _ reference: DailyReference? = nil) -> [String] {
            [
                name, units.energy(quantity), reference.map { energyText($0.averageByNow) } ?? "",
                reference.map { energyText($0.average) } ?? "",
            ]
        }
        return [
            row("consumed", balance.consumed, summary.energy.consumedReference),
            row("active energy", balance.active, summary.energy.activeReference),
            row("resting energy", balance.resting), row("net energy", balance.net),
        ]
    }

    private func energyText(_ value: Double?) -> String {
        units.energy(value.map { HKQuantity(unit: units.energy, doubleValue: $0) })
    }

    private var steps: [String] {
        let steps = summary.steps
        return [
            "steps", steps.value.map(number) ?? "–", steps.reference.averageByNow.map(number) ?? "–",
            steps.reference.average.map(number) ?? "–",
        ]
    }

    private var heart: [[String]] {
        guard let heart = summary.heartRate else { return [["heart rate", "–", "", ""]] }
        let range = "\(number(heart.latest)) count/min, from \(number(heart.minimum)) to \(number(heart.maximum))"
        let row = ["heart rate", range, "", heart.reference.average.map(number) ?? "–"]
        guard heart.resting != nil || heart.restingReference.average != nil else { return [row] }
        return [
            row,
            [
                "resting heart rate", heart.resting.map { "\(number($0)) count/min" } ?? "–", "",
                heart.restingReference.average.map(number) ?? "–",
            ],
        ]
    }

    private var sleep: [[String]] {
        let usual = summary.sleepReference
        let average = usual.timeAsleep.map { "\(DurationOutput.hours($0)) h" } ?? "–"
        guard let night = summary.sleep else { return [["sleep", "–", "", average]] }
        var rows: [[String]] = []
        if let main = night.main {
            let local = DateOutput(calendar: DateArgument.calendar(in: main.timeZone))
            let span = "\(local.minute(main.start).suffix(5))–\(local.minute(main.end).suffix(5))"
            let length =
                main.timeAsleep.map { "\(DurationOutput.hours($0)) h asleep" }
                ?? "\(DurationOutput.hours(main.timeInBed)) h in bed"
            rows.append(["sleep", "\(length), \(span)", "", average])
            if main.hasStages {
                let stages = [(SleepStage.deep, "deep"), (.core, "core"), (.rem, "REM"), (.awake, "awake")]
                rows.append([
                    "",
                    stages.map { "\($0.1) \(DurationOutput.hours(main.duration(of: $0.0)))" }.joined(separator: ", "),
                    "", "",
                ])
            }
        } else {
            rows.append(["sleep", "–", "", average])
        }
        if !night.naps.isEmpty {
            rows.append([
                "naps", "\(DurationOutput.hours(night.naps.reduce(0) { $0 + ($1.timeAsleep ?? $1.timeInBed) })) h", "",
                "",
            ])
        }
        return rows
    }

    private var workout: String {
        let weeks = Double(TodaySummary.referenceDays) / 7
        let reference = summary.workoutReference
        guard let workout = summary.workout else { return "\nNo workouts.\n" }
        let usual =
            "Four weeks:      \(NumberOutput.text(Double(reference.count) / weeks, digits: 1)) workouts a week, "
            + "\(DurationOutput.words(reference.duration / weeks)) in all\n"
        let parts = [
            workout.activityType.words, DurationOutput.words(workout.duration),
            workout.distance.map { _ in units.distance(workout.meters) }, workout.energy.map { units.energy($0) },
        ].compactMap { $0 }
        let line = "Latest workout:  \(dates.minute(workout.start)) \(parts.joined(separator: ", "))"
        return "\n\(Terminal.output.wrapped(line, after: 17))\n" + (reference.count == 0 ? "" : usual)
    }

    private func number(_ value: Double) -> String { NumberOutput.text(value, digits: 0) }
}

/// A ring as people read it.
enum RingCells {
    /// `320 / 500 kcal` and `64 %`, the percentage only if there is a goal.
    static func cells(_ ring: DayRings.Ring, _ unit: HKUnit, _ unitName: String, _ share: Double?) -> [String] {
        func text(_ quantity: HKQuantity) -> String { NumberOutput.text(quantity.doubleValue(for: unit), digits: 0) }
        guard let goal = ring.goal, let share else { return ["\(text(ring.quantity)) \(unitName)", ""] }
        return ["\(text(ring.quantity)) / \(text(goal)) \(unitName)", "\(NumberOutput.text(100 * share, digits: 0)) %"]
    }
}

extension [EnergyBalance.Missing] {
    /// How to enter the values that resting energy requires; nothing if none is missing.
    var advice: String {
        guard !isEmpty else { return "" }
        let lines = map { missing in
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
