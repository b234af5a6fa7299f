import HealthModel
import HealthPages
import HealthStorage

/// Finds stored samples equal to those of a batch, each stored sample for one of the batch.
///
/// Both sides are ordered by start, so this is a merge: only pages whose starts meet the batch's are
/// decoded, and only samples of equal start compared. An archive that comes again has long stretches in
/// the order they were stored in; those are compared column by column (``ContentMatcher+Runs.swift``).
struct ContentMatcher {
    /// How much of a sample must be equal.
    enum Strictness {
        /// Everything an archive tells.
        case whole
        /// Dates, value, unit, source and device: what an archive repeats of a correlation's member.
        case member
    }

    /// What is compared of samples with equal starts.
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
    let classes: ContentClasses
    let strictness: Strictness
    /// Equal metadata have equal numbers here, by number in the batch's table.
    private(set) var metadataNumbers: [UInt32] = []
    private var metadataByContent: [Metadata: UInt32] = [:]
    /// Groups of equal start longer than this are hashed, not searched.
    private let longGroup = 16

    /// `new` is ordered by start and uses the store's numbers.
    init(_ new: SampleColumns, classes: ContentClasses, strictness: Strictness) {
        self.new = new
        self.classes = classes
        self.strictness = strictness
        guard strictness == .whole else { return }
        metadataNumbers = [0]
        for metadata in new.metadataTable {
            guard !metadata.isEmpty else {
                metadataNumbers.append(0)
                continue
            }
            let next = UInt32(metadataByContent.count) + 1
            let number = metadataByContent[metadata] ?? next
            metadataByContent[metadata] = number
            metadataNumbers.append(number)
        }
    }

    /// Calls `claim` with a row of the batch and an equal stored sample's sequence; the pair is made
    /// when it returns true, and neither is offered again. `isCandidate` passes over whole pages.
    ///
    /// - Parameters:
    ///   - isMatched: Rows of the batch that are not to be paired; those paired now are added.
    ///   - claimRun: The same for many rows at once: given the sequences of stored samples that are equal,
    ///     one by one, to rows of the batch, it says how many of them, from the first, make pairs. Where it
    ///     takes none, `claim` is asked.
    func match(
        in snapshot: any StorageSnapshot, isMatched: inout [Bool], isCandidate: (PageBounds) -> Bool,
        claimRun: (ArraySlice<Int64>) -> Int,
        claim: (_ row: Int, _ sequence: Int64) throws -> Bool
    ) throws {
        guard let first = new.starts.first, let last = new.starts.last else { return }
        try snapshot.visitPages(
            of: new.type, in: .time(startsBefore: last.nextUp, endsAtOrAfter: first), bodies: true
        ) { view in
            guard view.bounds.lastStart >= first, isCandidate(view.bounds) else { return true }
            let low = new.starts.lowerBound(of: view.key.firstStart)
            guard low < new.starts.count, new.starts[low] <= view.bounds.lastStart else { return true }
            var wanted: SampleColumnSet = [
                .starts, .ends, .values, .units, .revisions, .devices, .sequences,
            ]
            if strictness == .whole { wanted.formUnion([.metadata, .creations]) }
            let stored = try PageReader(
                header: PageHeader(decoding: view.header), body: view.body
            ).read(wanted)
            try match(stored, from: low, &isMatched, claimRun, claim)
            return true
        }
    }

    private func match(
        _ stored: SampleColumns, from low: Int, _ isMatched: inout [Bool],
        _ claimRun: (ArraySlice<Int64>) -> Int, _ claim: (Int, Int64) throws -> Bool
    ) throws {
        let tableNumbers = stored.metadataTable.map { metadata in
            // Metadata that the batch does not have is equal to none of it.
            metadata.isEmpty ? 0 : metadataByContent[metadata] ?? .max
        }
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
            let taken = length > 0 ? claimRun(stored.sequences[row..<row + length]) : 0
            if taken > 0 {
                for matched in newRow..<newRow + taken { isMatched[matched] = true }
                row += taken
                newRow += taken
                continue
            }
            var end = row + 1
            while end < stored.starts.count, stored.starts[end] == start { end += 1 }
            var newEnd = newRow + 1
            while newEnd < new.starts.count, new.starts[newEnd] == start { newEnd += 1 }
            if min(end - row, newEnd - newRow) > longGroup {
                try matchHashed(
                    stored, row..<end, newRow..<newEnd, tableNumbers, &isMatched, claim)
            } else {
                try matchSearched(
                    stored, row..<end, newRow..<newEnd, tableNumbers, &isMatched, claim)
            }
            row = end
            newRow = newEnd
        }
    }

    private func matchSearched(
        _ stored: SampleColumns, _ rows: Range<Int>, _ newRows: Range<Int>, _ tableNumbers: [UInt32],
        _ isMatched: inout [Bool], _ claim: (Int, Int64) throws -> Bool
    ) throws {
        for row in rows {
            for newRow in newRows where !isMatched[newRow] {
                guard stored.values[row].bitPattern == new.values[newRow].bitPattern,
                    stored.ends[row] == new.ends[newRow],
                    key(of: stored, row, tableNumbers) == newKey(newRow)
                else { continue }
                if try claim(newRow, stored.sequences[row]) { isMatched[newRow] = true }
                // Claimed or not, this stored sample is the same to every equal row.
                break
            }
        }
    }

    private func matchHashed(
        _ stored: SampleColumns, _ rows: Range<Int>, _ newRows: Range<Int>, _ tableNumbers: [UInt32],
        _ isMatched: inout [Bool], _ claim: (Int, Int64) throws -> Bool
    ) throws {
        var open: [Key: [Int]] = [:]
        for newRow in newRows.reversed() where !isMatched[newRow] {
            open[newKey(newRow), default: []].append(newRow)
        }
        for row in rows {
            let key = key(of: stored, row, tableNumbers)
            guard let newRow = open[key]?.last else { continue }
            if try claim(newRow, stored.sequences[row]) {
                isMatched[newRow] = true
                open[key]?.removeLast()
            }
        }
    }

    private func newKey(_ row: Int) -> Key {
        let metadata = strictness == .whole ? metadataNumbers[Int(new.metadata[row])] : 0
        return key(of: new, row, metadata: metadata)
    }

    private func key(of stored: SampleColumns, _ row: Int, _ tableNumbers: [UInt32]) -> Key {
        let number = strictness == .whole ? stored.metadata[row] : 0
        return key(of: stored, row, metadata: number == 0 ? 0 : tableNumbers[Int(number) - 1])
    }

    private func key(of columns: SampleColumns, _ row: Int, metadata: UInt32) -> Key {
        let creation = strictness == .whole ? columns.creation(at: row) : nil
        return Key(
            // Negative zero is an instant like zero.
            end: (columns.ends[row] + 0).bitPattern, value: columns.values[row].bitPattern,
            unit: columns.units[row], revision: classes.revisionClass(columns.revisions[row]),
            device: classes.deviceClass(columns.devices[row]), metadata: metadata,
            creation: creation.map { ($0 + 0).bitPattern } ?? .max)
    }
}
