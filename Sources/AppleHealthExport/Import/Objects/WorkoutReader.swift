import Foundation
import HealthFiles
import HealthModel

/// Reads a `Workout` element.
///
/// Unknown attributes are kept in the metadata; unknown children and those that cannot be read are kept as elements.
enum WorkoutReader {
    private static let attributeNames = ElementFrame.attributeNames.union(
        ["workoutActivityType", "duration", "durationUnit"] + totals.flatMap { [$0, $0 + "Unit"] })
    private static let other: UInt = 3_000
    private static let totals = WorkoutTotals.kinds.map(\.name)

    static func read(_ element: ArchivedElement) throws(ElementError) -> ObjectRecord {
        let frame = try ElementFrame(element)
        guard let typeText = element["workoutActivityType"] else {
            throw ElementError("it has no workoutActivityType", isKept: true)
        }
        var known = attributeNames.subtracting(unreadableTotals(of: element).flatMap { [$0, $0 + "Unit"] })
        if element["sourceName"] == nil { known.insert(SourceText.earlyAttribute) }
        var metadata = ElementMetadata.metadata(of: element, known: known)
        let activityType = WorkoutActivityNames.rawValue(of: typeText)
        if activityType == nil {
            metadata.entries.append(ArchivedMetadata.attribute("workoutActivityType", typeText))
        }
        var body = WorkoutBody(activityType: activityType ?? other, duration: 0)
        for child in element.children {
            switch child.name {
            case "MetadataEntry" where ElementMetadata.entry(child) != nil: continue
            case "WorkoutEvent": preserve(event(child), or: child, in: &body.events, &body.archived)
            case "WorkoutStatistics": preserve(statistics(child), or: child, in: &body.statistics, &body.archived)
            case "WorkoutActivity":
                preserve(
                    activity(child, in: element, type: body.activityType), or: child, in: &body.activities,
                    &body.archived)
            default: body.archived.append(child)
            }
        }
        body.duration = DurationText.seconds(element) ?? max(0, body.activeTime(from: frame.start, to: frame.end))
        preserveUnusualDuration(of: element, as: DecimalText.print(body.duration / 60), in: &metadata)
        body.totalEnergyBurned = total(element, WorkoutTotals.energy) ?? body.sum(.energyBurned)
        body.totalDistance = total(element, WorkoutTotals.distance) ?? body.sum(.distance)
        body.totalSwimmingStrokeCount = total(element, WorkoutTotals.strokes) ?? body.sum(.swimmingStrokeCount)
        body.totalFlightsClimbed = total(element, WorkoutTotals.flights) ?? body.sum(.flightsClimbed)
        if let written = WorkoutTotals.entry(of: element, body) { metadata.entries.append(written) }
        return ObjectRecord(
            type: TypeCatalog.description(for: "HKWorkoutTypeIdentifier")!.code, start: frame.start,
            end: frame.end, revision: frame.revision, device: frame.device, metadata: metadata,
            creation: frame.creation, body: .workout(body))
    }

    /// The names of the totals that are not numbers; they are kept like unknown attributes.
    static func unreadableTotals(of element: ArchivedElement) -> [String] {
        totals.filter { element[$0] != nil && number(element[$0]) == nil }
    }

    private static func preserve<Value>(
        _ value: Value?, or child: ArchivedElement, in values: inout [Value], _ archived: inout [ArchivedElement]
    ) {
        if let value { values.append(value) } else { archived.append(child) }
    }

    private static func event(_ element: ArchivedElement) -> WorkoutBody.Event? {
        guard hasOnly(["type", "date", "duration", "durationUnit"], element), let typeText = element["type"],
            let type = WorkoutEventNames.rawValue(of: typeText), let start = element["date"].flatMap(ArchiveDate.parse),
            element.children.allSatisfy({ ElementMetadata.entry($0) != nil })
        else { return nil }
        let duration = DurationText.seconds(element) ?? 0
        guard duration >= 0 else { return nil }
        var event = WorkoutBody.Event(
            type: type, start: start, end: start + duration,
            metadata: ElementMetadata.metadata(of: element, known: ["type", "date", "duration", "durationUnit"]))
        let minutes = DurationWriter.minutes(from: event.start, to: event.end)
        preserveUnusualDuration(
            of: element, as: event.end > event.start ? DecimalText.print(minutes) : nil, in: &event.metadata)
        return event
    }

