import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

/// Pairs stored samples with equal samples of a batch.
///
/// Both sides are ordered by start, so this is a merge: only pages whose starts overlap the batch's are
/// decoded, and only samples of equal start are compared. An archive that is imported again has long runs in
/// their stored order, which are compared column by column (see ``runLength(_:_:_:_:_:)``).
struct ContentMatcher {
    /// The part of a sample that must be equal.
    enum MatchCriteria {
        /// Everything an archive contains.
        case whole
        /// Dates, value, unit, source and device, which an archive repeats for a member of a correlation.
        case member
    }

    /// The content that is compared for samples with equal starts.
    private struct Key: Hashable {
        var end: UInt64
        var value: UInt64
        var unit: UInt32
        var revision: UInt32
        var device: UInt32
        var metadata: UInt32
        var creation: UInt64
    }

    let new: SampleColumns
    let classes: SourceEquivalence
    let strictness: MatchCriteria
    /// The store's units by number, from 1.
    let units: [String]
    /// Numbers that are equal for equal metadata, by number in the batch's table.
    private var metadataNumbers: [UInt32] = []
    private var metadataByContent: [Metadata: UInt32] = [:]
    /// Groups of equal start longer than this are hashed, not searched.
    private let longGroup = 16

    /// Creates a matcher for samples that are ordered by start and use the store's numbers.
    init(_ new: SampleColumns, classes: SourceEquivalence, strictness: MatchCriteria, units: [String]) {
        self.new = new
        self.classes = classes
        self.strictness = strictness
        self.units = units
        guard strictness == .whole else { return }
        metadataNumbers = [0]
        for metadata in new.metadata.table {
            guard !metadata.isEmpty else {
                metadataNumbers.append(0)
                continue
            }
            let metadata = metadata.comparable
            let next = UInt32(metadataByContent.count) + 1
            let number = metadataByContent[metadata] ?? next
            metadataByContent[metadata] = number
            metadataNumbers.append(number)
        }
    }

    /// Calls `accept` with a row of the batch and the sequence of an equal stored sample. If it returns `true`, the two
    /// are paired and not offered again.
    ///
    /// - Parameters:
    ///   - isMatched: The rows of the batch that are already paired; newly paired rows are added.
    ///   - isCandidate: Returns `false` for pages to skip.
    ///   - acceptRun: Accepts many rows at once: given the sequences of stored samples that are equal to
    ///     consecutive rows of the batch, returns how many of them, from the first, are paired. If it
    ///     returns 0, `accept` is called.
    func match(
        in snapshot: any StorageSnapshot, isMatched: inout [Bool], isCandidate: (PageBounds) -> Bool,
        acceptRun: (ArraySlice<Int64>) -> Int, accept: (_ row: Int, _ sequence: Int64) throws -> Bool
    ) throws {
        guard let first = new.starts.first, let last = new.starts.last else { return }
        var unitsDiffer = new.units.contains { $0 != new.units[0] }
        try snapshot.visitPages(
            of: new.type, in: .time(startsBefore: last.nextUp, endsAtOrAfter: first), bodies: true
        ) { view in
            guard view.bounds.lastStart >= first, isCandidate(view.bounds) else { return true }
            let low = new.starts.lowerBound(of: view.key.firstStart)
            guard low < new.starts.count, new.starts[low] <= view.bounds.lastStart else { return true }
            let stored = try PageReader(header: PageHeader(of: view), body: view.body).read(columns)
            unitsDiffer = unitsDiffer || stored.units.contains { $0 != new.units[0] }
            try match(stored, from: low, &isMatched, acceptRun, accept)
            return true
        }
        if unitsDiffer { try matchConverted(in: snapshot, &isMatched, isCandidate, accept) }
    }

    private var columns: SampleColumnSet {
        let columns: SampleColumnSet = [.starts, .ends, .values, .units, .revisions, .devices, .sequences]
        return strictness == .whole ? columns.union([.metadata, .creations]) : columns
    }

    private func match(
        _ stored: SampleColumns, from low: Int, _ isMatched: inout [Bool],
        _ acceptRun: (ArraySlice<Int64>) -> Int, _ accept: (Int, Int64) throws -> Bool
    ) throws {
        let tableNumbers = tableNumbers(of: stored)
        var newRow = low
        var row = 0
        while row < stored.starts.count, newRow < new.starts.count {
            let start = stored.starts[row]
            if new.starts[newRow] < start {
                newRow += 1
                continue
            }
            if new.starts[newRow] > start {
                row += 1
                continue
            }
            if isMatched[newRow] {
                newRow += 1
                continue
            }
            let length = runLength(stored, row, newRow, tableNumbers, isMatched)
            let accepted = length > 0 ? acceptRun(stored.sequences[row..<row + length]) : 0
            if accepted > 0 {
                for matched in newRow..<newRow + accepted { isMatched[matched] = true }
                row += accepted
                newRow += accepted
                continue
            }
            var end = row + 1
            while end < stored.starts.count, stored.starts[end] == start { end += 1 }
            var newEnd = newRow + 1
            while newEnd < new.starts.count, new.starts[newEnd] == start { newEnd += 1 }
            if min(end - row, newEnd - newRow) > longGroup {
                try matchHashed(stored, row..<end, newRow..<newEnd, tableNumbers, &isMatched, accept)
            } else {
                try matchSearched(stored, row..<end, newRow..<newEnd, tableNumbers, &isMatched, accept)
            }
            row = end
            newRow = newEnd
        }
    }

