import HealthModel
import HealthStorage

/// Moves what the settings contain by type, for types whose code or identifier changed: decisions about applications,
/// the person's order of sources, and registrations for background delivery. A setting that the type of the catalog
/// already has remains.
struct FormerSettings {
    /// The codes to move from, each with the type of the catalog.
    let moves: [(former: TypeCode, type: TypeDescription)]

    /// Whether a store has something to move.
    func areIn(_ snapshot: any StorageSnapshot) throws -> Bool {
        for namespace in try namespaces(in: snapshot) {
            for move in moves where try snapshot.value(namespace: namespace, key: Self.key(move.former)) != nil {
                return true
            }
        }
        return try deliveries(in: snapshot).contains { $0.value.keys.contains { Self.isFormer($0) } }
    }

    /// Moves everything.
    func move(in transaction: any StorageTransaction) throws {
        for namespace in try namespaces(in: transaction) {
            for move in moves {
                let (former, current) = (Self.key(move.former), Self.key(move.type.code))
                guard let value = try transaction.value(namespace: namespace, key: former) else { continue }
                try transaction.setValue(nil, namespace: namespace, key: former)
                guard try transaction.value(namespace: namespace, key: current) == nil else { continue }
                try transaction.setValue(value, namespace: namespace, key: current)
            }
        }
        for (application, frequencies) in try deliveries(in: transaction)
        where frequencies.keys.contains(where: Self.isFormer) {
            // Of two registrations for one type, the one under its own identifier counts.
            let current = frequencies.filter { !Self.isFormer($0.key) }
            let renamed = frequencies.filter { Self.isFormer($0.key) }.map {
                (TypeCatalog.currentIdentifier(of: $0.key), $0.value)
            }
            try Settings.write(
                current.merging(renamed) { kept, _ in kept }, namespace: Settings.Namespace.delivery, key: application,
                in: transaction)
        }
    }

    /// The namespaces with type codes as keys.
    private func namespaces(in snapshot: any StorageSnapshot) throws -> [String] {
        let applications = try snapshot.values(namespace: Settings.Namespace.applications).keys.sorted()
        return [Settings.Namespace.sourceOrder]
            + applications.flatMap { [Settings.Namespace.authorization($0), Settings.Namespace.objectGrants($0)] }
    }

    private func deliveries(in snapshot: any StorageSnapshot) throws -> [String: [String: Int]] {
        // A damaged setting is reported when it is read; it doesn't keep a store from opening.
        try snapshot.values(namespace: Settings.Namespace.delivery).compactMapValues {
            try? Settings.decode([String: Int].self, from: $0, namespace: Settings.Namespace.delivery)
        }
    }

    private static func key(_ type: TypeCode) -> String { String(type.rawValue) }

    private static func isFormer(_ identifier: String) -> Bool {
        TypeCatalog.currentIdentifier(of: identifier) != identifier
    }
}
