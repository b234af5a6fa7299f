import Foundation
import HealthEngine
import HealthFormats
import HealthKit
import HealthModel
import HealthStorage
import HealthSync
import HealthTesting
import Testing

@testable import HealthServer

@Suite("Seeds for simulators")
struct SeedTests {
    private static let types: [HKSampleType] = [
        HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis), HKCorrelationType(.bloodPressure), .workoutType(),
    ]

    /// A folder that is removed with the test.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("seed-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        var seed: URL { url.appendingPathComponent("person.seed") }
    }

    private func quantity(_ value: Double, _ unit: String) -> HKQuantity {
        HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }

    /// A store that is exported.
    private struct Person {
        let engine: HealthEngine
        let store: HKHealthStore
    }

    /// A store with one of everything that is exported.
    private func person() async throws -> Person {
        let engine = try HealthEngine(storage: InMemoryStorage())
        let person = Person(
            engine: engine,
            store: HKHealthStore(
                configuration: .init(authorization: .allowAll), engine: engine, availability: DeviceAvailability()))
        let start = TestClock.start
        func part(_ type: HKQuantityTypeIdentifier, _ value: Double) -> HKQuantitySample {
            HKQuantitySample(type: HKQuantityType(type), quantity: quantity(value, "mmHg"), start: start, end: start)
        }
        try await person.store.save([
            HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: quantity(12, "count"), start: start + 0.125,
                end: start + 60, device: .local(), metadata: [HKMetadataKeyWasUserEntered: true]),
            HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepREM.rawValue,
                start: start, end: start + 600),
            HKCorrelation(
                type: HKCorrelationType(.bloodPressure), start: start, end: start,
                objects: [part(.bloodPressureSystolic, 120), part(.bloodPressureDiastolic, 80)]),
            HKWorkout(activityType: .running, start: start, end: start + 600),
        ])
        return person
    }

    private func export(_ person: Person, to file: URL) throws -> FormatReport {
        try SeedExporter(FormatOptions(timeZone: .gmt, replaces: true)).export(
            person.engine, to: file.path, as: .person)
    }

    private func image(_ store: HKHealthStore) async throws -> [String] {
        let query = HKSampleQueryDescriptor(
            predicates: Self.types.map { HKSamplePredicate.sample(type: $0) }, sortDescriptors: [])
        return try await query.result(for: store).map { sample in
            let value =
                switch sample {
                case let sample as HKQuantitySample: "\(sample.quantity)"
                case let sample as HKCategorySample: "\(sample.value)"
                case let sample as HKCorrelation: "\(sample.objects.map(\.startDate)) \(sample.objects.count)"
                case let sample as HKWorkout: "\(sample.workoutActivityType.rawValue) \(sample.duration)"
                default: "–"
                }
            let entered = sample.metadata?[HKMetadataKeyWasUserEntered].map { "\($0)" } ?? ""
            return "\(sample.sampleType.identifier) \(sample.startDate.timeIntervalSinceReferenceDate) "
                + "\(sample.endDate.timeIntervalSinceReferenceDate) \(value) \(sample.device?.name ?? "") \(entered)"
        }.sorted()
    }

    @Test("A store is exported, loaded into another, loaded again without effect, and taken away")
    func loading() async throws {
        let folder = try Folder()
        let person = try await person()
        let report = try export(person, to: folder.seed)
        #expect(report.counts == ["sample": 6] && report.leftOut == [:])

        let simulator = TestHealthStore()
        let own = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: quantity(1, "count"), start: TestClock.start,
            end: TestClock.start + 1)
        try await simulator.store.save(own)
        let plan = try HealthSeeding.plan(of: folder.seed, in: simulator.store)
        #expect(plan.leftOut == [:] && plan.types.count == 6)
        for _ in 0..<2 {
            let receipt = try await HealthSeeding.load(folder.seed, into: simulator.store)
            // The parts of the blood pressure are written with it.
            #expect(receipt.samples == 4 && receipt.rejected == [] && receipt.unreadable == 0)
            let image = try await image(simulator.store)
            #expect(try await image.count == self.image(person.store).count + 1)
            #expect(try await Set(self.image(person.store)).isSubset(of: image))
        }
        #expect(try await HealthSeeding.remove(from: simulator.store) == 6)
        let left = try await HKSampleQueryDescriptor(
            predicates: Self.types.map { HKSamplePredicate.sample(type: $0) }, sortDescriptors: []
        ).result(for: simulator.store)
        #expect(left.map(\.uuid) == [own.uuid])
    }

    @Test("A seed of correlations names the types of their objects, with which they are loaded")
    func correlations() async throws {
        let folder = try Folder()
        let type = try #require(TypeCatalog.description(for: HKCorrelationType(.bloodPressure).identifier))
        let options = FormatOptions(selection: ContentsSelection(types: [type.code]), timeZone: .gmt)
        let report = try SeedExporter(options).export(
            try await person().engine, to: folder.seed.path, as: .person)
        #expect(report.counts == ["sample": 1])
        let simulator = TestHealthStore(permission: .undecided { .init(share: $0.share, read: []) })
        let receipt = try await HealthSeeding.load(folder.seed, into: simulator.store)
        #expect(receipt.samples == 1 && receipt.rejected == [])
        #expect(
            simulator.permissionRequests.map(\.share) == [
                [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
            ])
    }

    @Test("Permission is asked for what the file has; what is refused is left out with the reason")
    func permission() async throws {
        let folder = try Folder()
        _ = try export(try await person(), to: folder.seed)
        let simulator = TestHealthStore(
            permission: .undecided { .init(share: $0.share.filter { $0 is HKWorkoutType }, read: []) })
        let receipt = try await HealthSeeding.load(folder.seed, into: simulator.store)
        #expect(receipt.samples == 1)
        #expect(receipt.leftOut["HKQuantityTypeIdentifierStepCount"] == .denied)
        #expect(simulator.permissionRequests.count == 1)
        #expect(simulator.permissionRequests.first?.share.count == 5)
    }

    @Test(
        "A file that is not a seed, or one of a later version, is refused",
        arguments: [
            "", "{}", #"{"format":"openhealthkit.seed","version":2,"types":[]}"#,
        ])
    func otherFiles(text: String) async throws {
        let folder = try Folder()
        try Data(text.utf8).write(to: folder.seed)
        let error = await #expect(throws: SyncError.self) {
            try await HealthSeeding.load(folder.seed, into: TestHealthStore().store)
        }
        #expect(error?.kind == .notASeed)
    }
}
