import Foundation
import HealthImport
import HealthStorageFiles
import HealthEngine
import HealthKit
import HealthStorage
import HealthStorageSQLite
import Testing

@testable import HealthBackup

@Suite("Encrypted stores and their backups", .serialized) struct EncryptedBackupTests {
    let scratch: BackupScratch
    let key: StoreKey

    init() throws {
        scratch = try BackupScratch()
        try StoreKey.makeFile(at: scratch.path("key"))
        key = try StoreKey(file: scratch.path("key"))
    }

    private var person: Person { Person(scratch.store, key: scratch.path("key")) }

    private func open(_ path: String? = nil, _ encryption: StoreEncryption? = nil) throws -> SQLiteStorage {
        var options = SQLiteOptions()
        options.encryption = encryption ?? .key(key)
        return try SQLiteStorage(path: path ?? scratch.store, options: options)
    }

    /// Waits until the connections of a person's store, which close on a dedicated thread, are closed.
    private func waitUntilClosed(_ encryption: StoreEncryption) throws {
        for _ in 0..<1_000_000 {
            do {
                return try SQLiteStorage.readExclusively(scratch.store, encryption: encryption) { _ in }
            } catch let error as StorageError where error.kind == .busy {
                sched_yield()
            }
        }
        Issue.record("The store is still open.")
    }

    /// Saves batches with a person whose store is closed then.
    private func save(_ batches: Range<Int>, _ encryption: StoreEncryption, key: String? = nil) async throws {
        do {
            let person = Person(scratch.store, key: key)
            for number in batches { try await person.save(batch: number) }
        }
        try waitUntilClosed(encryption)
    }

    private func error(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Whether the store's bundle identifier is somewhere in the files below a path.
    private func isReadable(_ path: String) throws -> Bool {
        let files = scratch.files(below: path) + (FileManager.default.fileExists(atPath: path) ? [path] : [])
        return try files.contains { file in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            return try !isFolder.boolValue
                && Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data("org.example.scale".utf8)) != nil
        }
    }

    // MARK: Backups

    @Test("A program that has the store open backs it up after its key was changed")
    func changedKey() async throws {
        try await person.save(batch: 1)
        let storage = try open()
        let backups = BackupFolder(path: scratch.backups)
        try StoreKey.makeFile(at: scratch.path("other"))
        let other = try StoreKey(file: scratch.path("other"))
        try SQLiteStorage.changeKey(of: scratch.store, from: key, to: other)
        #expect(try backups.backUp(storage).damage == [])
        try storage.close()
        let restored = scratch.path("restored.sqlite")
        #expect(error { _ = try backups.restore(to: restored, encryption: .key(key)) } != nil)
        _ = try backups.restore(to: restored, encryption: .key(other))
        try open(restored, .key(other)).close()
    }

    @Test("A backup is encrypted, writes only what has changed, and opens with the store's key")
    func backups() async throws {
        let person = person
        for number in 0..<300 { try await person.save(batch: number) }
        let backups = BackupFolder(path: scratch.backups)
        let storage = try open()
        let first = try backups.backUp(storage)
        #expect(first.damage == [])
        let nothing = try backups.backUp(storage)
        #expect(nothing.newChunks == 0)
        try await person.save(batch: 300)
        let little = try backups.backUp(storage)
        #expect(little.newBytes > 0 && little.newBytes < little.manifest.size)
        try storage.close()
        #expect(try !isReadable(scratch.backups) && backups.verify() == [])
        let restored = scratch.path("restored.sqlite")
        let wrong = error { _ = try backups.restore(to: restored, encryption: .none) }
        #expect(wrong == "\(restored).restoring is encrypted.")
        #expect(!FileManager.default.fileExists(atPath: restored))
        _ = try backups.restore(to: restored, encryption: .key(key))
        #expect(try await Person(restored, key: scratch.path("key")).changes().samples.count == 3_010)
        #expect(try !isReadable(restored))
    }

