import Dispatch
import Foundation
import HealthBackup
import HealthImport
import HealthStorageFiles
import HealthEngine
import HealthKit
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Stores whose files lose their permissions, disappear or can't be written any more, while they are open and before:
/// every error is a `StorageError`, and what was acknowledged is there when the files are reached again.
@Suite("A store that can’t be reached any more", .timeLimit(.minutes(15)))
struct LostAccessTests {
    /// A change to the files of an open store.
    enum Loss: String, CaseIterable, Codable, Sendable {
        case fileForbidden, folderForbidden, everythingForbidden, everythingReadOnly, folderMoved, folderRemoved,
            fileRemoved
    }

    private static let steps = TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")

    /// Saves a batch of ten samples.
    private static func save(_ batch: Int, _ engine: HealthEngine) throws {
        let type = try #require(steps?.code)
        try engine.save(
            (0..<10).map { number in
                let start = Double(batch * 1_000 + number * 60)
                return .sample(
                    SampleRecord(type: type, start: start, end: start + 60, value: Double(number), unit: "count"))
            }, as: DamagedStore.person)
    }

    private static func count(_ engine: HealthEngine) throws -> Int {
        try engine.typeOverview(as: DamagedStore.person).reduce(0) { $0 + $1.count }
    }

    /// The error of an operation; `nil` if it succeeds. Errors of other types are the test's failures.
    private static func error(_ body: () throws -> Void) -> StorageError? {
        do {
            try body()
            return nil
        } catch let error as StorageError {
            return error
        } catch {
            Issue.record("\(type(of: error)): \(error)")
            return nil
        }
    }

    /// The superuser may open everything: becomes another user, who owns the folder.
    private static func becomeOwner(of folder: String) throws {
        guard getuid() == 0 else { return }
        let nobody: uid_t = 65_534
        #expect(chown(folder, nobody, nobody) == 0)
        #expect(setgroups(0, nil) == 0 && setgid(nobody) == 0 && setuid(nobody) == 0)
    }

    private static func permit(_ folder: String, file: mode_t, folder mode: mode_t) throws {
        // The folder first, while the files in it can be reached, and last to close it.
        chmod(folder, 0o700)
        for suffix in ["", "-wal", "-shm"] { chmod(folder + "/health.sqlite" + suffix, file) }
        #expect(chmod(folder, mode) == 0)
    }

