import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

extension BulkRun {
    /// Writes the batch's samples of one type that are not stored yet.
    mutating func write(_ columns: SampleColumns, pending: inout PendingCommit) throws {
        let description = try describe(columns.type)
        guard description.kind.isPaged else {
            throw EngineError.invalidArgument("The batch contains samples of a type that has no samples.")
        }
        let new = try prepare(columns, type: description.code)
        var isStored: [Bool] = []
        try findGivenUUIDs(of: new, &isStored)
        try findStored(new, &isStored)

        guard isStored.contains(true) else {
            let sequences = try add(new, pending: &pending)
            return try enterGivenUUIDs(of: new, sequences: sequences)
        }
        let rows = (0..<Int32(new.starts.count)).filter { !isStored[Int($0)] }
        guard !rows.isEmpty else { return }
        let rest = new.permuted(by: rows)
        let sequences = try add(rest, pending: &pending)
        try enterGivenUUIDs(of: rest, sequences: sequences)
    }

    /// Translates samples into the store's numbers, ordered by start; samples of equal start stay in the batch's order.
    mutating func prepare(_ columns: SampleColumns, type: TypeCode) throws -> SampleColumns {
        let count = columns.starts.count
        func column(_ column: [UInt32]) -> [UInt32] {
            column.isEmpty ? Array(repeating: 0, count: count) : column
        }
        let optional: SampleColumnSet = [.units, .revisions, .devices, .metadata, .sequences, .uuids, .creations]
        guard columns.areComplete(count: count, optional: optional) else { throw Self.unequalLengths }
        let revisions = column(columns.revisions)
        let devices = column(columns.devices)
        numbers.recordPairs(revisions: revisions, devices: devices)

        var new = columns
        new.type = type
        new.sequences = []
        if !new.uuids.hasEntries { new.uuids = [] }
        new.revisions = try numbers.revisions(revisions)
        new.devices = try numbers.devices(devices)
        new.units = try numbers.units(column(columns.units))
        new.metadata.fill(to: count)
        guard (new.metadata.numbers.max() ?? 0) <= new.metadata.table.count else {
            throw EngineError.invalidArgument("The batch uses a number outside its metadata.")
        }
        return try Self.areOrdered(columns) ? new : new.permuted(by: new.orderByStart())
    }

    /// Returns whether starts ascend; throws for dates that would break the order of pages.
    private static func areOrdered(_ columns: SampleColumns) throws -> Bool {
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
            throw EngineError.invalidArgument("The batch contains a sample that ends before it starts.")
        }
        return areOrdered
    }

    /// Marks rows that are equal to stored samples that have not matched another row yet.
    private mutating func findStored(_ new: SampleColumns, _ isStored: inout [Bool]) throws {
        let type = new.type
        let transaction = transaction
        let before = before
        let hadSamples = try matchState.hadContents(of: type) {
            var found = false
            try transaction.visitPages(of: type, in: .all, bodies: false) { view in
                found = view.bounds.minimumSequence <= before
                return !found
            }
            return found
        }
        guard hadSamples || matchState.hasFreeMembers(of: type) else { return }
        try extendClasses(of: new)
        var isEqual = isStored.isEmpty ? Array(repeating: false, count: new.starts.count) : isStored
        let matcher = ContentMatcher(new, classes: classes, strictness: .whole, units: units)
        let addsMembers = matchState.hasFreeMembers(of: type)
        var found = 0
        try matcher.match(
            in: transaction, isMatched: &isEqual, isCandidate: { $0.minimumSequence <= before || addsMembers },
            acceptRun: { sequences in
                let (length, counted) = matchState.matchRun(sequences)
                found += counted
                return length
            },
            accept: { _, sequence in
                guard matchState.isFree(sequence, of: type) else { return false }
                if matchState.match(sequence, of: type) { found += 1 }
                return true
            })
        if found > 0 { alreadyThere[type, default: 0] += found }
        isStored = isEqual
    }

    // MARK: - Given UUIDs

    /// Marks rows whose given UUID is stored or occurred earlier in the batch.
    private mutating func findGivenUUIDs(of new: SampleColumns, _ isStored: inout [Bool]) throws {
        guard !new.uuids.isEmpty else { return }
        isStored = Array(repeating: false, count: new.starts.count)
        let finder = PageFinder(snapshot: transaction, identities: identities)
        try transaction.prefetchIdentities(of: new.uuids.compactMap { $0 })
        // Those that the store derived are found together: one by one, each would be looked for in every type.
        let sequences = Set(new.uuids.compactMap { $0.flatMap { identities.sequence(of: $0) } }).sorted()
        let found = try finder.rows(of: new.type, sequences: sequences, columns: .uuids)
        let derived = Set(found.sequences.indices.filter { found.uuid(at: $0) == nil }.map { found.sequences[$0] })
        var seen: Set<UUID> = []
        for (row, uuid) in new.uuids.enumerated() {
            guard let uuid else { continue }
            let sequence = identities.sequence(of: uuid).flatMap { derived.contains($0) ? $0 : nil }
            let stored = try sequence.map { StoredIdentity(type: new.type, sequence: $0) } ?? finder.locate(uuid)
            guard stored != nil || !seen.insert(uuid).inserted else { continue }
            isStored[row] = true
            alreadyThere[new.type, default: 0] += 1
            if let stored { _ = matchState.match(stored.sequence, of: stored.type) }
        }
    }

    private func enterGivenUUIDs(of new: SampleColumns, sequences: Range<Int64>) throws {
        for (row, uuid) in new.uuids.enumerated() {
            guard let uuid else { continue }
            try transaction.putIdentity(
                uuid, StoredIdentity(type: new.type, sequence: sequences.lowerBound + Int64(row)))
        }
    }

    private static let unequalLengths = EngineError.invalidArgument("The batch contains columns of different lengths.")
}
