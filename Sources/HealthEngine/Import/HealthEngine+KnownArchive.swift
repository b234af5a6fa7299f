import HealthStorage

extension HealthEngine {
    private static let namespace = "archive.state"
    private static let key = "known"

    /// An archive with the state the store had after it.
    private struct Entry: Codable {
        var archive: KnownArchive
        var sequence: Int64
        var settings: Int64
    }

    /// The last archive that came in as a whole, if all of it is certainly still there: nothing has been
    /// deleted or replaced since, no other import has brought anything, and characteristics are as they
    /// were. Otherwise `nil`.
    public func knownArchive() throws -> KnownArchive? {
        try storage.read { snapshot in
            guard let entry = try Settings.read(Entry.self, namespace: Self.namespace, key: Self.key, in: snapshot),
                try SettingsGeneration.current(in: snapshot) == entry.settings
            else { return nil }
            var isWhole = true
            try snapshot.visitTombstones(after: entry.sequence, types: nil) { _ in
                isWhole = false
                return false
            }
            return isWhole ? entry.archive : nil
        }
    }

    /// Remembers an archive that has just come in as a whole, in place of the one before.
    public func keepKnownArchive(_ archive: KnownArchive) throws {
        try commit { transaction, _ in
            let entry = Entry(
                archive: archive, sequence: try transaction.lastSequence(),
                settings: try SettingsGeneration.current(in: transaction))
            try Settings.write(entry, namespace: Self.namespace, key: Self.key, in: transaction)
        }
    }

    /// Forgets the archive: something else is being imported.
    static func forgetKnownArchive(in transaction: any StorageTransaction) throws {
        try transaction.setValue(nil, namespace: namespace, key: key)
    }
}
