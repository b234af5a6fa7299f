import Foundation
import HealthEncryption
import HealthEngine
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Testing

/// Stores of every version of the format, which are read for ever. The files never change; a new version adds one.
///
/// Version 1 was in no released program: its file has the schema of version 1 and the contents of the others.
@Suite("Stores of every version") struct StoredVersionTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Fixtures")

    private let store: DamagedStore

    init() throws {
        store = try DamagedStore()
    }

    /// The bytes of a version's file.
    private func bytes(_ version: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", Self.fixtures.appendingPathComponent("store-v\(version).sqlite.gz").path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return bytes
    }

    /// Everything in a store: samples, objects with their links, deletions, settings by their length.
    private func contents(_ path: String, readOnly: Bool = false, encryption: StoreEncryption = .automatic) throws
        -> String
    {
        var options = SQLiteOptions()
        options.isReadOnly = readOnly
        options.encryption = encryption
        let storage = try SQLiteStorage(path: path, options: options)
        let engine = try HealthEngine(storage: storage)
        defer { try? engine.close() }
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
            return lines.joined(separator: "\n") + "\n"
        }
    }

    @Test(
        "Known samples, objects, links, deletions and settings are read from every version",
        arguments: ["1", "2", "2-checked"])
    func reading(version: String) throws {
        defer { store.remove() }
        let path = try store.write(bytes(version), as: "store.sqlite")
        let expected = Self.fixtures.appendingPathComponent("store.txt")
        // First without writing, as from a medium that can't be written.
        let unwritten = try contents(path, readOnly: true)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == bytes(version))
        let text = try contents(path) + DamagedStore.rows(path).sorted().joined(separator: "\n") + "\n"
        if version == "2", ProcessInfo.processInfo.environment["RECORD_EXPECTED"] != nil {
            try Data(text.utf8).write(to: expected)
        }
        #expect(try text == String(contentsOf: expected, encoding: .utf8))
        #expect(text.hasPrefix(unwritten))
        let engine = try HealthEngine(storage: SQLiteStorage(path: path))
        #expect(try engine.storage.findDamage() + engine.check() == [])
        #expect(try engine.typeOverview(as: DamagedStore.person).reduce(0) { $0 + $1.count } == 953)
        try engine.close()
    }

    @Test("An encrypted store of version 1 is read with its key file and with its passphrase")
    func encrypted() throws {
        defer { store.remove() }
        StoreEncryptionLibrary.register()
        let fixture = Self.fixtures.appendingPathComponent("store-v2-encrypted-v1")
        let key = store.path("key")
        try Data(contentsOf: fixture.appendingPathExtension("key")).write(to: URL(fileURLWithPath: key))
        chmod(key, 0o600)
        let whole = try [UInt8](Data(contentsOf: fixture.appendingPathExtension("sqlite")))
        let path = try store.write(whole, as: "store.sqlite")
        // Its samples are in the fixture, too, which have a line for each after these.
        let expected = try String(contentsOf: Self.fixtures.appendingPathComponent("store.txt"), encoding: .utf8)
        for key in [try StoreKey(file: key), try StoreKey(passphrase: "correct horse battery staple")] {
            let text = try contents(path, readOnly: true, encryption: .key(key))
            #expect(expected.hasPrefix(text) && text.count > 1_000)
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == whole)
        }
        var options = SQLiteOptions()
        options.encryption = .key(try StoreKey(file: key))
        let engine = try HealthEngine(storage: SQLiteStorage(path: path, options: options))
        #expect(try engine.storage.findDamage() + engine.check() == [])
        #expect(try engine.typeOverview(as: DamagedStore.person).reduce(0) { $0 + $1.count } == 953)
        try engine.close()
    }

    @Test("A store of a newer version is refused and stays as it is, byte for byte")
    func newerVersion() throws {
        defer { store.remove() }
        var bytes = try bytes("2")
        // The version is at byte 60 of SQLite's header.
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 3])
        let path = try store.write(bytes, as: "store.sqlite")
        for readOnly in [false, true] {
            #expect(
                throws: StorageError(.notAStore, "The store has version 3; this program supports versions up to 2.")
            ) {
                try contents(path, readOnly: readOnly)
            }
        }
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["store.sqlite"])
    }
}
