import Foundation
import HealthEngine
import HealthKit
import HealthSync
import HealthTesting
import Synchronization
import Testing

/// `RUNS=1000` makes more rounds than the default of 200, in a minute and a half; `SEED=…` repeats the world with this
/// seed.
@Suite("Stores that sync both ways", .serialized)
struct ConvergenceTests {
    private static let roundsInWorld = 25

    @Test("Two or three phones and a server have the same samples after every trouble, each once")
    func converge() async throws {
        let environment = ProcessInfo.processInfo.environment
        let runs = environment["RUNS"].flatMap { Int($0) } ?? 200
        let first = environment["SEED"].flatMap { UInt64($0) } ?? 20_261_129
        var (rounds, failures, lost, samples, seed) = (0, 0, 0, 0, first)
        while rounds < runs {
            let world = try World(seed: seed)
            let count = min(Self.roundsInWorld, runs - rounds)
            for round in 0..<count {
                try await world.trouble()
                try await world.settle()
                let expected = try await world.serverImage()
                for (index, phone) in world.phones.enumerated() {
                    let image = try await World.image(of: phone.health.store)
                    let difference = image.difference(from: expected).map { "\($0)" }.prefix(5)
                    #expect(difference.isEmpty, "phone \(index) in round \(round), SEED=\(seed)")
                    guard difference.isEmpty else { return }
                }
                samples = max(samples, expected.count)
            }
            // Nothing is left to send or to write: what was received is not sent back.
            for phone in world.phones {
                let (report, receipt) = (try await phone.sync.sync(), try await phone.sync.receive())
                #expect(report.samples == 0 && report.deletions == 0, "SEED=\(seed)")
                #expect(receipt.samples == 0 && receipt.deletions == 0 && receipt.rejected == [], "SEED=\(seed)")
            }
            rounds += count
            failures += world.failures
            lost += world.server.lost
            seed += 1
        }
        print(
            "\(rounds) rounds with the seeds \(first) to \(seed - 1): \(failures) passes failed, \(lost) requests and "
                + "answers were lost, at most \(samples) samples")
        #expect(failures > rounds / 10 && lost > rounds / 10)
    }
}

/// Phones with an app that saves, changes and deletes, and a server where the same happens.
private final class World {
    /// A phone with the companion app and another app, whose data is its own.
    final class Phone {
        let health = TestHealthStore()
        let tracker: HKHealthStore
        let progress = InterruptedProgress()
        let sync: HealthStoreSync
        /// The objects that the other app saved and can delete, with those of correlations.
        var saved: [[HKObject]] = []
        var versions: [Int: Int] = [:]

        init(_ server: SyncLoopback) throws {
            tracker = health.store(of: .init(bundleIdentifier: "org.example.tracker", name: "Tracker", version: "1"))
            sync = HealthStoreSync(
                store: health.store, types: World.types,
                server: SyncServer(url: try #require(URL(string: "http://loopback")), person: "anna"),
                progress: progress,
                options: .init(
                    pageSize: 5, batchSize: 2_000, retry: SyncRetryPolicy(firstDelay: 0, maximumAttempts: 1)),
                transport: server)
        }
    }

    /// A progress whose process ends before one of the next saves.
    final class InterruptedProgress: SyncProgressStore {
        private struct State {
            var kept: SyncProgress?
            var left: Int?
        }

        private let state = Mutex(State())

        func end(after saves: Int?) { state.withLock { $0.left = saves } }
        func load() throws -> SyncProgress? { state.withLock { $0.kept } }
        func save(_ progress: SyncProgress) throws {
            try state.withLock { state in
                if state.left == 0 { throw CancellationError() }
                state.left = state.left.map { $0 - 1 }
                state.kept = progress
            }
        }
    }

    static let types: Set<HKSampleType> = [
        HKQuantityType(.stepCount), HKQuantityType(.bodyMass), HKCategoryType(.sleepAnalysis),
        HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
        HKCorrelationType(.bloodPressure),
    ]

    let server: SyncLoopback
    let phones: [Phone]
    private(set) var failures = 0
    private let page: HKHealthStore
    private var pageSaved: [[HKObject]] = []
    private var random: SplitMix64
    private var counter = 0.0

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        server = try SyncLoopback(types: Self.types.map(\.identifier), seed: random.next())
        let server = server
        phones = try (0..<Int.random(in: 2...3, using: &random)).map { _ in try Phone(server) }
        page = HKHealthStore(
            configuration: .init(
                application: .init(bundleIdentifier: "org.example.page", name: "Page", version: "1"),
                authorization: .allowAll), engine: server.engine, availability: DeviceAvailability())
    }

