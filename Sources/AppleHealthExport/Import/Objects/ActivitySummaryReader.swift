import HealthFiles
import HealthModel

/// Reads an `ActivitySummary` element as an object that spans its day in UTC.
enum ActivitySummaryReader {
    private static let attributeNames: Set<String> = [
        "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
        "appleMoveTime", "appleMoveTimeGoal", "appleMoveMinutes", "appleMoveMinutesGoal",
        "appleExerciseTime", "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal",
    ]

    static func read(_ element: ArchivedElement) throws(ElementError) -> ObjectRecord {
        guard let text = element["dateComponents"] else { throw ElementError("it has no dateComponents") }
        guard let dayNumber = DateText.day(text) else {
            throw ElementError("its dateComponents are not a date", preserving: "with an impossible day")
        }
        let (year, month, day) = CivilDate.date(dayNumber: dayNumber)
        var body = ActivitySummaryBody(year: year, month: month, day: day)
        let energy = element["activeEnergyBurnedUnit"] ?? "kcal"
        body.activeEnergyBurned = try quantity(element, ["activeEnergyBurned"], energy)
        body.activeEnergyBurnedGoal = try quantity(element, ["activeEnergyBurnedGoal"], energy)
        // Format versions up to 11 have other names.
        body.appleMoveTime = try quantity(element, ["appleMoveTime", "appleMoveMinutes"], "min")
        body.appleMoveTimeGoal = try quantity(element, ["appleMoveTimeGoal", "appleMoveMinutesGoal"], "min")
        body.appleExerciseTime = try quantity(element, ["appleExerciseTime"], "min")
        body.appleExerciseTimeGoal = try quantity(element, ["appleExerciseTimeGoal"], "min")
        body.appleStandHours = try quantity(element, ["appleStandHours"], "count")
        body.appleStandHoursGoal = try quantity(element, ["appleStandHoursGoal"], "count")
        let hasEnergyGoal = body.activeEnergyBurnedGoal.map { $0.value > 0 } ?? false
        let hasTimeGoal = body.appleMoveTimeGoal.map { $0.value > 0 } ?? false
        body.moveMode = hasTimeGoal && !hasEnergyGoal ? 2 : 1
        let start = Double(dayNumber * 86_400)
        var metadata = ElementMetadata.metadata(of: element, known: attributeNames)
        for child in element.children where ElementMetadata.entry(child) == nil {
            metadata.entries.append(ArchivedMetadata.child(child))
        }
        return ObjectRecord(
            type: TypeCatalog.description(for: "HKActivitySummaryTypeIdentifier")!.code, start: start,
            end: start + 86_400, metadata: metadata, body: .activitySummary(body))
    }

    private static func quantity(
        _ element: ArchivedElement, _ names: [String], _ unit: String
    ) throws(ElementError) -> QuantityRecord? {
        guard let text = names.lazy.compactMap({ element[$0] }).first else { return nil }
        guard let value = DecimalText.parse(text) else { throw ElementError("its \(names[0]) is not a number") }
        guard value.isFinite else {
            throw ElementError("its \(names[0]) is not finite", preserving: "with a value that is not finite")
        }
        return QuantityRecord(value, unit: unit)
    }
}