    private func matchSearched(
        _ stored: SampleColumns, _ rows: Range<Int>, _ newRows: Range<Int>, _ tableNumbers: [UInt32],
        _ isMatched: inout [Bool], _ accept: (Int, Int64) throws -> Bool
    ) throws {
        for row in rows {
            for newRow in newRows where !isMatched[newRow] {
                guard stored.values[row].bitPattern == new.values[newRow].bitPattern,
                    stored.ends[row] == new.ends[newRow], key(of: stored, row, tableNumbers) == newKey(newRow)
                else { continue }
                if try accept(newRow, stored.sequences[row]) { isMatched[newRow] = true }
                // Accepted or not, the result would be the same for every equal row.
                break
            }
        }
    }

    private func matchHashed(
        _ stored: SampleColumns, _ rows: Range<Int>, _ newRows: Range<Int>, _ tableNumbers: [UInt32],
        _ isMatched: inout [Bool], _ accept: (Int, Int64) throws -> Bool
    ) throws {
        var open: [Key: [Int]] = [:]
        for newRow in newRows.reversed() where !isMatched[newRow] {
            open[newKey(newRow), default: []].append(newRow)
        }
        for row in rows {
            let key = key(of: stored, row, tableNumbers)
            guard let newRow = open[key]?.last else { continue }
            if try accept(newRow, stored.sequences[row]) {
                isMatched[newRow] = true
                open[key]?.removeLast()
            }
        }
    }

    // MARK: - Other units

    /// The units of samples of one start beyond which none is compared with another: a person prefers one at a time.
    private static let maximumUnits = 4

    private func matchConverted(
        in snapshot: any StorageSnapshot, _ isMatched: inout [Bool], _ isCandidate: (PageBounds) -> Bool,
        _ accept: (Int, Int64) throws -> Bool
    ) throws {
        guard let first = isMatched.firstIndex(of: false), let last = isMatched.lastIndex(of: false) else { return }
        var known: [UInt32: BaseUnitConversion?] = [:]
        func unit(_ number: UInt32) -> BaseUnitConversion? {
            if let unit = known[number] { return unit }
            let unit = number > 0 && number <= units.count ? BaseUnitConversion(units[Int(number) - 1]) : nil
            known[number] = .some(unit)
            return unit
        }
        try snapshot.visitPages(
            of: new.type, in: .time(startsBefore: new.starts[last].nextUp, endsAtOrAfter: new.starts[first]),
            bodies: true
        ) { view in
            guard view.bounds.lastStart >= new.starts[first], isCandidate(view.bounds) else { return true }
            let stored = try PageReader(header: PageHeader(of: view), body: view.body).read(columns)
            let tableNumbers = tableNumbers(of: stored)
            var row = 0
            var newRow = new.starts.lowerBound(of: view.key.firstStart)
            while row < stored.starts.count, newRow < new.starts.count {
                let start = stored.starts[row]
                if new.starts[newRow] < start {
                    newRow += 1
                    continue
                }
                let end = stored.starts[row...].firstIndex { $0 != start } ?? stored.starts.count
                let newEnd = new.starts[newRow...].firstIndex { $0 != start } ?? new.starts.count
                let newRows = (newRow..<newEnd).filter { !isMatched[$0] }
                let newUnits = Set(newRows.map { new.units[$0] })
                if newUnits.count <= Self.maximumUnits {
                    for number in newUnits.sorted() {
                        guard let newUnit = unit(number) else { continue }
                        let others = (row..<end).compactMap { row -> (Int, BaseUnitQuantity)? in
                            guard stored.units[row] != number, let unit = unit(stored.units[row]) else { return nil }
                            return (row, BaseUnitQuantity(stored.values[row], in: unit))
                        }
                        guard !others.isEmpty else { continue }
                        try matchConverted(
                            stored, others, tableNumbers,
                            newRows.filter { new.units[$0] == number }.map {
                                ($0, BaseUnitQuantity(new.values[$0], in: newUnit))
                            },
                            &isMatched, accept)
                    }
                }
                (row, newRow) = (end, newEnd)
            }
            return true
        }
    }