    private static func statistics(_ element: ArchivedElement) -> WorkoutBody.Statistics? {
        let figures: Set = ["average", "minimum", "maximum", "sum"]
        guard hasOnly(figures.union(["type", "startDate", "endDate", "unit"]), element), element.children.isEmpty,
            let type = element["type"], let start = element["startDate"].flatMap(ArchiveDate.parse),
            let end = element["endDate"].flatMap(ArchiveDate.parse)
        else { return nil }
        for name in figures where element[name] != nil && number(element[name]) == nil { return nil }
        return WorkoutBody.Statistics(
            type: type, start: start, end: end, unit: element["unit"] ?? "", sum: number(element["sum"]),
            average: number(element["average"]), minimum: number(element["minimum"]),
            maximum: number(element["maximum"]))
    }

    private static func activity(
        _ element: ArchivedElement, in workout: ArchivedElement, type: UInt
    ) -> WorkoutBody.Activity? {
        let names: Set = ["uuid", "startDate", "endDate", "duration", "durationUnit", "workoutActivityType"]
        guard hasOnly(names, element), let uuid = element["uuid"].flatMap(UUID.init(uuidString:)),
            let start = element["startDate"].flatMap(ArchiveDate.parse)
        else { return nil }
        let end = element["endDate"].flatMap(ArchiveDate.parse)
        if element["endDate"] != nil, end == nil { return nil }
        var ownType = type
        if let text = element["workoutActivityType"] {
            guard let known = WorkoutActivityNames.rawValue(of: text) else { return nil }
            ownType = known
        }
        var events: [WorkoutBody.Event] = []
        var statistics: [WorkoutBody.Statistics] = []
        var metadata = ElementMetadata.metadata(of: element, known: names)
        for child in element.children where ElementMetadata.entry(child) == nil {
            if child.name == "WorkoutEvent", let event = event(child) {
                events.append(event)
            } else if child.name == "WorkoutStatistics", let figures = self.statistics(child) {
                statistics.append(figures)
            } else {
                metadata.entries.append(ArchivedMetadata.child(child))
            }
        }
        let whole = ElementMetadata.metadata(of: workout, known: attributeNames)
        var activity = WorkoutBody.Activity(
            uuid: uuid, activityType: ownType, start: start, end: end,
            duration: DurationText.seconds(element) ?? max(0, (end ?? start) - start), events: events,
            statistics: statistics, metadata: metadata)
        activity.locationType = WorkoutPlace.location(metadata, whole)
        activity.swimmingLocationType = WorkoutPlace.swimmingLocation(metadata, whole)
        activity.lapLength = WorkoutPlace.lapLength(metadata, whole)
        preserveUnusualDuration(of: element, as: DecimalText.print(activity.duration / 60), in: &activity.metadata)
        return activity
    }

    /// A total from the workout's attributes.
    private static func total(_ element: ArchivedElement, _ name: String) -> QuantityRecord? {
        guard let value = number(element[name]) else { return nil }
        let fallback = name == WorkoutTotals.distance ? "km" : name == WorkoutTotals.energy ? "kcal" : "count"
        return QuantityRecord(value, unit: element[name + "Unit"] ?? fallback)
    }

    /// Keeps the original texts of a duration and its unit, empty where one is missing, if others would be written:
    /// `minutes`, in minutes, or neither if it is `nil`.
    private static func preserveUnusualDuration(
        of element: ArchivedElement, as minutes: String?, in metadata: inout Metadata
    ) {
        let (text, unit) = (element["duration"], element["durationUnit"])
        if text == minutes, unit == minutes.map({ _ in "min" }) { return }
        metadata.entries.append(.init(key: DurationWriter.key, value: .string("\(text ?? "") \(unit ?? "")")))
    }

    private static func hasOnly(_ names: Set<String>, _ element: ArchivedElement) -> Bool {
        element.attributes.allSatisfy { names.contains($0.name) }
    }

    private static func number(_ text: String?) -> Double? {
        text.flatMap { DecimalText.parse($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
}
