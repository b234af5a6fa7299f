import Foundation
import HealthModel

extension ContentMatcher {
    /// Rows compared at a time: enough to be worth a call a column, little enough to waste few
    /// comparisons where the two sides part.
    private static let longestRun = 512

    /// How many rows from `row` on are equal, one by one, to the batch's from `newRow` on, none of which
    /// has been paired.
    ///
    /// Looked at column by column, each no further than the ones before agreed. A row that this takes
    /// for different may still be equal (zero has two signs); such rows are left to the slow way.
    func runLength(
        _ stored: SampleColumns, _ row: Int, _ newRow: Int, _ tableNumbers: [UInt32], _ isMatched: [Bool]
    ) -> Int {
        var length = min(stored.starts.count - row, new.starts.count - newRow, Self.longestRun)
        // A second row of the same start is seldom far from the first, a third row's value is.
        Self.shorten(&length, stored.starts, row, new.starts, newRow)
        Self.shorten(&length, stored.values, row, new.values, newRow)
        Self.shorten(&length, stored.ends, row, new.ends, newRow)
        Self.shorten(&length, stored.units, row, new.units, newRow)
        shortenByClass(&length, stored.revisions, row, new.revisions, newRow, classes.revisionClass)
        shortenByClass(&length, stored.devices, row, new.devices, newRow, classes.deviceClass)
        if length > 0, strictness == .whole {
            shortenByMetadata(&length, stored, row, newRow, tableNumbers)
            switch (stored.creations.isEmpty, new.creations.isEmpty) {
            case (true, true): break
            case (false, false): Self.shorten(&length, stored.creations, row, new.creations, newRow)
            default: return 0
            }
        }
        return isMatched[newRow..<newRow + length].firstIndex(of: true).map { $0 - newRow } ?? length
    }

    /// Shortens a run to the entries whose bytes are equal.
    private static func shorten<Value: BitwiseCopyable>(
        _ length: inout Int, _ left: [Value], _ leftRow: Int, _ right: [Value], _ rightRow: Int
    ) {
        guard length > 0 else { return }
        length = left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                let size = MemoryLayout<Value>.stride
                guard let left = left.baseAddress.map({ $0 + leftRow * size }),
                    let right = right.baseAddress.map({ $0 + rightRow * size })
                else { return 0 }
                if memcmp(left, right, length * size) == 0 { return length }
                var equal = 0
                while equal < length, memcmp(left + equal * size, right + equal * size, size) == 0 { equal += 1 }
                return equal
            }
        }
    }

    /// The same for numbers that stand for the same in an archive when their classes agree.
    private func shortenByClass(
        _ length: inout Int, _ left: [UInt32], _ leftRow: Int, _ right: [UInt32], _ rightRow: Int,
        _ classOf: (UInt32) -> UInt32
    ) {
        var equal = 0
        while equal < length {
            var rest = length - equal
            Self.shorten(&rest, left, leftRow + equal, right, rightRow + equal)
            equal += rest
            guard equal < length,
                classOf(left[leftRow + equal]) == classOf(right[rightRow + equal])
            else { break }
            equal += 1
        }
        length = equal
    }

    private func shortenByMetadata(
        _ length: inout Int, _ stored: SampleColumns, _ row: Int, _ newRow: Int, _ tableNumbers: [UInt32]
    ) {
        if stored.metadataTable.isEmpty, new.metadataTable.isEmpty { return }
        var equal = 0
        while equal < length {
            let number = stored.metadata[row + equal]
            guard (number == 0 ? 0 : tableNumbers[Int(number) - 1]) == metadataNumbers[Int(new.metadata[newRow + equal])]
            else { break }
            equal += 1
        }
        length = equal
    }
}
