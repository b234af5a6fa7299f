@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthModel
import Testing

/// Elements of a known type that cannot be read as it: they are kept as markup, counted and exported again.
@Suite struct PreservedElementTests {
    private let steps = "HKQuantityTypeIdentifierStepCount"
    private let sleep = "HKCategoryTypeIdentifierSleepAnalysis"
    private let dates = "startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\""

    /// The markup that a parser keeps, by type identifier.
    private func kept(_ parsed: Parsed) -> [String: ArchivedElement] {
        var kept: [String: ArchivedElement] = [:]
        for object in parsed.objects {
            if case .archived(let element) = object.body { kept[parsed.identifiers[object.type] ?? ""] = element }
        }
        return kept
    }

    @Test(arguments: ["NaN", "nan", "-nan", "inf", "-inf", "Infinity", "1e400", "-1e400"])
    func valuesThatAreNotFinite(_ value: String) {
        let parsed = Parsed(
            ArchiveText.file([
                ArchiveText.record(value: value), ArchiveText.record(value: "5"), ArchiveText.record(value: value),
            ]))
        #expect(parsed.samples.map(\.value) == [5] && parsed.skips == [])
        #expect(parsed.irregularities == ["\(steps) with a value that is not finite, preserved as it is": 2])
        #expect(kept(parsed)["\(steps)#document"]?["value"] == value)
    }

    @Test(arguments: ["HKCategoryValueSleepAnalysisAsleepLight", "9", "-1"])
    func unknownCategoryValues(_ value: String) {
        let parsed = Parsed(
            ArchiveText.file([
                ArchiveText.record(type: sleep, unit: nil, value: value),
                ArchiveText.record(type: sleep, unit: nil, value: "HKCategoryValueSleepAnalysisAsleepREM"),
            ]))
        #expect(parsed.samples.map(\.value) == [5] && parsed.skips == [])
        #expect(parsed.irregularities == ["\(sleep) with an unknown value, preserved as it is": 1])
        #expect(kept(parsed)["\(sleep)#document"]?["value"] == value)
    }

