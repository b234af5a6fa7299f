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
        /// The identity of the store that was opened.
        var identity: StoreIdentity?
        var catalog: PostgreSQLCatalog?
        var settings: [SettingKey: [UInt8]?] = [:]
        /// All values of a namespace.
        var namespaces: [String: [String: [UInt8]]] = [:]
        /// The beginnings of the namespaces of which all are known, those that aren't in ``namespaces`` to be empty.
        var beginnings: [String] = []
        /// The last keys of namespaces, after which there are no others.
        var lastKeys: [String: String] = [:]
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
        var isListenedTo = false
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
            return known.value(of: key)
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
            return known.settingsVersion == row.settings ? known.values(of: namespace) : nil
        }
    }

    func keep(_ values: [String: [UInt8]], of namespace: String, _ row: PostgreSQLStoreRow, epoch: Int) {
        let length = values.reduce(0) { $0 + $1.key.utf8.count + $1.value.count }
        guard length <= Self.maximumLength else { return }
        known.withLock { known in
            known.begin(epoch)
            guard epoch == known.epoch, row.settings >= known.settingsVersion else { return }
            known.advance(to: row.settings)
            if known.namespaces.count >= Self.maximumNamespaces { (known.namespaces, known.beginnings) = ([:], []) }
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
            if known.identity != nil { known.identity = after.identity }
            // What a lost server knew isn't what the next one does.
            guard epoch == known.epoch else { return }
            if var catalog, after.catalog == after.commits {
                catalog.version = after.catalog
                known.catalog = catalog
            }
            guard after.settings == after.commits else { return }
            if known.settingsVersion != before.settings { known.forgetSettings() }
            known.settingsVersion = after.settings
            for (key, value) in settings { known.set(value, for: key) }
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
        (settings, namespaces, beginnings, lastKeys) = ([:], [:], [], [:])
    }

    /// The value of a setting; `nil` if it isn't known whether there is one.
    fileprivate func value(of key: PostgreSQLMemory.SettingKey) -> [UInt8]?? {
        if let value = settings[key] { return .some(value) }
        if let values = values(of: key.namespace) { return .some(values[key.key]) }
        guard let last = lastKeys[key.namespace], last.utf8.lexicographicallyPrecedes(key.key.utf8) else { return nil }
        return .some(nil)
    }

    fileprivate func values(of namespace: String) -> [String: [UInt8]]? {
        namespaces[namespace] ?? (beginnings.contains { namespace.hasPrefix($0) } ? [:] : nil)
    }

    /// Forgets settings that are older than a version.
    fileprivate mutating func advance(to version: Int64) {
        guard version > settingsVersion else { return }
        forgetSettings()
        settingsVersion = version
    }

    fileprivate mutating func set(_ value: [UInt8]?, for key: PostgreSQLMemory.SettingKey) {
        let namespace = key.namespace
        guard value?.count ?? 0 <= PostgreSQLMemory.maximumLength else {
            (settings[key], namespaces[namespace], lastKeys[namespace]) = (nil, nil, nil)
            return beginnings.removeAll { namespace.hasPrefix($0) }
        }
        if var values = values(of: namespace) {
            values[key.key] = value
            namespaces[namespace] = values
        }
        if let last = lastKeys[namespace] {
            if value == nil, last == key.key { lastKeys[namespace] = nil }
            if value != nil, last.utf8.lexicographicallyPrecedes(key.key.utf8) { lastKeys[namespace] = key.key }
        }
        if settings.count >= PostgreSQLMemory.maximumCount { settings = [:] }
        settings[key] = .some(value)
    }
}

// MARK: - Opening

extension PostgreSQLMemory {
    /// Settings that were read when the store was opened.
    struct OpenedValues {
        fileprivate var namespaces: [String: [String: [UInt8]]] = [:]
        fileprivate var beginnings: [String]
        fileprivate var lastKeys: [String: String] = [:]
        fileprivate var lastValues: [SettingKey: [UInt8]?] = [:]

