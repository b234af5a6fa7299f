import HealthModel
import HealthPages
import HealthStorage

/// Takes out of a store what imports brought and the present one has not claimed, inside one transaction.
struct BulkRemoval {
    let engine: HealthEngine
    let transaction: any StorageTransaction
    let memory: BulkMemory
    private let imported: ImportedSequences
    private let before: Int64
    private let protected: Set<String>

    init(
        engine: HealthEngine, transaction: any StorageTransaction, memory: inout BulkMemory, protected: Set<String>
    ) throws {
        self.engine = engine
        self.transaction = transaction
        before = try memory.noteBeginning(transaction.lastSequence())
        self.memory = memory
        imported = try ImportedSequences(in: transaction)
        self.protected = protected
    }

    /// Removes, and returns how many by type identifier.
    mutating func run(draft: inout CommitDraft) throws -> [String: Int] {
        guard !imported.ranges.isEmpty else { return [:] }
        let dictionaries = try transaction.dictionaries()
        var victims: [StoredIdentity] = []
        var identifiers: [TypeCode: String] = [:]
        for type in try transaction.typesInUse() {
            let identifier = identifier(type, dictionaries)
            guard !protected.contains(identifier) else { continue }
            identifiers[type] = identifier
            try findMissing(of: type, &victims)
        }
        let missing = victims
        victims = try withoutMembers(missing)
        for double in try doubles(among: missing, leaving: victims) {
            identifiers[double.type] = identifiers[double.type] ?? identifier(double.type, dictionaries)
            victims.append(double)
        }
        guard !victims.isEmpty else { return [:] }
        try HealthEngine.forgetKnownArchive(in: transaction)
        draft.types.formUnion(victims.map(\.type))
        try erase(victims, draft: &draft)
        var counts: [String: Int] = [:]
        for victim in victims { counts[identifiers[victim.type] ?? victim.type.description, default: 0] += 1 }
        return counts
    }

    private func identifier(_ type: TypeCode, _ dictionaries: StoreDictionaries) -> String {
        dictionaries.type(type)?.identifier ?? type.description
    }

    private func isMissing(_ sequence: Int64) -> Bool {
        sequence <= before && imported.contains(sequence) && !memory.isClaimed(sequence)
    }

    private func findMissing(of type: TypeCode, _ victims: inout [StoredIdentity]) throws {
        var found: [Int64] = []
        try transaction.visitPages(of: type, in: .all, bodies: true) { view in
            guard view.bounds.leastSequence <= before,
                imported.meets(view.bounds.leastSequence...view.bounds.greatestSequence)
            else { return true }
            let reader = try PageReader(header: PageHeader(decoding: view.header), body: view.body)
            found += try reader.read(.sequences).sequences.filter(isMissing)
            return true
        }
        try transaction.visitObjects(of: type, in: .all) { object in
            if isMissing(object.sequence) { found.append(object.sequence) }
            return true
        }
        victims += found.sorted().map { StoredIdentity(type: type, sequence: $0) }
    }

    /// Leaves out what belongs to an object that stays.
    private func withoutMembers(_ victims: [StoredIdentity]) throws -> [StoredIdentity] {
        var leaving = SequenceBits()
        for victim in victims { _ = leaving.insert(victim.sequence) }
        var kept = true
        var rest = victims
        // A member that stays may have members of its own.
        while kept {
            let before = rest.count
            rest = try rest.filter { victim in
                let owners = try transaction.links(ofMember: victim.sequence)
                guard owners.contains(where: { !leaving.contains($0.owner) }) else { return true }
                leaving.remove(victim.sequence)
                return false
            }
            kept = rest.count < before
        }
        return rest
    }

    private func erase(_ victims: [StoredIdentity], draft: inout CommitDraft) throws {
        let summaries = TypeCatalog.description(for: "HKActivitySummaryTypeIdentifier")?.code
        for summary in victims where summary.type == summaries {
            try transaction.removeObject(sequence: summary.sequence)
        }
        let told = victims.filter { $0.type != summaries }
        guard !told.isEmpty else { return }
        let first = try transaction.takeSequences(told.count)
        draft.took(told.count, from: first)
        let eraser = Eraser(
            transaction: transaction, identities: engine.identities,
            editor: PageEditor(transaction: transaction, capacity: engine.configuration.pageCapacity))
        try eraser.erase(
            told.enumerated().map { index, identity in
                Eraser.Victim(identity: identity, tombstone: first + Int64(index), successor: nil)
            })
    }
}
