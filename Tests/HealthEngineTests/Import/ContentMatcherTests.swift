import HealthEngine
import HealthImport
import HealthModel
import HealthTesting
import StorageContract
import Testing

/// Long ordered archives that differ here and there, against a multiset: the way by whole runs and the way
/// by single samples meet within pages.
struct ContentMatcherTests {
    @Test(arguments: [3, 64, 1_000], Array(1...5) as [UInt64])
    func agreesWithAMultiset(_ capacity: Int, _ seed: UInt64) throws {
        var random = SplitMix64(seed: seed &* 131 &+ UInt64(capacity))
        let store = try TestStore(pageCapacity: capacity)
        var archive: [SampleRecord] = []
        for _ in 0..<3_000 { archive.append(sample(after: archive.last?.start ?? 0, &random)) }
        var stored: [SampleContent: Int] = [:]
        for round in 0..<4 {
            let bulk = BulkImport(engine: store.engine)
            var left = stored
            var expected = 0
            for sample in archive {
                let content = SampleContent(sample)
                if (left[content] ?? 0) > 0 {
                    left[content]! -= 1
                } else {
                    stored[content, default: 0] += 1
                    expected += 1
                }
            }
            var (added, there) = (0, 0)
            var rest = archive[...]
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...1_500, using: &random))
                rest = rest.dropFirst(part.count)
                let outcome = try bulk.commit(BulkBatchBuilder.batch(Array(part)))
                added += outcome.added.values.reduce(0, +)
                there += outcome.alreadyThere.values.reduce(0, +)
            }
            #expect(
                added == expected && added + there == archive.count,
                "seed \(seed), capacity \(capacity), round \(round)")
            change(&archive, &random)
        }
        #expect(try store.engine.check() == [], "seed \(seed)")
    }

    /// Leaves some samples out, repeats some, changes some in one thing, swaps neighbours.
    private func change(_ archive: inout [SampleRecord], _ random: inout SplitMix64) {
        for _ in 0..<40 {
            let place = Int.random(in: 1..<archive.count, using: &random)
            switch Int.random(in: 0..<9, using: &random) {
            case 0: archive.remove(at: place)
            case 1: archive.insert(archive[place], at: place)
            case 2: archive.swapAt(place, place - 1)
            case 3: archive[place].value += 1
            case 4: archive[place].end += 1
            case 5: archive[place].device = random.pick(SeededSamples.devices)
            case 6: archive[place].revision = random.pick(SeededSamples.revisions)
            case 7: archive[place].metadata = archive[place].metadata == .byHand ? .empty : .byHand
            default: archive[place].creation = archive[place].creation == nil ? archive[place].start : nil
            }
        }
    }

    /// A sample at or soon after a start, often like its neighbours.
    private func sample(after start: Double, _ random: inout SplitMix64) -> SampleRecord {
        let start = start + Double(random.pick([0, 0, 1, 60]))
        return SampleRecord(
            type: Names.steps, start: start, end: start + 60, value: Double(random.pick([1, 1, 2])), unit: "count",
            revision: random.oneIn(20) ? SeededSamples.revisions[1] : SeededSamples.revisions[0],
            device: random.oneIn(10) ? nil : SeededSamples.devices[0],
            metadata: random.oneIn(30) ? .byHand : .empty, creation: random.oneIn(50) ? nil : start + 61)
    }
}
