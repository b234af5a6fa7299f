import Foundation
import GRDB
import GRDBSQLite
import HealthBackup
import HealthModel
import HealthStorage
import HealthTesting
import Testing

@testable import HealthStorageFiles
@testable import HealthStorageSQLite

/// The checksums at the end of each page of a store that isn't encrypted.
@Suite struct ChecksummedFileTests {
    let store: TemporaryStore
    private static let pageSize = 4_096

    init() throws {
        store = try TemporaryStore()
    }

    private func bytes(_ name: String = "health.sqlite") throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: store.path(name))))
    }

    private func write(_ bytes: [UInt8], as name: String = "health.sqlite") throws {
        for suffix in ["-wal", "-shm"] { unlink(store.path(name) + suffix) }
        try Data(bytes).write(to: URL(fileURLWithPath: store.path(name)))
    }

    /// A closed store with some rows in several tables.
    private func create(_ count: Int = 12) throws {
        let storage = try store.open()
        for number in 1...count { try Rows.write(number, to: storage) }
        try storage.close()
    }

    /// The numbers of pages without a checksum, from 1.
    private func unchecked(_ name: String = "health.sqlite") throws -> [Int] {
        let bytes = try bytes(name)
        return (0..<bytes.count / Self.pageSize).map { $0 + 1 }.filter {
            bytes[$0 * Self.pageSize - 8..<$0 * Self.pageSize].allSatisfy { $0 == 0 }
        }
    }

    /// A connection as of a program that knows nothing of the checksums.
    private func foreign(_ name: String = "health.sqlite") throws -> DatabaseQueue {
        try DatabaseQueue(path: URL(fileURLWithPath: store.path(name)).absoluteString + "?vfs=unix")
    }

    @Test func everyPageHasAChecksum() throws {
        try create()
        let bytes = try bytes()
        #expect(bytes.count > 20 * Self.pageSize && bytes.count % Self.pageSize == 0)
        #expect(bytes[20] == 8 && Array(bytes[68..<72]) == Array("OHCK".utf8))
        #expect(try unchecked() == [])
        #expect(try store.open().findDamage() == [])
    }

    @Test("A flipped bit is an error that names the page", arguments: [1, 2, 3] as [UInt64])
    func flippedBits(seed: UInt64) throws {
        try create()
        let whole = try bytes()
        var random = SplitMix64(seed: seed)
        for page in 0..<whole.count / Self.pageSize {
            var bytes = whole
            // Not where the file says that it is a store, which has its own errors.
            let place =
                page == 0
                ? Int.random(in: 100..<Self.pageSize, using: &random)
                : Int.random(in: 0..<Self.pageSize, using: &random)
            bytes[page * Self.pageSize + place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try write(bytes)
            let expected = "Page \(page + 1) of \(store.path) isn’t what was written."
            do {
                let storage = try store.open()
                #expect(try storage.findDamage() == [expected], "seed \(seed), byte \(place)")
                do {
                    #expect(try Rows.lastWrite(in: storage) == 12, "seed \(seed), byte \(place) of page \(page + 1)")
                } catch let error as StorageError {
                    #expect(error == StorageError(.damaged, expected), "seed \(seed), byte \(place)")
                }
                try? storage.close()
            } catch let error as StorageError {
                #expect(error == StorageError(.damaged, expected), "seed \(seed), byte \(place)")
            }
        }
    }

    @Test func pagesCannotChangePlaces() throws {
        try create()
        var bytes = try bytes()
        let (third, fourth) = (
            Array(bytes[2 * Self.pageSize..<3 * Self.pageSize]), Array(bytes[3 * Self.pageSize..<4 * Self.pageSize])
        )
        bytes.replaceSubrange(2 * Self.pageSize..<4 * Self.pageSize, with: fourth + third)
        try write(bytes)
        let path = store.path
        #expect(try store.open().findDamage() == [3, 4].map { "Page \($0) of \(path) isn’t what was written." })
    }

    @Test("A program without checksums may move the log to the file")
    func foreignCheckpoint() throws {
        let storage = try store.open()
        for number in 1...12 { try Rows.write(number, to: storage) }
        // As a killed program leaves them.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: store.path("killed.sqlite") + suffix)
        }
        try storage.close()
        let other = try foreign("killed.sqlite")
        try other.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try other.close()
        #expect(try unchecked("killed.sqlite").count > 20)
        let killed = try SQLiteStorage(path: store.path("killed.sqlite"))
        // The program that opens it gives all of them theirs.
        #expect(try unchecked("killed.sqlite") == [])
        #expect(try killed.findDamage() == [])
        #expect(try Rows.lastWrite(in: killed) == 12)
        for number in 13...24 { try Rows.write(number, to: killed) }
        try killed.close()
        let again = try SQLiteStorage(path: store.path("killed.sqlite"))
        #expect(try again.findDamage() == [])
        #expect(try Rows.lastWrite(in: again) == 24)
    }

    @Test(
        "Whichever commits a foreign program moves, the store is sound, and a page without a checksum is damage again",
        arguments: [5, 6] as [UInt64])
    func anyForeignCheckpoint(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (storage, killed) = (try store.open(), "killed.sqlite")
        for number in 1...20 {
            try Rows.write(number, to: storage, bytes: 500)
            // Our own checkpoints come between, so that the log begins with any commit.
            if Int.random(in: 0..<4, using: &random) == 0 { _ = try storage.findDamage() }
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: store.path + suffix, toPath: store.path(killed) + suffix)
            }
            let other = try foreign(killed)
            try other.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
            try other.close()
            let opened = try SQLiteStorage(path: store.path(killed))
            let findings = try opened.findDamage()
            #expect(findings == [], "seed \(seed), after \(number)")
            #expect(try Rows.lastWrite(in: opened, bytes: 500) == number)
            try opened.close()
            let bytes = try bytes(killed)
            #expect(try unchecked(killed) == [], "seed \(seed), after \(number)")
            let page = Int.random(in: 1..<bytes.count / Self.pageSize, using: &random)
            var zeroed = bytes
            zeroed.replaceSubrange(
                (page + 1) * Self.pageSize - 512..<(page + 1) * Self.pageSize, with: repeatElement(0, count: 512))
            try write(zeroed, as: killed)
            // A free page that has only zeros is as good as any.
            if zeroed[page * Self.pageSize..<(page + 1) * Self.pageSize].contains(where: { $0 != 0 }) {
                let expected = "Page \(page + 1) of \(store.path(killed)) isn’t what was written."
                do {
                    #expect(
                        try SQLiteStorage(path: store.path(killed)).findDamage() == [expected],
                        "seed \(seed), after \(number)")
                } catch {
                    #expect(error as? StorageError == StorageError(.damaged, expected), "seed \(seed), after \(number)")
                }
            }
            for suffix in ["", "-wal", "-shm"] { unlink(store.path(killed) + suffix) }
        }
    }

    @Test(
        "A page whose end or all of it was replaced by zeros is an error that names it", arguments: [8, 64, 512, 4_096])
    func zeros(count: Int) throws {
        try create()
        let whole = try bytes()
        for page in 1..<whole.count / Self.pageSize {
            var bytes = whole
            bytes.replaceSubrange(
                (page + 1) * Self.pageSize - count..<(page + 1) * Self.pageSize, with: repeatElement(0, count: count))
            try write(bytes)
            let expected = "Page \(page + 1) of \(store.path) isn’t what was written."
            do {
                let storage = try store.open()
                #expect(try storage.findDamage() == [expected])
                do {
                    #expect(try Rows.lastWrite(in: storage) == 12, "page \(page + 1)")
                } catch let error as StorageError {
                    #expect(error == StorageError(.damaged, expected))
                }
                try? storage.close()
            } catch let error as StorageError {
                #expect(error == StorageError(.damaged, expected))
            }
        }
    }

    /// A program that moves the first page removes the record of the log, which is detected.
    @Test(
        "Pages that a foreign program moves while this package has the store open get checksums, or are found and repaired",
        arguments: [true, false])
    func foreignCheckpointMeanwhile(withFirstPage: Bool) throws {
        let storage = try store.open()
        for number in 1...12 { try Rows.write(number, to: storage) }
        if !withFirstPage {
            #expect(try storage.findDamage() == [])
            try storage.write { try $0.setValue(Array("other".utf8), namespace: "test", key: "last") }
        }
        let other = try foreign()
        try other.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
        try other.close()
        #expect(try withFirstPage ? unchecked().count > 20 : unchecked().count == 1)
        // Restarts the log: the pages are in the file only.
        try storage.write { _ = try $0.intern(unit: "unit") }
        try storage.close()
        if withFirstPage {
            let again = try store.open()
            #expect(try again.findDamage() == [] && Rows.lastWrite(in: again) == 12)
            #expect(try unchecked() == [])
            return
        }
        #expect(try store.open().findDamage().count == 1)
        let salvage = try SQLiteSalvage(copy: store.path)
        #expect(salvage.settings().map(\.value) == [Array("other".utf8)] && salvage.losses == [])
        salvage.close()
    }

    @Test("A store that can't be written is read after a foreign checkpoint, and stays as it is")
    func foreignCheckpointOfAReadOnlyFile() throws {
        let storage = try store.open()
        for number in 1...12 { try Rows.write(number, to: storage) }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: store.path("killed.sqlite") + suffix)
        }
        try storage.close()
        let path = store.path("killed.sqlite")
        let other = try foreign("killed.sqlite")
        try other.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try other.close()
        let before = try bytes("killed.sqlite")
        func read() throws {
            let access = try ChecksummedFile.access(to: path, isWritable: false, waiting: 0)
            let queue = try DatabaseQueue(path: access.uri(of: path, isImmutable: true))
            #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page_header") } == 12)
            try queue.close()
        }
        try read()
        #expect(try bytes("killed.sqlite") == before)
        // One whose structure is damaged isn't.
        var damaged = before
        damaged.replaceSubrange(8 * Self.pageSize..<9 * Self.pageSize, with: repeatElement(7, count: Self.pageSize))
        damaged.replaceSubrange(9 * Self.pageSize - 8..<9 * Self.pageSize, with: repeatElement(0, count: 8))
        try write(damaged, as: "killed.sqlite")
        #expect(throws: StorageError.self) { try read() }
        #expect(throws: StorageError.self) { try SQLiteStorage(path: path) }
        #expect(try bytes("killed.sqlite") == damaged)
    }

    @Test("The record of the log repairs itself", arguments: [72, 80, 83, 84, 91])
    func flippedBitInTheRecord(place: Int) throws {
        try create()
        let whole = try bytes()
        var bytes = whole
        bytes[place] ^= 4
        try write(bytes)
        let storage = try store.open()
        #expect(try storage.findDamage() == [] && Rows.lastWrite(in: storage) == 12)
        try storage.close()
        #expect(try LogRecord(self.bytes()[72..<92])?.expectsLog == false)
    }

    /// A program may use another VFS for all of its own files.
    @Test func theDefaultVFSIsNeitherUsedNorChanged() async throws {
        let path = store.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let other = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
            other.initialize(to: try #require(sqlite3_vfs_find(nil)).pointee)
            other.pointee.zName = UnsafePointer(strdup("other"))
            other.pointee.xOpen = { _, _, _, _, _ in SQLITE_CANTOPEN }
            sqlite3_vfs_register(other, 1)
            let storage = try SQLiteStorage(path: path)
            for number in 1...6 { try Rows.write(number, to: storage) }
            try storage.close()
            #expect(sqlite3_vfs_find(nil) == other)
        }
        #expect(try unchecked() == [])
        #expect(try Rows.lastWrite(in: store.open()) == 6)
    }

    @Test func aSectorOfZerosInTheFirstPageIsFoundAndRepaired() throws {
        try create()
        let sound = try bytes()
        var bytes = sound
        bytes.replaceSubrange(Self.pageSize - 512..<Self.pageSize, with: repeatElement(0, count: 512))
        try write(bytes)
        let expected = StorageError(.damaged, "Page 1 of \(store.path) isn’t what was written.")
        do {
            let storage = try store.open()
            #expect(try storage.findDamage() == [expected.description])
            try storage.close()
        } catch {
            #expect(error as? StorageError == expected)
        }
        // Opening it has changed nothing.
        #expect(try self.bytes() == bytes)
        let salvage = try SQLiteSalvage(copy: store.path)
        #expect(try salvage.identity().lastSequence == 24)
        #expect(salvage.pageKeys().count == 12 && salvage.objectSequences().count == 12 && salvage.losses == [])
        salvage.close()
    }

    /// The last part of a row that continues in other pages has no structure that SQLite could check.
    @Test func aSnapshotDoesNotTakeALostPageForAnEmptyOne() throws {
        try create()
        let whole = try bytes()
        for page in 1..<whole.count / Self.pageSize {
            var bytes = whole
            bytes.replaceSubrange(
                page * Self.pageSize..<(page + 1) * Self.pageSize, with: repeatElement(0, count: Self.pageSize))
            try write(bytes)
            let storage: SQLiteStorage
            do {
                storage = try store.open()
            } catch {
                // A page of the schema.
                #expect((error as? StorageError)?.kind == .damaged)
                continue
            }
            #expect(throws: StorageError(.damaged, "Page \(page + 1) of \(store.path) isn’t what was written.")) {
                try storage.writeSnapshot(to: store.path("snapshot"))
            }
            unlink(store.path("snapshot"))
            try? storage.close()
        }
    }

    @Test func reportsALimitedNumberOfMissingPages() throws {
        try create()
        var bytes = try bytes()
        bytes.replaceSubrange(28..<32, with: [0xFF, 0xFF, 0xFF, 0xFE])
        bytes.withUnsafeMutableBytes {
            DatabasePageChecksum.store(DatabasePageChecksum.of($0.baseAddress!, number: 1), in: $0.baseAddress!)
        }
        try write(bytes)
        var options = SQLiteOptions()
        options.isReadOnly = true
        let storage = try store.open(options)
        let damage = try storage.findDamage()
        #expect(
            damage.count == 1_000
                && damage[0] == "Page \(bytes.count / Self.pageSize + 1) of \(store.path) isn’t what was written.")
        try storage.close()
    }

    /// SQLite leaves pages unwritten that a commit used and freed again.
    @Test func aFreePageThatWasNeverWrittenIsntDamage() throws {
        let storage = try store.open()
        for number in 1...40 { try Rows.write(number, to: storage) }
        try storage.writer.writeWithoutTransaction {
            try $0.execute(
                sql:
                    "DELETE FROM object WHERE sequence > 1; DELETE FROM page_header WHERE first_sequence > 2; DELETE FROM page_body"
            )
        }
        try storage.close()
        var bytes = try bytes()
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let list = (number(32) - 1) * Self.pageSize
        #expect(number(32) > 0 && number(list + 4) > 2)
        let free = number(list + 12) - 1
        bytes.replaceSubrange(
            free * Self.pageSize..<(free + 1) * Self.pageSize, with: repeatElement(0, count: Self.pageSize))
        try write(bytes)
        let opened = try store.open()
        #expect(try opened.findDamage().filter { $0.hasPrefix("Page ") } == [])
        try opened.writeSnapshot(to: store.path("snapshot"))
        try opened.close()
        #expect(try unchecked("snapshot") == [])
    }

    /// As `sqlite3 store ".backup copy"` makes it, and a server's backup script.
    @Test func aForeignCopyIsSound() throws {
        try create()
        let (other, copy) = (try foreign(), try foreign("copy.sqlite"))
        try other.backup(to: copy)
        try copy.close()
        try other.close()
        #expect(try bytes("copy.sqlite").prefix(100) != bytes().prefix(100))
        #expect(try unchecked("copy.sqlite") == [])
        let storage = try SQLiteStorage(path: store.path("copy.sqlite"))
        #expect(try storage.findDamage() == [])
        #expect(try Rows.lastWrite(in: storage) == 12)
        try Rows.write(13, to: storage)
        #expect(try storage.findDamage() == [])
    }

    @Test func aForeignChangeOfAPageIsFound() throws {
        try create()
        let other = try foreign()
        try other.writeWithoutTransaction { try $0.execute(sql: "UPDATE setting SET value = x'00'") }
        try other.close()
        #expect(try store.open().findDamage().count == 1)
    }

    @Test("A store that another program has changed is checked by SQLite, and gets checksums again")
    func foreignMaintenance() throws {
        try create()
        for statement in ["ANALYZE", "ANALYZE", "VACUUM", "PRAGMA journal_mode = DELETE", "PRAGMA optimize; ANALYZE"] {
            let other = try foreign()
            try other.writeWithoutTransaction { try $0.execute(sql: statement) }
            try other.close()
            // Those that can't write the file read it.
            let changed = try bytes()
            let access = try ChecksummedFile.access(to: store.path, isWritable: false, waiting: 0)
            let queue = try DatabaseQueue(path: access.uri(of: store.path, isImmutable: true))
            #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page_header") } == 12)
            try queue.close()
            #expect(try bytes() == changed)
            let storage = try store.open()
            #expect(try storage.findDamage() == [] && Rows.lastWrite(in: storage) == 12, "\(statement)")
            let statistics = "SELECT count(*) FROM sqlite_master WHERE name LIKE 'sqlite_stat%'"
            #expect(try storage.writer.read { try Int.fetchOne($0, sql: statistics) } == 0)
            try storage.close()
            #expect(try unchecked() == [])
        }
        let storage = try store.open()
        try Rows.write(13, to: storage)
        #expect(try storage.findDamage() == [])
        try storage.close()
        // Nothing else is accepted then.
        var damaged = try bytes()
        damaged[damaged.count - 2_000] ^= 4
        try write(damaged)
        #expect(try store.open().findDamage().count == 1)
    }

    @Test("A page that SQLite finds damaged after another program has changed the store stays as it is")
    func foreignDamage() throws {
        try create()
        let other = try foreign()
        try other.writeWithoutTransaction { try $0.execute(sql: "ANALYZE") }
        try other.close()
        var damaged = try bytes()
        damaged.replaceSubrange(8 * Self.pageSize..<9 * Self.pageSize, with: repeatElement(7, count: Self.pageSize))
        try write(damaged)
        let error = #expect(throws: StorageError.self) { try store.open() }
        #expect(error?.kind == .damaged)
        #expect(try bytes() == damaged)
    }

    @Test func copiesAndSnapshotsHaveChecksums() throws {
        let storage = try store.open()
        for number in 1...12 { try Rows.write(number, to: storage) }
        try storage.copy(to: store.path("copy"))
        try storage.writeSnapshot(to: store.path("snapshot"))
        try storage.close()
        // The first page also counts changes.
        #expect(try bytes("snapshot").dropFirst(Self.pageSize) == bytes().dropFirst(Self.pageSize))
        for name in ["copy", "snapshot"] {
            #expect(try unchecked(name) == [])
            let copy = try SQLiteStorage(path: store.path(name))
            #expect(try Rows.lastWrite(in: copy) == 12)
            #expect(try copy.findDamage() == [])
        }
    }

    @Test("Creating a store that was interrupted begins again, with checksums")
    func interruptedCreation() throws {
        let queue = try DatabaseQueue(path: store.path)
        try queue.writeWithoutTransaction { database in
            // Writes pages before the transaction ends, with a journal of an empty file.
            try database.execute(sql: "PRAGMA cache_size = 1; BEGIN; CREATE TABLE scratch (bytes BLOB)")
            for _ in 0..<20 { try database.execute(sql: "INSERT INTO scratch VALUES (zeroblob(9000))") }
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: store.path + suffix, toPath: store.path("interrupted.sqlite") + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        try queue.close()
        #expect(try bytes("interrupted.sqlite").count > Self.pageSize)
        let storage = try SQLiteStorage(path: store.path("interrupted.sqlite"))
        for number in 1...3 { try Rows.write(number, to: storage) }
        try storage.close()
        #expect(try bytes("interrupted.sqlite")[20] == 8)
        #expect(try unchecked("interrupted.sqlite") == [])
        #expect(try Rows.lastWrite(in: SQLiteStorage(path: store.path("interrupted.sqlite"))) == 3)
    }

    @Test func aFileThatIsOnlyReadIsChecked() throws {
        try create()
        var bytes = try bytes()
        bytes[bytes.count - 2_000] ^= 4
        try write(bytes)
        var options = SQLiteOptions()
        options.isReadOnly = true
        let page = bytes.count / Self.pageSize
        #expect(try store.open(options).findDamage() == ["Page \(page) of \(store.path) isn’t what was written."])
        #expect(try self.bytes() == bytes && store.files() == ["health.sqlite"])
    }

    @Test("Salvage puts a flipped bit of any page right", arguments: [4] as [UInt64])
    func correction(seed: UInt64) throws {
        try create()
        let whole = try bytes()
        var random = SplitMix64(seed: seed)
        for page in stride(from: 0, to: whole.count / Self.pageSize, by: 2) {
            var bytes = whole
            let place =
                page == 0
                ? Int.random(in: 100..<Self.pageSize, using: &random)
                : Int.random(in: 0..<Self.pageSize, using: &random)
            bytes[page * Self.pageSize + place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try write(bytes)
            let salvage = try SQLiteSalvage(copy: store.path)
            #expect(try salvage.identity().lastSequence == 24, "seed \(seed), byte \(place) of page \(page + 1)")
            let pages = salvage.pageKeys().map { (key: $0, page: salvage.page($0)) }
            #expect(pages.count == 12)
            for (index, found) in pages.enumerated() {
                let expected = Rows.page(index + 1)
                #expect(
                    found.key == expected.key && found.page.header == expected.header
                        && found.page.body == expected.body)
            }
            #expect(salvage.objectSequences().compactMap { salvage.object($0)?.uuid } == (1...12).map(Rows.uuid))
            #expect(salvage.dictionaries().sources.map(\.bundleIdentifier) == (1...12).map { "source \($0)" })
            #expect(salvage.settings().map(\.value) == [Array("12".utf8)])
            #expect(salvage.losses == [], "seed \(seed), byte \(place) of page \(page + 1)")
            salvage.close()
        }
    }

    @Test func salvageReadsDictionariesOnlyFromPagesThatAreSound() throws {
        try create()
        let whole = try bytes()
        let text = Data("source 7".utf8)
        let place = try #require(Data(whole).range(of: text)?.lowerBound)
        var bytes = whole
        // Two flipped bits, which can't be corrected, make another name of it.
        bytes[place + 7] = UInt8(ascii: "4")
        try write(bytes)
        let salvage = try SQLiteSalvage(copy: store.path)
        let sources = salvage.dictionaries().sources.map(\.bundleIdentifier)
        #expect(sources.filter { $0 == "source 4" }.count <= 1 && !sources.contains("source 7"))
        #expect(salvage.losses.contains("Entries of the dictionary source cannot all be read."))
        salvage.close()
    }
}
