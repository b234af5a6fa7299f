import Foundation
import GRDB
import HealthModel
import HealthStorage
import HealthTesting
import StorageContract
import Testing

@testable import HealthStorageFiles
@testable import HealthStorageSQLite

/// A store that is encrypted with a key file.
struct EncryptedStore {
    let store: TemporaryStore
    let key: StoreKey

    init() throws {
        store = try TemporaryStore()
        try StoreKey.makeFile(at: store.path("key"))
        key = try StoreKey(file: store.path("key"))
    }

    var options: SQLiteOptions { Self.options(key) }

    static func options(_ key: StoreKey?) -> SQLiteOptions {
        var options = SQLiteOptions()
        options.encryption = key.map { .key($0) } ?? .none
        return options
    }

    func open() throws -> SQLiteStorage { try store.open(options) }

    func bytes(_ name: String = "health.sqlite") throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: store.path(name))))
    }

    func write(_ bytes: [UInt8], _ name: String = "health.sqlite") throws {
        try Data(bytes).write(to: URL(fileURLWithPath: store.path(name)))
    }
}

@Suite struct EncryptedStorageTests {
    let encrypted: EncryptedStore

    init() throws {
        encrypted = try EncryptedStore()
    }

    @Test("At the end of a symbolic link, the file is encrypted, and the link stays", arguments: [true, false])
    func symbolicLink(targetExists: Bool) throws {
        let (link, target) = (encrypted.store.path("link.sqlite"), encrypted.store.path("target.sqlite"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        if targetExists { try Data().write(to: URL(fileURLWithPath: target)) }
        for _ in 0..<2 {
            let storage = try SQLiteStorage(path: link, options: encrypted.options)
            try storage.write { try $0.setValue(Array("known text".utf8), namespace: "test", key: "key") }
            try storage.close()
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
            let bytes = try encrypted.bytes("target.sqlite")
            #expect(bytes.starts(with: EncryptionHeader.magic) && bytes.count > EncryptedDatabasePage.size)
        }
        let storage = try SQLiteStorage(path: target, options: encrypted.options)
        #expect(try storage.read { try $0.value(namespace: "test", key: "key") } == Array("known text".utf8))
        try storage.close()
    }

    @Test(
        "Keys for other files: the same as long as the store is encrypted, another for each purpose and store, none without encryption"
    )
    func derivedKeys() throws {
        func bytes(_ storage: SQLiteStorage, _ purpose: String) throws -> [UInt8]? {
            storage.deriveKey(for: purpose)?.withUnsafeBytes { Array($0) }
        }
        let storage = try encrypted.open()
        let key = try #require(try bytes(storage, "server journal"))
        #expect(try key.count == 32 && bytes(storage, "something else") != key)
        try storage.close()
        let other = try StoreKey(passphrase: "another one")
        try SQLiteStorage.changeKey(of: encrypted.store.path("health.sqlite"), from: encrypted.key, to: other)
        let again = try encrypted.store.open(EncryptedStore.options(other))
        #expect(try bytes(again, "server journal") == key)
        try again.close()
        let stranger = try EncryptedStore()
        let second = try stranger.open()
        #expect(try bytes(second, "server journal") != key)
        try second.close()
        let plain = try SQLiteStorage(path: encrypted.store.path("plain.sqlite"), options: EncryptedStore.options(nil))
        #expect(try bytes(plain, "server journal") == nil)
        try plain.close()
    }

    @Test func aPageOfZerosIsDamageUnlessItIsFree() throws {
        let storage = try encrypted.open()
        for number in 1...40 { try Rows.write(number, to: storage) }
        try storage.writer.writeWithoutTransaction {
            try $0.execute(
                sql:
                    "DELETE FROM object WHERE sequence > 1; DELETE FROM page_header WHERE first_sequence > 2; DELETE FROM page_body WHERE id > 2"
            )
        }
        try storage.close()
        let closed = try encrypted.open()
        let pages = try closed.writer.unsafeRead {
            SQLiteStorage.freePages(of: try #require(StoreFileSystem.file(of: $0.sqliteConnection)))
        }
        #expect(try closed.writer.read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") } == pages.count)
        try closed.close()
        let whole = try encrypted.bytes()
        var found = 0
        for page in 2...(whole.count / 4_096 - 1) {
            var bytes = whole
            bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: repeatElement(0, count: 4_096))
            try encrypted.write(bytes)
            guard let storage = try? encrypted.open() else { continue }
            let damage = try storage.findDamage().filter { $0.hasPrefix("Page ") }
            let snapshot = encrypted.store.path("snapshot")
            if damage.isEmpty {
                found += 1
                #expect(pages.contains(Int64(page)))
                try storage.writeSnapshot(to: snapshot)
            } else {
                #expect(damage == ["Page \(page) of \(encrypted.store.path) isn’t what was written."])
                #expect(throws: StorageError.self) { try storage.writeSnapshot(to: snapshot) }
            }
            unlink(snapshot)
            try? storage.close()
        }
        #expect(found > 10)
    }

    @Test(arguments: StorageContract.Check.allCases)
    func contract(_ check: StorageContract.Check) throws {
        let contract = StorageContract(
            makeStorage: {
                try SQLiteStorage(path: encrypted.store.path("\(UUID().uuidString).sqlite"), options: encrypted.options)
            },
            reopen: { storage in
                guard let storage = storage as? SQLiteStorage else { preconditionFailure() }
                try storage.close()
                return try SQLiteStorage(path: storage.path, options: encrypted.options)
            })
        try contract.run(check)
    }

    @Test func keepsItsSettings() throws {
        let storage = try encrypted.open()
        #expect(try storage.writerSetting("synchronous") == 2)
        #expect(try storage.writerSetting("temp_store") == 2)
        #expect(try storage.writerSetting("page_size") == 4_096)
        let permissions = try FileManager.default.attributesOfItem(atPath: encrypted.store.path)[.posixPermissions]
        #expect((permissions as? NSNumber)?.intValue == 0o600)
        try Rows.write(1, to: storage)
        try storage.close()
        #expect(try encrypted.store.files() == ["health.sqlite", "key"])
        #expect(try encrypted.bytes().count % 4_096 == 0)
    }

    // MARK: Secrecy

    private static let secrets: [(String, [UInt8])] = {
        var random = SplitMix64(seed: 7)
        return [
            ("text", Array("org.example.clinic-in-Freiburg".utf8)),
            ("UUID", withUnsafeBytes(of: random.uuid().uuid, Array.init)),
            ("date", withUnsafeBytes(of: 700_123_456.125.bitPattern.bigEndian, Array.init)), ("blob", random.bytes(40)),
        ]
    }()

    /// Writes each of the secrets, at several places.
    private func writeSecrets(_ storage: SQLiteStorage) throws {
        let bytes = Self.secrets.map(\.1)
        let uuid = bytes[1].withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        try storage.write { transaction in
            _ = try transaction.allocateSequences(2)
            _ = try transaction.intern(
                SourceRecord(bundleIdentifier: String(decoding: bytes[0], as: UTF8.self), name: "clinic"))
            try transaction.putObject(
                StoredObject(
                    sequence: 1, uuid: uuid, type: Rows.object, start: 700_123_456.125, end: 700_123_456.125,
                    revision: 1, device: 0,
                    payload: bytes[3]))
            try transaction.setValue(bytes[0], namespace: "test", key: "clinic")
        }
    }

    @Test func filesContainNoPlaintext() throws {
        var found: [Bool: Set<String>] = [:]
        for isEncrypted in [false, true] {
            let name = isEncrypted ? "encrypted.sqlite" : "plain.sqlite"
            let storage = try SQLiteStorage(
                path: encrypted.store.path(name), options: EncryptedStore.options(isEncrypted ? encrypted.key : nil))
            try writeSecrets(storage)
            // The log and its index, a snapshot, and the file itself, which the log is moved to.
            var files = [
                try encrypted.bytes(name), try encrypted.bytes(name + "-wal"), try encrypted.bytes(name + "-shm"),
            ]
            #expect(files[1].count > 4_096)
            try storage.writeSnapshot(to: encrypted.store.path("snapshot-" + name))
            try storage.copy(to: encrypted.store.path("copy-" + name))
            try storage.close()
            for file in [name, "snapshot-" + name, "copy-" + name] { files.append(try encrypted.bytes(file)) }
            let words =
                Self.secrets + [
                    ("schema", Array("page_header".utf8)), ("SQLite", Array("SQLite format".utf8)),
                    ("OHCK", Array("OHCK".utf8)),
                ]
            for file in files {
                let data = Data(file)
                for (what, bytes) in words where data.range(of: Data(bytes)) != nil {
                    found[isEncrypted, default: []].insert(what)
                }
            }
        }
        // The search itself is right.
        #expect(found[false] == ["text", "UUID", "date", "blob", "schema", "SQLite", "OHCK"])
        #expect(found[true, default: []] == [])
    }

    @Test func equalPagesAreEncryptedDifferently() throws {
        let storage = try encrypted.open()
        try Rows.write(1, to: storage)
        try storage.close()
        let pages = try stride(from: 4_096, to: encrypted.bytes().count, by: 4_096).map {
            Array(try encrypted.bytes()[$0..<$0 + 4_096])
        }
        #expect(Set(pages).count == pages.count && Set(pages.map { Array($0.prefix(12)) }).count == pages.count)
        // A whole page that was moved to another place isn't accepted there.
        var swapped = try encrypted.bytes()
        swapped.replaceSubrange(8 * 4_096..<9 * 4_096, with: pages[8])
        try encrypted.write(swapped)
        #expect(try encrypted.open().findDamage().first == "Page 8 of \(encrypted.store.path) isn’t what was written.")
    }

    @Test func snapshotsDifferOnlyWhereTheStoreHasChanged() throws {
        let storage = try encrypted.open()
        for number in 1...20 { try Rows.write(number, to: storage) }
        try storage.writeSnapshot(to: encrypted.store.path("1"))
        try storage.writeSnapshot(to: encrypted.store.path("2"))
        try Rows.write(21, to: storage)
        try storage.writeSnapshot(to: encrypted.store.path("3"))
        let (one, two, three) = (try encrypted.bytes("1"), try encrypted.bytes("2"), try encrypted.bytes("3"))
        #expect(one == two)
        let different = stride(from: 0, to: one.count, by: 4_096).filter {
            one[$0..<$0 + 4_096] != three[$0..<$0 + 4_096]
        }.count
        #expect((1...20).contains(different) && one.count > 40 * 4_096)
        let copy = try SQLiteStorage(path: encrypted.store.path("3"), options: encrypted.options)
        #expect(try Rows.lastWrite(in: copy) == 21)
        #expect(try copy.findDamage() == [])
        #expect(try copy.read { try $0.identity() } == storage.read { try $0.identity() })
    }

    // MARK: The log

    @Test func logIsReplayedAfterAKill() throws {
        let storage = try encrypted.open()
        for number in 1...5 { try Rows.write(number, to: storage) }
        // What a killed program leaves: the file and the log, without an index.
        for suffix in ["", "-wal"] {
            try encrypted.write(encrypted.bytes("health.sqlite" + suffix), "killed.sqlite" + suffix)
        }
        let killed = try SQLiteStorage(path: encrypted.store.path("killed.sqlite"), options: encrypted.options)
        #expect(try Rows.lastWrite(in: killed) == 5)
        #expect(try killed.findDamage() == [])
    }

    @Test func tornLogEndsBeforeTheTornFrame() throws {
        let storage = try encrypted.open()
        var sizes: [Int] = []
        for number in 1...5 {
            try Rows.write(number, to: storage)
            sizes.append(try encrypted.bytes("health.sqlite-wal").count)
        }
        let (file, log) = (try encrypted.bytes(), try encrypted.bytes("health.sqlite-wal"))
        for cut in [sizes[3] + 1, sizes[3] + 30, sizes[4] - 4_121, sizes[4] - 4_100, sizes[4] - 1] {
            for isTorn in [false, true] {
                var log = isTorn ? log : Array(log[..<cut])
                // Other bytes than the encrypted ones, which may be any.
                if isTorn { for place in cut..<min(cut + 512, log.count) { log[place] ^= 0xFF } }
                let name = "cut-\(cut)-\(isTorn).sqlite"
                try encrypted.write(file, name)
                try encrypted.write(log, name + "-wal")
                let killed = try SQLiteStorage(path: encrypted.store.path(name), options: encrypted.options)
                #expect(try Rows.lastWrite(in: killed) == 4, "\(cut) \(isTorn)")
                #expect(try killed.findDamage() == [])
            }
        }
    }

    @Test func tornFirstPageIsReadFromTheLog() throws {
        let storage = try encrypted.open()
        try Rows.write(1, to: storage)
        var file = try encrypted.bytes()
        // A power failure while the log was moved to the file.
        file.replaceSubrange(4_096 + 512..<4_096 + 1_024, with: [UInt8](repeating: 0, count: 512))
        try encrypted.write(file, "torn.sqlite")
        try encrypted.write(encrypted.bytes("health.sqlite-wal"), "torn.sqlite-wal")
        let torn = try SQLiteStorage(path: encrypted.store.path("torn.sqlite"), options: encrypted.options)
        #expect(try Rows.lastWrite(in: torn) == 1)
        #expect(try torn.findDamage() == [])
    }

    @Test func damagedFrameOfAnOpenLogIsAnError() throws {
        let storage = try encrypted.open()
        for number in 1...3 { try Rows.write(number, to: storage) }
        let path = encrypted.store.path("health.sqlite-wal")
        let count = try encrypted.bytes("health.sqlite-wal").count
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for frame in stride(from: 32, to: count, by: 4_120) {
            try log.seek(toOffset: UInt64(frame + 24 + 100))
            try log.write(contentsOf: [1, 2, 3, 4])
        }
        try log.close()
        do {
            // Another storage: this one has the pages in memory.
            _ = try Rows.lastWrite(in: encrypted.open())
            Issue.record("Damage was read.")
        } catch let error as StorageError {
            #expect(error.kind == .damaged)
            #expect(
                try /Frame \d+ of the log .+\/health\.sqlite-wal isn’t what was written\./.wholeMatch(
                    in: error.description) != nil, "\(error)")
        }
    }

    @Test("A frame of an older log isn't accepted in the same place of another one")
    func framesBelongToTheirLog() throws {
        let storage = try encrypted.open()
        try Rows.write(1, to: storage)
        let old = try encrypted.bytes("health.sqlite-wal")
        // Everything is moved to the file, and the log restarts.
        #expect(try storage.findDamage() == [])
        // Each page once, so that every frame is read.
        try Rows.write(2, to: storage)
        let new = try encrypted.bytes("health.sqlite-wal")
        #expect(new[16..<24] != old[16..<24])
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: encrypted.store.path("health.sqlite-wal")))
        var replaced = 0
        for frame in stride(from: 32, to: min(old.count, new.count), by: 4_120)
        where old[frame..<frame + 4] == new[frame..<frame + 4] {
            // The same page, in the same frame, with the same key.
            try log.seek(toOffset: UInt64(frame))
            try log.write(contentsOf: old[frame..<frame + 4_120])
            replaced += 1
        }
        try log.close()
        #expect(replaced > 0)
        let error = #expect(throws: StorageError.self) { try Rows.lastWrite(in: encrypted.open()) }
        #expect(error?.kind == .damaged && error?.description.hasPrefix("Frame ") == true)
    }

    @Test("A frame isn't accepted in the place of another one of its log")
    func framesBelongToTheirPlace() throws {
        let storage = try encrypted.open()
        for number in 1...3 { try Rows.write(number, to: storage) }
        let log = try encrypted.bytes("health.sqlite-wal")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: encrypted.store.path("health.sqlite-wal")))
        for frame in stride(from: 32 + 4_120, to: log.count, by: 4_120) {
            try file.seek(toOffset: UInt64(frame))
            try file.write(contentsOf: log[frame - 4_120..<frame])
        }
        try file.close()
        let error = #expect(throws: StorageError.self) { try Rows.lastWrite(in: encrypted.open()) }
        #expect(error?.kind == .damaged && error?.description.hasPrefix("Frame ") == true)
    }

    @Test("A page is accepted only in its place of its store, where an older one is, too: what the document promises")
    func replayedPages() throws {
        let (path, store) = (encrypted.store.path, encrypted.store)
        func contents(_ storage: SQLiteStorage, _ numbers: ClosedRange<Int>, _ name: String) throws -> [UInt8] {
            for number in numbers { try Rows.write(number, to: storage) }
            try storage.close()
            return try encrypted.bytes(name)
        }
        let older = try contents(encrypted.open(), 1...6, "health.sqlite")
        let newer = try contents(encrypted.open(), 7...8, "health.sqlite")
        // Of the same person's key, and as large.
        let other = try contents(
            SQLiteStorage(path: store.path("other.sqlite"), options: encrypted.options), 1...8, "other.sqlite")
        func isRefused(_ page: Int, _ bytes: ArraySlice<UInt8>) throws -> Bool {
            var whole = newer
            whole.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: bytes)
            try encrypted.write(whole)
            let expected = "Page \(page) of \(path) isn’t what was written."
            do {
                let storage = try encrypted.open()
                defer { try? storage.close() }
                return try storage.findDamage().contains(expected)
            } catch let error as StorageError {
                return error.description == expected
            }
        }
        var replaced = 0
        for page in 1..<min(older.count, newer.count, other.count) / 4_096 - 1 {
            let place = page * 4_096..<(page + 1) * 4_096
            #expect(try isRefused(page, other[place]), "page \(page) of another store")
            #expect(try isRefused(page, newer[place.upperBound..<place.upperBound + 4_096]), "the page after \(page)")
            guard older[place] != newer[place] else { continue }
            replaced += 1
            #expect(try !isRefused(page, older[place]), "an older page \(page)")
        }
        #expect(replaced > 0)
        // A file is as good as a newer one of the same store.
        try encrypted.write(older)
        let storage = try encrypted.open()
        #expect(try storage.findDamage() == [] && Rows.lastWrite(in: storage) == 6)
    }

    // MARK: Damage

    @Test func flippedBitsInAnyPageAreFound() throws {
        let storage = try encrypted.open()
        for number in 1...6 { try Rows.write(number, to: storage) }
        try storage.close()
        let whole = try encrypted.bytes()
        let pages = whole.count / 4_096 - 1
        var random = SplitMix64(seed: 20_251_116)
        print("seed 20251116, \(pages) pages")
        #expect(pages > 30)
        for page in 1...pages {
            var bytes = whole
            bytes[page * 4_096 + Int(random.next() % 4_096)] ^= UInt8(1 << (random.next() % 8))
            try encrypted.write(bytes, "flipped.sqlite")
            let expected = "Page \(page) of \(encrypted.store.path("flipped.sqlite")) isn’t what was written."
            do {
                let flipped = try SQLiteStorage(
                    path: encrypted.store.path("flipped.sqlite"), options: encrypted.options)
                defer { try? flipped.close() }
                #expect(try flipped.findDamage() == [expected])
            } catch let error as StorageError {
                // The pages of the schema are read when a store is opened.
                #expect(error == StorageError(.damaged, expected))
            }
        }
    }

    @Test func fileCutAnywhereIsATypedError() throws {
        let storage = try encrypted.open()
        for number in 1...6 { try Rows.write(number, to: storage) }
        try storage.close()
        let whole = try encrypted.bytes()
        var random = SplitMix64(seed: 3)
        for cut in [1, 15, 16, 17, 600, 4_095, 4_096, 4_097, 8_191, 8_192]
            + (0..<20).map({ _ in Int(random.next() % UInt64(whole.count)) })
        {
            try encrypted.write(Array(whole[..<cut]), "cut.sqlite")
            do {
                let storage = try SQLiteStorage(path: encrypted.store.path("cut.sqlite"), options: encrypted.options)
                defer { try? storage.close() }
                #expect(try !storage.findDamage().isEmpty, "\(cut)")
            } catch let error as StorageError {
                #expect(error.kind == (cut < 16 ? .notAStore : .damaged), "\(cut): \(error)")
            }
        }
    }

    // MARK: Others

    @Test func sharedByTwoStorages() async throws {
        let storages = [try encrypted.open(), try encrypted.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, storage) in storages.enumerated() {
                group.addTask {
                    for turn in 0..<30 {
                        try storage.write { transaction in
                            let first = try transaction.allocateSequences(1)
                            try transaction.putPage(Rows.page(Int(first), bytes: 5_000))
                            _ = try transaction.intern(unit: "\(index) \(turn)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for storage in storages {
            #expect(try storage.read { try $0.lastSequence() } == 60)
            #expect(try storage.findDamage() == [])
        }
    }

    @Test func severalStoresHaveDifferentKeys() throws {
        let plain = try SQLiteStorage(path: encrypted.store.path("plain.sqlite"), options: EncryptedStore.options(nil))
        let other = try EncryptedStore()
        let storages = [try encrypted.open(), plain, try other.open()]
        for number in 1...5 { for storage in storages { try Rows.write(number, to: storage) } }
        for storage in storages {
            #expect(try Rows.lastWrite(in: storage) == 5)
            try storage.close()
        }
        #expect(try Data(encrypted.bytes("plain.sqlite")).starts(with: Data("SQLite format 3".utf8)))
    }

    @Test func readWithoutWriting() throws {
        let storage = try encrypted.open()
        try Rows.write(1, to: storage)
        try storage.close()
        let before = try encrypted.bytes()
        var options = encrypted.options
        options.isReadOnly = true
        let reading = try SQLiteStorage(path: encrypted.store.path, options: options)
        #expect(try Rows.lastWrite(in: reading) == 1)
        #expect(throws: StorageError(.unreachable, "The store cannot be written to.")) {
            try Rows.write(2, to: reading)
        }
        #expect(try reading.findDamage() == [])
        try reading.close()
        #expect(try encrypted.bytes() == before && encrypted.store.files() == ["health.sqlite", "key"])
    }

    @Test func journalsAreRefused() throws {
        let storage = try encrypted.open()
        try Rows.write(1, to: storage)
        // The only connection, so that SQLite could leave write-ahead mode.
        let path = encrypted.store.path
        try storage.close()
        let access = try EncryptedAccess.open(path, .key(encrypted.key))
        let queue = try DatabaseQueue(path: try #require(access).access.uri(of: path))
        #expect(throws: DatabaseError.self) {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        }
        try queue.close()
        withExtendedLifetime(access) {}
        #expect(try encrypted.store.files() == ["health.sqlite", "key"])
        #expect(try Rows.lastWrite(in: encrypted.open()) == 1)
    }
}