        /// - Parameters:
        ///   - values: All values of the namespaces that are read as a whole.
        ///   - last: The last ones of those that grow.
        init(
            _ opened: OpenedSettings, _ values: [(namespace: String, key: String, value: [UInt8])],
            last: [(namespace: String, key: String, value: [UInt8])]
        ) {
            let whole = opened.returned + opened.likely
            beginnings = whole.filter { $0.last == "/" }
            // Those that have no values are known, too.
            for namespace in whole.filter({ $0.last != "/" }) + opened.growing { namespaces[namespace] = [:] }
            for (namespace, key, value) in values { namespaces[namespace, default: [:]][key] = value }
            for (namespace, key, value) in last {
                namespaces[namespace] = nil
                lastKeys[namespace] = key
                lastValues[SettingKey(namespace: namespace, key: key)] = .some(value)
            }
        }
    }

    /// Versions of which nothing is known.
    static let nothing = (catalog: -1 as Int64, settings: -1 as Int64)

    /// Memory of a store that is opened again, with what was known of it when it was closed.
    convenience init(reopening other: PostgreSQLMemory?) {
        self.init()
        guard let other else { return }
        let before = other.known.withLock { $0 }
        known.withLock { known in
            (known.epoch, known.catalog, known.settingsVersion) = (before.epoch, before.catalog, before.settingsVersion)
            (known.settings, known.namespaces) = (before.settings, before.namespaces)
            (known.beginnings, known.lastKeys) = (before.beginnings, before.lastKeys)
            (known.identity, known.isListenedTo) = (before.identity, before.isListenedTo)
        }
    }

    /// Whether the store was opened, so that it is recognized when it is opened again.
    var isOfOpenedStore: Bool { known.withLock { $0.identity != nil } }

    /// Whether a row is that of the store that was opened. Another program may have copied another store, with its
    /// identity, into an empty one.
    func recognizes(_ row: PostgreSQLStoreRow) -> Bool {
        known.withLock { ($0.identity ?? row.identity) == row.identity }
    }

    /// The versions of the dictionaries and settings that are known.
    func versions(epoch: Int) -> (catalog: Int64, settings: Int64) {
        known.withLock { known in
            known.begin(epoch)
            return (known.catalog?.version ?? -1, known.beginnings.isEmpty ? -1 : known.settingsVersion)
        }
    }

    /// Keeps what was read when the store was opened, and returns what the engine needs. Returns `nil` if something wasn't
    /// read because it was known, and isn't any longer.
    ///
    /// Throws `StorageError` `.removed` if it isn't the store that was opened before: in a database that was restored, or
    /// that has lost its last transactions with a server, the person's number can be another one's.
    func open(_ answer: PostgreSQLOpening.Answer, _ returned: [String], epoch: Int) throws -> StoreOpening? {
        guard recognizes(answer.row) else { throw PostgreSQLStoreRow.removed }
        return known.withLock { known in
            known.identity = answer.row.identity
            known.begin(epoch)
            if let catalog = answer.catalog { known.catalog = catalog }
            if let values = answer.settings {
                known.forgetSettings()
                known.settingsVersion = answer.row.settings
                (known.namespaces, known.beginnings) = (values.namespaces, values.beginnings)
                (known.settings, known.lastKeys) = (values.lastValues, values.lastKeys)
            }
            let row = answer.row
            guard epoch == known.epoch, let catalog = known.catalog, catalog.version == row.catalog,
                known.settingsVersion == row.settings, returned.allSatisfy({ known.values(of: $0) != nil })
            else { return nil }
            // Unless one has been written meanwhile.
            if known.commits == 0 { known.row = row }
            return StoreOpening(
                identity: row.identity, lastSequence: row.lastSequence, dictionaries: catalog.dictionaries,
                settings: Dictionary(uniqueKeysWithValues: returned.map { ($0, known.values(of: $0) ?? [:]) }))
        }
    }
}
