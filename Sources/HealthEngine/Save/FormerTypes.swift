import HealthModel
import HealthPages
import HealthStorage

/// Moves the samples that an earlier version stored under another type's code, ``TypeCatalog/formerCodes``, to the
/// code of the catalog. They keep their sequences and UUIDs.
struct FormerTypes {
    let transaction: any StorageTransaction
    let editor: PageEditor

    /// Whether a store has pages to move. Costs one search in a small index.
    static func areIn(_ snapshot: any StorageSnapshot) throws -> Bool {
        try TypeCatalog.formerCodes.keys.contains { try snapshot.page(of: $0, forStart: .infinity) != nil }
    }

    /// Moves all of them. The pages of both types are written again as a whole, because rows of one start are ordered
    /// by sequence, whichever type they had.
    func move() throws {
        for (former, type) in TypeCatalog.formerCodes {
            let moved = try takeRows(of: former)
            guard !moved.starts.isEmpty else { continue }
            try moveReferences(to: moved, type: type)
            var rows = try takeRows(of: type)
            rows.append(moved, rows: Array(moved.starts.indices))
            let order = (0..<Int32(rows.starts.count)).sorted {
                let (left, right) = (Int($0), Int($1))
                return (rows.starts[left], rows.sequences[left]) < (rows.starts[right], rows.sequences[right])
            }
            try editor.merge(rows.permuted(by: order))
        }
    }

    /// Removes all pages of a type and returns their samples.
    private func takeRows(of type: TypeCode) throws -> SampleColumns {
        var pages: [StoredPage] = []
        try transaction.visitPages(of: type, in: .all, bodies: true) { view in
            pages.append(view.copy)
            return true
        }
        var rows = SampleColumns(type: type)
        for page in pages {
            let samples = try page.decode()
            rows.append(samples, rows: Array(samples.starts.indices))
            try transaction.removePage(page.key)
        }
        return rows
    }

    /// Gives what refers to samples by type the new code: given UUIDs, sync identifiers and links.
    private func moveReferences(to samples: SampleColumns, type: TypeCode) throws {
        let dictionaries = try transaction.dictionaries()
        for row in samples.starts.indices {
            let sequence = samples.sequences[row]
            if let uuid = samples.uuid(at: row) {
                try transaction.removeIdentity(uuid)
                try transaction.putIdentity(uuid, StoredIdentity(type: type, sequence: sequence))
            }
            let source = dictionaries.revision(samples.revisions[row])?.source.bundleIdentifier
            if let source, let mark = SyncMark(samples.metadata(at: row)),
                let sync = try transaction.sync(mark.key(source: source, type: samples.type))
            {
                try transaction.removeSync(sync.key)
                let key = mark.key(source: source, type: type)
                if try transaction.sync(key) == nil {
                    try transaction.putSync(StoredSync(key: key, version: sync.version, sequence: sync.sequence))
                }
            }
            let links = try transaction.links(ofMember: sequence)
            if !links.isEmpty {
                try transaction.removeLinks(ofMember: sequence)
                try transaction.addLinks(links.map {
                    StoredLink(owner: $0.owner, ownerType: $0.ownerType, member: $0.member, memberType: type)
                })
            }
        }
    }
}

extension HealthEngine {
    /// Moves the samples of former types, if the store has any. A store that cannot be written, or whose pages of such a
    /// type are damaged, stays as it is until it is opened the next time.
    func moveFormerTypes() throws {
        guard try storage.read({ try FormerTypes.areIn($0) }) else { return }
        _ = try? commit { transaction, _ in
            let editor = PageEditor(transaction: transaction, capacity: configuration.pageCapacity)
            try FormerTypes(transaction: transaction, editor: editor).move()
        }
    }
}
