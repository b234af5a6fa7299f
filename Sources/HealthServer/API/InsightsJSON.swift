import Foundation
import HealthFormats
import HealthInsights
import HealthJSON
import HealthKit
import HealthModel

// What HealthInsights computes as JSON, for the API and for assistants.
extension JSONText {
    mutating func member(_ name: String, quantity: HKQuantity?, in unit: HKUnit) {
        member(name, measure: quantity.map { QuantityRecord($0.doubleValue(for: unit), unit: unit.unitString) })
    }

    mutating func member(_ name: String, date: Date?, _ instants: InstantWriter) {
        member(name, instant: date?.timeIntervalSinceReferenceDate, instants)
    }

    // MARK: Sleep

    /// Writes the sleep of one day.
    mutating func night(_ night: SleepNight, _ instants: InstantWriter) {
        object { json in
            let (year, month, day) = (night.day.year ?? 1, night.day.month ?? 1, night.day.day ?? 1)
            json.member(
                "date", text: LocalClock.dayText(number: CivilDate.dayNumber(year: year, month: month, day: day)))
            json.member("timeZone", text: night.timeZone.identifier)
            json.member("totalTimeAsleep", number: night.totalTimeAsleep)
            json.member("napTime", number: night.napTime)
            if let main = night.main {
                json.key("main")
                json.period(main, instants)
            }
            json.key("naps")
            json.array { json in for nap in night.naps { json.period(nap, instants) } }
        }
    }

    private mutating func period(_ period: SleepPeriod, _ instants: InstantWriter) {
        object { json in
            json.member("startDate", date: period.start, instants)
            json.member("endDate", date: period.end, instants)
            json.member("asleepStartDate", date: period.asleepStart, instants)
            json.member("asleepEndDate", date: period.asleepEnd, instants)
            json.member("timeAsleep", number: period.timeAsleep)
            json.member("timeInBed", number: period.timeInBed)
            json.key("isTimeInBedRecorded")
            json.bool(period.isTimeInBedRecorded)
            json.member("efficiency", number: period.efficiency)
            json.member("latency", number: period.latency)
            json.member("wakeAfterSleepOnset", number: period.wakeAfterSleepOnset)
            json.member("awakenings", integer: period.awakenings)
            json.member("longAwakenings", integer: period.longAwakenings)
            json.key("hasStages")
            json.bool(period.hasStages)
            json.key("stages")
            json.stages { stage in
                let seconds = period.duration(of: stage)
                return seconds > 0 ? seconds : nil
            }
            json.key("sources")
            json.array { json in
                for source in period.sources {
                    json.object { json in
                        json.member("source", text: source.name)
                        json.member("bundleIdentifier", text: source.bundleIdentifier)
                    }
                }
            }
            json.key("segments")
            json.array { json in
                for segment in period.segments {
                    json.object { json in
                        json.member("stage", text: "\(segment.stage)")
                        json.member("startDate", date: segment.start, instants)
                        json.member("endDate", date: segment.end, instants)
                    }
                }
            }
        }
    }

    private mutating func stages(_ seconds: (SleepStage) -> TimeInterval?) {
        object { json in for stage in SleepStage.allCases { json.member("\(stage)", number: seconds(stage)) } }
    }

    /// Writes the averages of several nights.
    mutating func averages(_ averages: SleepAverages) {
        object { json in
            json.member("nights", integer: averages.nights)
            json.member("timeAsleep", number: averages.timeAsleep)
            json.member("timeAsleepDeviation", number: averages.timeAsleepDeviation)
            json.member("timeInBed", number: averages.timeInBed)
            json.member("efficiency", number: averages.efficiency)
            json.member("latency", number: averages.latency)
            json.member("wakeAfterSleepOnset", number: averages.wakeAfterSleepOnset)
            json.member("asleepTime", number: averages.asleepTime)
            json.member("wakeTime", number: averages.wakeTime)
            json.key("stages")
            json.stages { averages.stages[$0] }
        }
    }

    // MARK: Trends

    /// Writes the figures of a period.
    mutating func figures(_ figures: PeriodFigures, _ instants: InstantWriter) {
        object { $0.members(of: figures, instants) }
    }

    private mutating func members(of figures: PeriodFigures, _ instants: InstantWriter) {
        member("startDate", date: figures.interval.start, instants)
        member("endDate", date: figures.interval.end, instants)
        member("days", integer: figures.dayCount)
        member("daysWithData", integer: figures.daysWithData)
        member("total", number: figures.total)
        member("average", number: figures.average)
        member("standardDeviation", number: figures.standardDeviation)
        member("minimum", number: figures.minimum)
        member("maximum", number: figures.maximum)
    }

    /// Writes a trend.
    mutating func trend(_ trend: Trend, _ instants: InstantWriter) {
        object { json in
            json.member("direction", text: "\(trend.direction)")
            json.member("change", number: trend.change)
            json.member("relativeChange", number: trend.relativeChange)
            json.member("standardizedChange", number: trend.standardizedChange)
            json.key("recent")
            json.figures(trend.recent, instants)
            json.key("baseline")
            json.figures(trend.baseline, instants)
            json.key("values")
            json.array { json in
                for day in trend.days {
                    json.object { json in
                        json.member("startDate", date: day.date, instants)
                        json.member("value", number: day.value)
                        json.member("minimum", number: day.minimum)
                        json.member("maximum", number: day.maximum)
                    }
                }
            }
        }
    }

    /// Writes a comparison of two periods.
    mutating func comparison(_ comparison: PeriodComparison, _ instants: InstantWriter) {
        object { $0.comparison(members: comparison, instants) }
    }

