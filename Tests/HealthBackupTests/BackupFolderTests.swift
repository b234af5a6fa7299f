import Foundation
import HealthImport
import HealthStorageFiles
import HealthEngine
import HealthKit
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Synchronization
import Testing

import HealthAccess
@testable import HealthBackup

@Suite("Backups in a folder") struct BackupFolderTests {
    let scratch: BackupScratch
    let backups: BackupFolder

    init() throws {
        let scratch = try BackupScratch()
        self.scratch = scratch
        backups = BackupFolder(
            path: scratch.backups,
            now: { Date(timeIntervalSinceReferenceDate: 780_000_000 + scratch.seconds.withLock { $0 }) })
    }

    private func advance(_ seconds: Double) {
        scratch.seconds.withLock { $0 += seconds }
    }

    private func withStorage<Value>(_ body: (SQLiteStorage) throws -> Value) throws -> Value {
        let storage = try SQLiteStorage(path: scratch.store)
        defer { try? storage.close() }
        return try body(storage)
    }

    private func error(_ body: () throws -> Void) -> BackupError? {
        do {
            try body()
            return nil
        } catch {
            return error as? BackupError
        }
    }

    @Test(
        "Backups made while a writer saves contain whole batches, share what has not changed, and are restored exactly")
    func online() async throws {
        let person = Person(scratch.store)
        for number in 0..<400 { try await person.save(batch: number) }
        let storage = try SQLiteStorage(path: scratch.store)
        let writer = Task { for number in 400..<460 { try await person.save(batch: number) } }
        var reports: [BackupReport] = []
        for _ in 0..<6 {
            reports.append(try backups.backUp(storage))
            advance(60)
        }
        try await writer.value
        reports.append(try backups.backUp(storage))
        let nothing = try backups.backUp(storage)
        #expect(nothing.newChunks == 0)
        #expect(nothing.newBytes == 0)
        // One page has changed.
        try storage.write { try $0.setValue([1], namespace: "test", key: "key") }
        let little = try backups.backUp(storage)
        #expect((1...2).contains(little.newChunks) && little.newBytes < little.manifest.size)
        #expect(try backups.verify() == [])
        #expect(try backups.list().map(\.name) == (reports + [nothing, little]).map(\.manifest.name))
        for (index, report) in reports.enumerated() {
            let path = scratch.path("restored-\(index).sqlite")
            _ = try backups.restore(report.manifest.name, to: path)
            let samples = try await Person(path).changes().samples
            #expect(samples.count % 10 == 0)
            #expect(samples.count >= 4_000)
            let numbers = Dictionary(grouping: samples) { $0.quantity.doubleValue(for: .gram()) }
            #expect(numbers.values.allSatisfy { $0.count == 10 })
        }
        let last = try await Person(scratch.path("restored-6.sqlite")).changes().samples
        let original = try await person.changes().samples
        #expect(last.map(\.uuid) == original.map(\.uuid))
        #expect(last.map(\.startDate) == original.map(\.startDate))
    }

