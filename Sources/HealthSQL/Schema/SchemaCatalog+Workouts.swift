import Foundation
import HealthEngine
import HealthJSON
import HealthModel
import HealthStorage

extension SchemaCatalog {
    static func workouts(_ context: TableContext) -> [VirtualTable] {
        let isWorkout: (TypeDescription) -> Bool = { $0.kind == .workout }
        let table = ObjectTable(
            .workouts,
            own: [
                own { ValueNames.activity($0.activityType).map { .text($0) } },
                own { .integer(Int64($0.activityType)) },
                own { SQLValue($0.total(.energyBurned)?.value(in: "kcal")) },
                own { SQLValue($0.total(.distance)?.value(in: "m")) },
                own { SQLValue($0.total(.swimmingStrokeCount)?.value(in: "count")) },
                own { SQLValue($0.total(.flightsClimbed)?.value(in: "count")) },
            ], context, isWanted: isWorkout)
        return [
            table,
            PartTable(.workoutEvents, context, isWanted: isWorkout, parts: events),
            PartTable(.workoutActivities, context, isWanted: isWorkout, parts: activities),
            PartTable(.workoutStatistics, context, isWanted: isWorkout, parts: statistics),
            PartTable(.workoutMembers, context, isWanted: isWorkout) { object, context in
                let members = try context.reading.members(of: object.sequence)
                return PartTable.Parts(count: members.count) { column, row in
                    column == 0
                        ? .integer(members[row].sequence)
                        : SQLValue(context.reading.dictionaries.type(members[row].type)?.shortName)
                }
            },
        ]
    }

    private static func own(_ value: @escaping (WorkoutBody) -> SQLValue?) -> ObjectTable.Value {
        { object, _ in
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
