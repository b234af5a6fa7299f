import HealthStorage

/// Counts changes of settings, so that another process notices those that take no sequence number.
enum SettingsGeneration {
    private static let key = "settingsGeneration"

    static func current(in snapshot: any StorageSnapshot) throws -> Int64 {
        try Settings.read(Int64.self, namespace: Settings.Namespace.engine, key: key, in: snapshot) ?? 0
    }

    static func advance(in transaction: any StorageTransaction) throws {
        let next = try current(in: transaction) &+ 1
        try Settings.write(next, namespace: Settings.Namespace.engine, key: key, in: transaction)
    }
}