    @Test("Anchors of before and after a backup work with the restored store, and no UUID is used twice")
    func anchors() async throws {
        let person = Person(scratch.store)
        try await person.save(batch: 1)
        let early = try await person.changes()
        try await person.save(batch: 2)
        try withStorage { _ = try backups.backUp($0) }
        try await person.save(batch: 3)
        let late = try await person.changes()
        let lost = late.samples.map(\.uuid).suffix(10)

        let path = scratch.path("restored.sqlite")
        _ = try backups.restore(to: path)
        let restored = Person(path)
        #expect(
            try await restored.changes(after: early.anchor).samples.map(\.uuid) == late.samples[10..<20].map(\.uuid))
        // A program that has seen the third batch waits for what comes after it.
        #expect(try await restored.changes(after: late.anchor).samples.isEmpty)
        try await restored.save(batch: 4)
        let new = try await restored.changes(after: late.anchor).samples
        #expect(new.map { $0.quantity.doubleValue(for: .gram()) } == Array(repeating: 4, count: 10))
        #expect(Set(new.map(\.uuid)).isDisjoint(with: lost))
        // UUIDs of imported samples are derived from their numbers, which therefore must not come again.
        #expect(late.samples.count == 30)
        let (first, second) = try (lastSequence(scratch.store), lastSequence(path))
        #expect(second > first + 10)
    }

    @Test(
        "After a second restore without the store of the first, anchors of the first see what is saved, with other UUIDs"
    )
    func restoredTwice() async throws {
        try await Person(scratch.store).save(batch: 1)
        try withStorage { _ = try backups.backUp($0) }
        var (anchor, seen): (HKQueryAnchor?, Set<UUID>) = (nil, [])
        for number in 2...4 {
            let path = scratch.path("restored-\(number).sqlite")
            _ = try backups.restore(to: path)
            let restored = Person(path)
            try await restored.save(batch: number)
            let changes = try await restored.changes(after: anchor)
            let weights = changes.samples.suffix(10).map { $0.quantity.doubleValue(for: .gram()) }
            #expect(weights == Array(repeating: Double(number), count: 10))
            #expect(changes.samples.count == (anchor == nil ? 20 : 10))
            #expect(seen.isDisjoint(with: changes.samples.map(\.uuid)))
            seen.formUnion(changes.samples.map(\.uuid))
            anchor = changes.anchor
            advance(1)
        }
    }

    private func lastSequence(_ path: String) throws -> Int64 {
        let storage = try SQLiteStorage(path: path)
        defer { try? storage.close() }
        return try storage.read { try $0.lastSequence() }
    }

    @Test("Files beside the store are backed up with it; nothing is readable by others")
    func companions() async throws {
        try await Person(scratch.store).save(batch: 1)
        mkdir(scratch.store + ".server", 0o700)
        for (suffix, text) in [
            (".watch-12ab", "anchor"), (".sync-3c", "progress"), (".zip", "not its own"), (".watch-12ab.new", "half"),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.store + suffix))
        }
        // Open, as by a server: what it has changed last isn't in the file yet.
        let tokens = Self.registry(scratch.store)
        _ = try tokens.addToken(name: "phone", scope: .owner, people: nil)
        let report = try withStorage { try backups.backUp($0) }
        #expect(report.manifest.files.map(\.suffix) == ["", ".server/access.sqlite", ".sync-3c", ".watch-12ab"])
        let path = scratch.path("new/folder/health.sqlite")
        _ = try backups.restore(to: path)
        #expect(try Self.registry(path).tokens() == tokens.tokens())
        #expect(try String(contentsOfFile: path + ".watch-12ab", encoding: .utf8) == "anchor")
        #expect(!FileManager.default.fileExists(atPath: path + ".zip"))
        for file in scratch.files(below: scratch.backups) + scratch.files(below: scratch.path("new")) {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(file)")
        }
        for folder in ["", "/chunks", "/backups"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.backups + folder)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700, "\(folder)")
        }
    }

    @Test("A restore makes no session and no sign-in code valid again, and a token only where there are none")
    func access() async throws {
        try await Person(scratch.store).save(batch: 1)
        let registry = Self.registry(scratch.store)
        let tokens = try ["a", "b"].map { try registry.addToken(name: $0, scope: .owner, people: nil) }
        let session = try registry.addSession(people: nil).secret
        let code = try registry.addSignInCode(people: nil)
        try registry.setPassword("four words nobody expects", of: nil)
        try withStorage { _ = try backups.backUp($0) }
        try registry.revokeToken(tokens[0].token.id)
        scratch.waitUntilClosed()
        let kept = try backups.restore(to: scratch.store, replacing: true)
        #expect(kept.restoredTokens == 0)
        #expect(try registry.tokens().map(\.name) == ["b"] && registry.session(secret: session) != nil)
        let path = scratch.path("elsewhere.sqlite")
        #expect(try backups.restore(to: path).restoredTokens == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + ".server") == ["access.sqlite"])
        let restored = Self.registry(path)
        for token in tokens { #expect(try restored.token(secret: token.secret) != nil) }
        #expect(try restored.session(secret: session) == nil && restored.signIn(code: code) == nil)
        #expect(try restored.password(of: nil) == nil)
    }

    private static func registry(_ store: String) -> AccessRegistry {
        AccessRegistry(storage: AccessFile(path: store + ".server/access.sqlite"), now: { Date() })
    }

    @Test("A backup is due when the newest is older than the interval, also if the clock was set back")
    func schedule() async throws {
        try await Person(scratch.store).save(batch: 1)
        try withStorage { storage in
            func due() throws -> Bool {
                try backups.backUpIfDue(storage, every: 86_400, options: BackupOptions(keep: 3)) != nil
            }
            #expect(try due())
            #expect(try !due())
            advance(86_399)
            #expect(try !due())
            advance(1)
            #expect(try due())
            advance(-200_000)
            #expect(try due())
            #expect(try !due())
            let names = try backups.names()
            #expect(names == names.sorted() && Set(names).count == 3)
            advance(90_000)
            #expect(try due())
            #expect(try backups.names().count == 3)
            #expect(try backups.names().first == names[1])
            #expect(try backups.verify() == [])
        }
    }

    @Test("Pruning removes the chunks of the removed backups only")
    func pruning() async throws {
        let person = Person(scratch.store)
        for number in 0..<5 {
            for part in 0..<40 { try await person.save(batch: number * 40 + part) }
            try withStorage { _ = try backups.backUp($0) }
            advance(1)
        }
        let before = scratch.files(below: scratch.backups + "/chunks").count
        #expect(try backups.prune(backups.list(), keep: 2) == 3)
        let used = Set(try backups.list().flatMap { $0.files.flatMap(\.chunks) })
        let files = scratch.files(below: scratch.backups + "/chunks").map { URL(fileURLWithPath: $0).lastPathComponent }
        #expect(Set(files) == used && files.count < before)
        #expect(try backups.verify() == [])
        _ = try backups.restore(to: scratch.path("restored.sqlite"))
    }

    @Test("A damaged chunk is found, isn’t restored, and is replaced by the next backup")
    func damagedChunk() async throws {
        try await Person(scratch.store).save(batch: 1)
        let report = try withStorage { try backups.backUp($0) }
        let name = report.manifest.name
        let chunk = backups.chunks.file(report.manifest.files[0].chunks[1])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: chunk))
        bytes[100] ^= 1
        try bytes.write(to: URL(fileURLWithPath: chunk))
        #expect(try backups.verify() == ["The backup \(name) has a chunk that is missing or damaged."])
        let refused = error { _ = try backups.restore(to: scratch.path("restored.sqlite")) }
        #expect(refused == BackupError(.damaged, "The chunk “\(chunk)” isn’t what was written."))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() == [
                "backups", "health.sqlite",
            ])
        #expect(try withStorage { try backups.backUp($0) }.newChunks == 1)
        #expect(try withStorage { try backups.backUp($0) }.newChunks == 0)
        #expect(try backups.verify() == [])
        unlink(chunk)
        #expect(error { _ = try backups.restore(to: scratch.path("restored.sqlite")) }?.kind == .damaged)
        #expect(try withStorage { try backups.backUp($0) }.newChunks == 1)
        _ = try backups.restore(name, to: scratch.path("restored.sqlite"))
    }

    @Test("Any changed byte of a manifest is noticed, and nothing is removed beside it")
    func damagedManifest() async throws {
        try await Person(scratch.store).save(batch: 1)
        let name = try withStorage { try backups.backUp($0) }.manifest.name
        let file = URL(fileURLWithPath: "\(scratch.backups)/backups/\(name).backup")
        let whole = try Data(contentsOf: file)
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 1
            #expect(throws: BackupError.self, "byte \(place)") {
                try BackupManifest(name: name, text: String(decoding: bytes, as: UTF8.self))
            }
            #expect(throws: BackupError.self, "cut at \(place)") {
                try BackupManifest(name: name, text: String(decoding: whole[..<place], as: UTF8.self))
            }
        }
        try whole.dropLast(9).write(to: file)
        let chunks = scratch.files(below: scratch.backups + "/chunks")
        #expect(error { _ = try backups.prune(backups.list(), keep: 1) }?.kind == .damaged)
        advance(10)
        // The damaged one is the newest, and the only one that tells whose backups these are.
        let other = try SQLiteStorage(path: scratch.path("other.sqlite"))
        #expect(error { _ = try backups.backUp(other) }?.kind == .unsuitable)
        try other.close()
        let report = try withStorage { try backups.backUp($0, options: BackupOptions(keep: 1)) }
        #expect(report.unreadable == [name] && report.pruned == 0)
        #expect(Set(scratch.files(below: scratch.backups + "/chunks")).isSuperset(of: chunks))
        #expect(try backups.names().count == 2)
        #expect(try backups.backups().readable == [report.manifest] && backups.backups().unreadable == [name])
        _ = try backups.restore(to: scratch.path("restored.sqlite"))
    }

    /// Damage that only reading all samples finds.
    @Test("A store whose damage a restore would refuse is reported by its backup, and doesn’t replace older ones")
    func damagedStore() async throws {
        try await Person(scratch.store).save(batch: 1)
        let sound = try withStorage { try backups.backUp($0) }.manifest.name
        advance(10)
        try withStorage { storage in
            try storage.write { transaction in
                for type in try transaction.typesInUse() {
                    var damaged: StoredPage?
                    try transaction.visitPages(of: type, in: .all, bodies: true) {
                        damaged = $0.copy
                        return false
                    }
                    damaged?.body[12] ^= 0x10
                    if let damaged { try transaction.putPage(damaged) }
                }
            }
            let findings = try HealthEngine(storage: storage).check()
            #expect(try storage.findDamage().isEmpty && !findings.isEmpty)
            let report = try backups.backUp(storage, options: BackupOptions(keep: 1))
            #expect(report.damage == findings && report.pruned == 0)
        }
        let restored = scratch.path("restored.sqlite")
        #expect(error { _ = try backups.restore(to: restored) }?.kind == .damaged)
        let report = try backups.restore(to: restored, allowingDamage: true)
        #expect(report.damage.count == 1)
        #expect(try StoreRepair.repair(restored).losses.count == 1)
        #expect(try backups.restore(sound, to: scratch.path("sound.sqlite")).damage == [])
    }

    @Test("A store has fewer numbers than a hostile one names")
    func hostileNumbers() async throws {
        #expect(throws: BackupError.self) { try BackupFolder.lastSkippedSequence(after: .max, at: Date()) }
        try await Person(scratch.store).save(batch: 1)
        try withStorage { storage in
            _ = try storage.write { try $0.allocateSequences(1 << 62) }
            _ = try backups.backUp(storage)
        }
        #expect(error { _ = try backups.restore(to: scratch.path("restored.sqlite")) }?.kind == .damaged)
    }

    @Test("Two restores to one path don’t get in each other’s way")
    func restoredAlone() async throws {
        try await Person(scratch.store).save(batch: 1)
        _ = try withStorage { try backups.backUp($0) }
        let path = scratch.path("restored.sqlite")
        let file = open(path + ".restoring-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
        #expect(
            error { _ = try backups.restore(to: path) }
                == BackupError(.busy, "Another program is replacing “\(path)”."))
        close(file)
        _ = try backups.restore(to: path)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() == [
                "backups", "health.sqlite", "restored.sqlite",
            ])
    }

    @Test("Users with access to a store have access to its replacement")
    func permissions() async throws {
        try await Person(scratch.store).save(batch: 1)
        _ = try withStorage { try backups.backUp($0) }
        func mode() -> mode_t {
            var status = stat()
            return stat(scratch.store, &status) == 0 ? status.st_mode & 0o777 : 0
        }
        #expect(mode() == 0o600)
        chmod(scratch.store, 0o640)
        scratch.waitUntilClosed()
        _ = try backups.restore(to: scratch.store, replacing: true)
        #expect(mode() == 0o640)
        _ = try StoreRepair.repair(scratch.store)
        #expect(mode() == 0o640)
        try StoreKey.makeFile(at: scratch.path("key"))
        let key = try StoreKey(file: scratch.path("key"))
        try StoreEncryptionChange.encrypt(scratch.store, with: key)
        #expect(mode() == 0o640)
        // A backup from before doesn't put everything in the clear.
        let refused = error { _ = try backups.restore(to: scratch.store, replacing: true, encryption: .none) }
        #expect(refused?.kind == .unsuitable)
        #expect(try backups.restore(to: scratch.store, replacing: true, encryption: .key(key)).isNewlyEncrypted)
        #expect(try SQLiteStorage.keyKinds(of: scratch.store).count == 1 && mode() == 0o640)
        #expect(try await Person(scratch.store, key: scratch.path("key")).changes().samples.count == 10)
    }

    @Test(
        "A killed restore's files are removed by the next program that opens the store, unless the restore still runs"
    )
    func killedRestore() async throws {
        try await Person(scratch.store).save(batch: 1)
        let left = ["", "-wal", ".watch-1", "-lock"].map { scratch.store + ".restoring" + $0 }
        for path in left { try Data("left".utf8).write(to: URL(fileURLWithPath: path)) }
        let lock = open(left[3], O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        try withStorage { _ in }
        #expect(left.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        close(lock)
        try withStorage { _ in }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).filter { $0.contains("restoring") }
                == [])
    }

    @Test("A store whose header is damaged can be replaced by a backup")
    func damagedHeader() async throws {
        try StoreKey.makeFile(at: scratch.path("key"))
        let key = try StoreKey(file: scratch.path("key"))
        try await Person(scratch.store).save(batch: 1)
        scratch.waitUntilClosed()
        try StoreEncryptionChange.encrypt(scratch.store, with: key)
        var options = SQLiteOptions()
        options.encryption = .key(key)
        let storage = try SQLiteStorage(path: scratch.store, options: options)
        _ = try backups.backUp(storage)
        try storage.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.store))
        for copy in [512, 1_024] { bytes[copy + 50] ^= 1 }
        try bytes.write(to: URL(fileURLWithPath: scratch.store))
        _ = try backups.restore(to: scratch.store, replacing: true, encryption: .key(key))
        #expect(try await Person(scratch.store, key: scratch.path("key")).changes().samples.count == 10)
    }

    @Test("The files beside a store are those beside its file, also through a symbolic link")
    func auxiliaryFilesOfALink() async throws {
        let link = scratch.path("link.sqlite")
        try await Person(scratch.store).save(batch: 1)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.store)
        try Data("position".utf8).write(to: URL(fileURLWithPath: scratch.store + ".watch-1"))
        let storage = try SQLiteStorage(path: link)
        #expect(try backups.backUp(storage).manifest.files.map(\.suffix) == ["", ".watch-1"])
        try storage.close()
    }

    @Test("A server’s log that grows while it is backed up is backed up as far as it was")
    func growingAuxiliaryFile() async throws {
        try await Person(scratch.store).save(batch: 1)
        try FileManager.default.createDirectory(atPath: scratch.store + ".server", withIntermediateDirectories: true)
        let log = scratch.store + ".server/audit.log"
        try Data(repeating: 65, count: 100).write(to: URL(fileURLWithPath: log))
        let isDone = Mutex(false)
        let writer = Thread {
            let file = FileHandle(forWritingAtPath: log)
            var written = 0
            while !isDone.withLock({ $0 }), written < 50_000_000 {
                _ = try? file?.seekToEnd()
                try? file?.write(contentsOf: Data(repeating: 66, count: 50))
                written += 50
            }
        }
        writer.start()
        for number in 0..<10 {
            advance(5)
            let manifest = try withStorage { try backups.backUp($0) }.manifest
            let file = try #require(manifest.files.last)
            #expect(file.suffix == ".server/audit.log" && file.size >= 100)
            #expect(try backups.list().count == number + 1)
        }
        isDone.withLock { $0 = true }
        _ = try backups.restore(to: scratch.path("restored.sqlite"))
        let restored = try Data(contentsOf: URL(fileURLWithPath: scratch.path("restored.sqlite.server/audit.log")))
        #expect(try Data(contentsOf: URL(fileURLWithPath: log)).starts(with: restored) && restored.count >= 100)
    }

    @Test("Files that a killed repair left are removed by the next program that opens the store")
    func interruptedRepair() async throws {
        try await Person(scratch.store).save(batch: 1)
        let left = ["", "-wal", "-copy", "-copy-wal", "-copy-schema"].map { scratch.store + ".repairing" + $0 }
        for path in left { try Data("a copy".utf8).write(to: URL(fileURLWithPath: path)) }
        try withStorage { _ in }
        #expect(left.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    }

    @Test("A folder of something else, another store and a store without a file are refused")
    func unsuitable() async throws {
        try await Person(scratch.store).save(batch: 1)
        let other = try SQLiteStorage(path: scratch.path("other.sqlite"))
        #expect(error { _ = try BackupFolder(path: scratch.folder.path).backUp(other) }?.kind == .unsuitable)
        #expect(error { _ = try backups.list() }?.kind == .notFound)
        #expect(error { _ = try backups.restore(to: scratch.path("new.sqlite")) }?.kind == .notFound)
        #expect(error { _ = try backups.backUp(InMemoryStorage()) }?.kind == .unsuitable)
        _ = try withStorage { try backups.backUp($0) }
        #expect(
            error { _ = try backups.backUp(other) }?.description
                == "“\(scratch.backups)” has backups of another store. Use a folder for each store.")
        #expect(
            error { _ = try backups.restore("2001-01-01T000000Z", to: scratch.path("new.sqlite")) }?.kind == .notFound)
        let lock = try backups.lock(exclusive: true)
        #expect(error { try withStorage { _ = try backups.backUp($0) } }?.kind == .busy)
        #expect(error { _ = try backups.restore(to: scratch.path("new.sqlite")) }?.kind == .busy)
        close(lock)
        _ = try withStorage { try backups.backUp($0) }
    }

    @Test("A store is replaced only on demand, when no program has it open, and is preserved")
    func replacing() async throws {
        let person = Person(scratch.store)
        try await person.save(batch: 1)
        try withStorage { _ = try backups.backUp($0) }
        try await person.save(batch: 2)
        #expect(error { _ = try backups.restore(to: scratch.store) }?.kind == .unsuitable)
        try withStorage { open in
            #expect(throws: StorageError(.busy, "Another program has \(scratch.store) open.")) {
                try backups.restore(to: scratch.store, replacing: true)
            }
            _ = try open.read { try $0.lastSequence() }
        }
        #expect(try await person.changes().samples.count == 20)
    }

    @Test(
        "A restored or repaired store that was saved to since is checked, backed up, repaired and encrypted like any other"
    )
    func usedAfterwards() async throws {
        let person = Person(scratch.store)
        try await person.save(batch: 1)
        try withStorage { _ = try backups.backUp($0) }
        let restored = scratch.path("restored.sqlite")
        _ = try backups.restore(to: restored)
        for batch in 2...3 {
            try await Person(restored).save(batch: batch)
            let storage = try SQLiteStorage(path: restored)
            #expect(try storage.findDamage() + HealthEngine(storage: storage).check() == [])
            advance(5)
            let others = BackupFolder(path: scratch.path("others"), now: backups.now)
            _ = try others.backUp(storage)
            try storage.close()
            _ = try others.restore(to: scratch.path("again.sqlite"), replacing: true)
            scratch.waitUntilClosed(restored)
            #expect(try StoreRepair.repair(restored).samples == batch * 10)
        }
        try StoreKey.makeFile(at: scratch.path("key"))
        #expect(try StoreEncryptionChange.encrypt(restored, with: StoreKey(file: scratch.path("key"))) == 30)
    }

    @Test("Nothing can be saved into a store while it is repaired, and two repairs don't get in each other's way")
    func repairedAlone() async throws {
        try await Person(scratch.store).save(batch: 1)
        let busy = StorageError(.busy, "Another program has \(scratch.store) open.")
        try withStorage { _ in _ = #expect(throws: busy) { try StoreRepair.repair(scratch.store) } }
        do {
            let lock = try StoreLock(scratch.store)
            #expect(throws: busy) { try StoreRepair.repair(scratch.store) }
            var options = SQLiteOptions()
            options.busyTimeout = 0
            #expect(throws: busy) { try SQLiteStorage(path: scratch.store, options: options) }
            withExtendedLifetime(lock) {}
        }
        #expect(try await Person(scratch.store).changes().samples.count == 10)
    }

    @Test("A store at a symbolic link is repaired and restored where it is")
    func symbolicLink() async throws {
        let link = scratch.path("link.sqlite")
        try await Person(scratch.store).save(batch: 1)
        try withStorage { _ = try backups.backUp($0) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.store)
        try await Person(link).save(batch: 2)
        scratch.waitUntilClosed()
        let previous = try StoreRepair.repair(link).damagedPath
        #expect(try await Person(previous).changes().samples.count == 20)
        #expect(try await Person(scratch.store).changes().samples.count == 20)
        scratch.waitUntilClosed()
        _ = try backups.restore(to: link, replacing: true)
        #expect(try await Person(scratch.store).changes().samples.count == 10)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == scratch.store)
    }

    @Test("The previous store is complete beside the restored one, even if it was damaged")
    func previous() async throws {
        let path = scratch.path("second.sqlite")
        try await Person(scratch.store).save(batch: 1)
        try withStorage { _ = try backups.backUp($0) }
        _ = try backups.restore(to: path)
        for isDamaged in [false, true] {
            if isDamaged { try Data("not a store any more".utf8).write(to: URL(fileURLWithPath: path)) }
            try Data("a log".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            advance(5)
            let previous = try #require(try backups.restore(to: path, replacing: true).previous)
            if isDamaged {
                #expect(try Data(contentsOf: URL(fileURLWithPath: previous)) == bytes)
                #expect(try String(contentsOfFile: previous + "-wal", encoding: .utf8) == "a log")
            } else {
                #expect(try await Person(previous).changes().samples.count == 10)
            }
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            let restored = try SQLiteStorage(path: path)
            #expect(try restored.findDamage() == [])
            #expect(try HealthEngine(storage: restored).check() == [])
            try restored.close()
        }
    }
}
