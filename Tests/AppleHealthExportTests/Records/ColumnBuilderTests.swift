@testable import AppleHealthExport
import HealthModel
import Testing

struct ColumnBuilderTests {
    private func fill(_ builder: inout ColumnBuilder, _ count: Int, creation: Double = .nan) {
        for index in 0..<count {
            builder.append(
                start: Double(index), end: Double(index) + 1, value: Double(index), unit: 1, revision: 2, device: 3,
                metadata: 0, creation: creation)
        }
    }

    @Test func everyBatchStartsEmpty() {
        var builder = ColumnBuilder(type: TypeCode(rawValue: 1))
        defer { builder.deallocate() }
        fill(&builder, 5_000, creation: 7)
        let first = builder.take()
        #expect(first.starts == (0..<5_000).map(Double.init) && first.creations.count == 5_000)
        #expect(builder.count == 0)
        fill(&builder, 10)
        let second = builder.take()
        #expect(second.values == (0..<10).map(Double.init) && second.creations.isEmpty)
        #expect(second.areComplete(count: 10, optional: [.metadata, .sequences, .uuids, .creations]))
    }
}
