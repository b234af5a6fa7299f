import HealthModel
import HealthStorage
import Synchronization

/// What the file is known to hold for good: numbers of nouns and lengths of pages, so that a small save need not
/// ask for them each time.
///
/// Nouns are never removed and lengths never lowered, by whatever process; so what was once read of committed
/// rows stays true. Whoever has written nouns or lengths in its own transaction, which may yet be rolled back,
/// enters nothing.
final class SQLiteMemory: Sendable {
    private struct Known {
        var revisions: [SourceRevisionRecord: UInt32] = [:]
        var devices: [DeviceRecord: UInt32] = [:]
        var units: [String: UInt32] = [:]
        var longest: [TypeCode: Double] = [:]
        var position: (value: SQLitePosition, version: Int64)?
        var schemaVersion: Int64?
        var lastPut: (key: PageKey, place: SQLitePagePlace, version: Int64)?
        var commits: Int64 = 0
    }

    /// A store may have more nouns than are worth keeping in memory.
    private static let greatestCount = 4_096

    private let known = Mutex(Known())

    subscript(revision: SourceRevisionRecord) -> UInt32? {
        get { known.withLock { $0.revisions[revision] } }
        set { known.withLock { Self.enter(newValue, for: revision, in: &$0.revisions) } }
    }

    subscript(device: DeviceRecord) -> UInt32? {
        get { known.withLock { $0.devices[device] } }
        set { known.withLock { Self.enter(newValue, for: device, in: &$0.devices) } }
    }

    subscript(unit unit: String) -> UInt32? {
        get { known.withLock { $0.units[unit] } }
        set { known.withLock { Self.enter(newValue, for: unit, in: &$0.units) } }
    }

    /// The length no page of the type exceeds.
    subscript(longestOf type: TypeCode) -> Double? {
        get { known.withLock { $0.longest[type] } }
        set { known.withLock { Self.enter(newValue, for: type, in: &$0.longest) } }
    }

    /// Where the sequence was at this connection's last commit, unless another has committed since: then its
    /// data version is another.
    func position(version: Int64) -> SQLitePosition? {
        known.withLock { $0.position?.version == version ? $0.position?.value : nil }
    }

    /// Where the page is that the last transaction put in, unless another connection has committed since.
    func lastPut(version: Int64) -> (key: PageKey, place: SQLitePagePlace)? {
        known.withLock { known in
            known.lastPut.flatMap { $0.version == version ? ($0.key, $0.place) : nil }
        }
    }

    /// How many transactions are through.
    var commits: Int64 { known.withLock { $0.commits } }

    /// Keeps what a transaction knows that is through.
    func keep(_ transaction: SQLiteTransaction) {
        let version = transaction.dataVersion
        known.withLock { known in
            known.commits += 1
            if let position = transaction.position { known.position = (position, version) }
            known.lastPut = transaction.lastFound.map { ($0.key, $0.place, version) }
        }
    }

    /// Whether the file's schema was looked at and nobody else has committed since.
    func isSchemaKnown(at version: Int64) -> Bool {
        known.withLock { $0.schemaVersion == version }
    }

    func noteSchema(at version: Int64) {
        known.withLock { $0.schemaVersion = version }
    }

    private static func enter<Key, Value>(_ value: Value?, for key: Key, in table: inout [Key: Value]) {
        if table.count >= greatestCount { table.removeAll(keepingCapacity: true) }
        table[key] = value
    }
}
