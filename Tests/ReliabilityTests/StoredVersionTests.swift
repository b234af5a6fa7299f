import Foundation
import HealthBackup
import HealthImport
import HealthStorageFiles
import HealthEngine
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Testing

/// A store, an encrypted store and a backup of every version of the formats, which stay readable. The files of a
/// released version never change; a new version adds its own.
///
/// `RECORD_EXPECTED=1` writes those of version 1, which no release has yet.
@Suite("Stores of every version", .serialized) struct StoredVersionTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Fixtures")
    private static let passphrase = "correct horse battery staple"

    private let store: DamagedStore

    init() throws {
        store = try DamagedStore()
    }

    private func fixture(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: Self.fixtures.appendingPathComponent(name)))
    }

    /// Everything in a store: samples, objects with their links, deletions, settings by their length.
    private func contents(_ path: String, readOnly: Bool = false, encryption: StoreEncryption = .none) throws -> String
    {
        var options = SQLiteOptions()
        options.isReadOnly = readOnly
        options.encryption = encryption
        let storage = try SQLiteStorage(path: path, options: options)
        let engine = try HealthEngine(storage: storage)
        defer { try? engine.close() }
        #expect(try storage.findDamage() + engine.check() == [])
        let rows = try DamagedStore.rows(engine).sorted()
        return try storage.read { snapshot in
            var lines = ["identity \(try snapshot.identity().uuid)", "last \(try snapshot.lastSequence())"]
            for source in try snapshot.dictionaries().sources {
                lines.append("source \(source.bundleIdentifier) \(source.name)")
            }
            for type in try snapshot.typesInUse() {
                try snapshot.visitObjects(of: type, in: .all) { object in
                    let members = try snapshot.links(ofOwner: object.sequence).map { "\($0.member)" }.joined(
                        separator: ",")
                    lines.append(
                        "object \(object.sequence) \(type) \(object.start) \(object.end) \(object.payload.count) [\(members)]"
                    )
                    return true
                }
            }
            try snapshot.visitTombstones(after: 0, types: nil) { tombstone in
                lines.append("deletion \(tombstone.sequence) \(tombstone.type) \(tombstone.uuid)")
                return true
            }
            for namespace in try snapshot.namespaces().sorted() {
                for (key, value) in try snapshot.values(namespace: namespace).sorted(by: { $0.key < $1.key }) {
                    lines.append("setting \(namespace) \(key) \(value.count)")
                }
            }
            return (lines + rows).joined(separator: "\n") + "\n"
        }
    }

    /// Writes the files of version 1.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["RECORD_EXPECTED"] != nil))
    func recording() async throws {
        defer { store.remove() }
        try? FileManager.default.removeItem(at: Self.fixtures)
        try FileManager.default.createDirectory(at: Self.fixtures, withIntermediateDirectories: true)
        func file(_ name: String) -> URL { Self.fixtures.appendingPathComponent(name) }
        _ = try await store.create("store.sqlite", days: 1)
        let path = store.path("store.sqlite")
        try Data(contents(path).utf8).write(to: file("store-v1.txt"))
        let storage = try SQLiteStorage(path: path)
        _ = try BackupFolder(path: file("backup-v1").path) { DamagedStore.start }.backUp(storage)
        try storage.close()
        try FileManager.default.copyItem(atPath: path, toPath: file("store-v1.sqlite").path)
        // As after an interrupted change of the key: the key file and the passphrase open it.
        let key = file("store-v1-encrypted.key").path
        try StoreKey.makeFile(at: key)
        try StoreEncryptionChange.encrypt(path, with: StoreKey(file: key))
        let copy = try Data(contentsOf: URL(fileURLWithPath: path))[512..<1_024]
        try SQLiteStorage.changeKey(of: path, from: StoreKey(file: key), to: StoreKey(passphrase: Self.passphrase))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.replaceSubrange(512..<1_024, with: copy)
        try bytes.write(to: file("store-v1-encrypted.sqlite"))
    }

    @Test("Known samples, objects, links, deletions and settings are read from every version", arguments: ["v1"])
    func reading(version: String) throws {
        defer { store.remove() }
        let bytes = try fixture("store-\(version).sqlite")
        let path = try store.write(bytes, as: "store.sqlite")
        let expected = try String(decoding: fixture("store-\(version).txt"), as: UTF8.self)
        // First without writing, as from a medium that can't be written.
        #expect(try contents(path, readOnly: true) == expected)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
        #expect(try contents(path) == expected && expected.count > 20_000)
    }

    @Test("An encrypted store is read with its key file and with its passphrase", arguments: ["v1"])
    func encrypted(version: String) throws {
        defer { store.remove() }
        let key = store.path("key")
        try Data(fixture("store-\(version)-encrypted.key")).write(to: URL(fileURLWithPath: key))
        chmod(key, 0o600)
        let whole = try fixture("store-\(version)-encrypted.sqlite")
        let path = try store.write(whole, as: "store.sqlite")
        let expected = try String(decoding: fixture("store-\(version).txt"), as: UTF8.self)
        for key in [try StoreKey(file: key), try StoreKey(passphrase: Self.passphrase)] {
            #expect(try contents(path, readOnly: true, encryption: .key(key)) == expected)
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == whole)
        }
    }

    @Test("A backup is verified and restored", arguments: ["v1"])
    func backup(version: String) throws {
        defer { store.remove() }
        let folder = store.path("backup")
        try FileManager.default.copyItem(
            atPath: Self.fixtures.appendingPathComponent("backup-\(version)").path, toPath: folder)
        let backups = BackupFolder(path: folder)
        #expect(try backups.verify() == [])
        let path = store.path("store.sqlite")
        _ = try backups.restore(to: path, encryption: .none)
        // The counter has moved on.
        func withoutCounter(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { !$0.hasPrefix("last") }
        }
        let expected = try String(decoding: fixture("store-\(version).txt"), as: UTF8.self)
        #expect(try withoutCounter(contents(path)) == withoutCounter(expected))
    }

    @Test("A store of a newer version is refused and stays as it is, byte for byte")
    func newerVersion() throws {
        defer { store.remove() }
        var bytes = try fixture("store-v1.sqlite")
        // The version is at byte 60 of SQLite's header.
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 2])
        let path = try store.write(bytes, as: "store.sqlite")
        for readOnly in [false, true] {
            #expect(
                throws: StorageError(.notAStore, "The store has version 2; this program supports versions up to 1.")
            ) {
                try contents(path, readOnly: readOnly)
            }
        }
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["store.sqlite"])
    }
}
