@testable import AppleHealthExport
import HealthModel
import Testing

struct ColumnBuilderTests {
    private func fill(_ builder: inout ColumnBuilder, _ count: Int) {
        for index in 0..<count {
            builder.append(
                start: Double(index), end: Double(index) + 1, value: Double(index), unit: 1, revision: 2, device: 3,
                metadata: 0, creation: .nan)
        }
    }

    @Test func releasesUnusedMemory() {
        var builder = ColumnBuilder(type: TypeCode(rawValue: 1))
        defer { builder.deallocate() }
        fill(&builder, 100_000)
        #expect(builder.take().starts.count == 100_000)
        builder.shrink()
        #expect(builder.capacity >= 100_000, "as many are likely to follow")
        fill(&builder, 10)
        #expect(builder.take().values == (0..<10).map(Double.init))
        builder.shrink()
        #expect(builder.capacity < 1_000)
        fill(&builder, 5_000)
        #expect(builder.take().ends == (0..<5_000).map { Double($0) + 1 })
        builder.shrink()
        builder.shrink()
        #expect(builder.capacity < 1_000, "a batch without any of the type")
    }

    @Test func shrinkingKeepsSamples() {
        var builder = ColumnBuilder(type: TypeCode(rawValue: 1))
        defer { builder.deallocate() }
        fill(&builder, 5_000)
        builder.shrink()
        #expect(builder.take().starts == (0..<5_000).map(Double.init))
    }
}
