package import HealthEngine
package import HealthModel
import HealthPages
import HealthStorage

/// The samples and objects that an import has added and that are still stored.
package struct AddedContents {
    /// Their numbers by type and source, the largest first.
    package private(set) var counts: [(type: TypeDescription, source: String, count: Int)] = []

    /// The number of all of them.
    package var total: Int { identities.count }

    /// Ascending by sequence within each type.
    fileprivate private(set) var identities: [StoredIdentity] = []

    private struct Key: Hashable {
        var type: TypeCode
        var source: String
    }

    /// - Throws: ``EngineError/invalidArgument(_:)`` if there is no such import.
    fileprivate init(ofImport number: Int, in snapshot: any StorageSnapshot) throws {
        guard let ranges = try ImportHistory.sequences(ofReport: number, in: snapshot) else {
            throw EngineError.invalidArgument("Import \(number) not found.")
        }
        let added = ImportedSequences(ranges)
        guard !ranges.isEmpty else { return }
        let dictionaries = try snapshot.dictionaries()
        var numbers: [Key: Int] = [:]
        for type in try snapshot.typesInUse() {
            let members = try Self.membersThatStay(of: type, added, dictionaries, in: snapshot)
            var found: [Int64] = []
            func add(_ sequence: Int64, _ revision: UInt32) {
                guard added.contains(sequence), !members.contains(sequence) else { return }
                found.append(sequence)
                let source = dictionaries.revision(revision)?.source.name ?? ""
                numbers[Key(type: type, source: source), default: 0] += 1
            }
            try snapshot.visitPages(of: type, in: .all, bodies: true) { view in
                guard added.overlaps(view.bounds.minimumSequence...view.bounds.maximumSequence) else { return true }
                let reader = try PageReader(header: PageHeader(of: view), body: view.body)
                let rows = try reader.read([.sequences, .revisions])
                for (sequence, revision) in zip(rows.sequences, rows.revisions) { add(sequence, revision) }
                return true
            }
            try snapshot.visitObjects(of: type, in: .all) { object in
                add(object.sequence, object.revision)
                return true
            }
            identities += found.sorted().map { StoredIdentity(type: type, sequence: $0) }
        }
        counts = numbers.compactMap { key, count -> (type: TypeDescription, source: String, count: Int)? in
            dictionaries.type(key.type).map { ($0, key.source, count) }
        }.sorted { ($1.count, $0.type.identifier, $0.source) < ($0.count, $1.type.identifier, $1.source) }
    }

    /// The samples of the import that have become values of a blood pressure, a meal or another correlation that the
    /// import has not added.
    private static func membersThatStay(
        of type: TypeCode, _ added: ImportedSequences, _ dictionaries: StoreDictionaries,
        in snapshot: any StorageSnapshot
    ) throws -> Set<Int64> {
        var members: Set<Int64> = []
        for owner in try snapshot.typesInUse() where dictionaries.type(owner)?.kind == .correlation {
            for member in try snapshot.linkedMembers(of: type, ownerType: owner) where added.contains(member) {
                let owners = try snapshot.links(ofMember: member).filter { $0.ownerType == owner }
                if owners.contains(where: { !added.contains($0.owner) }) { members.insert(member) }
            }
        }
        return members
    }
}

extension HealthEngine {
    /// Returns what an import has added and is still stored.
    ///
    /// - Parameter number: The number of the import in the list of imports.
    /// - Throws: ``EngineError/invalidArgument(_:)`` if there is no such import.
    package func contents(ofImport number: Int) throws -> AddedContents {
        try storage.read { try AddedContents(ofImport: number, in: $0) }
    }

    /// Deletes what an import has added, in one transaction, and takes it out of the list of imports. What it found
    /// stored stays, and so do characteristics and what it has replaced by something newer.
    ///
    /// Deletions leave tombstones, except those of activity summaries, which anchored queries do not report.
    ///
    /// - Returns: The numbers of deleted samples and objects.
    /// - Throws: ``EngineError/invalidArgument(_:)`` if there is no such import.
    package func undoImport(_ number: Int) throws -> Int {
        try commit { transaction, pending in
            let contents = try AddedContents(ofImport: number, in: transaction)
            try ImportHistory.removeReport(number, in: transaction)
            guard contents.total > 0 else { return 0 }
            try ImportHistory.removeKnownArchive(in: transaction)
            pending.types.formUnion(contents.identities.map(\.type))
            let summary = TypeCatalog.description(for: "HKActivitySummaryTypeIdentifier")?.code
            for identity in contents.identities where identity.type == summary {
                try transaction.removeObject(sequence: identity.sequence)
            }
            var rest = contents.identities.filter { $0.type != summary }[...]
            while !rest.isEmpty {
                // The samples of some years are millions, and each has a tombstone.
                try erase(Array(rest.prefix(Self.erasedAtOnce)), in: transaction, pending: &pending)
                rest = rest.dropFirst(Self.erasedAtOnce)
            }
            return contents.total
        }
    }

    private static let erasedAtOnce = 1 << 16
}
