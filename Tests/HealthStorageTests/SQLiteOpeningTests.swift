import Foundation
import HealthStorage
import HealthStorageSQLite
import Testing

@Suite struct SQLiteOpeningTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func kindOfError(opening path: String) -> StorageError.Kind? {
        do {
            try SQLiteStorage(path: path).close()
            return nil
        } catch let error as StorageError {
            return error.kind
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test func createsAStoreIfThereIsNone() throws {
        let storage = try store.open()
        #expect(try storage.read { try $0.lastSequence() } == 0)
        try storage.close()
        let head = try Data(contentsOf: URL(fileURLWithPath: store.path)).prefix(100)
        #expect(head.starts(with: Data("SQLite format 3\0".utf8)))
        #expect(head[68..<72] == Data("OHCK".utf8))
        #expect(head[60..<64] == Data([0, 0, 0, 1]))
        let permissions = try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions]
        #expect((permissions as? NSNumber)?.intValue == 0o600)
    }

    @Test func createsAStoreInAnEmptyFile() throws {
        try Data().write(to: URL(fileURLWithPath: store.path))
        #expect(kindOfError(opening: store.path) == nil)
        #expect(kindOfError(opening: store.path) == nil)
    }

    @Test(
        "A store that was truncated to zero bytes is an error for programs that read, also with a key",
        arguments: [false, true])
    func cutStore(isEncrypted: Bool) throws {
        let encrypted = try EncryptedStore()
        let path = encrypted.store.path
        var options = isEncrypted ? encrypted.options : SQLiteOptions()
        var storage = try SQLiteStorage(path: path, options: options)
        try Rows.write(1, to: storage)
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: path + "-log")
        try storage.close()
        #expect(truncate(path, 0) == 0)
        let files = try encrypted.store.files()
        func error() -> StorageError? {
            #expect(throws: StorageError.self) { try SQLiteStorage(path: path, options: options).close() }
        }
        for isReadOnly in [false, true] {
            (options.creates, options.isReadOnly) = (false, isReadOnly)
            #expect(error()?.kind == .notAStore)
        }
        #expect(try encrypted.store.files() == files && encrypted.bytes() == [])
        // With its log, it was a store: nobody begins another one.
        try FileManager.default.moveItem(atPath: path + "-log", toPath: path + "-wal")
        let log = try encrypted.bytes("health.sqlite-wal")
        for creates in [false, true] {
            (options.creates, options.isReadOnly) = (creates, false)
            #expect(error()?.kind == .damaged)
        }
        #expect(try encrypted.bytes() == [] && encrypted.bytes("health.sqlite-wal") == log)
        try FileManager.default.removeItem(atPath: path + "-wal")
        storage = try SQLiteStorage(path: path, options: options)
        #expect(try storage.read { try $0.lastSequence() } == 0)
        try storage.close()
    }

    @Test func createsOnlyIfPermitted() throws {
        var options = SQLiteOptions()
        options.creates = false
        for path in [store.path, store.path("a/b/health.sqlite")] {
            #expect(throws: StorageError(.unreachable, "No store found at “\(path)”.")) {
                try SQLiteStorage(path: path, options: options)
            }
        }
        #expect(try store.files() == [])
        // A creation that was interrupted is completed by those that create.
        try Data(count: 512).write(to: URL(fileURLWithPath: store.path + "-journal"))
        try Data().write(to: URL(fileURLWithPath: store.path))
        #expect(throws: StorageError.self) { try SQLiteStorage(path: store.path, options: options) }
        try store.open().close()
        #expect(try store.files() == ["health.sqlite"])
    }

    @Test func createsDirectoriesIfRequested() throws {
        let path = store.path("a/b/health.sqlite")
        #expect(kindOfError(opening: path) == .unreachable)
        #expect(try store.files() == [])
        var options = SQLiteOptions()
        options.createsDirectories = true
        try SQLiteStorage(path: path, options: options).close()
        #expect(kindOfError(opening: path) == nil)
    }

    @Test func rejectsADirectory() throws {
        #expect(kindOfError(opening: store.directory.path) == .unreachable)
        try Data([1]).write(to: URL(fileURLWithPath: store.path("file")))
        #expect(kindOfError(opening: store.path("file/health.sqlite")) == .unreachable)
        #expect(try store.files() == ["file"])
    }

    @Test func failsWhereNoFileCanBeCreated() {
        #expect(kindOfError(opening: "/proc/health.sqlite") == .unreachable)
    }

    @Test func readsWithoutWriting() throws {
        let storage = try store.open()
        for number in 1...5 { try Rows.write(number, to: storage) }
        var options = SQLiteOptions()
        options.isReadOnly = true
        // While another connection has a log open, and after it has closed.
        #expect(try Rows.lastWrite(in: SQLiteStorage(path: store.path, options: options)) == 5)
        try storage.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
        let reader = try SQLiteStorage(path: store.path, options: options)
        #expect(try Rows.lastWrite(in: reader) == 5)
        #expect(throws: StorageError.self) { try Rows.write(6, to: reader) }
        #expect(try store.files() == ["health.sqlite"])
        try reader.close()
        #expect(try store.files() == ["health.sqlite"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == bytes)
        #expect(throws: StorageError.self) { _ = try SQLiteStorage(path: store.path("new.sqlite"), options: options) }
        #expect(try store.files() == ["health.sqlite"])
    }

    @Test func openingAndReadingAStoreLeavesItAsItIs() throws {
        let storage = try store.open()
        try Rows.write(1, to: storage)
        try storage.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
        for _ in 1...2 {
            let reader = try SQLiteStorage(path: store.path)
            // Another one that comes while the first has it open, and one that stays.
            let other = try SQLiteStorage(path: store.path)
            #expect(try Rows.lastWrite(in: reader) == 1)
            try reader.close()
            #expect(try Rows.lastWrite(in: other) == 1)
            try other.close()
            #expect(try store.files() == ["health.sqlite"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
        }
        // Commits are found again all the same, in the log and in the file.
        let writer = try store.open()
        try Rows.write(2, to: writer)
        #expect(try Rows.lastWrite(in: SQLiteStorage(path: store.path)) == 2)
        try writer.close()
        #expect(try Rows.lastWrite(in: store.open()) == 2)
    }

    @Test(.enabled(if: getuid() != 0, "nothing is read-only for the superuser"))
    func readsFilesThatItMayNotWrite() throws {
        let storage = try store.open()
        try Rows.write(1, to: storage)
        try storage.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: store.path)
        #expect(try Rows.lastWrite(in: SQLiteStorage(path: store.path)) == 1)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: store.directory.path)
        #expect(try Rows.lastWrite(in: SQLiteStorage(path: store.path)) == 1)
        #expect(kindOfError(opening: store.path("new.sqlite")) == .unreachable)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: store.directory.path)
    }

    /// Files that are not stores, some of which contain a store's bytes.
    enum Stranger: CaseIterable, Sendable {
        case text, oneByte, zeros, otherApplication, noApplication, newerVersion, versionZero, cutShort

        func bytes(_ store: [UInt8]) -> [UInt8] {
            var bytes = store
            switch self {
            case .text: return Array(String(repeating: "<HealthData locale=\"de_CH\">\n", count: 50).utf8)
            case .oneByte: return [7]
            case .zeros: return [UInt8](repeating: 0, count: 8_192)
            case .otherApplication: bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
            case .noApplication: bytes.replaceSubrange(68..<72, with: [0, 0, 0, 0])
            case .newerVersion: bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
            case .versionZero: bytes.replaceSubrange(60..<64, with: [0, 0, 0, 0])
            case .cutShort: bytes = Array(bytes.prefix(99))
            }
            return bytes
        }
    }

    @Test(arguments: Stranger.allCases)
    func leavesForeignFilesUnchanged(_ stranger: Stranger) throws {
        try store.open().close()
        let bytes = stranger.bytes(Array(try Data(contentsOf: URL(fileURLWithPath: store.path))))
        let path = store.path("stranger")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let files = try store.files()
        #expect(kindOfError(opening: path) == .notAStore)
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
        #expect(try store.files() == files)
    }

    @Test func aJournalDoesNotMakeAnotherFileAStore() throws {
        let text = Data("not a database".utf8)
        try text.write(to: URL(fileURLWithPath: store.path))
        try Data("not a journal".utf8).write(to: URL(fileURLWithPath: store.path + "-journal"))
        #expect(kindOfError(opening: store.path) == .notAStore)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == text)
    }

    @Test func errorsDescribeTheCause() throws {
        #expect {
            _ = try SQLiteStorage(path: store.directory.path)
        } throws: { "\($0)".hasSuffix("is a directory.") }
        try store.open().close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
        bytes[63] = 9
        try bytes.write(to: URL(fileURLWithPath: store.path))
        #expect {
            _ = try store.open()
        } throws: { "\($0)".contains("version 9") }
    }

    @Test func closingLeavesOneFile() throws {
        let storage = try store.open()
        for number in 1...20 { try Rows.write(number, to: storage) }
        try storage.close()
        #expect(try store.files() == ["health.sqlite"])
        let copy = store.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: store.path, toPath: copy)
        #expect(try Rows.lastWrite(in: SQLiteStorage(path: copy)) == 20)
    }

    /// On dedicated threads, because tasks have only as many as the machine has cores. Some of them meet where one
    /// switches to write-ahead logging while another is about to write.
    @Test func openingSimultaneouslyCreatesOneStore() async throws {
        for round in 0..<20 {
            let path = store.path("\(round).sqlite")
            let identities = try await withThrowingTaskGroup(of: StoreIdentity.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await withCheckedThrowingContinuation { continuation in
                            Thread.detachNewThread {
                                continuation.resume(
                                    with: Result { try SQLiteStorage(path: path).read { try $0.identity() } })
                            }
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(identities.count == 1)
        }
    }
}
