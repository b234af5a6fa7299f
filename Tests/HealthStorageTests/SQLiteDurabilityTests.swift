import Foundation
import HealthStorage
import HealthStorageSQLite
import Synchronization
import Testing

@Suite struct SQLiteDurabilityTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Opens what remains after a power failure: the file and the beginning of its log.
    private func open(_ file: [UInt8], log: ArraySlice<UInt8>) throws -> SQLiteStorage {
        let path = store.path("found.sqlite")
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try Data(file).write(to: URL(fileURLWithPath: path))
        try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
        return try SQLiteStorage(path: path)
    }

    /// A log truncated anywhere in the second commit contains only the first one.
    @Test func aTornCommitIsIgnored() throws {
        let storage = try store.open()
        try Rows.write(1, to: storage, bytes: 300)
        let file = try bytes(store.path)
        let first = try bytes(store.path + "-wal").count
        try Rows.write(2, to: storage, bytes: 300)
        let log = try bytes(store.path + "-wal")
        #expect(try bytes(store.path) == file, "no checkpoint in between")
        try #require(first < log.count)
        // Every byte near the start of the first frame and the end of the last, and every 97th in between.
        let edge = 64
        let cuts = (first..<log.count).filter {
            $0 < first + edge || $0 > log.count - edge || ($0 - first) % 97 == 0
        }
        for cut in cuts {
            let found = try open(file, log: log[..<cut])
            let last = try Rows.lastWrite(in: found, bytes: 300)
            try found.close()
            guard last == 1 else {
                Issue.record("truncated at \(cut) of \(log.count): \(last) commits")
                return
            }
        }
        #expect(try Rows.lastWrite(in: open(file, log: log[...]), bytes: 300) == 2)
    }

    /// A second commit with bytes that didn't reach the disk is ignored.
    @Test func aCorruptedCommitIsIgnored() throws {
        let storage = try store.open()
        try Rows.write(1, to: storage, bytes: 300)
        let file = try bytes(store.path)
        let first = try bytes(store.path + "-wal").count
        try Rows.write(2, to: storage, bytes: 300)
        let log = try bytes(store.path + "-wal")
        for place in stride(from: first, to: log.count, by: 397) {
            var spoilt = log
            for byte in place..<min(place + 16, log.count) { spoilt[byte] ^= 0x15 }
            let found = try open(file, log: spoilt[...])
            #expect(try Rows.lastWrite(in: found, bytes: 300) == 1, "spoilt at \(place)")
            try found.close()
        }
    }

    /// When a process is killed during a commit, all reported commits remain and none is partial.
    @Test(arguments: [1, 10, 60])
    func aKilledProcessLosesNothing(afterCommits: Int) async throws {
        let path = store.path
        let reports = store.path("reports")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, reports = reports as String, afterCommits = afterCommits as Int] in
            let storage = try SQLiteStorage(path: path)
            let file = Foundation.open(reports, O_CREAT | O_WRONLY | O_APPEND, 0o600)
            let mayKill = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                mayKill.wait()
                kill(getpid(), SIGKILL)
            }
            for number in 1... {
                try Rows.write(number, to: storage)
                let line = Array("\(number)\n".utf8)
                guard Foundation.write(file, line, line.count) == line.count else { exit(1) }
                if number == afterCommits { mayKill.signal() }
            }
        }
        let reported = try String(contentsOfFile: reports, encoding: .utf8).split(separator: "\n").count
        #expect(reported >= afterCommits)
        let found = try store.open()
        let last = try Rows.lastWrite(in: found)
        #expect(last == reported || last == reported + 1)
        try Rows.write(last + 1, to: found)
        #expect(try Rows.lastWrite(in: found) == last + 1)
    }

    /// When the disk is full, the transaction fails and the store remains usable.
    @Test func aFullDiskFailsTheTransaction() async throws {
        let path = store.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let storage = try SQLiteStorage(path: path)
            try Rows.write(1, to: storage)
            // Limiting the file size has the effect of a full disk.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let previous = limit.rlim_cur
            limit.rlim_cur = 100_000
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                try Rows.write(2, to: storage, bytes: 1_000_000)
                exit(1)
            } catch let error as StorageError {
                guard error.kind == .inputOutput else { exit(2) }
            }
            guard try Rows.lastWrite(in: storage) == 1 else { exit(3) }
            limit.rlim_cur = previous
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            try Rows.write(2, to: storage)
            guard try Rows.lastWrite(in: storage) == 2 else { exit(4) }
            try storage.close()
        }
        #expect(try Rows.lastWrite(in: store.open()) == 2)
    }
}
