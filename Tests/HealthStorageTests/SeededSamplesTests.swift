import HealthModel
import HealthStorage
import HealthTesting
import StorageContract
import Testing

@Suite struct SeededSamplesTests {
    private let steps = TypeCode(rawValue: 1)

    @Test func isDeterminedByTheSeed() {
        var first = SeededSamples(seed: 7)
        var second = SeededSamples(seed: 7)
        var third = SeededSamples(seed: 8)
        let samples = first.records(of: steps, count: 200)
        #expect(samples == second.records(of: steps, count: 200))
        #expect(samples != third.records(of: steps, count: 200))
        #expect(samples.map(\.sequence) == Array(1...200))
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.start <= $1.start })
        #expect(samples.allSatisfy { $0.start <= $0.end })
        #expect(samples.contains { $0.uuid != nil } && samples.contains { $0.uuid == nil })
        #expect(samples.contains { !$0.metadata.isEmpty } && samples.contains { $0.start == $0.end })
    }

    @Test func columnsAndRecordsAreTheSame() throws {
        var samples = SeededSamples(seed: 9)
        var others = SeededSamples(seed: 9)
        let records = samples.records(of: steps, count: 300)
        let storage = InMemoryStorage()
        let columns = try storage.write { transaction in
            try others.columns(
                of: steps, count: 300, numberingUnits: { try transaction.intern(unit: $0) },
                revisions: { try transaction.intern($0) }, devices: { try transaction.intern($0) })
        }
        let dictionaries = try storage.read { try $0.dictionaries() }
        #expect(columns.count == records.count)
        for (row, record) in records.enumerated() {
            #expect(columns.starts[row] == record.start && columns.ends[row] == record.end)
            #expect(columns.values[row] == record.value)
            #expect(dictionaries.unit(columns.units[row]) == record.unit)
            #expect(dictionaries.revision(columns.revisions[row]) == record.revision)
            #expect(dictionaries.device(columns.devices[row]) == record.device)
            #expect(columns.metadata(at: row) == record.metadata)
            #expect(columns.uuid(at: row) == record.uuid)
            #expect(columns.creation(at: row) == record.creation)
        }
    }
}

@Suite struct SplitMix64Tests {
    /// The published first values of the generator for seed 0.
    @Test func generatesTheKnownValues() {
        var random = SplitMix64(seed: 0)
        #expect(random.next() == 0xE220_A839_7B1D_CDAF)
        #expect(random.next() == 0x6E78_9E6A_A1B9_65F4)
        #expect(random.next() == 0x06C4_5D18_8009_454F)
    }
}
