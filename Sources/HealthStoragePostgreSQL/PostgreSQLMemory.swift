import HealthModel
import HealthStorage
import Synchronization

/// A cache of a person's committed rows, so that a small save or query does not ask for them: dictionaries,
/// settings, and the numbers of this storage's own transactions.
///
/// The store's row says which transaction changed the dictionaries and the settings last, and so whether a copy is
/// valid. After a connection was lost, nothing is: a server that took over may have lost the last transactions.
final class PostgreSQLMemory: Sendable {
    /// The name of a setting.
    struct SettingKey: Hashable {
        var namespace: String
        var key: String
    }

    fileprivate struct Known {
        var epoch = 0
        var catalog: PostgreSQLCatalog?
        var settings: [SettingKey: [UInt8]?] = [:]
        /// All values of a namespace.
        var namespaces: [String: [String: [UInt8]]] = [:]
        var settingsVersion: Int64 = -1
        /// The number of committed transactions.
        var commits: Int64 = 0
        /// The number of those that changed something, which the store's row counts.
        var changes: Int64 = 0
        /// The marks of own transactions of which no notification has arrived yet.
        var unannounced: Set<UInt64> = []
        /// The row that the last own transaction wrote; `nil` if there may have been another one since.
        var row: PostgreSQLStoreRow?
        /// The number of transactions to come that ask for the row, because others write, too.
        var cautious = 0
        /// Whether there were listeners to this person's commits at the last one.
        var isListenedTo = true
    }

    fileprivate static let maximumCount = 1_024
    fileprivate static let maximumLength = 16_384
    private static let maximumNamespaces = 128

    private let known = Mutex(Known())

    /// The state of the store for a transaction that begins with this row.
    func baseState(_ row: PostgreSQLStoreRow, epoch: Int) -> StorageState {
        known.withLock {
            StorageState(ownCommits: $0.commits, foreignCommits: row.commits - $0.changes + Int64(epoch) << 40)
        }
    }

    func catalog(_ row: PostgreSQLStoreRow, epoch: Int) -> PostgreSQLCatalog? {
        known.withLock { known in
            known.begin(epoch)
            return known.catalog?.version == row.catalog ? known.catalog : nil
        }
    }

    func keep(_ catalog: PostgreSQLCatalog, epoch: Int) {
        known.withLock { known in
            known.begin(epoch)
            guard epoch == known.epoch, catalog.version >= known.catalog?.version ?? -1 else { return }
            known.catalog = catalog
        }
    }

    /// The value of a setting: `nil` if it isn't known, and `.some(nil)` if it is known that there is none.
    func setting(_ key: SettingKey, _ row: PostgreSQLStoreRow, epoch: Int) -> [UInt8]?? {
        known.withLock { known in
            known.begin(epoch)
            guard known.settingsVersion == row.settings else { return nil }
            if let value = known.settings[key] { return value }
            return known.namespaces[key.namespace].map { $0[key.key] }
        }
    }

    func keep(_ value: [UInt8]?, for key: SettingKey, _ row: PostgreSQLStoreRow, epoch: Int) {
        known.withLock { known in
            known.begin(epoch)
            guard epoch == known.epoch, row.settings >= known.settingsVersion else { return }
            known.advance(to: row.settings)
            known.set(value, for: key)
        }
    }

    /// All values of a namespace; `nil` if they aren't known.
    func values(_ namespace: String, _ row: PostgreSQLStoreRow, epoch: Int) -> [String: [UInt8]]? {
        known.withLock { known in
            known.begin(epoch)
            return known.settingsVersion == row.settings ? known.namespaces[namespace] : nil
        }
    }

    func keep(_ values: [String: [UInt8]], of namespace: String, _ row: PostgreSQLStoreRow, epoch: Int) {
        let length = values.reduce(0) { $0 + $1.key.utf8.count + $1.value.count }
        guard length <= Self.maximumLength else { return }
        known.withLock { known in
            known.begin(epoch)
            guard epoch == known.epoch, row.settings >= known.settingsVersion else { return }
            known.advance(to: row.settings)
            if known.namespaces.count >= Self.maximumNamespaces { known.namespaces = [:] }
            known.namespaces[namespace] = values
        }
    }

    // MARK: Transactions

    /// Records the mark of a transaction before it is committed, so that its notification is recognized.
    func announce(_ mark: UInt64) {
        known.withLock { known in
            if known.unannounced.count >= Self.maximumCount { known.unannounced = [] }
            known.unannounced.insert(mark)
        }
    }

    /// Whether a notification is that of an own transaction.
    func takeAnnouncement(_ mark: UInt64) -> Bool {
        known.withLock { $0.unannounced.remove(mark) != nil }
    }

    /// Whether there were listeners at the last commit; the next one's notification is then sent with it.
    var isListenedTo: Bool {
        get { known.withLock { $0.isListenedTo } }
        set { known.withLock { $0.isListenedTo = newValue } }
    }

    /// The row that the last own transaction wrote, for one that assumes that it is still the same; `nil` if it should
    /// ask.
    func assumedRow() -> (row: PostgreSQLStoreRow, epoch: Int)? {
        known.withLock { known in
            guard known.cautious == 0 else {
                known.cautious -= 1
                return nil
            }
            return known.row.map { ($0, known.epoch) }
        }
    }

    /// Records that the row was not the one assumed: there is another writer.
    func recordOtherWriter() {
        known.withLock { known in
            known.row = nil
            known.cautious = Self.cautiousCount
        }
    }

    private static let cautiousCount = 16

    /// Records a committed transaction.
    /// - Parameters:
    ///   - before: The store's row before.
    ///   - after: The row written; `nil` if nothing changed.
    func update(
        from before: PostgreSQLStoreRow, to after: PostgreSQLStoreRow?, catalog: PostgreSQLCatalog?,
        settings: [SettingKey: [UInt8]?], epoch: Int
    ) {
        known.withLock { known in
            known.begin(epoch)
            known.commits += 1
            guard let after else { return }
            known.row = epoch == known.epoch ? after : nil
            known.changes += 1
            // What a lost server knew isn't what the next one does.
            guard epoch == known.epoch else { return }
            if var catalog, after.catalog == after.commits {
                catalog.version = after.catalog
                known.catalog = catalog
            }
            guard after.settings == after.commits else { return }
            if known.settingsVersion != before.settings { known.forgetSettings() }
            known.settingsVersion = after.settings
            for (key, value) in settings {
                known.set(value, for: key)
                known.namespaces[key.namespace] = nil
            }
        }
    }
}

extension PostgreSQLMemory.Known {
    /// Forgets everything if a connection was lost in the meantime.
    fileprivate mutating func begin(_ epoch: Int) {
        guard epoch > self.epoch else { return }
        self.epoch = epoch
        catalog = nil
        forgetSettings()
        settingsVersion = -1
        // A server that took over may give the same numbers to transactions of others.
        unannounced = []
        row = nil
    }

    fileprivate mutating func forgetSettings() {
        settings = [:]
        namespaces = [:]
    }

    /// Forgets settings that are older than a version.
    fileprivate mutating func advance(to version: Int64) {
        guard version > settingsVersion else { return }
        forgetSettings()
        settingsVersion = version
    }

    fileprivate mutating func set(_ value: [UInt8]?, for key: PostgreSQLMemory.SettingKey) {
        guard value?.count ?? 0 <= PostgreSQLMemory.maximumLength else {
            settings[key] = nil
            return
        }
        if settings.count >= PostgreSQLMemory.maximumCount { settings = [:] }
        settings[key] = .some(value)
    }
}
