@testable import AppleHealthExport
import ArchiveTestSupport
import HealthEngine
import HealthImport
import HealthModel
import Synchronization
import Testing

/// A batch takes a bounded amount of memory, whatever it is made of.
struct BatchWeightTests {
    /// Keeps how many objects each batch had.
    private final class CountingSink: ArchiveSink {
        let counts = Mutex<[Int]>([])
        func append(_ batch: BulkBatch) throws { counts.withLock { $0.append(batch.objects.count) } }
        func readHeader(_ header: ArchiveHeader) throws {}
        func advance(bytes: Int, records: Int) {}
    }

    private func batches(_ body: String, count: Int, batchSize: Int) throws -> [Int] {
        let text = ArchiveText.file(Array(repeating: body, count: count))
        let sink = CountingSink()
        var parser = ArchiveParser(
            source: MemorySource(Array(text.utf8)), options: .init(batchSize: batchSize), sink: sink)
        try parser.run()
        return sink.counts.withLock { $0 }
    }

    @Test func unknownElementsWeighTheirText() throws {
        let short = try batches("<Wonder a=\"1\"/>", count: 100, batchSize: 10_000)
        #expect(short == [100])
        // Forty thousand letters are a thousand rows.
        let long = try batches(
            "<Wonder a=\"\(String(repeating: "x", count: 40_000))\"/>", count: 100, batchSize: 10_000)
        #expect(long.count >= 10 && long.allSatisfy { $0 <= 10 } && long.reduce(0, +) == 100)
        let wide = try batches(
            "<Wonder>\(String(repeating: "<Part/>", count: 500))</Wonder>", count: 100, batchSize: 10_000)
        #expect(wide.count >= 20 && wide.reduce(0, +) == 100)
    }

    @Test func membersWeigh() {
        let sample = SampleRecord(type: TypeCode(rawValue: 1), start: 0, end: 0, value: 1, unit: "count")
        func weight(_ count: Int) -> Int {
            BatchWeight.weight(
                of: ObjectRecord(
                    type: TypeCode(rawValue: 2), start: 0, end: 0, members: Array(repeating: sample, count: count)))
        }
        #expect(weight(0) > 0)
        #expect(weight(100) - weight(0) == 100 * (weight(1) - weight(0)))
        #expect(weight(1) > weight(0))
    }

    @Test func seriesWeighTheirRowsAndBytes() {
        func weight(_ document: DocumentBody) -> Int {
            BatchWeight.weight(
                of: ObjectRecord(type: TypeCode(rawValue: 2), start: 0, end: 0, body: .document(document)))
        }
        let empty = weight(DocumentBody())
        let column = [Double](repeating: 1, count: 3_000)
        #expect(weight(DocumentBody(series: ["a": column, "b": column])) - empty == 3_000)
        let bytes = FieldValue.data([UInt8](repeating: 0, count: 400_000))
        #expect(weight(DocumentBody(fields: ["a": bytes])) - empty >= 10_000)
        #expect(weight(DocumentBody(fields: ["a": .list([.record(["b": bytes])])])) - empty >= 10_000)
    }
}
