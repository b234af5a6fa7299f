import Foundation
import HealthModel
import HealthStorage
import HealthTesting
import Testing

@testable import HealthStorageSQLite

@Suite struct SQLiteReaderTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func write(_ count: Int) throws {
        let storage = try store.open()
        for number in 1...count { try Rows.write(number, to: storage) }
        try storage.close()
    }

    @Test func readsWhatTheStorageHasWritten() throws {
        try write(7)
        let files = try store.files()
        let reader = try #require(SQLiteReader(path: store.path))
        #expect(try Rows.lastWrite(in: reader) == 7)
        #expect(try reader.read { try $0.dictionaries().sources.count } == 7)
        #expect(reader.filePath == store.path)
        #expect(try store.files() == files)
    }

    @Test func readsInVisitsOfVisits() throws {
        try write(3)
        let reader = try #require(SQLiteReader(path: store.path))
        var pairs = 0
        try reader.read { snapshot in
            try snapshot.visitPages(of: Rows.paged, in: .all, bodies: false) { _ in
                try snapshot.visitPages(of: Rows.paged, in: .all, bodies: true) { _ in
                    pairs += 1
                    return true
                }
                return true
            }
        }
        #expect(pairs == 9)
    }

    @Test func writesNothing() throws {
        try write(1)
        let reader = try #require(SQLiteReader(path: store.path))
        #expect(throws: StorageError(.unreachable, "The store is open for reading only.")) {
            try reader.write { try $0.setValue([1], namespace: "test", key: "last") }
        }
        #expect(try Rows.lastWrite(in: reader) == 1)
        try reader.close()
    }

    @Test func leavesStoresThatAreOpenToTheStorage() throws {
        let storage = try store.open()
        try Rows.write(1, to: storage)
        #expect(SQLiteReader(path: store.path) == nil)
        try storage.close()
        #expect(SQLiteReader(path: store.path) != nil)
    }

    @Test func leavesTheLogOfAKilledProgramToTheStorage() throws {
        let storage = try store.open()
        try Rows.write(1, to: storage)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: store.path("killed.sqlite") + suffix)
        }
        try storage.close()
        #expect(SQLiteReader(path: store.path("killed.sqlite")) == nil)
    }

    @Test func leavesOtherFilesToTheStorage() throws {
        #expect(SQLiteReader(path: store.path) == nil)
        #expect(SQLiteReader(path: store.directory.path) == nil)
        try Data().write(to: URL(fileURLWithPath: store.path))
        #expect(SQLiteReader(path: store.path) == nil)
        try Data(repeating: 0x53, count: 8_192).write(to: URL(fileURLWithPath: store.path))
        #expect(SQLiteReader(path: store.path) == nil)
        try FileManager.default.removeItem(atPath: store.path)
        try write(1)
        try Data([1]).write(to: URL(fileURLWithPath: store.path + "-journal"))
        #expect(SQLiteReader(path: store.path) == nil)
        try FileManager.default.removeItem(atPath: store.path + "-journal")
        // Another version, in the header’s user_version.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
        bytes[63] += 1
        try bytes.write(to: URL(fileURLWithPath: store.path))
        #expect(SQLiteReader(path: store.path) == nil)
    }

    @Test func noticesWhatIsWrittenMeanwhile() throws {
        try write(2)
        let reader = try #require(SQLiteReader(path: store.path))
        #expect(try Rows.lastWrite(in: reader) == 2)
        let kind = #expect(throws: StorageError.self) {
            try reader.read { _ in
                let storage = try store.open()
                try Rows.write(3, to: storage)
                try storage.close()
            }
        }
        #expect(kind?.kind == .busy)
        #expect(throws: StorageError.self) { try Rows.lastWrite(in: reader) }
        // The log was left, by which the reader has noticed.
        #expect(SQLiteReader(path: store.path) == nil)
        try withExtendedLifetime(reader) {
            let storage = try store.open()
            #expect(try Rows.lastWrite(in: storage) == 3)
            try storage.close()
        }
    }

    @Test func noticesACommitThatLeavesTheFileAsItWas() throws {
        try write(2)
        let reader = try #require(SQLiteReader(path: store.path))
        let before = try FileManager.default.attributesOfItem(atPath: store.path)[.modificationDate] as? Date
        let error = #expect(throws: StorageError.self) {
            try reader.read { _ in
                let storage = try store.open()
                try storage.write { try $0.setValue([7], namespace: "test", key: "last") }
                try storage.close()
                // As on a file system whose times have seconds.
                try FileManager.default.setAttributes([.modificationDate: #require(before)], ofItemAtPath: store.path)
            }
        }
        #expect(error?.kind == .busy)
    }

    @Test func leavesAStoreThatIsBeingReplacedToTheStorage() throws {
        try write(1)
        let lock = try SystemFile(store.path, isWritten: true)
        try lock.lockExclusively()
        // In this process, the lock is that of all.
        #expect(SQLiteReader(path: store.path) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func namesADamagedPage() throws {
        try write(5)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
        let pages = bytes.count / 4_096
        // All pages but the first, so that whatever is read is one of them.
        for page in 1..<pages { bytes[page * 4_096 + 100] ^= 0x10 }
        try bytes.write(to: URL(fileURLWithPath: store.path))
        let reader = try #require(SQLiteReader(path: store.path))
        let error = #expect(throws: StorageError.self) { try Rows.lastWrite(in: reader) }
        #expect(error?.kind == .damaged)
        #expect(error?.description.hasPrefix("Page ") ?? false)
    }
}
