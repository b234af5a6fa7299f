import Dispatch
import Foundation
import HealthStorage
import HealthStorageSQLite
import Testing

@Suite struct SQLiteForeignCommitsTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    /// Checks for commits only when writing, so that tests do not depend on time.
    private static var neverPolls: SQLiteOptions {
        var options = SQLiteOptions()
        options.pollInterval = 1_000_000
        return options
    }

    @Test func notifiesOfAnotherStoragesCommit() throws {
        let (storage, other) = (try store.open(), try store.open())
        let heard = DispatchSemaphore(value: 0)
        let subscription = storage.observeForeignCommits { heard.signal() }
        for number in 1...3 {
            try Rows.write(number, to: other)
            #expect(heard.wait(timeout: .now() + 3_600) == .success)
        }
        subscription.cancel()
    }

    @Test func notifiesWhenTheFileIsMoved() throws {
        let storage = try store.open()
        // A connection that reads is opened before.
        #expect(try storage.read { try $0.lastSequence() } == 0)
        let heard = DispatchSemaphore(value: 0)
        let subscription = storage.observeForeignCommits { heard.signal() }
        try FileManager.default.moveItem(atPath: store.path, toPath: store.path("moved.sqlite"))
        #expect(heard.wait(timeout: .now() + 3_600) == .success)
        let error = StorageError(
            .unreachable, "\(store.path) was moved or removed while it was open, or can't be reached any more.")
        #expect(throws: error) { try storage.read { try $0.lastSequence() } }
        subscription.cancel()
    }

    @Test func notifiesWhenWriting() throws {
        let (storage, other) = (try store.open(Self.neverPolls), try store.open())
        let heard = DispatchSemaphore(value: 0)
        let subscription = storage.observeForeignCommits { heard.signal() }
        try Rows.write(1, to: other)
        try Rows.write(2, to: storage)
        #expect(heard.wait(timeout: .now() + 3_600) == .success)
        subscription.cancel()
    }

    @Test func doesNotNotifyOfOwnCommits() throws {
        let (storage, other) = (try store.open(Self.neverPolls), try store.open())
        let calls = Calls()
        let heard = DispatchSemaphore(value: 0)
        let subscription = storage.observeForeignCommits {
            calls.add()
            heard.signal()
        }
        for number in 1...5 { try Rows.write(number, to: storage) }
        try Rows.write(6, to: other)
        try Rows.write(7, to: storage)
        heard.wait()
        for number in 8...9 { try Rows.write(number, to: storage) }
        // Handlers run in order on one queue, so this call comes after all earlier ones.
        try Rows.write(10, to: other)
        try Rows.write(11, to: storage)
        heard.wait()
        #expect(calls.count == 2)
        subscription.cancel()
    }

    @Test func doesNotNotifyWhenCanceled() throws {
        let (storage, other) = (try store.open(Self.neverPolls), try store.open())
        let cancelled = Calls()
        let heard = DispatchSemaphore(value: 0)
        let first = storage.observeForeignCommits { cancelled.add() }
        let second = storage.observeForeignCommits { heard.signal() }
        first.cancel()
        try Rows.write(1, to: other)
        try Rows.write(2, to: storage)
        heard.wait()
        #expect(cancelled.count == 0)
        second.cancel()
        // A new observer is notified, but only of later commits.
        try Rows.write(3, to: other)
        let third = storage.observeForeignCommits { heard.signal() }
        try Rows.write(4, to: storage)
        try Rows.write(5, to: other)
        try Rows.write(6, to: storage)
        #expect(heard.wait(timeout: .now() + 3_600) == .success)
        third.cancel()
        try storage.close()
    }
}
