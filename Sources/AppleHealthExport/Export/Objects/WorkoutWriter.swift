import Foundation
import HealthFiles
import HealthModel

/// Writes a workout as a `Workout` element: the counterpart of ``WorkoutReader``.
enum WorkoutWriter {
    /// - Parameter routes: The elements of the workout's routes.
    static func write(
        _ object: ObjectRecord, _ body: WorkoutBody, routes: [ArchivedElement] = [], _ style: RecordStyle,
        _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "Workout")
        element.append("workoutActivityType", activityType(body.activityType))
        DurationWriter.append(body.duration, preserved: object.metadata, to: &element)
        WorkoutTotals.append(of: body, writtenAs: object.metadata, to: &element)
        element.appendFrame(of: object, style)
        element.append(object.metadata, excluding: [DurationWriter.key, WorkoutTotals.key], &tally)
        element.children += body.events.map { event($0, style, &tally) }
        element.children += body.activities.map { activity($0, of: body, object.metadata, style, &tally) }
        element.children += body.statistics.map { statistics($0, style) }
        element.children += routes
        // No archive has been seen with an element for zones: they are in the supplement.
        element.children += body.archivedWithoutZones
        return element
    }

    /// The name of an activity type; the raw value of an unknown one.
    private static func activityType(_ value: UInt) -> String {
        WorkoutActivityNames.name(of: value) ?? String(value)
    }

    // MARK: - Children

    private static func event(
        _ event: WorkoutBody.Event, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "WorkoutEvent")
        element.append("type", WorkoutEventNames.name(of: event.type) ?? String(event.type))
        element.append("date", style.date(event.start))
        if event.metadata[DurationWriter.key] != nil {
            DurationWriter.append(0, preserved: event.metadata, to: &element)
        } else if event.end > event.start {
            let start = style.dates.rounded(event.start)
            let minutes = DurationWriter.minutes(from: start, to: start + (event.end - event.start))
            element.append("duration", DecimalText.print(minutes))
            element.append("durationUnit", "min")
        }
        element.append(event.metadata, excluding: [DurationWriter.key], &tally)
        return element
    }

    private static func statistics(_ statistics: WorkoutBody.Statistics, _ style: RecordStyle) -> ArchivedElement {
        var element = ArchivedElement(name: "WorkoutStatistics")
        element.append("type", statistics.type)
        element.append("startDate", style.date(statistics.start))
        element.append("endDate", style.date(statistics.end))
        element.append("average", statistics.average.map { DecimalText.print($0) })
        element.append("minimum", statistics.minimum.map { DecimalText.print($0) })
        element.append("maximum", statistics.maximum.map { DecimalText.print($0) })
        element.append("sum", statistics.sum.map { DecimalText.print($0) })
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
        DurationWriter.append(activity.duration, preserved: activity.metadata, to: &element)
        element.children += activity.events.map { event($0, style, &tally) }
        element.children += activity.statistics.map { statistics($0, style) }
        let metadata = WorkoutPlace.metadata(of: activity, in: whole)
        element.append(metadata, excluding: [DurationWriter.key], &tally)
        return element
    }
}

/// The attributes of a workout's totals, and the statistics they can be derived from.
enum WorkoutTotals {
    static let distance = "totalDistance"
    static let energy = "totalEnergyBurned"
    static let strokes = "totalSwimmingStrokeCount"
    static let flights = "totalFlightsClimbed"

    /// The attributes in their order.
    static let kinds: [(name: String, total: WorkoutTotal)] = [
        (distance, .distance), (energy, .energyBurned), (strokes, .swimmingStrokeCount), (flights, .flightsClimbed),
    ]

    /// The metadata key under which an import keeps which attributes of totals a workout had, if an export would write
    /// others: it leaves out totals that the statistics contain, as archives since iOS 16 do, and writes every unit.
    static let key = MetadataKey.archivedTotals

    /// Appends the attributes.
    static func append(of body: WorkoutBody, writtenAs metadata: Metadata, to element: inout ArchivedElement) {
        let written = metadata.text(key).map { Set($0.split(separator: " ")) }
        for (name, kind) in kinds {
            let total = kind.value(of: body)
            let isDerived = total == body.sum(kind)
            guard let total, written?.contains(name[...]) ?? false || !isDerived else { continue }
            element.append(name, DecimalText.print(total.value))
            // A total that the workout gained later has its unit.
            let hasUnit = written.map { $0.contains(name[...]) ? $0.contains((name + "Unit")[...]) : true } ?? true
            element.append(name + "Unit", hasUnit ? total.unit : nil)
        }
    }

