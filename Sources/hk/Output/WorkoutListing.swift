import Foundation
import HealthAnswers
import HealthInsights
import HealthKit

/// Workouts as tables.
struct WorkoutListing {
    let dates: DateOutput
    let units: WorkoutUnits

    func table(_ workouts: [WorkoutAnswer]) -> String {
        let measures: [(title: String, text: (WorkoutSummary) -> String)] = [
            ("distance", { units.distance($0.meters) }), ("pace", { units.paceText($0.pace, of: $0.activityType) }),
            ("energy", { units.energy($0.energy) }), ("heart", { WorkoutUnits.heartRate($0.averageHeartRate) }),
        ]
        // A measure that no workout has needs no column.
        let shown = measures.filter { measure in workouts.contains { measure.text($0.summary) != "–" } }
        var table = Table(
            [
                .number("#"), "start", "activity", .number("time"),
            ] + shown.map { .number($0.title) })
        for answer in workouts {
            let workout = answer.summary
            table.add(
                [
                    "\(answer.number ?? 0)", dates.minute(workout.start), workout.activityType.words,
                    DurationOutput.clock(workout.duration),
                ] + shown.map { $0.text(workout) })
        }
        return table.text()
    }

    // MARK: Weeks and records

    func table(_ answer: WorkoutWeeksAnswer, every interval: StatisticsInterval) -> String {
        // The newest first.
        let weeks = answer.weeks.reversed().filter { !$0.workouts.isEmpty }
        var table = Table([
            .text(interval == .week ? "week of" : interval.rawValue), "activity", .number("workouts"), .number("time"),
            .number("distance"), .number("pace"), .number("energy"),
        ])
        func add(_ week: String, _ activity: String, _ figures: WorkoutFigures, of type: HKWorkoutActivityType?) {
            table.add([
                week, activity, "\(figures.count)", DurationOutput.clock(figures.duration),
                units.distance(figures.meters),
                type.map { units.paceText(figures.pace, of: $0) } ?? "",
                units.energy(kilocalories: figures.kilocalories),
            ])
        }
        for week in weeks {
            let activities = week.activities
            for (index, activity) in activities.enumerated() {
                add(
                    index == 0
                        ? interval.label(week.interval.start, answer.cut(week), dates).replacing("week of ", with: "")
                        : "", activity.activityType.words, activity.figures,
                    of: activity.activityType)
            }
            // A pace of different activities means nothing.
            if activities.count > 1 { add("", "all", week.figures, of: nil) }
        }
        return table.text()
    }

    func table(_ answer: WorkoutRecordsAnswer) -> String {
        var table = Table([
            "activity", .number("workouts"), "record",
            .number(""), "start",
        ])
        for record in answer.records {
            let ofWorkouts: [(String, String, Date)?] = [
                record.longest.map { ("longest", DurationOutput.clock($0.duration), $0.start) },
                record.farthest.map { ("farthest", units.distance($0.meters), $0.start) },
                record.fastest.map { ("fastest", units.paceText($0.pace, of: $0.activityType), $0.start) },
                record.mostEnergy.map { ("most energy", units.energy($0.energy), $0.start) },
            ]
            let ofDistances = (answer.distances ?? []).filter { $0.activityType == record.activityType }.map {
                distance in
                ("fastest \(Self.name(distance.meters))", DurationOutput.clock(distance.duration), distance.start)
            }
            let lines = ofWorkouts.compactMap { $0 } + ofDistances
            for (index, line) in lines.enumerated() {
                table.add([
                    index == 0 ? record.activityType.words : "", index == 0 ? "\(record.count)" : "", line.0, line.1,
                    dates.minute(line.2),
                ])
            }
        }
        return table.text()
    }

    /// `5 km`, or as people call a distance that they race.
    private static func name(_ meters: Double) -> String {
        let names = [WorkoutSplit.Length.mile.meters: "mile", 21_097.5: "half marathon", 42_195: "marathon"]
        return names[meters] ?? "\(NumberOutput.text(meters / 1_000)) km"
    }

    // MARK: One workout

