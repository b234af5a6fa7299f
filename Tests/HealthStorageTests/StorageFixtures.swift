import Foundation
import HealthModel
import HealthStorage
import HealthStorageSQLite
import HealthTesting
import StorageContract
import Synchronization

/// Rows and transactions for tests of the SQLite backend.
enum Rows {
    static let paged = TypeCode(rawValue: 1)
    static let object = TypeCode(rawValue: 80)

    static func page(_ number: Int, bytes: Int = 6_000) -> StoredPage {
        var random = SplitMix64(seed: UInt64(number))
        return StoredPage(
            key: PageKey(type: paged, firstStart: Double(number) * 100, firstSequence: Int64(number)),
            bounds: PageBounds(
                count: 1_000, lastStart: Double(number) * 100 + 90, maximumEnd: Double(number) * 100 + 95,
                minimumSequence: Int64(number), maximumSequence: Int64(number)),
            header: random.bytes(180), body: random.bytes(bytes))
    }

    /// Writes to several tables: page, object, identity, source, setting.
    static func write(_ number: Int, to storage: any HealthStorage, bytes: Int = 6_000) throws {
        try storage.write { transaction in
            _ = try transaction.allocateSequences(2)
            try transaction.putPage(page(number, bytes: bytes))
            try transaction.putObject(
                StoredObject(
                    sequence: Int64(number), uuid: uuid(number), type: object, start: 0, end: 1, revision: 1,
                    device: 0, payload: [1, 2, 3]))
            _ = try transaction.intern(SourceRecord(bundleIdentifier: "source \(number)", name: "n"))
            try transaction.setValue(Array("\(number)".utf8), namespace: "test", key: "last")
        }
    }

    /// The number of the last ``write(_:to:bytes:)``, after checking that each one is complete.
    static func lastWrite(in storage: any HealthStorage, bytes: Int = 6_000) throws -> Int {
        try storage.read { snapshot in
            var probes = StorageProbes()
            probes.uuids = (1...400).map(uuid)
            let contents = try StorageContents(of: snapshot, probes: probes)
            let last = contents.pages.count
            let setting = try snapshot.value(namespace: "test", key: "last")
            guard contents.pages == (0..<last).map({ page($0 + 1, bytes: bytes) }),
                contents.objects.map(\.sequence) == (0..<last).map({ Int64($0 + 1) }),
                contents.identities.count == min(last, 400), contents.sources.count == last,
                contents.lastSequence == Int64(last * 2),
                setting == (last == 0 ? nil : Array("\(last)".utf8))
            else { throw StorageError(.damaged, "A transaction is incomplete after \(last) complete ones.") }
            return last
        }
    }

    static func uuid(_ number: Int) -> UUID {
        var random = SplitMix64(seed: UInt64(number))
        return random.uuid()
    }
}

/// Counts calls from any thread.
final class Calls: Sendable {
    private let number = Mutex(0)

    func add() {
        number.withLock { $0 += 1 }
    }

    var count: Int { number.withLock { $0 } }
}

/// A directory for store files, which is removed with this object.
final class TemporaryStore: Sendable {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("HealthStorageTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// The path of the store.
    var path: String { path("health.sqlite") }

    func path(_ name: String) -> String {
        directory.appendingPathComponent(name).path
    }

    func open(_ options: SQLiteOptions = SQLiteOptions()) throws -> SQLiteStorage {
        try SQLiteStorage(path: path, options: options)
    }

    /// The names of the files in the directory.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }
}