    /// The entry for the attributes of an element; `nil` if an export writes the same ones.
    static func entry(of element: ArchivedElement, _ body: WorkoutBody) -> Metadata.Entry? {
        var own = ArchivedElement(name: element.name)
        append(of: body, writtenAs: .empty, to: &own)
        let names = kinds.map(\.name).flatMap { [$0, $0 + "Unit"] }
        // What is not a number is kept like an unknown attribute.
        let unreadable = Set(WorkoutReader.unreadableTotals(of: element).flatMap { [$0, $0 + "Unit"] })
        let written = names.filter { element[$0] != nil && !unreadable.contains($0) }
        guard written != names.filter({ own[$0] != nil }) else { return nil }
        return Metadata.Entry(key: key, value: .string(written.joined(separator: " ")))
    }
}

/// The location of an activity, which the archive has in the metadata of the activity or of the whole workout.
enum WorkoutPlace {
    private static let indoor = "HKIndoorWorkout"
    private static let water = "HKSwimmingLocationType"
    private static let lap = "HKLapLength"

    /// The raw value of the location type: unknown 1, indoor 2, outdoor 3.
    static func location(_ activity: Metadata, _ whole: Metadata) -> Int {
        (activity[indoor] ?? whole[indoor])?.number.map { $0 != 0 ? 2 : 3 } ?? 1
    }

    /// The raw value of the swimming location type: unknown 0, pool 1, open water 2.
    static func swimmingLocation(_ activity: Metadata, _ whole: Metadata) -> Int {
        (activity[water] ?? whole[water])?.number.flatMap { Int(exactly: $0) } ?? 0
    }

    /// The length of a lap.
    static func lapLength(_ activity: Metadata, _ whole: Metadata) -> QuantityRecord? {
        guard case .quantity(let length, let unit)? = activity[lap] ?? whole[lap] else { return nil }
        return QuantityRecord(length, unit: unit)
    }

    /// The activity's metadata, with added entries for properties that it does not include.
    static func metadata(of activity: WorkoutBody.Activity, in whole: Metadata) -> Metadata {
        var metadata = activity.metadata
        if activity.locationType != location(metadata, whole), activity.locationType != 1 {
            metadata.entries.append(.init(key: indoor, value: .bool(activity.locationType == 2)))
        }
        if activity.swimmingLocationType != swimmingLocation(metadata, whole) {
            metadata.entries.append(.init(key: water, value: .integer(Int64(activity.swimmingLocationType))))
        }
        if let length = activity.lapLength, length != lapLength(metadata, whole) {
            metadata.entries.append(.init(key: lap, value: .quantity(length.value, unit: length.unit)))
        }
        return metadata
    }
}

/// Writes a duration in minutes: the counterpart of ``DurationText``.
enum DurationWriter {
    /// The metadata key under which an import keeps the original text of a duration.
    static let key = MetadataKey.archivedDuration

    /// Appends `duration` and `durationUnit`: the text preserved from an import, or the number of minutes that is read as
    /// these seconds.
    static func append(_ seconds: Double, preserved metadata: Metadata, to element: inout ArchivedElement) {
        if let text = metadata.text(key), let blank = text.firstIndex(of: " ") {
            let (number, unit) = (text[..<blank], text[text.index(after: blank)...])
            element.append("duration", number.isEmpty ? nil : String(number))
            element.append("durationUnit", unit.isEmpty ? nil : String(unit))
            return
        }
        if let minutes = minutes(seconds) {
            element.append("duration", DecimalText.print(minutes))
            element.append("durationUnit", "min")
        } else {
            element.append("duration", DecimalText.print(seconds))
            element.append("durationUnit", "s")
        }
    }

    /// The minutes between two instants, with the fewest digits that give the end when added to the start.
    static func minutes(from start: Double, to end: Double) -> Double {
        let exact = (end - start) / 60
        guard exact.isFinite, abs(exact) < 1e9 else { return exact }
        var power = 1.0
        for _ in 0...12 {
            let minutes = (exact * power).rounded() / power
            if start + minutes * 60 == end { return minutes }
            power *= 10
        }
        return exact
    }

    private static func minutes(_ seconds: Double) -> Double? {
        let minutes = seconds / 60
        return [minutes, minutes.nextUp, minutes.nextDown].first { $0 * 60 == seconds }
    }
}