    @Test("Permissions and files that are lost while a store is open", arguments: Loss.allCases)
    func lost(_ loss: Loss) async throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let folder = store.path("data")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A folder that the process can rename and remove.
        let place = store.folder.path
        await #expect(processExitsWith: .success) {
            [loss = loss as Loss, folder = folder as String, place = place as String] in
            try Self.becomeOwner(of: place)
            if getuid() == 65_534 { try FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = folder + "/health.sqlite"
            let engine = try HealthEngine(storage: SQLiteStorage(path: path))
            try Self.save(1, engine)
            var acknowledged = 10
            switch loss {
            case .fileForbidden: try Self.permit(folder, file: 0, folder: 0o700)
            case .folderForbidden: try Self.permit(folder, file: 0o600, folder: 0)
            case .everythingForbidden: try Self.permit(folder, file: 0, folder: 0)
            case .everythingReadOnly: try Self.permit(folder, file: 0o400, folder: 0o500)
            case .folderMoved: #expect(rename(folder, folder + "-moved") == 0)
            case .folderRemoved: try FileManager.default.removeItem(atPath: folder)
            case .fileRemoved: try FileManager.default.removeItem(atPath: path)
            }
            let isGone = [.folderMoved, .folderRemoved, .fileRemoved, .folderForbidden, .everythingForbidden].contains(
                loss)
            let saving = Self.error {
                try Self.save(2, engine)
                acknowledged += 10
            }
            // What is written to a file that isn't there would be lost.
            if isGone {
                #expect(saving?.kind == .unreachable, "\(loss): \(saving.map(String.init(describing:)) ?? "saved")")
            }
            // Reading continues, or says why it doesn't.
            var counted: Int?
            let reading = Self.error { counted = try Self.count(engine) }
            #expect(counted == acknowledged || reading != nil, "\(loss): \(counted ?? -1) of \(acknowledged)")
            if loss == .fileRemoved || loss == .folderRemoved {
                _ = Self.error { try engine.close() }
                return
            }
            // Another program can't open it, or only read it.
            let opening = Self.error {
                let other = try HealthEngine(storage: SQLiteStorage(path: path))
                #expect(try Self.count(other) == acknowledged)
                #expect(Self.error { try Self.save(3, other) }?.kind == .unreachable)
                try other.close()
            }
            #expect(
                loss == .everythingReadOnly || opening?.kind == .unreachable,
                "\(loss): \(opening.map(String.init(describing:)) ?? "opened")")
            if loss == .folderMoved { #expect(rename(folder + "-moved", folder) == 0) }
            try Self.permit(folder, file: 0o600, folder: 0o700)
            // With the files back, the store that was open works again, and another one has everything.
            try Self.save(4, engine)
            acknowledged += 10
            #expect(try Self.count(engine) == acknowledged)
            let again = try HealthEngine(storage: SQLiteStorage(path: path))
            #expect(try Self.count(again) == acknowledged)
            #expect(try again.storage.findDamage() + again.check() == [])
            try again.close()
            try engine.close()
        }
    }

    @Test("Through HealthKit, the error is that of an inaccessible database")
    func applications() async throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let path = store.path("health.sqlite")
        let health = HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .file(URL(fileURLWithPath: path)),
                application: HKHealthStore.Configuration.Application(bundleIdentifier: "org.example.app"),
                authorization: .allowAll))
        func sample(_ value: Double) -> HKQuantitySample {
            HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: value),
                start: DamagedStore.start,
                end: DamagedStore.start + 60)
        }
        try await health.save(sample(1))
        store.remove()
        let error = await #expect(throws: HKError.self) { try await health.save(sample(2)) }
        #expect(error?.code == .errorDatabaseInaccessible)
    }

    // MARK: Read-only file systems

    private static func run(_ line: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line + " 2> /dev/null"]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// A file system of its own in memory, as long as this object exists.
    private final class MountedFolder: Sendable {
        let store: DamagedStore
        var path: String { store.path("mounted") }

        init(size: String? = nil) throws {
            store = try DamagedStore()
            #expect(run("mkdir \(path) && mount -t tmpfs \(size.map { "-o size=\($0)" } ?? "") none \(path)"))
        }

        deinit {
            _ = run("umount \(path)")
            store.remove()
        }
    }

    /// Whether this process may mount file systems.
    private static let canMount: Bool = {
        let folder = NSTemporaryDirectory() + "mount-" + UUID().uuidString
        return run("mkdir \(folder) && mount -t tmpfs none \(folder) && umount \(folder)")
    }()

    @Test(
        "A store on a full disk is read, and written again once there is room",
        .enabled(if: canMount, "mounting needs the superuser"))
    func fullDisk() throws {
        let mounted = try MountedFolder(size: "1m")
        let folder = mounted.path
        let path = folder + "/health.sqlite"
        let engine = try HealthEngine(storage: SQLiteStorage(path: path))
        try Self.save(1, engine)
        try engine.close()
        _ = Self.run("cat /dev/zero > \(folder)/filler")
        let full = try HealthEngine(storage: SQLiteStorage(path: path))
        #expect(try Self.count(full) == 10)
        #expect(try full.storage.findDamage() + full.check() == [])
        #expect(Self.error { try Self.save(2, full) } != nil)
        unlink(folder + "/filler")
        let again = try HealthEngine(storage: SQLiteStorage(path: path))
        try Self.save(3, again)
        // A reader of the full disk sees what is written elsewhere.
        #expect(try Self.count(full) == 20)
        try full.close()
        #expect(try Self.count(again) == 20)
        #expect(try again.storage.findDamage() + again.check() == [])
        try again.close()
    }

    @Test(
        "However full the disk is, a change of encryption, a restore and a repair leave a complete store",
        .enabled(if: canMount, "mounting needs the superuser"))
    func fullDiskInAReplacement() throws {
        let mounted = try MountedFolder(size: "8m")
        let (store, folder) = (mounted.store, mounted.path)
        try StoreKey.makeFile(at: store.path("key"))
        let key = try StoreKey(file: store.path("key"))
        let original = store.path("original.sqlite")
        let engine = try HealthEngine(storage: SQLiteStorage(path: original))
        for batch in 0..<300 { try Self.save(batch, engine) }
        let backups = BackupFolder(path: store.path("backups"))
        _ = try backups.backUp(engine.storage)
        try engine.close()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: original)[.size] as? Int)
        let path = folder + "/health.sqlite"
        let changes: [(String, () throws -> Void)] = [
            ("encrypted", { try StoreEncryptionChange.encrypt(path, with: key) }),
            ("decrypted", { try StoreEncryptionChange.decrypt(path, with: key) }),
            ("repaired", { _ = try StoreRepair.repair(path) }),
            ("restored", { _ = try backups.restore(to: path, replacing: true) }),
        ]
        for (name, change) in changes {
            var (succeeded, failed) = (0, 0)
            for eighth in 2...36 {
                for file in try FileManager.default.contentsOfDirectory(atPath: folder) { unlink(folder + "/" + file) }
                try FileManager.default.copyItem(atPath: original, toPath: path)
                if name == "decrypted" { try StoreEncryptionChange.encrypt(path, with: key) }
                let room = size * eighth / 8
                let filler = 8 << 20 - size - room
                _ = Self.run("head -c \(filler) /dev/zero > \(folder)/filler")
                do {
                    try change()
                    succeeded += 1
                } catch {
                    #expect(error is StorageError || error is BackupError, "\(name) with \(eighth)/8 of room: \(error)")
                    failed += 1
                }
                unlink(folder + "/filler")
                var options = SQLiteOptions()
                options.encryption = try SQLiteStorage.keyKinds(of: path).isEmpty ? .none : .key(key)
                let engine = try HealthEngine(storage: SQLiteStorage(path: path, options: options))
                #expect(try Self.count(engine) == 3_000, "\(name) with \(eighth)/8 of room")
                #expect(try engine.storage.findDamage() + engine.check() == [], "\(name) with \(eighth)/8 of room")
                try engine.close()
            }
            #expect(succeeded > 0 && failed > 0, "\(name): \(succeeded) succeeded, \(failed) failed")
        }
    }

    @Test("A read-only store sees what others write, or reports that it must be tried again")
    func readOnlyBesideAWriter() throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let path = store.path("health.sqlite")
        func write(_ batch: Int) throws {
            let engine = try HealthEngine(storage: SQLiteStorage(path: path))
            try Self.save(batch, engine)
            try engine.close()
        }
        try write(1)
        var options = SQLiteOptions()
        options.isReadOnly = true
        // No program has it open: it is read as a file that doesn't change.
        let reader = try HealthEngine(storage: SQLiteStorage(path: path, options: options))
        #expect(try Self.count(reader) == 10)
        let heard = DispatchSemaphore(value: 0)
        let subscription = reader.storage.observeForeignCommits { heard.signal() }
        try write(2)
        #expect(heard.wait(timeout: .now() + 3_600) == .success)
        #expect(try Self.count(reader) == 20)
        // A write in the middle of a read.
        for batch in 3...4 {
            let error = Self.error {
                try reader.storage.read { snapshot in
                    _ = try snapshot.lastSequence()
                    try write(batch)
                    _ = try snapshot.lastSequence()
                }
            }
            #expect(
                error == nil
                    || error
                        == StorageError(.busy, "Another program has written to \(path) while it was read. Try again.")
            )
            #expect(try Self.count(reader) == batch * 10)
        }
        subscription.cancel()
        try reader.close()
    }

    @Test(
        "A file system that is read-only, with a log and without",
        .enabled(if: canMount, "mounting needs the superuser"), arguments: [false, true])
    func readOnlyFileSystem(hasLog: Bool) async throws {
        let mounted = try MountedFolder()
        let folder = mounted.path
        let path = folder + "/health.sqlite"
        if hasLog {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let engine = try HealthEngine(storage: SQLiteStorage(path: path))
                try Self.save(1, engine)
                try Self.save(2, engine)
                kill(getpid(), SIGKILL)
            }
        } else {
            let engine = try HealthEngine(storage: SQLiteStorage(path: path))
            try Self.save(1, engine)
            try Self.save(2, engine)
            try engine.close()
        }
        #expect(FileManager.default.fileExists(atPath: path + "-wal") == hasLog)
        #expect(Self.run("mount -o remount,ro \(folder)"))
        let opening = Self.error {
            let engine = try HealthEngine(storage: SQLiteStorage(path: path))
            #expect(try Self.count(engine) == 20)
            #expect(Self.error { try Self.save(3, engine) }?.kind == .unreachable)
            #expect(try engine.storage.findDamage() + engine.check() == [])
            try engine.close()
        }
        // A log without its index can't be read where nothing can be written.
        #expect(
            hasLog ? opening == nil || opening?.kind == .unreachable : opening == nil,
            "\(opening.map(String.init(describing:)) ?? "")")
        #expect(Self.error { _ = try SQLiteStorage(path: folder + "/new.sqlite") }?.kind == .unreachable)
        #expect(Self.run("mount -o remount,rw \(folder)"))
        let engine = try HealthEngine(storage: SQLiteStorage(path: path))
        #expect(try Self.count(engine) == 20)
        try Self.save(3, engine)
        #expect(try engine.storage.findDamage() + engine.check() == [])
        try engine.close()
    }
}
