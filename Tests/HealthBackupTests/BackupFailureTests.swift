import Foundation
import HealthKit
import HealthStorage
import HealthStorageSQLite
import Testing

@testable import HealthBackup

@Suite("Backups that fail", .serialized) struct BackupFailureTests {
    let scratch: BackupScratch

    init() throws {
        scratch = try BackupScratch()
    }

    @Test("A backup that is killed leaves the earlier ones intact, and starts over", arguments: [1, 3, 8, 20])
    func killed(afterChunks count: Int) async throws {
        let person = Person(scratch.store)
        for number in 0..<100 { try await person.save(batch: number) }
        let backups = BackupFolder(path: scratch.backups)
        let storage = try SQLiteStorage(path: scratch.store)
        let first = try backups.backUp(storage).manifest
        for number in 100..<2_600 { try await person.save(batch: number) }
        try storage.close()
        let (store, folder) = (scratch.store, scratch.backups)
        let before = scratch.files(below: folder + "/chunks").count
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [store = store as String, folder = folder as String, limit = before + count as Int] in
            let storage = try SQLiteStorage(path: store)
            Thread.detachNewThread {
                while (FileManager.default.enumerator(atPath: folder + "/chunks")?.filter {
                    ($0 as? String)?.count == 67
                }.count ?? 0) < limit {
                    sched_yield()
                }
                kill(getpid(), SIGKILL)
            }
            _ = try BackupFolder(path: folder).backUp(storage)
            while true { sched_yield() }
        }
        #expect(try backups.verify() == [])
        #expect(try backups.names().first == first.name)
        let again = try SQLiteStorage(path: scratch.store)
        let report = try backups.backUp(again)
        try again.close()
        // The chunks that the killed backup had written are used.
        #expect(report.newChunks <= report.manifest.files[0].chunks.count - count + 1)
        #expect(try backups.verify() == [])
        let used = Set(try backups.list().flatMap { $0.files.flatMap(\.chunks) })
        #expect(
            Set(scratch.files(below: folder + "/chunks").map { URL(fileURLWithPath: $0).lastPathComponent }) == used)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                "backups", "chunks", "lock", "store",
            ])
        let restored = scratch.path("restored.sqlite")
        _ = try backups.restore(to: restored)
        #expect(try await Person(restored).changes().samples.count == 26_000)
    }

    @Test("When the disk is full, the error says so and earlier backups are intact")
    func fullDisk() async throws {
        let person = Person(scratch.store)
        for number in 0..<30 { try await person.save(batch: number) }
        let backups = BackupFolder(path: scratch.backups)
        let storage = try SQLiteStorage(path: scratch.store)
        _ = try backups.backUp(storage)
        for number in 30..<60 { try await person.save(batch: number) }
        try storage.close()
        let (store, folder) = (scratch.store, scratch.backups)
        // The limit of a file's size has the effect of a full disk: for the chunks, then for the snapshot.
        for limit in [1_000, 40_000, 70_000] {
            await #expect(processExitsWith: .success) {
                [store = store as String, folder = folder as String, limit = limit as Int] in
                let storage = try SQLiteStorage(path: store)
                signal(SIGXFSZ, SIG_IGN)
                var size = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
                size.rlim_cur = rlim_t(limit)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
                do {
                    _ = try BackupFolder(path: folder).backUp(storage)
                    exit(1)
                } catch let error as BackupError {
                    exit(error.kind == .outOfSpace ? 0 : 2)
                }
            }
            #expect(try backups.verify() == [])
            #expect(try backups.names().count == 1)
            #expect(!FileManager.default.fileExists(atPath: backups.snapshot))
        }
        let again = try SQLiteStorage(path: scratch.store)
        _ = try backups.backUp(again)
        #expect(try backups.names().count == 2)
    }

    @Test("A restore that is killed leaves the previous store in its place")
    func killedRestore() async throws {
        let person = Person(scratch.store)
        for number in 0..<400 { try await person.save(batch: number) }
        let backups = BackupFolder(path: scratch.backups)
        let storage = try SQLiteStorage(path: scratch.store)
        _ = try backups.backUp(storage)
        try storage.close()
        let path = scratch.path("other.sqlite")
        try await Person(path).save(batch: 1)
        let folder = scratch.backups
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, folder = folder as String] in
            Thread.detachNewThread {
                var status = stat()
                while stat(path + ".restoring", &status) != 0 || status.st_size < 65_536 { sched_yield() }
                kill(getpid(), SIGKILL)
            }
            _ = try BackupFolder(path: folder).restore(to: path, replacing: true)
            while true { sched_yield() }
        }
        let found = try await Person(path).changes().samples.count
        #expect(found == 10 || found == 4_000)
        _ = try backups.restore(to: path, replacing: true)
        #expect(!FileManager.default.fileExists(atPath: path + ".restoring"))
        let restored = try SQLiteStorage(path: path)
        #expect(try restored.findDamage() == [])
    }
}
