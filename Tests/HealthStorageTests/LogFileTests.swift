import Foundation
import GRDB
import HealthStorage
import Testing

@testable import HealthStorageFiles
@testable import HealthStorageSQLite

/// A log that a program which copies files has put back beside a store.
@Suite("Logs that were put back") struct LogFileTests {
    let encrypted: EncryptedStore

    init() throws {
        encrypted = try EncryptedStore()
    }

    /// The names of a store that isn't encrypted, and of one that is.
    static let names = ["plain.sqlite", "encrypted.sqlite"]

    private func open(_ name: String, readOnly: Bool = false) throws -> SQLiteStorage {
        var options = EncryptedStore.options(name.hasPrefix("encrypted") ? encrypted.key : nil)
        options.isReadOnly = readOnly
        return try SQLiteStorage(path: encrypted.store.path(name), options: options)
    }

    private func expectRefused(_ name: String) throws {
        let path = encrypted.store.path(name)
        unlink(path + "-shm")
        let before = [try encrypted.bytes(name), try encrypted.bytes(name + "-wal")]
        for readOnly in [false, true] {
            let error = #expect(throws: StorageError.self) {
                try Rows.lastWrite(in: open(name, readOnly: readOnly))
            }
            #expect(error?.kind == .damaged)
            #expect(
                error?.description.hasPrefix("\(path)-wal isn’t the log that \(path) had last") == true,
                "\(String(describing: error))")
        }
        #expect(try [encrypted.bytes(name), encrypted.bytes(name + "-wal")] == before)
    }

    /// Copies a store and its log as a killed program leaves them.
    private func copy(_ name: String, to other: String) throws {
        for suffix in ["", "-wal"] { try encrypted.write(encrypted.bytes(name + suffix), other + suffix) }
    }

    @Test(arguments: names)
    func theLogBeforeTheStoreWasClosed(_ name: String) throws {
        let first = try open(name)
        for number in 1...3 { try Rows.write(number, to: first) }
        let old = try encrypted.bytes(name + "-wal")
        try Rows.write(4, to: first)
        let last = try encrypted.bytes(name + "-wal")
        try first.close()
        try encrypted.write(old, name + "-wal")
        try expectRefused(name)
        // What is in the last log is in the file, too.
        try encrypted.write(last, name + "-wal")
        let again = try open(name)
        #expect(try Rows.lastWrite(in: again) == 4)
        try Rows.write(5, to: again)
        try again.close()
        try encrypted.write(last, name + "-wal")
        try expectRefused(name)
        unlink(encrypted.store.path(name) + "-wal")
        let found = try open(name)
        #expect(try Rows.lastWrite(in: found) == 5 && found.findDamage() == [])
        try found.close()
    }

    @Test(arguments: names)
    func anOlderLogBesideAKilledProgram(_ name: String) throws {
        let storage = try open(name)
        try Rows.write(1, to: storage)
        let old = try encrypted.bytes(name + "-wal")
        // Moves the log to the file; the next commit begins another one.
        #expect(try storage.findDamage() == [])
        for number in 2...3 { try Rows.write(number, to: storage) }
        let killed = name.hasPrefix("encrypted") ? "encrypted-killed.sqlite" : "killed.sqlite"
        try copy(name, to: killed)
        let log = try encrypted.bytes(killed + "-wal")
        try encrypted.write(old, killed + "-wal")
        try expectRefused(killed)
        try encrypted.write(log, killed + "-wal")
        let found = try open(killed)
        #expect(try Rows.lastWrite(in: found) == 3)
        try found.close()
        try storage.close()
    }

    @Test(arguments: names)
    func theSameLogBeforeItWasMoved(_ name: String) throws {
        let storage = try open(name)
        for number in 1...2 { try Rows.write(number, to: storage) }
        let old = try encrypted.bytes(name + "-wal")
        for number in 3...6 { try Rows.write(number, to: storage) }
        #expect(try storage.findDamage() == [])
        let killed = name.hasPrefix("encrypted") ? "encrypted-killed.sqlite" : "killed.sqlite"
        try copy(name, to: killed)
        let log = try encrypted.bytes(killed + "-wal")
        try encrypted.write(old, killed + "-wal")
        try expectRefused(killed)
        try encrypted.write(log, killed + "-wal")
        #expect(try Rows.lastWrite(in: open(killed)) == 6)
    }

    @Test(arguments: names)
    func theLogOfAnotherStore(_ name: String) throws {
        let other = name.hasPrefix("encrypted") ? "encrypted-other.sqlite" : "other.sqlite"
        let (one, two) = (try open(name), try open(other))
        for storage in [one, two] { try Rows.write(1, to: storage) }
        let log = try encrypted.bytes(other + "-wal")
        try one.close()
        try encrypted.write(log, name + "-wal")
        try expectRefused(name)
        try two.close()
    }

    @Test("A log whose header is damaged is an error", arguments: names)
    func damagedHeader(_ name: String) throws {
        let storage = try open(name)
        for number in 1...2 { try Rows.write(number, to: storage) }
        let killed = name.hasPrefix("encrypted") ? "encrypted-killed.sqlite" : "killed.sqlite"
        for place in 0..<32 {
            try copy(name, to: killed)
            var log = try encrypted.bytes(killed + "-wal")
            log[place] ^= 1 << (place % 8)
            try encrypted.write(log, killed + "-wal")
            unlink(encrypted.store.path(killed) + "-shm")
            let error = #expect(throws: StorageError.self) { try open(killed) }
            #expect(error?.kind == .damaged, "byte \(place)")
        }
        try storage.close()
    }

    /// Whatever reached the disk when a log begins, the store is intact.
    @Test(arguments: names)
    func aLogThatHasJustBegun(_ name: String) throws {
        let storage = try open(name)
        for number in 1...3 { try Rows.write(number, to: storage) }
        #expect(try storage.findDamage() == [])
        let (before, old) = (try encrypted.bytes(name), try encrypted.bytes(name + "-wal"))
        try Rows.write(4, to: storage)
        let (after, new) = (try encrypted.bytes(name), try encrypted.bytes(name + "-wal"))
        let begun = new[..<32] + old[32...]
        let killed = name.hasPrefix("encrypted") ? "encrypted-killed.sqlite" : "killed.sqlite"
        for (file, log, last) in [
            (before, old, 3), (before, Array(begun), 3), (after, Array(begun), 3), (after, new, 4),
            (after, Array(new[..<32]), 3),
        ] {
            unlink(encrypted.store.path(killed) + "-shm")
            try encrypted.write(file, killed)
            try encrypted.write(log, killed + "-wal")
            let found = try open(killed)
            #expect(try Rows.lastWrite(in: found) == last && found.findDamage() == [])
            try Rows.write(last + 1, to: found)
            try found.close()
            #expect(try Rows.lastWrite(in: open(killed, readOnly: true)) == last + 1)
        }
        try storage.close()
    }

    /// As after the file of a running or killed program was copied without its log.
    @Test("A store whose log is missing is an error, and stays as it is", arguments: names)
    func missingLog(_ name: String) throws {
        let storage = try open(name)
        for number in 1...3 { try Rows.write(number, to: storage) }
        let killed = name.hasPrefix("encrypted") ? "encrypted-killed.sqlite" : "killed.sqlite"
        try copy(name, to: killed)
        let (path, log) = (encrypted.store.path(killed), try encrypted.bytes(killed + "-wal"))
        let file = try encrypted.bytes(killed)
        for left in [nil, [], Array(log[..<16])] as [[UInt8]?] {
            unlink(path + "-wal")
            if let left { try encrypted.write(left, killed + "-wal") }
            for readOnly in [false, true] {
                let error = #expect(throws: StorageError.self) {
                    try Rows.lastWrite(in: open(killed, readOnly: readOnly))
                }
                #expect(
                    error?.kind == .damaged
                        && error?.description.hasPrefix("\(path)-wal, the log of \(path), is missing") == true,
                    "\(String(describing: error))")
            }
            #expect(try encrypted.bytes(killed) == file)
        }
        try encrypted.write(log, killed + "-wal")
        let found = try open(killed)
        #expect(try Rows.lastWrite(in: found) == 3 && found.findDamage() == [])
        try found.close()
        // A store that was closed expects none.
        #expect(try Rows.lastWrite(in: open(killed)) == 3)
        try storage.close()
    }

    @Test("A store's record of its log", arguments: names)
    func record(_ name: String) throws {
        func record() throws -> LogRecord? {
            let place = name.hasPrefix("encrypted") ? 1_536 : 72
            return LogRecord(try encrypted.bytes(name)[place..<place + 20])
        }
        /// The file change counter in the first page, which isn't encrypted.
        func changes() throws -> UInt32 {
            name.hasPrefix("encrypted")
                ? 0 : try encrypted.bytes(name)[24..<28].reduce(0) { $0 << 8 | UInt32($1) }
        }
        func salts() throws -> UInt64 {
            LogHeader(Array(try encrypted.bytes(name + "-wal")[..<32])).salts
        }
        let storage = try open(name)
        #expect(try record()?.expectsLog == false)
        try Rows.write(1, to: storage)
        #expect(try record() == LogRecord(salts: salts(), changes: changes(), expectsLog: true))
        let frames = UInt32((try encrypted.bytes(name + "-wal").count - 32) / 4_120)
        #expect(try storage.findDamage() == [])
        #expect(try record() == LogRecord(salts: salts(), movedFrames: frames, changes: changes(), expectsLog: true))
        let last = try salts()
        try storage.close()
        #expect(try record() == LogRecord(salts: last, movedFrames: frames, changes: changes(), expectsLog: false))
    }
}
