import HealthModel
import HealthPages
import HealthStorage

/// Moves the samples of types that the store added to its own table, because the program that wrote them did not know
/// them, to the types that the catalog now has for them. Samples keep their sequences and UUIDs. Settings by type, such
/// as the person's decisions, move along; one that the type of the catalog already has remains.
///
/// Samples that the type of the catalog doesn't allow, with an incompatible unit or a value outside the enumeration,
/// stay where they are. Deletions stay, too, and are reported as deletions of the catalog's type.
struct TypeMigration {
    /// The codes of the store's own types, each with the type of the catalog.
    let types: [(own: TypeCode, catalog: TypeDescription)]

    init(_ dictionaries: StoreDictionaries) {
        types = dictionaries.types.compactMap { type in
            type.catalogType.flatMap { $0.kind.isPaged ? (own: type.code, catalog: $0) : nil }
        }
    }

    /// Whether a store has something to move. Costs a few searches in small indices.
    func isNeeded(in snapshot: any StorageSnapshot) throws -> Bool {
        try types.contains { try hasPages($0.own, in: snapshot) } || !types.isEmpty && !settings(in: snapshot).isEmpty
    }

    /// The settings whose key is the code of a type to move, with that of the catalog.
    private func settings(
        in snapshot: any StorageSnapshot
    ) throws -> [(namespace: String, value: [UInt8], own: String, catalog: String)] {
        let applications = try snapshot.values(namespace: Settings.Namespace.applications).keys.sorted()
        let namespaces =
            [Settings.Namespace.sourceOrder]
            + applications.flatMap { [Settings.Namespace.authorization($0), Settings.Namespace.objectGrants($0)] }
        return try namespaces.flatMap { namespace in
            try types.compactMap { own, catalog in
                try snapshot.value(namespace: namespace, key: String(own.rawValue)).map {
                    (namespace, $0, String(own.rawValue), String(catalog.code.rawValue))
                }
            }
        }
    }

    private func hasPages(_ own: TypeCode, in snapshot: any StorageSnapshot) throws -> Bool {
        guard try snapshot.page(of: own, forStart: .infinity) != nil else { return false }
        guard let left = try Self.lastLeft(own, in: snapshot) else { return true }
        var hasLater = false
        try snapshot.visitPages(of: own, in: .sequencesAfter(left), bodies: false) { _ in
            hasLater = true
            return false
        }
        return hasLater
    }

    /// Moves everything, in one transaction.
    func run(in transaction: any StorageTransaction, _ editor: PageEditor) throws {
        for setting in try settings(in: transaction) {
            try transaction.setValue(nil, namespace: setting.namespace, key: setting.own)
            guard try transaction.value(namespace: setting.namespace, key: setting.catalog) == nil else { continue }
            try transaction.setValue(setting.value, namespace: setting.namespace, key: setting.catalog)
        }
        for (own, type) in types where try hasPages(own, in: transaction) {
            try movePages(of: own, to: type, in: transaction, editor)
        }
    }

    /// The pages of both types are written again as a whole, because rows of one start are ordered by sequence,
    /// whichever type they had.
    private func movePages(
        of own: TypeCode, to type: TypeDescription, in transaction: any StorageTransaction, _ editor: PageEditor
    ) throws {
        let all = try takeRows(of: own, in: transaction)
        let (moved, left) = try Self.divide(all, for: type, transaction.dictionaries())
        if !left.starts.isEmpty {
            try editor.merge(left)
            try Settings.write(
                left.sequences.max(), namespace: Settings.Namespace.engine, key: Self.key(own), in: transaction)
        }
        guard !moved.starts.isEmpty else { return }
        try moveReferences(to: moved, type: type.code, in: transaction)
        var rows = try takeRows(of: type.code, in: transaction)
        rows.append(moved, rows: Array(moved.starts.indices))
        let order = (0..<Int32(rows.starts.count)).sorted {
            let (left, right) = (Int($0), Int($1))
            return (rows.starts[left], rows.sequences[left]) < (rows.starts[right], rows.sequences[right])
        }
        try editor.merge(rows.permuted(by: order))
    }

    /// Removes all pages of a type and returns their samples.
    private func takeRows(of type: TypeCode, in transaction: any StorageTransaction) throws -> SampleColumns {
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

    /// Divides samples into those that the type allows and those that it doesn't.
    private static func divide(
        _ rows: SampleColumns, for type: TypeDescription, _ dictionaries: StoreDictionaries
    ) throws -> (moved: SampleColumns, left: SampleColumns) {
        var fits: [UInt32: Bool] = [:]
        func isAllowed(_ row: Int) -> Bool {
            if let values = type.categoryValues {
                return Int(exactly: rows.values[row]).map(values.contains) ?? false
            }
            guard let canonical = type.canonicalUnit else { return true }
            let unit = rows.units[row]
            if let known = fits[unit] { return known }
            let isCompatible = UnitConversion(between: dictionaries.unit(unit), and: canonical) != nil
            fits[unit] = isCompatible
            return isCompatible
        }
        let allowed = rows.starts.indices.map(isAllowed)
        return (rows.filtered { allowed[$0] }, rows.filtered { !allowed[$0] })
    }

    /// Gives what refers to samples by type the new code: given UUIDs, sync identifiers, links and quantity series.
    private func moveReferences(
        to samples: SampleColumns, type: TypeCode, in transaction: any StorageTransaction
    ) throws {
        let dictionaries = try transaction.dictionaries()
        var members: Set<Int64> = []
        for owner in try transaction.typesInUse() {
            members.formUnion(try transaction.linkedMembers(of: samples.type, ownerType: owner))
        }
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
            if members.contains(sequence) {
                let links = try transaction.links(ofMember: sequence)
                try transaction.removeLinks(ofMember: sequence)
                try transaction.addLinks(
                    links.map {
                        StoredLink(owner: $0.owner, ownerType: $0.ownerType, member: $0.member, memberType: type)
                    })
            }
        }
        let moved = Set(samples.sequences)
        for sequence in try QuantitySeriesTable.sequences(of: samples.type, in: transaction)
        where moved.contains(sequence) {
            try QuantitySeriesTable.move(
                StoredIdentity(type: samples.type, sequence: sequence), to: type, in: transaction)
        }
    }

    private static func key(_ own: TypeCode) -> String { "leftUnder/\(own.rawValue)" }

    /// The last sequence of the samples that were left under a code of the store; `nil` if none were.
    private static func lastLeft(_ own: TypeCode, in snapshot: any StorageSnapshot) throws -> Int64? {
        try Settings.read(Int64.self, namespace: Settings.Namespace.engine, key: key(own), in: snapshot)
    }
}

extension HealthEngine {
    /// Moves the samples of types that have entered the catalog, if the store has any. A store that cannot be written,
    /// or whose pages of such a type are damaged, stays as it is until it is opened the next time.
    ///
    /// - Parameter dictionaries: Those of the store when it was opened.
    func adoptTypes(_ dictionaries: StoreDictionaries) throws {
        let migration = TypeMigration(dictionaries)
        guard !migration.types.isEmpty, try storage.read({ try migration.isNeeded(in: $0) }) else { return }
        _ = try? commit { transaction, pending in
            let adoption = TypeMigration(try transaction.dictionaries())
            try adoption.run(
                in: transaction, PageEditor(transaction: transaction, capacity: configuration.pageCapacity))
            pending.settingsChanged = true
        }
    }
}