    /// Some changes, and passes that fail.
    func trouble() async throws {
        for _ in 0..<Int.random(in: 3...7, using: &random) {
            let phone = random.pick(phones)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...1: phone.saved.append(try await save(in: phone.tracker))
            case 2: try await edit(on: phone)
            case 3: try await delete(&phone.saved, from: phone.tracker)
            case 4: pageSaved.append(try await save(in: page))
            case 5: try await delete(&pageSaved, from: page)
            default: await brokenPass(of: phone)
            }
        }
    }

    /// Passes without faults, after which everything has arrived everywhere.
    func settle() async throws {
        for phone in phones { try await phone.sync.sync() }
        for phone in phones { try await phone.sync.receive() }
    }

    private func brokenPass(of phone: Phone) async {
        server.loseOne(in: random.oneIn(2) ? 4 : 0)
        let points: [Fault.Point] = [.read, .write, .commit, .afterCommit]
        if random.oneIn(2) {
            let point = random.pick(points)
            phone.health.inject(Fault(at: point, after: Int.random(in: 0..<(point == .read ? 60 : 4), using: &random)))
        }
        phone.progress.end(after: random.oneIn(3) ? Int.random(in: 0..<4, using: &random) : nil)
        do {
            if random.oneIn(2) { try await phone.sync.sync() } else { try await phone.sync.receive() }
        } catch {
            failures += 1
        }
        phone.progress.end(after: nil)
        phone.health.inject(nil)
        server.loseOne(in: 0)
    }

    // MARK: Changes

    private func quantity(_ type: HKQuantityTypeIdentifier, _ unit: String, _ metadata: [String: Any]? = nil)
        -> HKQuantitySample
    {
        counter += 1
        let start = TestClock.start + Double.random(in: 0..<1_000_000, using: &random)
        return HKQuantitySample(
            type: HKQuantityType(type), quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: counter),
            start: start, end: start + 60, metadata: metadata)
    }

    private func save(in store: HKHealthStore) async throws -> [HKObject] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let parts = [quantity(.bloodPressureSystolic, "mmHg"), quantity(.bloodPressureDiastolic, "mmHg")]
            let date = parts[0].startDate
            let whole = HKCorrelation(
                type: HKCorrelationType(.bloodPressure), start: date, end: date, objects: Set(parts))
            try await store.save(whole)
            return [whole] + parts
        case 1:
            let start = TestClock.start + Double.random(in: 0..<1_000_000, using: &random)
            let night = HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: Int.random(in: 0...5, using: &random), start: start,
                end: start + 600)
            try await store.save(night)
            return [night]
        default:
            let samples = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                quantity(.stepCount, "count", ["org.example.number": counter])
            }
            try await store.save(samples)
            return samples
        }
    }

    /// A new version of a weight, which replaces the one before.
    private func edit(on phone: Phone) async throws {
        let number = Int.random(in: 0..<3, using: &random)
        let version = phone.versions[number, default: 0] + 1
        phone.versions[number] = version
        let index = phones.firstIndex { $0 === phone } ?? 0
        try await phone.tracker.save(
            quantity(
                .bodyMass, "kg",
                [HKMetadataKeySyncIdentifier: "weight \(index) \(number)", HKMetadataKeySyncVersion: version]))
    }

    private func delete(_ saved: inout [[HKObject]], from store: HKHealthStore) async throws {
        guard !saved.isEmpty else { return }
        try await store.delete(saved.remove(at: Int.random(in: saved.indices, using: &random)))
    }

    // MARK: Images

    func serverImage() async throws -> [String] { try await Self.image(of: page) }

    /// The contents of the samples of all sources, sorted.
    static func image(of store: HKHealthStore) async throws -> [String] {
        let query = HKSampleQueryDescriptor(
            predicates: types.map { HKSamplePredicate.sample(type: $0) }, sortDescriptors: [])
        return try await query.result(for: store).map(text).sorted()
    }

    private static func text(_ sample: HKSample) -> String {
        let contents =
            switch sample {
            case let sample as HKQuantitySample: "\(sample.quantity)"
            case let sample as HKCategorySample: "\(sample.value)"
            case let sample as HKCorrelation: "\(sample.objects.map(text).sorted())"
            default: "–"
            }
        let number = (sample.metadata?["org.example.number"] as? NSNumber)?.doubleValue ?? 0
        return "\(sample.sampleType.identifier) \(sample.startDate.timeIntervalSinceReferenceDate) "
            + "\(sample.endDate.timeIntervalSinceReferenceDate) \(contents) \(number)"
    }
}
