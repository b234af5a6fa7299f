import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import HealthTesting
import StorageContract
import Testing

/// Random archives, cut at random and imported again and again, against a multiset.
struct BulkImportModelTests {
    @Test(arguments: [1, 2, 7, 100], Array(1...6) as [UInt64])
    func agreesWithAMultiset(_ capacity: Int, _ seed: UInt64) throws {
        var random = SplitMix64(seed: seed &* 77 &+ UInt64(capacity))
        let backend: TestStore.Backend = seed.isMultiple(of: 3) ? .file : .memory
        let store = try TestStore(backend, pageCapacity: capacity)
        var stored: [SampleContent: Int] = [:]
        var archive: [SampleRecord] = []
        for round in 0..<4 {
            // The archive grows; now and then something is saved or deleted in between.
            for _ in 0..<Int.random(in: 5...60, using: &random) {
                archive.append(sample(&random))
            }
            if random.oneIn(2) {
                let own = sample(&random)
                let caller = Caller(revision: try #require(own.revision), permission: .allowAll)
                try store.engine.save([.sample(own)], as: caller)
                var saved = own
                saved.creation = own.creation
                stored[SampleContent(saved), default: 0] += 1
            }
            archive.shuffle(using: &random)

            let bulk = BulkImport(engine: store.engine)
            let before = stored
            var left = before
            var added = 0
            var there = 0
            for part in cut(archive, &random) {
                let outcome = try bulk.commit(BulkBatchBuilder.batch(part))
                var expectedAdded = 0
                for sample in part {
                    let content = SampleContent(sample)
                    if (left[content] ?? 0) > 0 {
                        left[content]? -= 1
                    } else {
                        stored[content, default: 0] += 1
                        expectedAdded += 1
                    }
                }
                added += outcome.added.values.reduce(0, +)
                there += outcome.alreadyThere.values.reduce(0, +)
                #expect(
                    outcome.added.values.reduce(0, +) == expectedAdded,
                    "seed \(seed), capacity \(capacity), round \(round)")
            }
            #expect(added + there == archive.count, "seed \(seed)")
            var found: [SampleContent: Int] = [:]
            for samples in try StoredSamples(store.engine).samples.values {
                for sample in samples { found[SampleContent(sample), default: 0] += 1 }
            }
            #expect(found == stored.filter { $0.value > 0 }, "seed \(seed), capacity \(capacity), round \(round)")
        }
        #expect(try store.engine.check() == [], "seed \(seed)")
    }

    /// Few distinct contents, so that equal ones abound.
    private func sample(_ random: inout SplitMix64) -> SampleRecord {
        let start = Double(Int.random(in: 0..<12, using: &random)) * 10
        let isCategory = random.oneIn(3)
        return SampleRecord(
            type: isCategory ? Names.sleep : Names.steps, start: start,
            end: start + Double(random.pick([0, 10, 40])), value: Double(random.pick([0, 1, 2])),
            unit: isCategory ? "" : "count", revision: random.pick(SeededSamples.revisions),
            device: random.oneIn(2) ? random.pick(SeededSamples.devices) : nil,
            metadata: random.oneIn(4) ? .byHand : .empty,
            creation: random.oneIn(3) ? start + 1 : nil)
    }

    private func cut(_ archive: [SampleRecord], _ random: inout SplitMix64) -> [[SampleRecord]] {
        var parts: [[SampleRecord]] = [[]]
        for sample in archive {
            if random.oneIn(15) { parts.append([]) }
            parts[parts.count - 1].append(sample)
        }
        return parts
    }
}

/// The properties that are equal in two samples that are the same.
struct SampleContent: Hashable {
    private var type: TypeCode
    private var start: Double
    private var end: Double
    private var value: Double
    private var unit: String
    private var source: String?
    private var device: DeviceRecord?
    private var metadata: Metadata
    private var creation: Double?

    init(_ sample: SampleRecord) {
        (type, start, end, value, unit) = (sample.type, sample.start, sample.end, sample.value, sample.unit)
        source = sample.revision?.source.name
        (device, metadata, creation) = (sample.device, sample.metadata, sample.creation)
    }
}
