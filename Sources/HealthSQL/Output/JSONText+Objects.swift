import Foundation
package import HealthModel

// Workouts and days of rings as JSON, names as in HealthKit.
extension JSONText {
    package mutating func workout(_ workout: WorkoutBody, _ clock: LocalClock) {
        object { json in
            json.activity(workout.activityType)
            json.key("duration")
            json.number(workout.duration)
            json.member("totalEnergyBurned", workout.totalEnergyBurned)
            json.member("totalDistance", workout.totalDistance)
            json.member("totalSwimmingStrokeCount", workout.totalSwimmingStrokeCount)
            json.member("totalFlightsClimbed", workout.totalFlightsClimbed)
            json.parts(workout.events, workout.statistics, clock)
            guard !workout.activities.isEmpty else { return }
            json.key("workoutActivities")
            json.array { json in
                for activity in workout.activities {
                    json.object { json in
                        json.key("uuid")
                        json.string(activity.uuid.uuidString)
                        json.activity(activity.activityType)
                        json.span(activity.start, activity.end, clock)
                        json.key("duration")
                        json.number(activity.duration)
                        json.member("lapLength", activity.lapLength)
                        json.parts(activity.events, activity.statistics, clock)
                        json.extra(activity.metadata, clock)
                    }
                }
            }
        }
    }

    package mutating func summary(_ summary: ActivitySummaryBody) {
        object { json in
            json.key("day")
            json.string(
                LocalClock.dayText(
                    number: CivilDate.dayNumber(year: summary.year, month: summary.month, day: summary.day)))
            json.member("activeEnergyBurned", summary.activeEnergyBurned)
            json.member("activeEnergyBurnedGoal", summary.activeEnergyBurnedGoal)
            json.member("appleMoveTime", summary.appleMoveTime)
            json.member("appleMoveTimeGoal", summary.appleMoveTimeGoal)
            json.member("appleExerciseTime", summary.appleExerciseTime)
            json.member("appleExerciseTimeGoal", summary.appleExerciseTimeGoal)
            json.member("appleStandHours", summary.appleStandHours)
            json.member("appleStandHoursGoal", summary.appleStandHoursGoal)
        }
    }

    private mutating func activity(_ value: UInt) {
        key("workoutActivityType")
        string(ValueNames.activity(value) ?? String(value))
    }

    private mutating func member(_ name: String, _ quantity: QuantityRecord?) {
        guard let quantity else { return }
        key(name)
        self.quantity(quantity.value, quantity.unit)
    }

    private mutating func span(_ start: Double, _ end: Double?, _ clock: LocalClock) {
        key("startDate")
        string(clock.text(start))
        guard let end else { return }
        key("endDate")
        string(clock.text(end))
    }

    private mutating func extra(_ metadata: Metadata, _ clock: LocalClock) {
        guard metadata.entries.contains(where: { !$0.key.hasPrefix("_") }) else { return }
        key("metadata")
        self.metadata(metadata.entries, clock)
    }

    private mutating func parts(
        _ events: [WorkoutBody.Event], _ statistics: [WorkoutBody.Statistics], _ clock: LocalClock
    ) {
        if !events.isEmpty {
            key("workoutEvents")
            array { json in
                for event in events {
                    json.object { json in
                        json.key("type")
                        json.string(ValueNames.event(event.type) ?? String(event.type))
                        json.span(event.start, event.end, clock)
                        json.extra(event.metadata, clock)
                    }
                }
            }
        }
        guard !statistics.isEmpty else { return }
        key("statistics")
        array { json in
            for figures in statistics {
                json.object { json in
                    json.key("type")
                    json.string(TypeDescription.shortName(of: figures.type))
                    for (name, value) in [
                        ("sum", figures.sum), ("average", figures.average), ("minimum", figures.minimum),
                        ("maximum", figures.maximum),
                    ] {
                        guard let value else { continue }
                        json.key(name)
                        json.number(value)
                    }
                    json.key("unit")
                    json.string(figures.unit)
                }
            }
        }
    }
}
