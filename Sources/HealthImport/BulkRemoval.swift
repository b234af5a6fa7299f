import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

/// Removes what earlier imports added and the current one has not matched, within one transaction.
struct BulkRemoval {
    let engine: HealthEngine
    let transaction: any StorageTransaction
    let matchState: ImportMatchState
    private let imported: ImportedSequences
    private let before: Int64
    private let protected: Set<String>

    init(
        engine: HealthEngine, transaction: any StorageTransaction, matchState: ImportMatchState, protected: Set<String>
    ) throws {
        self.engine = engine
        self.transaction = transaction
        var matchState = matchState
        try matchState.recordBeginning(transaction.lastSequence())
        before = matchState.before
        self.matchState = matchState
        imported = try ImportedSequences(in: transaction)
        self.protected = protected
    }

    /// Removes the samples and objects and returns their number by type identifier.
    mutating func run(pending: inout PendingCommit) throws -> [String: Int] {
        guard !imported.ranges.isEmpty else { return [:] }
        let dictionaries = try transaction.dictionaries()
        var deletions: [StoredIdentity] = []
        var identifiers: [TypeCode: String] = [:]
        for type in try transaction.typesInUse() {
            let identifier = identifier(type, dictionaries)
            guard !protected.contains(identifier) else { continue }
            identifiers[type] = identifier
            try findMissing(of: type, &deletions)
        }
        let missing = deletions
        deletions = try withoutMembers(missing)
        for copy in try copies(among: missing, leaving: deletions) {
            identifiers[copy.type] = identifiers[copy.type] ?? identifier(copy.type, dictionaries)
            deletions.append(copy)
        }
        guard !deletions.isEmpty else { return [:] }
        try ImportHistory.removeKnownArchive(in: transaction)
        pending.types.formUnion(deletions.map(\.type))
        try erase(deletions, pending: &pending)
        var counts: [String: Int] = [:]
        for deletion in deletions { counts[identifiers[deletion.type] ?? deletion.type.description, default: 0] += 1 }
        return counts
    }

    private func identifier(_ type: TypeCode, _ dictionaries: StoreDictionaries) -> String {
        dictionaries.type(type)?.identifier ?? type.description
    }

    private func isMissing(_ sequence: Int64) -> Bool {
        sequence <= before && imported.contains(sequence) && !matchState.isMatched(sequence)
    }

    private func findMissing(of type: TypeCode, _ deletions: inout [StoredIdentity]) throws {
        var found: [Int64] = []
        try transaction.visitPages(of: type, in: .all, bodies: true) { view in
            guard view.bounds.minimumSequence <= before,
                imported.overlaps(view.bounds.minimumSequence...view.bounds.maximumSequence)
            else { return true }
            let reader = try PageReader(header: PageHeader(of: view), body: view.body)
            found += try reader.read(.sequences).sequences.filter(isMissing)
            return true
        }
        try transaction.visitObjects(of: type, in: .all) { object in
            if isMissing(object.sequence) { found.append(object.sequence) }
            return true
        }
        deletions += found.sorted().map { StoredIdentity(type: type, sequence: $0) }
    }

    /// Leaves out members of objects that stay.
    private func withoutMembers(_ deletions: [StoredIdentity]) throws -> [StoredIdentity] {
        var leaving = SequenceBits()
        for deletion in deletions { leaving.insert(deletion.sequence) }
        var hasChanged = true
        var rest = deletions
        // A member that stays may have its own members.
        while hasChanged {
            let before = rest.count
            rest = try rest.filter { deletion in
                let owners = try transaction.links(ofMember: deletion.sequence)
                guard owners.contains(where: { !leaving.contains($0.owner) }) else { return true }
                leaving.remove(deletion.sequence)
                return false
            }
            hasChanged = rest.count < before
        }
        return rest
    }

    private func erase(_ deletions: [StoredIdentity], pending: inout PendingCommit) throws {
        let summaries = TypeCatalog.description(for: "HKActivitySummaryTypeIdentifier")?.code
        for summary in deletions where summary.type == summaries {
            try transaction.removeObject(sequence: summary.sequence)
        }
        let reported = deletions.filter { $0.type != summaries }
        try engine.erase(reported, in: transaction, pending: &pending)
    }

    // MARK: - Correlation members that are stored twice

    /// Finds members that are stored twice because their correlation has changed: the old correlation, which is removed
    /// now, owned the sample that the archive lists separately, so the new correlation was given a copy. The new one
    /// is linked to the sample itself; the copies are returned, to be removed as well.
    private func copies(among missing: [StoredIdentity], leaving deletions: [StoredIdentity]) throws -> [StoredIdentity]
    {
        let leaving = Set(deletions.map(\.sequence))
        var orphans: [StoredIdentity] = []
        for owner in deletions where TypeCatalog.description(for: owner.type)?.kind == .correlation {
            for link in try transaction.links(ofOwner: owner.sequence)
            where !leaving.contains(link.member) && matchState.isMatched(link.member) {
                let owners = try transaction.links(ofMember: link.member)
                guard owners.allSatisfy({ leaving.contains($0.owner) }) else { continue }
                orphans.append(StoredIdentity(type: link.memberType, sequence: link.member))
            }
        }
        guard !orphans.isEmpty else { return [] }
        let units = try transaction.dictionaries().units
        var waiting: [BulkObject.MemberKey: [(key: BulkObject.MemberKey, sample: StoredIdentity)]] = [:]
        for (key, orphan) in try contents(of: Array(Set(orphans))) {
            waiting[key.withoutValue, default: []].append((key, orphan))
        }
        let staying = missing.filter {
            !leaving.contains($0.sequence) && TypeCatalog.description(for: $0.type)?.kind.isPaged == true
        }
        let added = matchState.addedMembers.map { StoredIdentity(type: $0.type, sequence: $0.sequence) }
        var copies: [StoredIdentity] = []
        for (key, member) in try contents(of: staying + added) {
            let group = waiting[key.withoutValue] ?? []
            guard
                let place = group.lastIndex(where: { $0.key == key })
                    ?? group.lastIndex(where: { $0.key.hasAlikeValue(as: key, units: units) })
            else { continue }
            let sample = group[place].sample
            waiting[key.withoutValue]?.remove(at: place)
            for link in try transaction.links(ofMember: member.sequence) {
                let owner = StoredIdentity(type: link.ownerType, sequence: link.owner)
                try transaction.addLink(StoredLink(from: owner, to: sample))
            }
            copies.append(member)
        }
        return copies
    }

    /// The contents by which samples are equal as members, ordered by sequence.
    private func contents(of samples: [StoredIdentity]) throws -> [(BulkObject.MemberKey, StoredIdentity)] {
        var classes = SourceEquivalence()
        classes.extend(to: try transaction.dictionaries())
        let finder = PageFinder(snapshot: transaction, identities: engine.identities)
        var contents: [(BulkObject.MemberKey, StoredIdentity)] = []
        for (type, samples) in Dictionary(grouping: samples, by: \.type).sorted(by: { $0.key < $1.key }) {
            let rows = try finder.rows(
                of: type, sequences: samples.map(\.sequence).sorted(),
                columns: [.ends, .values, .units, .revisions, .devices])
            for row in rows.sequences.indices {
                contents.append(
                    (
                        BulkObject.MemberKey(rows, row: row, classes),
                        StoredIdentity(type: type, sequence: rows.sequences[row])
                    ))
            }
        }
        return contents.sorted { $0.1.sequence < $1.1.sequence }
    }
}
