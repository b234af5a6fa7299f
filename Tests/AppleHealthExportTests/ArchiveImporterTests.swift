import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthStorage
import Testing

@testable import AppleHealthExport

/// Imports files into a store, once and again.
@Suite struct ArchiveImporterTests {
    private let folder: TemporaryFolder
    private let engine: HealthEngine

    init() throws {
        folder = try TemporaryFolder()
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    private let owner = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")), permission: .owner
    )

    private func run(_ text: String, batchSize: Int = 1_000) throws -> ImportReport {
        // These tests are about reading.
        try ArchiveImporter(
            engine: engine, options: .init(batchSize: batchSize), archive: .init(skipsKnownArchives: false)
        ).run(path: folder.write(text, as: "export.xml"))
    }

    private func samples(_ identifier: String) throws -> [PlainSample] {
        let type = try #require(try engine.dictionaries().type(identifier: identifier))
        let found = try engine.samples(SampleRequest(parts: [.init(type: type.code)]), as: owner)
        return found.batches.flatMap { PlainSample.list($0, found.dictionaries) }
    }

    private func objects(_ identifier: String) throws -> [ObjectRecord] {
        let type = try #require(try engine.dictionaries().type(identifier: identifier))
        return try engine.samples(SampleRequest(parts: [.init(type: type.code)]), as: owner).objects
    }

    private let steps = "HKQuantityTypeIdentifierStepCount"

    private func stepRecords(_ values: Range<Int>) -> [String] {
        values.map {
            ArchiveText.record(
                start: "2024-03-01 10:\(10 + $0 % 50):00 +0100", end: "2024-03-01 10:\(10 + $0 % 50):30 +0100",
                value: "\($0)")
        }
    }

    @Test("Of very many types that no version of HealthKit has, the first are kept, and the rest is one line")
    func manyTypes() throws {
        let others = (0..<3_000).flatMap { number in
            ["Quantity", "Category"].map {
                ArchiveText.record(type: "HK\($0)TypeIdentifierNew\(number)", unit: $0 == "Quantity" ? "count" : nil)
            }
        }
        let report = try run(ArchiveText.file([ArchiveText.record()] + others + [ArchiveText.record(value: "9")]))
        #expect(report.added[steps] == 2 && report.added.count == 1_001)
        #expect(report.skipped == ["unknown types": 5_000])
        #expect(try engine.dictionaries().types.count == 1_000)
        // Those that the store has don't count again.
        let again = try run(
            ArchiveText.file(others.prefix(1_000) + [ArchiveText.record(type: "HKQuantityTypeIdentifierLater")]))
        #expect(again.added == ["HKQuantityTypeIdentifierLater": 1] && again.skipped == [:])
    }

    @Test func importsARecord() throws {
        let record = ArchiveText.record(
            device: ArchiveText.device, children: [ArchiveText.entry("HKTimeZone", "Europe/Berlin")])
        let report = try run(ArchiveText.file([record]))
        #expect(report.added == [steps: 1] && report.alreadyThere == [:] && report.skipped == [:])
        #expect(report.locale == "en_US" && report.exportDate == ArchiveText.instant(2026, 1, 15, 8, 12, 33))
        #expect(report.bytes == ArchiveText.file([record]).utf8.count)
        #expect(try samples(steps) == Parsed(ArchiveText.file([record])).samples)
    }

    @Test(arguments: [1, 7, 1_000])
    func importingAgainAddsNothing(_ batchSize: Int) throws {
        let file = ArchiveText.file(stepRecords(0..<40) + stepRecords(0..<5))
        #expect(try run(file, batchSize: batchSize).added == [steps: 45])
        let again = try run(file, batchSize: batchSize)
        #expect(again.added == [:] && again.alreadyThere == [steps: 45])
        #expect(try samples(steps).count == 45)
    }

    @Test func aNewerArchiveAddsWhatIsNew() throws {
        _ = try run(ArchiveText.file(stepRecords(0..<30)))
        // The address of the device and the order have changed, as they do.
        let report = try run(ArchiveText.file(stepRecords(0..<40).reversed()))
        #expect(report.added == [steps: 10] && report.alreadyThere == [steps: 30])
    }

    @Test func equalRecordsKeepTheirNumber() throws {
        let record = ArchiveText.record(device: ArchiveText.device)
        let moved = record.replacingOccurrences(of: "0x282e3a260", with: "0x10b3a1")
        _ = try run(ArchiveText.file([record, record]))
        let report = try run(ArchiveText.file([moved, moved, moved]))
        #expect(report.added == [steps: 1] && report.alreadyThere == [steps: 2])
        #expect(try samples(steps).count == 3)
    }

    @Test func correlationMembersAreLinkedOnce() throws {
        let systolic = ArchiveText.record(
            type: "HKQuantityTypeIdentifierBloodPressureSystolic", unit: "mmHg", value: "120")
        let diastolic = ArchiveText.record(
            type: "HKQuantityTypeIdentifierBloodPressureDiastolic", unit: "mmHg", value: "80")
        let correlation =
            "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"iPhone\" sourceVersion=\"17.2\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:10:00 +0100\">\n\(systolic)\n\(diastolic)</Correlation>"
        for file in [[systolic, correlation], [systolic, correlation]] {
            _ = try run(ArchiveText.file(file))
            #expect(try samples("HKQuantityTypeIdentifierBloodPressureSystolic").count == 1)
            #expect(try samples("HKQuantityTypeIdentifierBloodPressureDiastolic").count == 1)
            let objects = try objects("HKCorrelationTypeIdentifierBloodPressure")
            #expect(objects.count == 1 && Set(objects.flatMap { $0.members.map(\.value) }) == [120, 80])
        }
    }

