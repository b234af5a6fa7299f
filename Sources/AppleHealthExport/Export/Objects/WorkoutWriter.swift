import Foundation
import HealthModel

/// A workout as a `Workout` element: the twin of ``WorkoutReader``.
enum WorkoutWriter {
    /// - Parameter routes: The elements of its routes.
    static func write(
        _ object: ObjectRecord, _ body: WorkoutBody, routes: [ArchivedElement] = [], _ style: RecordStyle,
        _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "Workout")
        element.append("workoutActivityType", activityType(body.activityType))
        DurationWriter.append(body.duration, kept: object.metadata, to: &element)
        appendTotals(of: body, to: &element)
        element.appendFrame(of: object, style)
        element.append(object.metadata, passedOver: [DurationWriter.key], &tally)
        element.children += body.events.map { event($0, style, &tally) }
        element.children += body.activities.map { activity($0, of: body, object.metadata, style, &tally) }
        element.children += body.statistics.map { statistics($0, style) }
        element.children += routes
        element.children += body.archived
        return element
    }

    /// By name, or by number where this version knows none.
    private static func activityType(_ value: UInt) -> String {
        WorkoutActivityText.name(of: value) ?? String(value)
    }

    // MARK: Totals

    /// Archives since iOS 16 have no totals beside the statistics; those that the statistics do not tell are
    /// written.
    private static func appendTotals(of body: WorkoutBody, to element: inout ArchivedElement) {
        func append(_ name: String, _ total: QuantityRecord?) {
            guard let total, total != WorkoutTotals.told(by: body.statistics, name) else { return }
            element.append(name, NumberText.print(total.value))
            element.append(name + "Unit", total.unit)
        }
        append(WorkoutTotals.distance, body.totalDistance)
        append(WorkoutTotals.energy, body.totalEnergyBurned)
        append(WorkoutTotals.strokes, body.totalSwimmingStrokeCount)
        append(WorkoutTotals.flights, body.totalFlightsClimbed)
    }

    // MARK: Children

    private static func event(
        _ event: WorkoutBody.Event, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "WorkoutEvent")
        element.append("type", WorkoutEventText.name(of: event.type) ?? String(event.type))
        element.append("date", style.date(event.start))
        if event.metadata[DurationWriter.key] != nil {
            DurationWriter.append(0, kept: event.metadata, to: &element)
        } else if event.end > event.start {
            let start = style.dates.rounded(event.start)
            let minutes = DurationWriter.minutes(from: start, to: start + (event.end - event.start))
            element.append("duration", NumberText.print(minutes))
            element.append("durationUnit", "min")
        }
        element.append(event.metadata, passedOver: [DurationWriter.key], &tally)
        return element
    }

    private static func statistics(_ statistics: WorkoutBody.Statistics, _ style: RecordStyle) -> ArchivedElement {
        var element = ArchivedElement(name: "WorkoutStatistics")
        element.append("type", statistics.type)
        element.append("startDate", style.date(statistics.start))
        element.append("endDate", style.date(statistics.end))
        element.append("average", statistics.average.map { NumberText.print($0) })
        element.append("minimum", statistics.minimum.map { NumberText.print($0) })
        element.append("maximum", statistics.maximum.map { NumberText.print($0) })
        element.append("sum", statistics.sum.map { NumberText.print($0) })
        element.append("unit", statistics.unit.isEmpty ? nil : statistics.unit)
        return element
    }

    private static func activity(
        _ activity: WorkoutBody.Activity, of body: WorkoutBody, _ whole: Metadata, _ style: RecordStyle,
        _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "WorkoutActivity")
        element.append("uuid", activity.uuid.uuidString)
        if activity.activityType != body.activityType {
            element.append("workoutActivityType", activityType(activity.activityType))
        }
        element.append("startDate", style.date(activity.start))
        element.append("endDate", activity.end.map { style.date($0) })
        DurationWriter.append(activity.duration, kept: activity.metadata, to: &element)
        element.children += activity.events.map { event($0, style, &tally) }
        element.children += activity.statistics.map { statistics($0, style) }
        let metadata = WorkoutPlace.stated(by: activity, in: whole)
        element.append(metadata, passedOver: [DurationWriter.key], &tally)
        return element
    }
}