    func text(_ detail: WorkoutDetail) -> String {
        [
            facts(detail.workout.summary), legs(detail.legs), sets(detail.sets),
            splits(detail.splits, of: detail.workout.summary.activityType),
            zones(detail.zones),
        ].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func legs(_ legs: [WorkoutLap]) -> String {
        guard !legs.isEmpty else { return "" }
        var table = Table([
            "leg", .number("time"), .number("distance"),
            .number("pace"), .number("heart"),
        ])
        for leg in legs {
            table.add([
                leg.activityType?.words ?? "", DurationOutput.clock(leg.duration), units.distance(leg.meters),
                units.paceText(leg.pace, of: leg.activityType ?? .other), WorkoutUnits.heartRate(leg.averageHeartRate),
            ])
        }
        return table.text()
    }

    private func sets(_ sets: [WorkoutSet]) -> String {
        guard !sets.isEmpty else { return "" }
        var table = Table([.number("set"), "exercise", .number("repetitions"), .number("weight"), .number("time")])
        for set in sets {
            table.add([
                "\(set.number)", set.exercise ?? "–", set.repetitions.map { "\($0)" } ?? "–",
                set.kilograms.map { "\(NumberOutput.text($0)) kg" } ?? "–",
                DurationOutput.clock(set.end.timeIntervalSince(set.start)),
            ])
        }
        return table.text()
    }

    private func facts(_ workout: WorkoutSummary) -> String {
        var table = Table([.text(workout.activityType.words), .text(dates.minute(workout.start))])
        let place = workout.isIndoor.map { $0 ? "indoors" : "outdoors" }
        let range = workout.minimumHeartRate.flatMap { minimum in
            workout.maximumHeartRate.map { "\(WorkoutUnits.heartRate(minimum))–\(WorkoutUnits.heartRate($0))" }
        }
        let lines: [(String, String?)] = [
            ("title", workout.title), ("time", DurationOutput.clock(workout.duration)),
            ("distance", known(units.distance(workout.meters))),
            (
                workout.activityType.hasPace ? "pace" : "speed",
                known(units.paceText(workout.pace, of: workout.activityType))
            ), ("energy", known(units.energy(workout.energy))),
            (
                "heart rate",
                workout.averageHeartRate.map {
                    "\(WorkoutUnits.heartRate($0)) count/min" + (range.map { ", \($0)" } ?? "")
                }
            ),
            (
                "ascent",
                workout.elevationAscended.map {
                    "\(NumberOutput.text($0.doubleValue(for: units.elevation), digits: 0)) \(units.elevation.unitString)"
                }
            ), ("place", place), ("source", workout.source.name), ("UUID", workout.uuid.uuidString),
        ]
        for (name, value) in lines { if let value { table.add([name, value]) } }
        return table.text()
    }

    private func known(_ text: String) -> String? { text == "–" ? nil : text }

    private func splits(_ splits: WorkoutSplits?, of activity: HKWorkoutActivityType) -> String {
        guard let splits else { return "No splits: they require distances or a route for most of the workout.\n" }
        let hasLegs = splits.splits.contains { $0.activityType != nil }
        var table = Table(
            (hasLegs ? ["leg"] : []) + [
                .number(units.lengthName), .number("time"), .number(hasLegs || activity.hasPace ? "pace" : "speed"),
                .number("heart"), "",
            ])
        for split in splits.splits {
            let length = split.isComplete ? "\(split.number)" : NumberOutput.text(split.meters / splits.length.meters)
            table.add(
                (hasLegs ? [split.activityType?.words ?? ""] : []) + [
                    length, DurationOutput.clock(split.duration),
                    units.paceText(split.pace, of: split.activityType ?? activity),
                    WorkoutUnits.heartRate(split.averageHeartRate), split.isFastest ? "fastest" : "",
                ])
        }
        return table.text()
    }

    private func zones(_ zones: HeartRateZones?) -> String {
        guard let zones else {
            return "No heart rate zones: they require heart rates and your date of birth.\n"
        }
        var table = Table([.number("zone"), .number("count/min"), .number("time"), .number("")])
        for zone in zones.zones {
            let share = zones.duration > 0 ? zone.duration / zones.duration : 0
            table.add([
                "\(zone.number)", range(zone), DurationOutput.clock(zone.duration),
                "\(NumberOutput.text(100 * share, digits: 0)) %",
            ])
        }
        let origin =
            switch zones.origin {
            case .workout: ""
            case .preferred: "The zones are those of your profile.\n"
            case .estimated(let maximum):
                "The zones are shares of an estimated maximum of \(NumberOutput.text(maximum, digits: 0)) count/min.\n"
            }
        return table.text() + origin
    }

    private func range(_ zone: HeartRateZones.Zone) -> String {
        switch (zone.minimum, zone.maximum) {
        case (let minimum?, let maximum?): "\(WorkoutUnits.heartRate(minimum))–\(WorkoutUnits.heartRate(maximum))"
        case (let minimum?, nil): "from \(WorkoutUnits.heartRate(minimum))"
        case (nil, let maximum?): "below \(WorkoutUnits.heartRate(maximum))"
        case (nil, nil): "all"
        }
    }
}