    @Test func objectsAreImportedOnce() throws {
        let elements = [
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"30\" durationUnit=\"min\" sourceName=\"w\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\"><WorkoutEvent type=\"HKWorkoutEventTypeMarker\" date=\"2024-03-01 10:10:00 +0100\"/></Workout>",
            "<ActivitySummary dateComponents=\"2024-03-01\" activeEnergyBurned=\"412.5\" activeEnergyBurnedGoal=\"500\" activeEnergyBurnedUnit=\"Cal\"/>",
            "<VisionPrescription type=\"Glasses\" dateIssued=\"2024-03-01 10:00:00 +0100\"><RightEye sphere=\"-1\" sphereUnit=\"D\"/></VisionPrescription>",
            ArchiveText.record(type: "HKMystery", unit: nil, value: "what"),
            ArchiveText.record(type: "HKMystery", unit: "hr", value: "3"),
        ]
        #expect(try run(ArchiveText.file(elements)).addedCount == 5)
        let again = try run(ArchiveText.file(elements))
        #expect(again.addedCount == 0 && again.alreadyThereCount == 5)
        let workouts = try objects("HKWorkoutTypeIdentifier")
        guard case .workout(let body)? = workouts.first?.body else {
            Issue.record("no workout")
            return
        }
        #expect(workouts.count == 1 && body.events.count == 1 && body.duration == 1_800)
        #expect(try objects("HKMystery").count == 1 && samples("HKMystery#quantity").count == 1)
        #expect(try objects("HKVisionPrescriptionTypeIdentifier").count == 1)
    }

    @Test func importsMissingCharacteristics() throws {
        try engine.profile.update { $0.biologicalSex = 3 }
        let me =
            "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1985-03-12\" HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\" HKCharacteristicTypeIdentifierBloodType=\"HKBloodTypeABNegative\" HKCharacteristicTypeIdentifierFitzpatrickSkinType=\"HKFitzpatrickSkinTypeNotSet\" HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse=\"None\"/>"
        let report = try run(ArchiveText.file([me]))
        let profile = try engine.profile.read()
        #expect(profile.dateOfBirth == Profile.Day(year: 1985, month: 3, day: 12))
        #expect(profile.biologicalSex == 3 && profile.bloodType == 6 && profile.fitzpatrickSkinType == nil)
        #expect(report.characteristics.count == 3)
        #expect(
            report.characteristicsAdded == [
                "HKCharacteristicTypeIdentifierDateOfBirth", "HKCharacteristicTypeIdentifierBloodType",
            ])
        #expect(
            try engine.imports.metadata() == [
                "locale": "en_US", "exportDate": "2026-01-15 09:12:33 +0100",
                "Me.HKCharacteristicTypeIdentifierFitzpatrickSkinType": "HKFitzpatrickSkinTypeNotSet",
                "Me.HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse": "None",
            ])
    }

    @Test func aTruncatedFileLeavesWholeBatches() throws {
        let text = ArchiveText.file(stepRecords(0..<40))
        let cut = String(text.dropLast(100))
        #expect(throws: ImportError.self) { try run(cut, batchSize: 10) }
        let count = try samples(steps).count
        #expect(count == 30)
        let report = try run(text, batchSize: 10)
        #expect(report.addedCount == 40 - count && report.alreadyThereCount == count)
    }

    @Test func zipFilesAreImportedWithoutACopy() throws {
        let path = folder.path + "/export.zip"
        let writer = try ZipWriter(path: path)
        try writer.beginEntry("apple_health_export/exporter.xml")
        try writer.write(Array(ArchiveText.file(stepRecords(0..<20)).utf8))
        try writer.finish()
        let report = try ArchiveImporter(engine: engine).run(path: path)
        #expect(report.added == [steps: 20] && report.file == path + ": apple_health_export/exporter.xml")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["export.zip"])
    }

    @Test func aZipDamagedWithinIsOneError() throws {
        let path = folder.path + "/export.zip"
        let writer = try ZipWriter(path: path, options: .init(level: nil))
        try writer.beginEntry("apple_health_export/export.xml")
        try writer.write(Array(ArchiveText.file(stepRecords(0..<2_000)).utf8))
        try writer.finish()
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[20_000] ^= 1
        let damaged = try folder.write(bytes, as: "damaged.zip")
        do {
            _ = try ArchiveImporter(engine: engine).run(path: damaged)
            Issue.record("the checksum is wrong")
        } catch {
            #expect((error as? ImportError)?.kind == .damagedZip)
            #expect("\(error)".hasPrefix("The zip file “\(damaged)” is damaged: "))
        }
    }

    @Test func progressGoesForward() throws {
        let seen = Seen()
        let path = try folder.write(ArchiveText.file(stepRecords(0..<20_000)), as: "export.xml")
        let report = try ArchiveImporter(engine: engine).run(path: path) { seen.add($0) }
        let all = seen.all
        #expect(all.last?.phase == .finishing && all.last?.records == 20_000 && all.last?.bytesRead == report.bytes)
        #expect(all.allSatisfy { $0.bytesTotal == report.bytes })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytesRead <= $1.bytesRead && $0.records <= $1.records })
    }

    @Test func reportsFoldersThatCannotBeListed() throws {
        try folder.write("not a folder", as: "electrocardiograms")
        let report = try run(ArchiveText.file([ArchiveText.record()]))
        #expect(report.addedCount == 1)
        #expect(report.irregularities == ["folder electrocardiograms that cannot be listed, left out": 1])
    }

    @Test func reportsSkipsWithoutHealthValues() throws {
        let report = try run(ArchiveText.file([ArchiveText.record(value: "1234x"), ArchiveText.record()]))
        #expect(report.skipped == [steps: 1] && report.addedCount == 1)
        #expect(report.skips == [.init(line: 8, type: steps, reason: "its value is not a number")])
    }
}