    mutating func comparison(members comparison: PeriodComparison, _ instants: InstantWriter) {
        member("change", number: comparison.change)
        member("relativeChange", number: comparison.relativeChange)
        member("totalChange", number: comparison.totalChange)
        member("relativeTotalChange", number: comparison.relativeTotalChange)
        key("first")
        figures(comparison.first, instants)
        key("second")
        figures(comparison.second, instants)
    }

    private mutating func member(_ name: String, reference: DailyReference, _ instants: InstantWriter) {
        key(name)
        object { json in
            json.members(of: reference.figures, instants)
            json.member("averageByNow", number: reference.averageByNow)
            json.member("unit", text: reference.figures.unit.unitString)
        }
    }

    // MARK: Today

    /// Writes the members of today's figures, each with the last four weeks to compare with.
    mutating func members(of summary: TodaySummary, _ instants: InstantWriter) {
        member("startDate", date: summary.day.start, instants)
        member("endDate", date: summary.day.end, instants)
        if let rings = summary.rings {
            key("rings")
            self.rings(rings)
        }
        key("energy")
        energy(summary.energy, instants)
        key("steps")
        object { json in
            json.member("quantity", number: summary.steps.value)
            json.member("unit", text: summary.steps.unit.unitString)
            json.member("reference", reference: summary.steps.reference, instants)
        }
        if let heartRate = summary.heartRate {
            key("heartRate")
            object { json in
                json.member("latest", number: heartRate.latest)
                json.member("latestDate", date: heartRate.latestDate, instants)
                json.member("average", number: heartRate.average)
                json.member("minimum", number: heartRate.minimum)
                json.member("maximum", number: heartRate.maximum)
                json.member("resting", number: heartRate.resting)
                json.member("unit", text: "count/min")
                json.member("reference", reference: heartRate.reference, instants)
                json.member("restingReference", reference: heartRate.restingReference, instants)
            }
        }
        if let sleep = summary.sleep {
            key("sleep")
            night(sleep, instants)
        }
        key("sleepReference")
        averages(summary.sleepReference)
        if let workout = summary.workout {
            key("workout")
            self.workout(workout, instants)
        }
        key("workoutReference")
        object { json in
            json.member("count", integer: summary.workoutReference.count)
            json.member("duration", number: summary.workoutReference.duration)
            json.member(
                "totalEnergyBurned", measure: QuantityRecord(summary.workoutReference.kilocalories, unit: "kcal"))
            json.member("totalDistance", measure: QuantityRecord(summary.workoutReference.meters, unit: "m"))
        }
    }

    private mutating func rings(_ rings: TodayRings) {
        let isTime = rings.moveMode == .appleMoveTime
        let unit: HKUnit = isTime ? .minute() : .kilocalorie()
        object { json in
            json.member("activityMoveMode", integer: rings.moveMode.rawValue)
            json.member("activityMoveModeName", text: isTime ? "appleMoveTime" : "activeEnergy")
            json.member("move", quantity: rings.move, in: unit)
            json.member("moveGoal", quantity: rings.moveGoal, in: unit)
            json.member("exercise", quantity: rings.exercise, in: .minute())
            json.member("exerciseGoal", quantity: rings.exerciseGoal, in: .minute())
            json.member("stand", quantity: rings.stand, in: .count())
            json.member("standGoal", quantity: rings.standGoal, in: .count())
            json.key("progress")
            json.object { json in
                json.member("move", number: rings.progress.move)
                json.member("exercise", number: rings.progress.exercise)
                json.member("stand", number: rings.progress.stand)
            }
            guard let reference = rings.reference else { return }
            json.key("reference")
            json.object { json in
                json.member("days", integer: reference.days)
                json.member("move", number: reference.move)
                json.member("exercise", number: reference.exercise)
                json.member("stand", number: reference.stand)
                json.member("daysClosed", integer: reference.daysClosed)
            }
        }
    }

    private mutating func energy(_ energy: TodayEnergy, _ instants: InstantWriter) {
        object { json in
            json.member("consumed", quantity: energy.balance.consumed, in: .kilocalorie())
            json.member("active", quantity: energy.balance.active, in: .kilocalorie())
            json.member("resting", quantity: energy.balance.resting, in: .kilocalorie())
            json.member("net", quantity: energy.balance.net, in: .kilocalorie())
            json.key("missing")
            json.array { json in for missing in energy.balance.missing { json.string(missing.rawValue) } }
            json.member("consumedReference", reference: energy.consumedReference, instants)
            json.member("activeReference", reference: energy.activeReference, instants)
        }
    }

    /// Writes the figures of a workout.
    mutating func workout(_ workout: WorkoutSummary, _ instants: InstantWriter) {
        object { json in
            json.member("uuid", text: workout.uuid.uuidString)
            json.member("workoutActivityType", integer: Int(workout.activityType.rawValue))
            json.member("workoutActivityTypeName", text: ValueNames.activity(workout.activityType.rawValue))
            json.member("startDate", date: workout.start, instants)
            json.member("endDate", date: workout.end, instants)
            json.member("duration", number: workout.duration)
            json.member("totalEnergyBurned", quantity: workout.energy, in: .kilocalorie())
            json.member("totalDistance", quantity: workout.distance, in: .meter())
            json.member("averageHeartRate", number: workout.averageHeartRate)
            json.member("minimumHeartRate", number: workout.minimumHeartRate)
            json.member("maximumHeartRate", number: workout.maximumHeartRate)
            json.member("elevationAscended", quantity: workout.elevationAscended, in: .meter())
            if let isIndoor = workout.isIndoor {
                json.key("isIndoor")
                json.bool(isIndoor)
            }
            json.member("source", text: workout.source.name)
            json.member("bundleIdentifier", text: workout.source.bundleIdentifier)
        }
    }
}
