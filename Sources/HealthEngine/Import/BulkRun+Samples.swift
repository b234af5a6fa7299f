import Foundation
import HealthModel
import HealthPages
import HealthStorage

extension BulkRun {
    /// Writes one type's samples of the batch, leaving out what the store has.
    mutating func write(_ columns: SampleColumns, draft: inout CommitDraft) throws {
        let description = try describe(columns.type)
        guard description.kind.isPaged else {
            throw EngineError.invalidArgument("A batch holds samples of a type that has none.")
        }
        let new = try prepare(columns, type: description.code)
        var isStored: [Bool] = []
        try findGivenUUIDs(of: new, &isStored)
        try findStored(new, &isStored)

        guard isStored.contains(true) else {
            let sequences = try add(new, draft: &draft)
            return try enterGivenUUIDs(of: new, sequences: sequences)
        }
        let rows = (0..<Int32(new.starts.count)).filter { !isStored[Int($0)] }
        guard !rows.isEmpty else { return }
        let rest = new.permuted(by: rows)
        let sequences = try add(rest, draft: &draft)
        try enterGivenUUIDs(of: rest, sequences: sequences)
    }

    /// The samples in the store's numbers, by start; within equal starts in the batch's order.
    private mutating func prepare(_ columns: SampleColumns, type: TypeCode) throws -> SampleColumns {
        let count = columns.starts.count
        func column(_ column: [UInt32]) throws -> [UInt32] {
            if column.isEmpty { return Array(repeating: 0, count: count) }
            guard column.count == count else { throw Self.unequalLengths }
            return column
        }
        guard columns.ends.count == count, columns.values.count == count,
            columns.uuids.isEmpty || columns.uuids.count == count,
            columns.creations.isEmpty || columns.creations.count == count
        else { throw Self.unequalLengths }
        let revisions = try column(columns.revisions)
        let devices = try column(columns.devices)
        numbers.notePairs(revisions: revisions, devices: devices)

        var new = SampleColumns(type: type)
        new.starts = columns.starts
        new.ends = columns.ends
        new.values = columns.values
        new.uuids = columns.uuids.contains { $0 != nil } ? columns.uuids : []
        new.creations = columns.creations
        new.revisions = try numbers.revisions(revisions)
        new.devices = try numbers.devices(devices)
        new.units = try numbers.units(column(columns.units))
        new.metadata = try column(columns.metadata)
        new.metadataTable = columns.metadataTable
        guard (new.metadata.max() ?? 0) <= new.metadataTable.count else {
            throw EngineError.invalidArgument("A batch uses a number outside its metadata.")
        }
        switch try Self.order(of: columns) {
        case .ascending: return new
        case .mixed: return new.permuted(by: new.orderByStart())
        }
    }

    private enum Order {
        case ascending, mixed
    }

    /// Whether starts ascend; throws for dates that would break the order of pages.
    private static func order(of columns: SampleColumns) throws -> Order {
        var areOrdered = true
        var areDates = true
        columns.starts.withUnsafeBufferPointer { starts in
            columns.ends.withUnsafeBufferPointer { ends in
                var last = -Double.infinity
                for row in starts.indices {
                    let start = starts[row]
                    let end = ends[row]
                    areOrdered = areOrdered && start >= last
                    // False for NaN as well.
                    areDates = areDates && start <= end && start > -.infinity && end < .infinity
                    last = start
                }
            }
        }
        guard areDates else {
            throw EngineError.invalidArgument("A batch holds a sample that does not start before it ends.")
        }
        return areOrdered ? .ascending : .mixed
    }

    /// Marks rows equal to stored samples that have not answered for another row yet.
    private mutating func findStored(_ new: SampleColumns, _ isStored: inout [Bool]) throws {
        let type = new.type
        let transaction = transaction
        let before = before
        let hadSamples = try memory.hadSamples(of: type) {
            var found = false
            try transaction.visitPages(of: type, in: .all, bodies: false) { view in
                found = view.bounds.leastSequence <= before
                return !found
            }
            return found
        }
        guard hadSamples || memory.hasFreeMembers(of: type) else { return }
        try extendClasses(revisions: new.revisions, devices: new.devices)
        var isEqual = isStored.isEmpty ? Array(repeating: false, count: new.starts.count) : isStored
        let matcher = ContentMatcher(new, classes: classes, strictness: .whole)
        let addsMembers = memory.hasFreeMembers(of: type)
        var found = 0
        try matcher.match(
            in: transaction, isMatched: &isEqual,
            isCandidate: { $0.leastSequence <= before || addsMembers },
            claimRun: { sequences in
                let (taken, counted) = memory.claimRun(sequences)
                found += counted
                return taken
            },
            claim: { _, sequence in
                guard memory.isFree(sequence, of: type) else { return false }
                if memory.claim(sequence, of: type) { found += 1 }
                return true
            })
        if found > 0 { alreadyThere[type, default: 0] += found }
        isStored = isEqual
    }

    // MARK: Given UUIDs

    /// Marks rows whose given UUID is stored, or was met earlier in the batch.
    private mutating func findGivenUUIDs(of new: SampleColumns, _ isStored: inout [Bool]) throws {
        guard !new.uuids.isEmpty else { return }
        isStored = Array(repeating: false, count: new.starts.count)
        let finder = PageFinder(snapshot: transaction, identities: identities)
        var met: Set<UUID> = []
        for (row, uuid) in new.uuids.enumerated() {
            guard let uuid else { continue }
            let stored = try finder.locate(uuid)
            guard stored != nil || !met.insert(uuid).inserted else { continue }
            isStored[row] = true
            alreadyThere[new.type, default: 0] += 1
            if let stored { _ = memory.claim(stored.sequence, of: stored.type) }
        }
    }

    private func enterGivenUUIDs(of new: SampleColumns, sequences: Range<Int64>) throws {
        for (row, uuid) in new.uuids.enumerated() {
            guard let uuid else { continue }
            try transaction.putIdentity(
                uuid,
                StoredIdentity(type: new.type, sequence: sequences.lowerBound + Int64(row)))
        }
    }

    private static let unequalLengths = EngineError.invalidArgument(
        "A batch holds columns of different lengths.")
}
