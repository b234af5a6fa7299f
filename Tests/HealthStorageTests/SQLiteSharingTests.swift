import Dispatch
import Foundation
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Testing

/// Two storage objects for one file, as in two processes.
@Suite struct SQLiteSharingTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    @Test func numbersAreConsistentBetweenStorages() async throws {
        let storages = [try store.open(), try store.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, storage) in storages.enumerated() {
                group.addTask {
                    for turn in 0..<50 {
                        try storage.write { transaction in
                            let first = try transaction.allocateSequences(1)
                            try transaction.putPage(Rows.page(Int(first), bytes: 100))
                            _ = try transaction.intern(unit: "\(index) \(turn)")
                            _ = try transaction.intern(unit: "shared \(turn)")
                            _ = try transaction.intern(typeIdentifier: "type \(turn)", kind: .category)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for storage in storages {
            try storage.read { snapshot in
                #expect(try snapshot.lastSequence() == 100)
                let dictionaries = try snapshot.dictionaries()
                #expect(dictionaries.units.count == 150 && Set(dictionaries.units).count == 150)
                #expect(dictionaries.types.count == 50)
                var sequences: [Int64] = []
                try snapshot.visitPages(of: Rows.paged, in: .all, bodies: false) {
                    sequences.append($0.key.firstSequence)
                    return true
                }
                #expect(sequences == Array(1...100))
            }
        }
    }

    @Test func openingAgainKeepsExistingLocks() throws {
        let one = try store.open()
        try Rows.write(1, to: one)
        let descriptor = open(store.path, O_RDWR)
        // Closing it earlier would release the locks.
        defer { close(descriptor) }
        func isLocked() -> Bool {
            // The bytes that an SQLite connection locks while it is open.
            var range = flock()
            (range.l_type, range.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
            (range.l_start, range.l_len) = (1_073_741_826, 510)
            // F_OFD_GETLK includes locks of this process.
            #expect(fcntl(descriptor, 36, &range) == 0)
            return range.l_type == Int16(F_RDLCK)
        }
        #expect(isLocked())
        let two = try store.open()
        #expect(isLocked())
        try two.close()
        #expect(isLocked())
        try one.close()
        #expect(!isLocked())
    }

    @Test func oneReadsWhatTheOtherWrites() throws {
        let (one, two) = (try store.open(), try store.open())
        try Rows.write(1, to: one)
        #expect(try Rows.lastWrite(in: two) == 1)
        try Rows.write(2, to: two)
        #expect(try Rows.lastWrite(in: one) == 2)
        try one.close()
        try Rows.write(3, to: two)
        try two.close()
        #expect(try Rows.lastWrite(in: store.open()) == 3)
    }

    @Test func aLongWriterMakesTheOtherBusy() throws {
        let one = try store.open()
        var options = SQLiteOptions()
        options.busyTimeout = 0.02
        let two = try store.open(options)
        try one.write { transaction in
            _ = try transaction.allocateSequences(1)
            do {
                _ = try two.write { try $0.allocateSequences(1) }
                Issue.record("two writers at once")
            } catch let error as StorageError {
                #expect(error.kind == .busy)
            }
            #expect(try two.read { try $0.lastSequence() } == 0)
        }
        #expect(try two.write { try $0.allocateSequences(1) } == 2)
    }

    /// A writer waits for the end of the other's transaction.
    ///
    ///     one                          two
    ///     is inside its transaction
    ///                          ── 1 →
    ///                                  calls write
    ///     commits
    ///                                  continues, sees the commit
    @Test func aWriterWaitsForTheOther() throws {
        let (one, two) = (try store.open(), try store.open())
        let isInside = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        let seen = Calls()
        Thread.detachNewThread {
            isInside.wait()
            if (try? two.write { try $0.allocateSequences(1) }) == 2 { seen.add() }
            isDone.signal()
        }
        try one.write { transaction in
            _ = try transaction.allocateSequences(1)
            isInside.signal()
        }
        isDone.wait()
        #expect(seen.count == 1)
    }
}