    /// Pairs samples of equal start whose units differ. Samples that are equal except for value and unit are paired in
    /// the order of their values.
    private func matchConverted(
        _ stored: SampleColumns, _ rows: [(row: Int, value: BaseUnitQuantity)], _ tableNumbers: [UInt32],
        _ newRows: [(row: Int, value: BaseUnitQuantity)], _ isMatched: inout [Bool],
        _ accept: (Int, Int64) throws -> Bool
    ) throws {
        func withoutValue(_ key: Key) -> Key {
            var key = key
            (key.value, key.unit) = (0, 0)
            return key
        }
        let newGroups = Dictionary(grouping: newRows) { withoutValue(newKey($0.row)) }
        let groups = Dictionary(grouping: rows) { withoutValue(key(of: stored, $0.row, tableNumbers)) }
        for (key, rows) in groups {
            guard let newRows = newGroups[key]?.sorted(by: { $0.value.value < $1.value.value }) else { continue }
            var next = 0
            for (row, value) in rows.sorted(by: { $0.value.value < $1.value.value }) {
                while next < newRows.count, newRows[next].value.value < value.value,
                    !newRows[next].value.agrees(with: value)
                {
                    next += 1
                }
                guard next < newRows.count else { break }
                guard newRows[next].value.agrees(with: value), try accept(newRows[next].row, stored.sequences[row])
                else { continue }
                isMatched[newRows[next].row] = true
                next += 1
            }
        }
    }

    // MARK: - Keys

    /// For each entry of a page's metadata, the number of equal metadata in the batch.
    private func tableNumbers(of stored: SampleColumns) -> [UInt32] {
        stored.metadata.table.map { metadata in
            // Metadata that does not occur in the batch matches nothing.
            metadata.isEmpty ? 0 : metadataByContent[metadata.comparable] ?? .max
        }
    }

    private func newKey(_ row: Int) -> Key {
        let metadata = strictness == .whole ? metadataNumbers[Int(new.metadata.numbers[row])] : 0
        return key(of: new, row, metadata: metadata)
    }

    private func key(of stored: SampleColumns, _ row: Int, _ tableNumbers: [UInt32]) -> Key {
        let number = strictness == .whole ? stored.metadata.numbers[row] : 0
        return key(of: stored, row, metadata: number == 0 ? 0 : tableNumbers[Int(number) - 1])
    }

    private func key(of columns: SampleColumns, _ row: Int, metadata: UInt32) -> Key {
        let creation = strictness == .whole ? columns.creation(at: row) : nil
        return Key(
            // Negative zero is the same instant as zero.
            end: (columns.ends[row] + 0).bitPattern, value: columns.values[row].bitPattern, unit: columns.units[row],
            revision: classes.revisionClass(columns.revisions[row]), device: classes.deviceClass(columns.devices[row]),
            metadata: metadata, creation: creation.map { ($0 + 0).bitPattern } ?? .max)
    }

    // MARK: - Runs

    /// The number of rows compared at a time: enough to make one call per column worthwhile, few enough to waste
    /// little where the two sides diverge.
    private static let maximumRunLength = 512

    /// The number of rows starting at `row` that equal the batch's unpaired rows starting at `newRow`.
    ///
    /// Columns are compared in turn, each only as far as the previous ones agreed. A row may be equal
    /// although it differs here (zero has two signs); such rows are left to the slow path.
    private func runLength(
        _ stored: SampleColumns, _ row: Int, _ newRow: Int, _ tableNumbers: [UInt32], _ isMatched: [Bool]
    ) -> Int {
        var length = min(stored.starts.count - row, new.starts.count - newRow, Self.maximumRunLength)
        // Rows of equal start are common; values differ soonest.
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
            case (false, false): Self.shorten(&length, stored.creations.entries, row, new.creations.entries, newRow)
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

    /// Shortens a run to the numbers whose classes are equal.
    private func shortenByClass(
        _ length: inout Int, _ left: [UInt32], _ leftRow: Int, _ right: [UInt32], _ rightRow: Int,
        _ classOf: (UInt32) -> UInt32
    ) {
        var equal = 0
        while equal < length {
            var rest = length - equal
            Self.shorten(&rest, left, leftRow + equal, right, rightRow + equal)
            equal += rest
            guard equal < length, classOf(left[leftRow + equal]) == classOf(right[rightRow + equal]) else { break }
            equal += 1
        }
        length = equal
    }

    private func shortenByMetadata(
        _ length: inout Int, _ stored: SampleColumns, _ row: Int, _ newRow: Int, _ tableNumbers: [UInt32]
    ) {
        if stored.metadata.table.isEmpty, new.metadata.table.isEmpty { return }
        var equal = 0
        while equal < length {
            let number = stored.metadata.numbers[row + equal]
            guard
                (number == 0 ? 0 : tableNumbers[Int(number) - 1])
                    == metadataNumbers[Int(new.metadata.numbers[newRow + equal])]
            else { break }
            equal += 1
        }
        length = equal
    }
}
