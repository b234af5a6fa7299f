import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthKit
import HealthModel
import HealthImport
import HealthStorage
import Testing

@testable import AppleHealthExport
@testable import HealthTesting

/// Round trips of stores through archives with a supplement.
@Suite struct SupplementRoundTripTests {
    private let folder: TemporaryFolder
    private let exportDate = Date(timeIntervalSinceReferenceDate: 790_000_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("An electrocardiogram without voltages is in the supplement, as its CSV file could not be read")
    func electrocardiogramWithoutVoltages() throws {
        let health = TestHealthStore()
        try health.plant([HKElectrocardiogram.testing(volts: [], start: TestClock.start)])
        let report = try export(health.engine, "out")
        #expect(report.auxiliaryFiles == 0 && report.leftOut == [:])
        #expect(report.supplemented == [ElectrocardiogramReader.identifier: 1])
        let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        let again = try ArchiveImporter(engine: engine).run(path: folder.path + "/out")
        #expect(again.skipped == [:] && again.irregularities == [:])
        #expect(try StoreImage(engine).objects == StoreImage(health.engine).objects)
        #expect(
            try export(health.engine, "plain", supplement: false).leftOut == [ElectrocardiogramReader.identifier: 1])
    }

    @Test("An electrocardiogram that another app delivered without an identity is not imported again")
    func electrocardiogramWithoutIdentity() throws {
        let engine = try store()
        let type = try #require(TypeCatalog.description(for: ElectrocardiogramReader.identifier)).code
        var document = DocumentBody()
        document[ElectrocardiogramDocument.classification] = .integer(1)
        document[ElectrocardiogramDocument.symptomsStatus] = .integer(0)
        document[ElectrocardiogramDocument.averageHeartRate] = .quantity(QuantityRecord(62, unit: "count/min"))
        document.series[ElectrocardiogramDocument.times] = [0, 0.002, 0.004]
        document.series[ElectrocardiogramDocument.voltages(lead: 1)] = [1e-5, -2e-5, 5e-6]
        let start = TestClock.start.timeIntervalSinceReferenceDate
        let revision = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "ingest.watch", name: "Watch"))
        try engine.save(
            [
                .object(
                    ObjectRecord(
                        type: type, start: start, end: start + 30, revision: revision, body: .document(document)))
            ],
            as: Caller(revision: revision, permission: .owner))
        let before = try StoreImage(engine).objects
        try export(engine, "delivered")
        try take("delivered", into: engine)
        #expect(try StoreImage(engine).objects == before)
        let other = try store()
        try take("delivered", into: other)
        #expect(try StoreImage(other).objects == before)
    }

    @Test("The zones of a workout are in the supplement, and not in Apple's file")
    func workoutZones() async throws {
        let health = TestHealthStore()
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let builder = HKWorkoutBuilder(healthStore: health.store, configuration: configuration, device: nil)
        try await builder.beginCollection(at: TestClock.start)
        try await builder.addSamples([
            HKQuantitySample(
                type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: perMinute, doubleValue: 140),
                start: TestClock.start, end: TestClock.start + 30)
        ])
        try await builder.endCollection(at: TestClock.start + 600)
        try await builder.finishWorkout()

        try export(health.engine, "zones")
        #expect(hasSupplement("zones"))
        let engine = try store()
        try take("zones", into: engine)
        #expect(try StoreImage(engine).objects == StoreImage(health.engine).objects)
        let type = try #require(TypeCatalog.description(for: "HKWorkoutTypeIdentifier"))
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")),
            permission: .owner)
        let found = try engine.samples(SampleRequest(parts: [.init(type: type.code)]), as: caller)
        guard case .workout(let workout)? = found.objects.first?.body else {
            Issue.record("The workout is missing.")
            return
        }
        #expect(workout.zones.map(\.durations) == [[0, 0, 90, 0, 0]])

        let markup = try String(contentsOfFile: folder.path + "/zones/apple_health_export/export.xml", encoding: .utf8)
        #expect(!markup.contains("Zone"))
        // Without the supplement the workout is recognized all the same.
        try export(health.engine, "plain", supplement: false)
        #expect(try take("plain", into: engine).added == [:])
    }

    @Test("A sample of two workouts remains one sample", arguments: [1, 262_144])
    func sampleOfTwoWorkouts(batchSize: Int) async throws {
        let health = TestHealthStore()
        let beats = (0..<3).map { _ in
            HKQuantitySample(
                type: HKQuantityType(.heartRate),
                quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 140),
                start: TestClock.start, end: TestClock.start + 30)
        }
        for (activity, samples) in [
            (HKWorkoutActivityType.running, beats), (.walking, [beats[0]]), (.cycling, [beats[0], beats[1]]),
        ] {
            let workout = HKWorkout(activityType: activity, start: TestClock.start, end: TestClock.start + 600)
            try await health.store.save(workout)
            try await health.store.addSamples(samples, to: workout)
        }
        try export(health.engine, "shared")
        let engine = try store()
        for _ in 0..<2 {
            try take("shared", into: engine, batchSize: batchSize)
            #expect(try StoreImage(engine).samples == StoreImage(health.engine).samples)
            #expect(try StoreBelongings(engine).members.values.map(\.count).sorted() == [1, 2, 3])
        }
    }

    @discardableResult
    private func export(
        _ engine: HealthEngine, _ name: String, supplement: Bool = true, selection: ContentsSelection = .init()
    ) throws -> ExportReport {
        try ArchiveExporter(
            engine: engine,
            options: ExportOptions(
                selection: selection, exportDate: exportDate,
                timeZone: try #require(TimeZone(identifier: "Europe/Berlin")),
                replacesTarget: true, writesSupplement: supplement)
        ).run(to: ExportTarget(path: folder.path + "/" + name))
    }

    @discardableResult
    private func take(_ name: String, into engine: HealthEngine, batchSize: Int = 262_144) throws -> ImportReport {
        let report = try ArchiveImporter(
            engine: engine, options: .init(batchSize: batchSize), archive: .init(skipsKnownArchives: false)
        ).run(path: folder.path + "/" + name)
        #expect(report.skipped == [:], "\(report.skips)")
        #expect(report.irregularities.filter { $0.key.contains("supplement") } == [:])
        return report
    }

    private func store() throws -> HealthEngine {
        try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    private func hasSupplement(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.path + "/\(name)/apple_health_export/supplement.ndjson")
    }

    @Test(arguments: [("out.zip", 262_144), ("out", 262_144), ("out", 7)])
    func everyClassComesBackEqual(_ name: String, _ batchSize: Int) async throws {
        let health = TestHealthStore()
        try await EveryClass.fill(health)
        let report = try export(health.engine, name)
        #expect(report.leftOut == [:] && report.hasSupplement)
        let second = try store()
        try take(name, into: second, batchSize: batchSize)
        let (before, after) = (try StoreImage(health.engine), try StoreImage(second))
        #expect(before.samples == after.samples && before.objects == after.objects, "\(before.difference(from: after))")
        #expect(before.samples.count > 50 && before.objects.count > 15)
        #expect(
            report.writtenCount + report.supplementedCount == before.samples.values.reduce(0, +)
                + before.objects.values.reduce(0, +))
        let (owned, kept) = (try StoreBelongings(health.engine), try StoreBelongings(second))
        #expect(owned == kept)
        #expect(
            kept.identities.count > 70 && kept.members.count == 3 && kept.series.count == 1 && kept.files.count == 2)
        #expect(try second.check().isEmpty)

        // Import again into both.
        for engine in [second, health.engine] {
            #expect(try take(name, into: engine, batchSize: batchSize).addedCount == 0)
            #expect(try StoreImage(engine).samples == before.samples)
            #expect(try StoreBelongings(engine) == owned)
        }
        // Exports of both are equal.
        try export(second, "again")
        let third = try store()
        try take("again", into: third)
        #expect(try StoreImage(third).objects == before.objects && StoreBelongings(third) == owned)
    }

    @Test func everyClassIsIncluded() async throws {
        let health = TestHealthStore()
        try await EveryClass.fill(health)
        let kinds = try health.engine.readContents { Set(try $0.types().map(\.kind)) }
        #expect(kinds == [.quantity, .category, .correlation, .workout, .activitySummary, .series, .document])
    }

    @Test func withoutASupplementThereAreOnlyApplesFiles() async throws {
        let health = TestHealthStore()
        try await EveryClass.fill(health)
        let with = try export(health.engine, "with")
        let without = try export(health.engine, "without", supplement: false)
        #expect(hasSupplement("with") && !hasSupplement("without"))
        #expect(without.leftOut == with.supplemented && without.supplemented == [:] && without.completed == [:])
        #expect(
            with.written == without.written && with.xmlBytes == without.xmlBytes
                && with.auxiliaryFiles == without.auxiliaryFiles)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/without").sorted()
        // The lists of the files differ like the files.
        for file in files where !file.hasSuffix(".openhealthkit-export") {
            #expect(
                FileManager.default.contents(atPath: folder.path + "/with/" + file)
                    == FileManager.default.contents(atPath: folder.path + "/without/" + file), "\(file)")
        }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/with").count == files.count + 1)
    }

    @Test(arguments: [1, 2, 3, 4])
    func savedObjectsRoundTripExactly(_ seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        let first = try store()
        try history.fill(first, samples: 800)
        try export(first, "out.zip")
        let second = try store()
        try take("out.zip", into: second, batchSize: 100)
        let (before, after) = (try StoreImage(first), try StoreImage(second))
        #expect(before.samples == after.samples && before.objects == after.objects, "\(before.difference(from: after))")
        #expect(try take("out.zip", into: second).addedCount == 0)
        #expect(try take("out.zip", into: first).addedCount == 0)
    }

    @Test func aSelectionContainsNothingElse() async throws {
        let health = TestHealthStore()
        try await EveryClass.fill(health)
        let workouts = try #require(TypeCatalog.description(for: "HKWorkoutTypeIdentifier")).code
        try export(health.engine, "out", selection: .init(types: [workouts]))
        let second = try store()
        try take("out", into: second)
        #expect(try StoreImage(second).samples.isEmpty)
        #expect(
            try StoreImage(second).objects.keys.map(\.type).sorted() == [
                "HKWorkoutRouteTypeIdentifier", "HKWorkoutTypeIdentifier",
            ])
    }

    @Test(arguments: DialectArchive.versions)
    func archiveOfAnIPhoneNeedsNoSupplement(_ version: String) throws {
        let first = try store()
        _ = try ArchiveImporter(engine: first).run(path: DialectArchive.of(version).zip)
        let report = try export(first, "out")
        // Archives of iOS 16 have characters that are invalid in XML, which is the only content for a supplement.
        let isNeeded = version.hasPrefix("16")
        #expect(report.irregularities.keys.contains("character that is invalid in XML, replaced by U+FFFD") == isNeeded)
        #expect(report.hasSupplement == isNeeded && hasSupplement("out") == isNeeded)
        #expect(Set(report.completed.keys) == (isNeeded ? ["HKQuantityTypeIdentifierBloodGlucose"] : []))
        let second = try store()
        try take("out", into: second)
        let (before, after) = (try StoreImage(first), try StoreImage(second))
        #expect(before.samples == after.samples, "\(before.difference(from: after))")
    }
}
