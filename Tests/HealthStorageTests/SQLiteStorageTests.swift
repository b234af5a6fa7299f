import Foundation
import HealthStorage
@testable import HealthStorageSQLite
import HealthStorageSQLite
import Testing

@Suite struct SQLiteStorageTests {
    /// Without FULL, a power failure may lose the last commits.
    @Test func commitsAreSynced() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        #expect(try storage.writerSetting("synchronous") == 2)
        #expect(try storage.writerSetting("wal_autocheckpoint") == 4_096)
        #expect(try storage.writerSetting("page_size") == 4_096)
        try storage.close()
        #expect(try store.open().writerSetting("synchronous") == 2)
    }

    /// SQLite continues with a log that has no name, and loses it.
    @Test("A copy has its owner’s permissions only, whatever the process gives to new files")
    func copiesAreTheOwners() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        try storage.copy(to: store.path("copy.sqlite"))
        var status = stat()
        #expect(stat(store.path("copy.sqlite"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(throws: StorageError.self) { try storage.copy(to: store.path("copy.sqlite")) }
        try storage.close()
    }

    @Test("Another file in the place of an open store is not read, by a new connection neither")
    func aReplacedFileIsNotRead() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        try storage.write { try $0.setValue([1], namespace: "test", key: "key") }
        try storage.copy(to: store.path("copy.sqlite"))
        try storage.write { try $0.setValue([2], namespace: "test", key: "key") }
        #expect(rename(store.path("copy.sqlite"), store.path) == 0)
        for _ in 0..<2 {
            let error = #expect(throws: StorageError.self) {
                try storage.read { try $0.value(namespace: "test", key: "key") }
            }
            #expect(error?.kind == .unreachable)
        }
        try? storage.close()
    }

    @Test func aWriteWhoseLogWasRemovedIsAnError() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        try Rows.write(1, to: storage)
        unlink(store.path + "-wal")
        #expect(
            throws: StorageError(
                .unreachable,
                "The log of \(store.path), \(store.path)-wal, was moved or removed while it was open. What was written since is lost; start again."
            )
        ) { try Rows.write(2, to: storage) }
    }

    @Test func sequencesWrittenWithoutALogAreNotReused() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        try Rows.write(1, to: storage)
        let aside = store.path("aside")
        let error = #expect(throws: StorageError.self) {
            try storage.write { transaction in
                _ = try transaction.allocateSequences(5)
                #expect(rename(store.path + "-wal", aside) == 0)
            }
        }
        #expect(error?.kind == .unreachable)
        #expect(rename(aside, store.path + "-wal") == 0)
        #expect(try storage.write { try $0.allocateSequences(1) } == 8)
        try storage.close()
    }

    /// Another program writes and ends between two looks, and a read opens the file again before the next look.
    @Test func aReadThatOpensTheFileAgainHidesNothingFromObservers() throws {
        let store = try TemporaryStore()
        func write(_ number: Int) throws {
            let storage = try store.open()
            try Rows.write(number, to: storage)
            try storage.close()
        }
        try write(1)
        var options = SQLiteOptions()
        options.isReadOnly = true
        options.pollInterval = 0.3
        let reader = try store.open(options)
        for number in 2...3 {
            let heard = DispatchSemaphore(value: 0)
            let subscription = reader.observeForeignCommits { heard.signal() }
            try write(number)
            #expect(try Rows.lastWrite(in: reader) == number)
            #expect(heard.wait(timeout: .now() + 3_600) == .success)
            subscription.cancel()
        }
        try reader.close()
    }

    @Test func observingAfterClosingIsHarmless() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        try storage.close()
        storage.observeForeignCommits { Issue.record("called") }.cancel()
    }

    /// Closing the storage under readers, writers and observers gives each a result or an error.
    @Test func closingWhileInUseIsOrderly() async throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for turn in 0..<50 {
                        do {
                            if worker == 0, turn == 20 { try storage.close() }
                            if worker == 1 { _ = try storage.write { try $0.allocateSequences(1) } }
                            if worker > 1 { _ = try storage.read { try $0.lastSequence() } }
                        } catch let error as StorageError {
                            #expect(error.kind == .closed)
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
        }
    }
}

@Suite struct SQLiteSizeTests {
    /// Exact sizes, because the same rows always give the same file.
    @Test func hasLittleOverhead() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        let empty = try size(store)
        let pages = (1...400).map { Rows.page($0, bytes: 5_000 + $0 % 7 * 300) }
        try storage.write { transaction in
            for page in pages { try transaction.putPage(page) }
        }
        try storage.close()
        let bodies = pages.reduce(0) { $0 + $1.body.count }
        let beside = try size(store) - bodies
        #expect(Double(beside) / 400_000 < 1.6, "bytes a sample beside the pages")
        #expect(empty < 150_000)
    }

    private func size(_ store: TemporaryStore) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }
}
