import Foundation
import HealthModel
import Testing

@testable import HealthPages

/// Invalid columns are rejected.
@Suite struct PageWriterTests {
    private static func refuses(_ rows: Range<Int> = 0..<10, _ change: (inout SampleColumns) -> Void) -> Bool {
        var columns = RealisticColumns.heartRate(10)
        change(&columns)
        do throws(PageError) {
            _ = try PageWriter.write(columns, rows: rows)
            return false
        } catch {
            return error.kind == .inconsistent
        }
    }

    @Test func rowRanges() {
        #expect(!Self.refuses { _ in })
        #expect(Self.refuses(0..<0) { _ in })
        #expect(Self.refuses(5..<11) { _ in })
        #expect(Self.refuses(-1..<3) { _ in })
    }

    @Test func columnLengths() {
        #expect(Self.refuses { $0.ends.removeLast() })
        #expect(Self.refuses { $0.values = [] })
        #expect(Self.refuses { $0.revisions.append(1) })
        #expect(Self.refuses { $0.sequences.removeLast() })
        #expect(Self.refuses { $0.units.removeLast() })
        #expect(Self.refuses { $0.devices.removeLast() })
        #expect(Self.refuses { $0.metadata.numbers.removeLast() })
        #expect(Self.refuses { $0.uuids = [nil] })
        #expect(Self.refuses { $0.creations.removeLast() })
        #expect(
            !Self.refuses {
                $0.units = []
                $0.devices = []
                $0.metadata.numbers = []
                $0.creations = []
            })
    }

    @Test func rowOrder() {
        #expect(Self.refuses { $0.starts.swapAt(2, 3) })
        #expect(Self.refuses { $0.starts[4] = .nan })
        #expect(Self.refuses { $0.ends[4] = .nan })
        #expect(
            Self.refuses {
                $0.starts[4] = $0.starts[5]
                $0.sequences.swapAt(4, 5)
            })
        #expect(!Self.refuses { $0.starts[4] = $0.starts[5] })
        // Rows outside the range are ignored.
        #expect(!Self.refuses(0..<4) { $0.starts[9] = .nan })
    }

    @Test func metadataNumbers() {
        #expect(Self.refuses { $0.metadata.numbers[3] = 4 })
        #expect(!Self.refuses(0..<3) { $0.metadata.numbers[3] = 4 })
    }

    @Test func theLongestPage() throws {
        let count = PageHeader.maximumCount + 1
        var columns = SampleColumns(type: TypeCode(rawValue: 1))
        columns.starts = Array(repeating: 5, count: count)
        columns.ends = columns.starts
        columns.values = Array(repeating: 1, count: count)
        columns.revisions = Array(repeating: 1, count: count)
        columns.sequences = Array(repeating: 1, count: count)
        #expect(throws: PageError.self) { try PageWriter.write(columns, rows: 0..<count) }
        let page = try PageWriter.write(columns, rows: 1..<count)
        // 65,536 equal samples need as many bytes as one.
        #expect(page.body.count < 50)
        #expect(try PageRoundTripTests.read(page).starts == Array(columns.starts[1...]))
    }
}
