import HealthModel
import Testing

@testable import AppleHealthExport

@Suite struct ObjectElementWriterTests {
    @Test(
        "A value of an activity summary that cannot be converted is left out and noted, not written in the wrong unit")
    func incompatibleUnit() {
        var body = ActivitySummaryBody(year: 2024, month: 2, day: 29)
        body.appleExerciseTime = QuantityRecord(1_800, unit: "s")
        body.appleStandHours = QuantityRecord(3, unit: "kcal")
        let object = ObjectRecord(
            type: TypeCatalog.description(for: "HKActivitySummaryTypeIdentifier")!.code, start: 0, end: 86_400,
            body: .activitySummary(body))
        var tally = ExportTally()
        let element = ActivitySummaryWriter.write(object, body, &tally)
        #expect(element["appleExerciseTime"] == "30" && element["appleStandHours"] == nil)
        #expect(tally.irregularities == ["value of an activity summary in an incompatible unit, left out": 1])
    }
}