    @Test("A backup keeps the key that the store had; a later one still shares what is equal")
    func backupsAndKeys() async throws {
        for number in 0..<100 { try await person.save(batch: number) }
        let backups = BackupFolder(path: scratch.backups)
        let storage = try open()
        let old = try backups.backUp(storage).manifest.name
        try storage.close()
        try StoreKey.makeFile(at: scratch.path("other"))
        let other = try StoreKey(file: scratch.path("other"))
        try SQLiteStorage.changeKey(of: scratch.store, from: key, to: other)
        let changed = try open(nil, .key(other))
        // The header is in the first chunk, with SQLite's first page; opening the store writes another one.
        let report = try backups.backUp(changed)
        #expect((1...3).contains(report.newChunks), "\(report.newChunks) of \(report.manifest.files[0].chunks.count)")
        try changed.close()
        _ = try backups.restore(old, to: scratch.path("old.sqlite"), encryption: .key(key))
        _ = try backups.restore(to: scratch.path("new.sqlite"), encryption: .key(other))
        #expect(
            error { _ = try backups.restore(to: scratch.path("no.sqlite"), encryption: .key(key)) }
                == "The key file is not that of \(scratch.path("no.sqlite")).restoring.")
    }

    @Test("An encrypted store is replaced by a backup, and kept")
    func replaced() async throws {
        try await save(0..<50, .key(key), key: scratch.path("key"))
        let backups = BackupFolder(path: scratch.backups)
        let storage = try open()
        _ = try backups.backUp(storage)
        #expect(
            error { _ = try backups.restore(to: scratch.store, replacing: true, encryption: .key(key)) }
                == "Another program has \(scratch.store) open.")
        try storage.close()
        let report = try backups.restore(to: scratch.store, replacing: true, encryption: .key(key))
        for path in [scratch.store, try #require(report.previous)] {
            let storage = try open(path)
            #expect(try storage.findDamage() == [])
            try storage.close()
        }
    }

    @Test("A damaged encrypted store is repaired, with the same key")
    func repaired() async throws {
        try await save(0..<1_000, .key(key), key: scratch.path("key"))
        let sound = try [UInt8](Data(contentsOf: URL(fileURLWithPath: scratch.store)))
        var kept: [Int] = []
        // What a page contains depends on the UUIDs, which are random: most have rows of one sample or a part of many.
        for fifth in 1...4 {
            let page = sound.count / 4_096 * fifth / 5
            var bytes = sound
            bytes[page * 4_096 + 2_000] ^= 4
            try Data(bytes).write(to: URL(fileURLWithPath: scratch.store))
            let message = "Page \(page) of \(scratch.store) isn’t what was written."
            guard let damaged = try? open() else {
                // The page has what says whose store it is.
                #expect(error { _ = try open() }?.contains(message) == true)
                continue
            }
            #expect(try damaged.findDamage() == [message])
            try damaged.close()
            guard let report = try? StoreRepair.repair(scratch.store, encryption: .key(key)) else {
                #expect(
                    error { _ = try StoreRepair.repair(scratch.store, encryption: .key(key)) }?.contains(message)
                        == true)
                continue
            }
            kept.append(report.samples)
            let storage = try open()
            #expect(try storage.findDamage() == [])
            try storage.close()
            #expect(try !isReadable(scratch.store))
        }
        #expect(kept.filter { $0 > 5_000 }.count >= 2, "\(kept)")
    }

    // MARK: Encrypting and decrypting

    @Test("Encrypting and decrypting keep UUIDs, anchors and order")
    func thereAndBack() async throws {
        try await save(0..<50, .none)
        let (samples, anchor) = try await Person(scratch.store).changes()
        try await save(50..<51, .none)
        #expect(try isReadable(scratch.store))
        #expect(try StoreEncryptionChange.encrypt(scratch.store, with: key) == 510)
        #expect(try !isReadable(scratch.store) && SQLiteStorage.keyKinds(of: scratch.store) == [.keyFile])
        #expect(try await person.changes(after: anchor).samples.count == 10)
        #expect(try await person.changes().samples.prefix(500).map(\.uuid) == samples.map(\.uuid))
        try await save(51..<52, .key(key), key: scratch.path("key"))
        #expect(
            error { try StoreEncryptionChange.encrypt(scratch.store, with: key) }
                == "\(scratch.store) is already encrypted. “hk key change” changes its key.")
        #expect(try StoreEncryptionChange.decrypt(scratch.store, with: key) == 520)
        #expect(
            error { try StoreEncryptionChange.decrypt(scratch.store, with: key) }
                == "\(scratch.store) is not encrypted.")
        #expect(try await Person(scratch.store).changes(after: anchor).samples.count == 20)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).filter {
                !$0.hasPrefix("health.sqlite-")
            }.sorted() == ["health.sqlite", "key"])
    }

    @Test("A store that another program has open is not encrypted")
    func openElsewhere() async throws {
        let plain = Person(scratch.store)
        try await plain.save(batch: 1)
        let other = try open(nil, StoreEncryption.none)
        #expect(
            error { try StoreEncryptionChange.encrypt(scratch.store, with: key) }
                == "Another program has \(scratch.store) open.")
        #expect(try other.findDamage() == [])
    }

    @Test("A store whose file has a second hard link is not encrypted: the other name would keep it readable")
    func hardLink() async throws {
        try await Person(scratch.store).save(batch: 1)
        let other = scratch.path("other")
        try FileManager.default.linkItem(atPath: scratch.store, toPath: other)
        #expect(
            error { try StoreEncryptionChange.encrypt(scratch.store, with: key) }
                == "\(scratch.store) has another name, a hard link, under which the store would stay as it is. Remove the other name first."
        )
        #expect(try SQLiteStorage.keyKinds(of: scratch.store).isEmpty)
        try FileManager.default.removeItem(atPath: other)
        #expect(try StoreEncryptionChange.encrypt(scratch.store, with: key) == 10)
    }

    @Test(
        "Encrypting and decrypting that are killed leave the store, and are begun again",
        arguments: [".changing-key", ".changing-key-wal"], [1, 200_000])
    func killed(suffix: String, size: Int) async throws {
        try await save(0..<400, .none)
        for isEncrypting in [true, false] {
            let (path, file) = (scratch.store, scratch.path("key"))
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, file = file as String, isEncrypting = isEncrypting as Bool,
                    suffix = suffix as String, size = size as Int
                ] in
                let key = try StoreKey(file: file)
                Thread.detachNewThread {
                    var status = stat()
                    while stat(path + suffix, &status) != 0 || status.st_size < size { sched_yield() }
                    kill(getpid(), SIGKILL)
                }
                // A kill that comes too late finds the next one.
                for turn in 0... {
                    if (turn % 2 == 0) == isEncrypting {
                        try StoreEncryptionChange.encrypt(path, with: key)
                    } else {
                        try StoreEncryptionChange.decrypt(path, with: key)
                    }
                }
            }
            let isEncrypted = try !SQLiteStorage.keyKinds(of: path).isEmpty
            let storage = try open(path, isEncrypted ? .key(key) : StoreEncryption.none)
            #expect(try storage.findDamage() + HealthEngine(storage: storage).check() == [])
            // Whatever the change left of the store is removed by then.
            #expect(
                ["", "-wal", "-shm", "-journal"].filter {
                    FileManager.default.fileExists(atPath: path + ".changing-key" + $0)
                } == [])
            try storage.close()
            if isEncrypted != isEncrypting {
                if isEncrypting {
                    try StoreEncryptionChange.encrypt(path, with: key)
                } else {
                    try StoreEncryptionChange.decrypt(path, with: key)
                }
            }
            #expect(!FileManager.default.fileExists(atPath: path + ".changing-key"))
            #expect(try await Person(path, key: isEncrypting ? file : nil).changes().samples.count == 4_000)
            try waitUntilClosed(isEncrypting ? .key(key) : .none)
        }
    }

    @Test("The copy that a killed decryption left is removed by the next program that opens the store for writing")
    func leftByAKill() async throws {
        try await save(0..<400, .key(key), key: scratch.path("key"))
        let (path, file) = (scratch.store, scratch.path("key"))
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, file = file as String] in
            try StoreEncryptionChange.decrypt(path, with: StoreKey(file: file)) { _ in kill(getpid(), SIGKILL) }
        }
        let copy = StagingStore.path(for: path, .changingKey)
        #expect(FileManager.default.fileExists(atPath: copy))
        #expect(try SQLiteStorage.keyKinds(of: copy) == [])
        var options = SQLiteOptions()
        options.encryption = .key(key)
        options.isReadOnly = true
        try SQLiteStorage(path: path, options: options).close()
        #expect(FileManager.default.fileExists(atPath: copy))
        let storage = try open()
        #expect(!scratch.files(below: scratch.folder.path).contains { $0.contains(".changing-key") })
        #expect(try storage.findDamage() + HealthEngine(storage: storage).check() == [])
        try storage.close()
        #expect(try await person.changes().samples.count == 4_000)
    }

    @Test("Changing a key that is killed leaves a key that opens the store")
    func killedChange() async throws {
        try await save(0..<1, .key(key), key: scratch.path("key"))
        try StoreKey.makeFile(at: scratch.path("other"))
        let other = try StoreKey(file: scratch.path("other"))
        for turn in 1...8 {
            let (path, files) = (scratch.store, [scratch.path("key"), scratch.path("other")])
            let progress = scratch.path("progress-\(turn)")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, files = files as [String], progress = progress as String, turn = turn as Int] in
                let keys = try files.map { try StoreKey(file: $0) }
                Thread.detachNewThread {
                    var status = stat()
                    while stat(progress, &status) != 0 || status.st_size < turn { sched_yield() }
                    kill(getpid(), SIGKILL)
                }
                let log = Foundation.open(progress, O_CREAT | O_WRONLY | O_APPEND, 0o600)
                while true {
                    // From whichever is the key.
                    for (old, new) in [(0, 1), (1, 0)] {
                        try? SQLiteStorage.changeKey(of: path, from: keys[old], to: keys[new])
                        write(log, "x", 1)
                    }
                }
            }
            let opened = [key, other].filter { (try? open(path, .key($0)).close()) != nil }
            #expect((1...2).contains(opened.count) && SQLiteStorage.keyCount(path) == opened.count)
        }
    }
}

extension SQLiteStorage {
    fileprivate static func keyCount(_ path: String) -> Int? { try? keyKinds(of: path).count }
}
