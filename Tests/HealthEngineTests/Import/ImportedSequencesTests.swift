@testable import HealthImport
import HealthModel
import HealthStorage
import HealthTesting
import Testing

@testable import HealthEngine

struct ImportedSequencesTests {
    @Test func rangesThatTouchBecomeOne() throws {
        var imported = ImportedSequences()
        for range in [1...5, 6...9, 20...20, 21...30, 40...41] as [ClosedRange<Int64>] { imported.append(range) }
        #expect(imported.ranges == [1...9, 20...30, 40...41])
        let naive = Set((1...9)).union(20...30).union(40...41)
        for sequence in 0...50 { #expect(imported.contains(Int64(sequence)) == naive.contains(sequence)) }
        #expect(imported.overlaps(9...12) && imported.overlaps(0...100) && !imported.overlaps(10...19))
        #expect(!ImportedSequences().contains(1))
    }

    @Test(arguments: TestStore.Backend.allCases)
    func areKeptInTheStore(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        var imported = ImportedSequences()
        imported.append(1...5)
        imported.append(8...9)
        try store.engine.storage.write { try imported.write(in: $0) }
        #expect(try store.engine.storage.read { try ImportedSequences(in: $0) } == imported)
        try store.engine.storage.write {
            try $0.setValue(Array("[5,1]".utf8), namespace: "archive.state", key: "sequences")
        }
        #expect(throws: StorageError.self) { try store.engine.storage.read { try ImportedSequences(in: $0) } }
    }
}

struct SequenceBitsTests {
    @Test func numbersAreInsertedOnceAndRemoved() {
        var bits = SequenceBits()
        // The last ones are those of restored stores, which leave out trillions of numbers.
        for sequence in [0, 63, 64, 65_535, 65_536, 1_000_000, 244_691_000_000_000, 1 << 53, .max] as [Int64] {
            #expect(!bits.contains(sequence))
            let isNew = bits.insert(sequence)
            let isNewAgain = bits.insert(sequence)
            #expect(isNew && !isNewAgain && bits.contains(sequence))
            bits.remove(sequence)
            #expect(!bits.contains(sequence))
        }
    }

    @Test("Random numbers agree with a set", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (bits, set) = (SequenceBits(), Set<Int64>())
        for _ in 0..<5_000 {
            let sequence = Int64.random(in: 0..<300, using: &random) << Int64.random(in: 0...2, using: &random)
            if Bool.random(using: &random) {
                let isNew = bits.insert(sequence)
                #expect(isNew == set.insert(sequence).inserted, "seed \(seed)")
            } else {
                bits.remove(sequence)
                set.remove(sequence)
            }
            let other = Int64.random(in: 0..<1_200, using: &random)
            #expect(bits.contains(other) == set.contains(other), "seed \(seed)")
        }
    }

    @Test(arguments: [-1, -65_537, .min] as [Int64])
    func negativeNumbersOfDamagedStoresAreNeverInTheSet(sequence: Int64) {
        var bits = SequenceBits()
        _ = bits.insert(5)
        let isNew = bits.insert(sequence)
        #expect(!isNew && !bits.contains(sequence))
        bits.remove(sequence)
        #expect(bits.contains(5))
    }
}
