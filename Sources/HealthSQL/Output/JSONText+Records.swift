import Foundation
package import HealthJSON
package import HealthModel

// Records as JSON. Dates are ISO 8601, and quantities are objects with a value and a unit. Internal metadata
// (keys that start with an underscore) is left out.
extension JSONText {
    /// The metadata as a JSON object, or `nil` if there is none.
    package static func metadata(_ metadata: Metadata, _ clock: LocalClock) -> String? {
        let shown = metadata.entries.filter { !$0.key.hasPrefix("_") }
        guard !shown.isEmpty else { return nil }
        var json = JSONText()
        json.metadata(shown, clock)
        return json.text
    }

    /// Archives can repeat a key. JSON keeps the first value.
    package mutating func metadata(_ entries: [Metadata.Entry], _ clock: LocalClock) {
        var seen: Set<String> = []
        object { json in
            for entry in entries where !entry.key.hasPrefix("_") && seen.insert(entry.key).inserted {
                json.key(entry.key)
                switch entry.value {
                case .string(let text): json.string(text)
                case .bool(let flag): json.bool(flag)
                case .integer(let number): json.integer(number)
                case .double(let number): json.number(number)
                case .date(let instant): json.string(clock.text(instant))
                case .quantity(let value, let unit): json.quantity(value, unit)
                }
            }
        }
    }

    package mutating func quantity(_ value: Double, _ unit: String) {
        object { json in
            json.key("value")
            json.number(value)
            json.key("unit")
            json.string(unit)
        }
    }

    /// The fields of a document.
    package mutating func fields(_ fields: [String: FieldValue], _ clock: LocalClock) {
        object { json in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.field(value, clock)
            }
        }
    }

    package mutating func field(_ value: FieldValue, _ clock: LocalClock) {
        switch value {
        case .bool(let flag): bool(flag)
        case .integer(let number): integer(number)
        case .double(let value): number(value)
        case .string(let text): string(text)
        case .date(let instant): string(clock.text(instant))
        case .uuid(let uuid): string(uuid.uuidString)
        case .data(let bytes): data(bytes)
        case .quantity(let quantity): self.quantity(quantity.value, quantity.unit)
        case .list(let elements): array { json in for element in elements { json.field(element, clock) } }
        case .record(let fields): self.fields(fields, clock)
        }
    }

    /// Bytes as text if they are UTF-8, otherwise in Base64.
    private mutating func data(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            string(text)
        } else {
            string(Base64.text(bytes))
        }
    }

    /// The series of a document.
    package mutating func series(_ series: [String: [Double]]) {
        object { json in
            for (name, column) in series.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.array { json in for number in column { json.number(number) } }
            }
        }
    }

    /// An element of an archive that this version doesn't recognize.
    package mutating func element(_ element: ArchivedElement) {
        object { json in
            json.key("element")
            json.string(element.name)
            for attribute in element.attributes {
                json.key("@" + attribute.name)
                json.string(attribute.value)
            }
            guard !element.children.isEmpty else { return }
            json.key("children")
            json.array { json in for child in element.children { json.element(child) } }
        }
    }
}

// Workouts and activity summaries as JSON, with HealthKit's names.
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