    /// Counted as skipped, and kept.
    @Test(arguments: ["km", "((", "ml/kg/min"])
    func unitsThatDoNotFit(_ unit: String) {
        let odd = ArchiveText.record().replacingOccurrences(of: "unit=\"count\"", with: "unit=\"\(unit)\"")
        let parsed = Parsed(ArchiveText.file([ArchiveText.record(value: "3"), odd]))
        #expect(parsed.samples.map(\.value) == [3] && parsed.irregularities == [:])
        #expect(
            parsed.skips == [
                .init(line: 9, type: steps, reason: "its unit does not fit its type, preserved as it is")
            ])
        #expect(kept(parsed)["\(steps)#document"]?["unit"] == unit)
    }

    @Test func workoutsWithoutAnActivityType() {
        let parsed = Parsed(ArchiveText.file(["<Workout sourceName=\"a\" duration=\"60\" \(dates)/>"]))
        #expect(
            parsed.skips == [
                .init(
                    line: 8, type: "HKWorkoutTypeIdentifier",
                    reason: "it has no workoutActivityType, preserved as it is")
            ])
        #expect(kept(parsed)["HKWorkoutTypeIdentifier#document"]?["duration"] == "60")
    }

    @Test func elementsWithoutASource() {
        let member = ArchiveText.record(type: "HKQuantityTypeIdentifierDietaryProtein", unit: "g", value: "3")
        let parsed = Parsed(
            ArchiveText.file([
                ArchiveText.record().replacingOccurrences(of: "sourceName=\"iPhone\" ", with: ""),
                "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"60\" \(dates)/>",
                "<Correlation type=\"HKCorrelationTypeIdentifierFood\" \(dates)>\n\(member)</Correlation>",
            ]))
        #expect(parsed.samples.count == 1 && parsed.objects.count == 2 && parsed.skips == [] && kept(parsed) == [:])
        let revisions = parsed.samples.map(\.revision) + parsed.objects.map(\.revision)
        #expect(Set(revisions.map { $0?.source.name }) == ["Unknown"])
        let types = [steps, "HKWorkoutTypeIdentifier", "HKCorrelationTypeIdentifierFood"]
        #expect(
            parsed.irregularities
                == Dictionary(
                    uniqueKeysWithValues: types.map {
                        ("\($0) without a source, imported with the source “Unknown”", 1)
                    }))
    }

    /// Also of records that have the form of the ones before.
    @Test func everyRecordWithoutASourceIsCounted() {
        let odd = ArchiveText.record().replacingOccurrences(of: "sourceName=\"iPhone\" ", with: "")
        let parsed = Parsed(ArchiveText.file(Array(repeating: odd, count: 5)))
        #expect(parsed.samples.count == 5)
        #expect(parsed.irregularities == ["\(steps) without a source, imported with the source “Unknown”": 5])
    }

    /// iOS 8 wrote several measurements as one record without a value.
    @Test(arguments: [
        (" min=\"1.1\" max=\"1.1\" average=\"1.1\" recordCount=\"1\"", 1.1, 0),
        (" min=\"1.0\" max=\"1.6\" average=\"1.2\" recordCount=\"7\"", 1.2, 7),
        (" minimum=\"1.0\" maximum=\"1.6\" average=\"1.2\" recordCount=\"7\"", 1.2, 7),
        (" average=\"1.2\" recordCount=\"7\"", 1.2, 0),
    ])
    func averagesWithoutAValue(_ attributes: String, _ value: Double, _ count: Int64) throws {
        let record =
            "<Record type=\"HKQuantityTypeIdentifierHeartRate\" source=\"E\" unit=\"count/s\" startDate=\"20150908193500+0200\" endDate=\"20150908203500+0200\"\(attributes)/>"
        let parsed = Parsed(ArchiveText.file([record]))
        #expect(parsed.samples.map(\.value) == [value] && parsed.skips == [])
        let metadata = try #require(parsed.samples.first).metadata
        #expect(metadata["_series.count"] == (count > 0 ? .integer(count) : nil))
        #expect(metadata["_series.minimum"]?.number == (count > 0 ? 1 : nil))
        #expect(metadata["_series.maximum"]?.number == (count > 0 ? 1.6 : nil))
        // They are stored once, and exported as they were.
        let (home, store, other) = (try TemporaryFolder(), try ImportedStore(), try ImportedStore())
        let path = try home.write(ArchiveText.file([record]), as: "in.xml")
        #expect(try store.run(path).addedCount == 1 && store.run(path).addedCount == 0)
        let out = home.path + "/out.xml"
        let options = ExportOptions(exportDate: Date(timeIntervalSinceReferenceDate: 7.9e8), timeZone: .gmt)
        _ = try ArchiveExporter(engine: store.engine, options: options).run(to: .xml(path: out))
        let text = try String(contentsOfFile: out, encoding: .utf8)
        #expect(text.contains("average=\"\(value)\"") && text.contains("value=\"\(value)\""))
        #expect(try other.run(out).addedCount == 1 && store.run(out).addedCount == 0)
    }

    /// A record that is skipped isn't preserved.
    @Test func unknownAttributesOfSkippedRecords() {
        let record = ArchiveText.record(value: "x").replacingOccurrences(of: "<Record ", with: "<Record shape=\"odd\" ")
        let parsed = Parsed(ArchiveText.file([record]))
        #expect(parsed.skips.map(\.reason) == ["its value is not a number"] && parsed.irregularities == [:])
    }

    @Test func correlationsWithoutMembersAndMembersThatAreNotNumbers() {
        let good = ArchiveText.record(type: "HKQuantityTypeIdentifierDietaryProtein", unit: "g", value: "3")
        let bad = ArchiveText.record(type: "HKQuantityTypeIdentifierDietarySugar", unit: "g", value: "nan")
        let head = "<Correlation type=\"HKCorrelationTypeIdentifierFood\" sourceName=\"a\" \(dates)"
        let parsed = Parsed(ArchiveText.file([head + "/>", head + ">\n\(good)\n\(bad)</Correlation>"]))
        #expect(parsed.skips == [] && kept(parsed).keys.sorted() == ["HKCorrelationTypeIdentifierFood#document"])
        let food = parsed.objects.first { !$0.members.isEmpty }
        #expect(food?.members.map(\.value) == [3])
        #expect(food?.metadata.entries.compactMap(ArchivedMetadata.element).first?["value"] == "nan")
        #expect(
            parsed.irregularities == [
                "HKCorrelationTypeIdentifierFood without members, preserved as it is": 1,
                "HKQuantityTypeIdentifierDietarySugar with a value that is not finite, preserved as it is": 1,
            ])
    }

    @Test func summariesOfImpossibleDaysAndWithoutNumbers() {
        let parsed = Parsed(
            ArchiveText.file([
                "<ActivitySummary dateComponents=\"2024-02-30\" appleStandHours=\"3\"/>",
                "<ActivitySummary dateComponents=\"2024-02-03\" activeEnergyBurned=\"inf\"/>",
            ]))
        #expect(parsed.skips == [] && parsed.objects.count == 2)
        #expect(kept(parsed).keys.sorted() == ["HKActivitySummaryTypeIdentifier#document"])
        #expect(
            parsed.irregularities["HKActivitySummaryTypeIdentifier with an impossible day, preserved as it is"] == 1)
    }

    @Test(arguments: ["x", "inf", "1e400"])
    func totalsThatAreNotNumbers(_ value: String) throws {
        let parsed = Parsed(
            ArchiveText.file([
                "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"60\" totalEnergyBurned=\"\(value)\" totalEnergyBurnedUnit=\"kcal\" totalDistance=\"5\" totalDistanceUnit=\"km\" sourceName=\"a\" \(dates)/>"
            ]))
        let workout = try #require(parsed.objects.first)
        guard case .workout(let body) = workout.body else {
            Issue.record("no workout")
            return
        }
        #expect(body.totalEnergyBurned == nil && body.totalDistance == QuantityRecord(5, unit: "km"))
        #expect(workout.metadata["_archived.attribute.totalEnergyBurned"] == .string(value))
        #expect(workout.metadata["_archived.attribute.totalEnergyBurnedUnit"] == .string("kcal"))
        #expect(parsed.irregularities == ["Workout with totalEnergyBurned that is not a number, preserved": 1])
    }

    @Test func preservedElementsAreExportedAndFound() throws {
        let home = try TemporaryFolder()
        let store = try ImportedStore()
        let elements = [
            ArchiveText.record(value: "NaN"),
            ArchiveText.record(type: sleep, unit: nil, value: "HKCategoryValueSleepAnalysisAsleepLight"),
            "<ActivitySummary dateComponents=\"2024-02-30\" appleStandHours=\"3\"/>", ArchiveText.record(value: "7"),
        ]
        let first = try store.run(home.write(ArchiveText.file(elements), as: "export.xml"))
        #expect(first.addedCount == 4 && first.skippedCount == 0)
        _ = try ArchiveExporter(
            engine: store.engine,
            options: ExportOptions(
                exportDate: Date(timeIntervalSinceReferenceDate: 8e8), timeZone: #require(TimeZone(secondsFromGMT: 0)))
        ).run(to: .folder(path: home.path + "/out"))
        let text = try String(contentsOfFile: home.path + "/out/apple_health_export/export.xml", encoding: .utf8)
        for mark in ["value=\"NaN\"", "AsleepLight", "2024-02-30"] { #expect(text.contains(mark)) }
        let other = try ImportedStore()
        #expect(try other.run(home.path + "/out").addedCount == 4)
        #expect(try store.run(home.path + "/out").addedCount == 0)
    }

    @Test func archivesOfTheFirstVersionsOfIOS8() throws {
        let parsed = Parsed(
            ArchiveText.file([
                "<Record type=\"\(steps)\" source=\"Jo’s iPhone\" unit=\"count\" startDate=\"20141004084300-0700\" endDate=\"20141004084400-0700\" value=\"52\" recordCount=\"1\"/>",
                "<Record type=\"\(steps)\" source=\"second\" sourceName=\"first\" unit=\"count\" startDate=\"20141004084300+0000\" endDate=\"20141004084300+0000\" value=\"1\"/>",
            ]))
        #expect(parsed.skips == [] && parsed.samples.map(\.value) == [52, 1])
        let sample = try #require(parsed.samples.first)
        #expect(sample.start == ArchiveText.instant(2014, 10, 4, 15, 43) && sample.end == sample.start + 60)
        #expect(parsed.samples.map { $0.revision?.source.name } == ["Jo’s iPhone", "first"])
        #expect(sample.metadata["_archived.attribute.recordCount"] == .string("1"))
        #expect(sample.metadata["_archived.attribute.source"] == nil)
        #expect(
            parsed.irregularities == [
                "Record with attribute recordCount, preserved": 1, "Record with attribute source, preserved": 1,
            ])
    }
}
