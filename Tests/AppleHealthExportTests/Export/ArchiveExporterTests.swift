import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthImport
import HealthStorage
import Testing

@testable import AppleHealthExport

/// Exports and round trips.
@Suite struct ArchiveExporterTests {
    private let folder: TemporaryFolder
    private let exportDate = Date(timeIntervalSinceReferenceDate: 790_000_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store() throws -> HealthEngine {
        try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    private func options(
        _ zone: String = "Europe/Berlin", selection: ContentsSelection = .init(), replaces: Bool = false
    ) throws -> ExportOptions {
        ExportOptions(
            selection: selection, exportDate: exportDate, timeZone: try #require(TimeZone(identifier: zone)),
            replacesTarget: replaces)
    }

    @discardableResult
    private func export(_ engine: HealthEngine, _ name: String, _ options: ExportOptions? = nil) throws -> ExportReport
    {
        try ArchiveExporter(engine: engine, options: try options ?? self.options()).run(
            to: ExportTarget(path: folder.path + "/" + name))
    }

    private func imported(_ path: String) throws -> HealthEngine {
        let engine = try store()
        let report = try ArchiveImporter(engine: engine).run(path: path)
        #expect(report.skipped == [:], "\(report.skips)")
        return engine
    }

    /// The sorted lines of a file.
    private func lines(_ name: String) throws -> [Substring] {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8).split(separator: "\n").sorted()
    }

    private func generated(_ records: Int, seed: UInt64) throws -> String {
        var bytes: [UInt8] = []
        try ArchiveGenerator(options: .init(records: records, seed: seed, exportDate: exportDate)).writeXML {
            bytes += $0
        }
        return try folder.write(bytes, as: "original-\(seed).xml")
    }

    /// A person with known, missing and unknown characteristics.
    private let me =
        "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1985-03-12\" HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\" HKCharacteristicTypeIdentifierBloodType=\"HKBloodTypeNotSet\" HKCharacteristicTypeIdentifierFitzpatrickSkinType=\"HKFitzpatrickSkinTypeIV\" HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse=\"None\" HKCharacteristicTypeIdentifierMood=\"good\"/>"

    // MARK: - Round trips

    @Test(arguments: ["out.xml", "out.zip", "out"])
    func generatedArchiveRoundTrips(_ name: String) throws {
        let first = try imported(try generated(3_000, seed: 3))
        // In the zone of the person, so that it is found again.
        let report = try export(first, name, options("America/New_York"))
        let second = try imported(folder.path + "/" + name)
        let (before, after) = (try StoreImage(first), try StoreImage(second))
        #expect(before == after, "\(before.difference(from: after))")
        #expect(report.writtenCount == before.samples.values.reduce(0, +) + before.objects.values.reduce(0, +))
        #expect(report.leftOut == [:] && report.irregularities == [:])
    }

    @Test(arguments: [1, 2, 3])
    func exportHasTheElementsOfAGeneratedArchive(_ seed: UInt64) throws {
        let original = try generated(2_000, seed: seed)
        try export(try imported(original), "out.xml", options("America/New_York"))
        let (before, after) = (try ElementBag(path: original), try ElementBag(path: folder.path + "/out.xml"))
        #expect(after.fault == nil && before.count == after.count && before.count > 2_000)
        #expect(before.difference(from: after) == [])
    }

    @Test(arguments: [1, 2, 3, 4])
    func savedObjectsRoundTripAsFarAsTheFormatAllows(_ seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        let first = try store()
        try history.fill(first, samples: 800)
        try export(first, "out.xml")
        let second = try imported(folder.path + "/out.xml")
        let (before, after) = (try StoreImage(first).asArchived, try StoreImage(second).asArchived)
        #expect(before == after, "\(before.difference(from: after))")
        // Nothing changes from here on.
        try export(second, "again.xml")
        let third = try imported(folder.path + "/again.xml")
        let (once, twice) = (try StoreImage(second), try StoreImage(third))
        #expect(once == twice, "\(once.difference(from: twice))")
        #expect(try lines("again.xml") == lines("out.xml"))
    }

    @Test func unknownContentIsExportedUnchanged() throws {
        let elements = [
            me, ArchiveText.record(type: "HKMystery", unit: nil, value: "what"),
            ArchiveText.record(type: "HKMystery", unit: "hr", value: "3"),
            ArchiveText.record(type: "HKCategoryTypeIdentifierMystery", unit: nil, value: "4"),
            ArchiveText.record(
                device: ArchiveText.device,
                children: [
                    ArchiveText.entry("HKTimeZone", "Europe/Berlin"), ArchiveText.entry("k", "007"),
                    ArchiveText.entry("k", "1 &lt; 2"),
                    "<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm=\"58\" time=\"in the evening\"/></HeartRateVariabilityMetadataList>",
                    "<Later a=\"&lt;1&gt;\"><Inner/>text &amp; more</Later>",
                ]
            ).replacingOccurrences(of: " sourceVersion", with: " mood=\"good &amp; fine\" sourceVersion"),
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeCurling2\" duration=\"14.866333333333333\" durationUnit=\"min\" mood=\"x\" sourceName=\"w\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\"><WorkoutEvent type=\"HKWorkoutEventTypeMarker\" date=\"2024-03-01 10:10:00 +0100\" duration=\"0\" durationUnit=\"min\"/><Later/></Workout>",
            "<Future type=\"x\"><Part n=\"1\"/></Future>",
            "<Record type=\"HKDataTypeSleepDurationGoal\" sourceName=\"Health\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:00:00 +0100\" unit=\"hr\" value=\"8\"/>",
        ]
        let original = try folder.write(ArchiveText.file(elements), as: "original.xml")
        let first = try imported(original)
        let report = try export(first, "out.xml")
        #expect(report.leftOut == [:] && report.irregularities == [:])
        let (before, after) = (try StoreImage(first), try StoreImage(try imported(folder.path + "/out.xml")))
        #expect(before == after, "\(before.difference(from: after))")
        let (then, now) = (try ElementBag(path: original), try ElementBag(path: folder.path + "/out.xml"))
        #expect(then.difference(from: now) == [])
    }

    @Test func equalCorrelationsAreAllKept() throws {
        let systolic = ArchiveText.record(
            type: "HKQuantityTypeIdentifierBloodPressureSystolic", unit: "mmHg", value: "120")
        let diastolic = ArchiveText.record(
            type: "HKQuantityTypeIdentifierBloodPressureDiastolic", unit: "mmHg", value: "80")
        let correlation =
            "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"iPhone\" sourceVersion=\"17.2\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:10:00 +0100\">\n\(systolic)\n\(diastolic)</Correlation>"
        // Two equal ones with members at top level, and a third with members only inside.
        let file = ArchiveText.file([
            me, systolic, systolic, diastolic, diastolic, correlation, correlation, correlation,
        ])
        let first = try imported(try folder.write(file, as: "original.xml"))
        try export(first, "out.xml")
        let (before, after) = (try StoreImage(first), try StoreImage(try imported(folder.path + "/out.xml")))
        #expect(before == after && before.samples.values.sorted() == [3, 3] && before.objects.values.sorted() == [3])
    }

    @Test func charactersThatAreInvalidInXMLAreReplacedAndCounted() throws {
        let record = ArchiveText.record(source: "Tr\u{B}acker", children: [ArchiveText.entry("a", "x\u{1}y")])
        let engine = try imported(try folder.write(ArchiveText.file([record]), as: "original.xml"))
        let report = try export(engine, "out.xml")
        #expect(report.irregularities == ["character that is invalid in XML, replaced by U+FFFD": 2])
        let text = try String(contentsOfFile: folder.path + "/out.xml", encoding: .utf8)
        #expect(text.contains("sourceName=\"Tr\u{FFFD}acker\"") && WellFormedness.fault(in: text) == nil)
    }

    // MARK: - Selections

    @Test func aSelectionExcludesOtherSamples() throws {
        let engine = try imported(try generated(2_000, seed: 9))
        let all = try StoreImage(engine)
        let steps = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount"))
        let workouts = try #require(TypeCatalog.description(for: "HKWorkoutTypeIdentifier"))
        let starts = all.samples.keys.filter { $0.type == steps.identifier }.map(\.start).sorted()
        let (since, until) = (starts[starts.count / 3], starts[starts.count * 2 / 3])
        let selection = ContentsSelection(types: [steps.code, workouts.code], since: since, until: until)
        try export(engine, "part.xml", options(selection: selection))
        let part = try StoreImage(try imported(folder.path + "/part.xml"))
        #expect(
            part.samples
                == all.samples.filter {
                    $0.key.type == steps.identifier && $0.key.start >= since && $0.key.start < until
                })
        #expect(
            part.objects
                == all.objects.filter {
                    $0.key.type == workouts.identifier && $0.key.start >= since && $0.key.start < until
                })
        #expect(part.samples.count > 10 && part.profile == all.profile)
    }

    @Test func allDatesHaveTheOffsetOfTheExport() throws {
        // A record of summer in an archive of winter; 790,000,000 is in January.
        let record = ArchiveText.record(start: "2024-07-01 10:00:00 +0200", end: "2024-07-01 10:00:00 +0200")
        let engine = try imported(try folder.write(ArchiveText.file([record]), as: "original.xml"))
        try export(engine, "out.xml")
        let text = try String(contentsOfFile: folder.path + "/out.xml", encoding: .utf8)
        #expect(text.contains("startDate=\"2024-07-01 09:00:00 +0100\""))
        #expect(text.contains("<ExportDate value=\"2026-01-13 13:26:40 +0100\"/>"))
    }

    // MARK: - Targets

    @Test(arguments: ["out.xml", "out.zip", "out"])
    func replacesOnlyOnRequest(_ name: String) throws {
        let engine = try imported(try generated(1_000, seed: 4))
        try export(engine, name)
        let standing = name == "out" ? "out/apple_health_export" : name
        #expect(
            throws: ExportError(
                .targetExists, "“\(folder.path)/\(standing)” already exists. Use --force to replace it.")
        ) {
            try export(engine, name)
        }
        let smaller = ContentsSelection(types: [])
        try export(engine, name, options(selection: smaller, replaces: true))
        #expect(try StoreImage(try imported(folder.path + "/" + name)).samples == [:])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                == ["original-4.xml", name].sorted())
    }

    @Test(arguments: ["out.xml", "out.zip", "out"])
    func aFailureLeavesNothing(_ name: String) throws {
        let engine = try imported(try generated(1_000, seed: 5))
        let target = ExportTarget(path: folder.path + "/" + name)
        let output = try target.open(options())
        // The output fails in the middle, as if the disk were full.
        let failing = FailingOutput(output, after: 2)
        #expect(throws: ExportError.self) {
            try engine.readContents { contents in
                try ExportRun(contents: contents, options: options(), output: failing, progress: nil).write()
            }
        }
        failing.abandon()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "out" } == [
                "original-5.xml"
            ])
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/out")) ?? [] == [])
    }

    @Test func anUnwritableTargetIsOneError() throws {
        let engine = try store()
        for name in ["no/such/folder/out.xml", "no/such/folder/out.zip"] {
            do {
                try export(engine, name)
                Issue.record("there is no such folder")
            } catch {
                #expect("\(error)" == "“\(folder.path)/\(name)” cannot be written: No such file or directory.")
            }
        }
        try folder.write("", as: "file")
        #expect(throws: ExportError.self) { try export(engine, "file/out") }
    }

    @Test func theSameStoreGivesTheSameBytes() throws {
        let engine = try imported(try generated(2_000, seed: 6))
        for name in ["a.xml", "a.zip"] {
            try export(engine, name)
            let first = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
            try export(engine, name, options(replaces: true))
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)) == first)
        }
    }

    @Test func theMainFileIsFirstInAZip() throws {
        let engine = try imported(try generated(2_000, seed: 7))
        let report = try export(engine, "out.zip")
        try export(engine, "out.xml")
        let reader = try ZipReader(path: folder.path + "/out.zip")
        let entry = try #require(reader.entries.first)
        #expect(entry.name == "apple_health_export/export.xml" && entry.size == report.xmlBytes)
        #expect(
            try reader.stream(of: entry).contents()
                == [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path + "/out.xml"))))
        let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/out.zip")[.size] as? Int
        #expect(report.bytes == size && report.bytes * 5 < report.xmlBytes)
    }

    // MARK: - Concurrent writes

    @Test func theArchiveIsASnapshot() throws {
        let engine = try imported(try generated(20_000, seed: 8))
        let before = try StoreImage(engine)
        let writer = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "w", name: "w")),
            permission: .allowAll)
        let steps = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount"))
        let seen = Seen()
        let exporter = ArchiveExporter(engine: engine, options: try options("America/New_York"))
        // Progress is reported during the export; another thread writes to the store then.
        _ = try exporter.run(to: ExportTarget(path: folder.path + "/out.xml")) { progress in
            seen.add(
                ImportProgress(bytesRead: progress.bytes, bytesTotal: nil, records: progress.written, phase: .reading))
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) {
                _ = try? engine.save(
                    [
                        .sample(
                            SampleRecord(
                                type: steps.code, start: Double(progress.bytes), end: 7.9e8, value: 1, unit: "count"))
                    ], as: writer)
            }
            group.wait()
        }
        #expect(seen.all.count > 3)
        #expect(seen.all.last?.records == before.samples.values.reduce(0, +) + before.objects.values.reduce(0, +))
        let now = try StoreImage(engine)
        #expect(now.samples.values.reduce(0, +) == before.samples.values.reduce(0, +) + seen.all.count)
        let archived = try StoreImage(try imported(folder.path + "/out.xml"))
        #expect(archived == before, "\(archived.difference(from: before))")
    }
}
