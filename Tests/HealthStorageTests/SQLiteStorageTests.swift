import HealthStorage
import Testing

@testable import HealthStorageSQLite

@Suite struct SQLiteStorageTests {
    /// Without FULL, a power failure may take the last commits away.
    @Test func commitsAreSynced() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        #expect(try storage.writerSetting("synchronous") == 2)
        #expect(try storage.writerSetting("wal_autocheckpoint") == 4_096)
        #expect(try storage.writerSetting("page_size") == 4_096)
        try storage.close()
        #expect(try store.open().writerSetting("synchronous") == 2)
    }

    @Test func observingAfterClosingIsHarmless() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        try storage.close()
        storage.observeForeignCommits { Issue.record("called") }.cancel()
    }

    /// Readers, writers and observers at work while the storage is closed get an error or an answer.
    @Test func closingUnderWayIsOrderly() async throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for turn in 0..<50 {
                        do {
                            if worker == 0, turn == 20 { try storage.close() }
                            if worker == 1 { _ = try storage.write { try $0.takeSequences(1) } }
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
