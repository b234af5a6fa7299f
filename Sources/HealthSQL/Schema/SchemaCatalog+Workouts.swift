import Foundation
import HealthEngine
import HealthJSON
import HealthModel
import HealthStorage

extension SchemaCatalog {
    static func workouts(_ context: TableContext) -> [VirtualTable] {
        let isWorkout: (TypeDescription) -> Bool = { $0.kind == .workout }
        let table = ObjectTable(
            "workouts", about: "Workouts and their totals.",
            own: [
                own("activity", .name, "what was done, such as running") {
                    ValueNames.activity($0.activityType).map { .text($0) }
                },
                own("activity_code", .integer, "HealthKit’s number of the activity") {
                    .integer(Int64($0.activityType))
                },
                own("energy_kcal", .real, "active energy in kilocalories") {
                    SQLValue($0.total(.energyBurned)?.value(in: "kcal"))
                },
                own("distance_m", .real, "distance in meters") { SQLValue($0.total(.distance)?.value(in: "m")) },
                own("swimming_strokes", .real, "strokes of a swim") {
                    SQLValue($0.total(.swimmingStrokeCount)?.value(in: "count"))
                },
                own("flights_climbed", .real, "floors climbed") {
                    SQLValue($0.total(.flightsClimbed)?.value(in: "count"))
                },
            ], context, isWanted: isWorkout)
        let number = SQLColumn("workout", .integer, "the workout’s sequence number")
        return [
            table,
            PartTable(
                "workout_events", about: "The pauses, laps and markers of workouts.", of: number,
                own: [
                    SQLColumn(
                        "activity", .integer, "number of the activity in workout_activities; NULL for the whole workout"
                    ),
                    SQLColumn("event", .name, "event type, such as lap"),
                    SQLColumn("start_date", .instant, "start as ISO 8601"),
                    SQLColumn("end_date", .instant, "end as ISO 8601"),
                    SQLColumn("start_time", .real, "start in seconds since 1970-01-01 UTC"),
                    SQLColumn("end_time", .real, "end in seconds since 1970-01-01 UTC"),
                    SQLColumn("metadata", .json, "metadata as a JSON object"),
                ], context, isWanted: isWorkout, parts: events),
            PartTable(
                "workout_activities", about: "The activities of multi-sport workouts.", of: number,
                own: [
                    SQLColumn("number", .integer, "number of the activity in its workout, from 1"),
                    SQLColumn("activity", .name, "activity type"),
                    SQLColumn("start_date", .instant, "start as ISO 8601"),
                    SQLColumn("end_date", .instant, "end as ISO 8601"),
                    SQLColumn("start_time", .real, "start in seconds since 1970-01-01 UTC"),
                    SQLColumn("end_time", .real, "end in seconds since 1970-01-01 UTC"),
                    SQLColumn("duration", .real, "seconds without pauses"),
                    SQLColumn("metadata", .json, "metadata as a JSON object"),
                    SQLColumn("uuid", .text, "UUID of the activity"),
                ], context, isWanted: isWorkout, parts: activities),
            PartTable(
                "workout_statistics", about: "The stored statistics of workouts and their activities.", of: number,
                own: [
                    SQLColumn(
                        "activity", .integer, "number of the activity in workout_activities; NULL for the whole workout"
                    ),
                    SQLColumn("type", .name, "short name of the quantity type"),
                    SQLColumn("sum", .real, "total, of types that add up"),
                    SQLColumn("average", .real, "mean, of the others"), SQLColumn("minimum", .real, "minimum value"),
                    SQLColumn("maximum", .real, "maximum value"), SQLColumn("unit", .text, "unit of the values"),
                ], context, isWanted: isWorkout, parts: statistics),
            PartTable(
                "workout_members", about: "The samples and objects associated with workouts.", of: number,
                own: [
                    SQLColumn("sequence", .integer, "the sample’s or object’s number"),
                    SQLColumn("type", .name, "its type"),
                ], context, isWanted: isWorkout
            ) { object, context in
                let members = try context.reading.members(of: object.sequence)
                return PartTable.Parts(count: members.count) { column, row in
                    column == 0
                        ? .integer(members[row].sequence)
                        : SQLValue(context.reading.dictionaries.type(members[row].type)?.shortName)
                }
            },
        ]
    }

    private static func own(
        _ name: String, _ kind: SQLColumn.Kind, _ about: String, _ value: @escaping (WorkoutBody) -> SQLValue?
    ) -> ObjectTable.Own {
        ObjectTable.Own(column: SQLColumn(name, kind, about)) { object, _ in
            guard case .workout(let workout) = object.body else { return .null }
            return value(workout) ?? .null
        }
    }

    private static func events(_ object: ObjectRecord, _ context: TableContext) -> PartTable.Parts {
        guard case .workout(let workout) = object.body else { return .none }
        var events: [(activity: Int?, event: WorkoutBody.Event)] = workout.events.map { (nil, $0) }
        for (index, activity) in workout.activities.enumerated() { events += activity.events.map { (index + 1, $0) } }
        return PartTable.Parts(count: events.count) { column, row in
            let event = events[row].event
            return switch column {
            case 0: SQLValue(events[row].activity)
            case 1: .text(ValueNames.event(event.type) ?? String(event.type))
            case 2: .text(context.clock.text(event.start))
            case 3: .text(context.clock.text(event.end))
            case 4: .real(event.start + unixToReference)
            case 5: .real(event.end + unixToReference)
            default: SQLValue(JSONText.metadata(event.metadata, context.instants))
            }
        }
    }

    private static func activities(_ object: ObjectRecord, _ context: TableContext) -> PartTable.Parts {
        guard case .workout(let workout) = object.body else { return .none }
        let named = workout.namedActivities
        return PartTable.Parts(count: named.count) { column, row in
            let activity = named[row]
            return switch column {
            case 0: .integer(Int64(row + 1))
            case 1: .text(ValueNames.activity(activity.activityType) ?? String(activity.activityType))
            case 2: .text(context.clock.text(activity.start))
            case 3: SQLValue(activity.end.map { context.clock.text($0) })
            case 4: .real(activity.start + unixToReference)
            case 5: SQLValue(activity.end.map { $0 + unixToReference })
            case 6: .real(activity.duration)
            case 7: SQLValue(JSONText.metadata(activity.metadata, context.instants))
            default: .text(activity.uuid.uuidString)
            }
        }
    }

    private static func statistics(_ object: ObjectRecord, _ context: TableContext) -> PartTable.Parts {
        guard case .workout(let workout) = object.body else { return .none }
        var rows: [(activity: Int?, figures: WorkoutBody.Statistics)] = workout.statistics.map { (nil, $0) }
        for (index, activity) in workout.activities.enumerated() {
            rows += activity.statistics.map { (index + 1, $0) }
        }
        return PartTable.Parts(count: rows.count) { column, row in
            let figures = rows[row].figures
            return switch column {
            case 0: SQLValue(rows[row].activity)
            case 1: .text(TypeDescription.shortName(of: figures.type))
            case 2: SQLValue(figures.sum)
            case 3: SQLValue(figures.average)
            case 4: SQLValue(figures.minimum)
            case 5: SQLValue(figures.maximum)
            default: .text(figures.unit)
            }
        }
    }
}

extension PartTable.Parts {
    /// An empty list of parts.
    static var none: Self { Self(count: 0) { _, _ in .null } }
}
