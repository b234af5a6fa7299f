import Foundation
import HealthAccess
import HealthEngine
import HealthImport
import HealthStorage
package import HealthStorageFiles
import HealthStorageSQLite

/// The result of restoring a backup.
package struct RestoreReport: Hashable, Sendable {
    /// The backup.
    package let manifest: BackupManifest
    /// The path under which the previous store is now; `nil` if there was none.
    package let previous: String?
    /// The damage of the store, which it had when the backup was made; empty if there is none.
    package let damage: [String]
    /// Whether the store was encrypted, as the previous one is, although the backup isn't.
    package let isNewlyEncrypted: Bool
    /// The number of a server's tokens that were restored, also of those that were revoked since; 0 if there was an
    /// access file, which stays as it is.
    package let restoredTokens: Int
}

extension BackupFolder {
    /// How many sequence numbers a restored store leaves out at least. The numbers after a backup may have been given
    /// to samples that are not in it; programs may have seen them and have anchors behind them.
    package static let skippedSequences = 1 << 20

    /// The last number that a store skips which is restored or repaired at a time.
    ///
    /// A backup can be restored several times, each time without knowing which numbers the last one has given since.
    /// Numbers therefore grow with time: 4 million a second since 2025, which is more than any program saves. They stay
    /// below 2⁵³, which `Double` represents, until 2094.
    ///
    /// - Parameter last: The greatest number that is known.
    /// - Throws: ``BackupError`` ``BackupError/Kind/damaged`` if there aren't as many numbers.
    static func lastSkippedSequence(after last: Int64, at now: Date) throws -> Int64 {
        guard last < 1 << 62 else {
            throw BackupError(.damaged, "The store’s last sequence number is one that no store has reached.")
        }
        // Milliseconds since 1 January 2025, and 4,096 numbers for each.
        let milliseconds = min(max((now.timeIntervalSinceReferenceDate - 757_382_400) * 1_000, 0), 0x1p40)
        return max(last, Int64(milliseconds) << 12) + Int64(skippedSequences)
    }

    /// Restores a backup: the same store with its UUIDs, anchors, permissions and settings, and the files beside it.
    ///
    /// The store is written to another name first, then checked like by `hk doctor`, and put in its place only if it is
    /// sound. A store that was there is kept beside it. If that is encrypted and the backup isn't, which was made
    /// before, the restored store is encrypted with the same key. Later samples get sequence numbers and UUIDs that no
    /// sample had before, also not after the backup.
    ///
    /// An access file of a server that is there stays, so that no token is valid again that was revoked since. Where
    /// there is none, the backup's tokens are restored. Its sessions, sign-in codes and passwords never are.
    ///
    /// - Parameters:
    ///   - name: The backup's name; `nil` for the newest.
    ///   - path: The path of the store.
    ///   - replacing: Whether a store may be there, which no program has open.
    ///   - allowingDamage: Whether a store is restored that was damaged when the backup was made. Repair it then with
    ///     ``StoreRepair``.
    ///   - encryption: The key of the backup, which is the one that the store had then. It isn't used for a store that
    ///     was not encrypted.
    /// - Throws: ``BackupError``: ``BackupError/Kind/damaged`` if the backup isn't whole,
    ///   ``BackupError/Kind/unsuitable`` if there is a store and it isn't to be replaced, ``BackupError/Kind/busy`` if
    ///   another program restores to the same path; `StorageError` `.busy` if another program has the store open,
    ///   `.encrypted` if a key is missing.
    package func restore(
        _ name: String? = nil, to path: String, replacing: Bool = false, allowingDamage: Bool = false,
        encryption: StoreEncryption = .automatic
    ) throws -> RestoreReport {
        // The file itself is replaced, not a link to it.
        let path = SQLiteStorage.pathOfFile(at: path)
        guard replacing || !FileManager.default.fileExists(atPath: path) else {
            throw BackupError(.unsuitable, "There is a store at “\(path)”.")
        }
        let lock = try lock(exclusive: false)
        defer { close(lock) }
        guard let name = try name ?? names().last else {
            throw BackupError(.notFound, "“\(self.path)” has no backups.")
        }
        let manifest = try manifest(name)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError(.inputOutput, "The folder “\(folder)” can’t be created.")
        }
        let restored = try makeStaging(for: path)
        defer { withExtendedLifetime(restored) {} }
        let staging = restored.path
        for file in manifest.files { try write(file, to: staging + StoreAuxiliaryFiles.flat(file.suffix)) }
        let accessFile = manifest.files.contains { $0.suffix == StoreAuxiliaryFiles.accessFile }
        let tokens =
            accessFile
            ? try AccessRegistry.endSignIns(inFile: staging + StoreAuxiliaryFiles.flat(StoreAuxiliaryFiles.accessFile))
            : 0
        let damage = try finish(staging, manifest, previous: path, encryption, allowingDamage)
        let key = try previousKey(path, staging, manifest, encryption)
        guard key == nil || damage.isEmpty else {
            throw BackupError(
                .unsuitable,
                "The store at “\(path)” is encrypted, and the backup \(manifest.name) isn’t and is damaged. Restore it to another path, repair "
                    + "it with “hk doctor --repair”, and encrypt it with “hk key add”.")
        }
        if let key { try StoreEncryptionChange.encrypt(staging, with: key) }
        let (previous, installed) = try install(staging, manifest, at: path, encryption)
        return RestoreReport(
            manifest: manifest, previous: previous, damage: damage, isNewlyEncrypted: key != nil,
            restoredTokens: installed.contains(StoreAuxiliaryFiles.accessFile) ? tokens : 0)
    }

    private func makeStaging(for path: String) throws -> StagingStore {
        do {
            return try StagingStore(for: path, .restoring)
        } catch let error as StorageError {
            throw BackupError(error.kind == .busy ? .busy : .inputOutput, error.description)
        }
    }

    /// The key of the previous store, if that is encrypted and the restored one isn't.
    private func previousKey(
        _ path: String, _ staging: String, _ manifest: BackupManifest, _ encryption: StoreEncryption
    ) throws -> StoreKey? {
        guard FileManager.default.fileExists(atPath: path), try SQLiteStorage.keyKinds(of: staging).isEmpty else {
            return nil
        }
        // A store whose header is damaged has no key any more.
        let kinds = try? SQLiteStorage.keyKinds(of: path)
        guard kinds?.isEmpty != true else { return nil }
        let given: StoreKey? =
            switch encryption {
            case .key(let key): key
            case .automatic: try? StoreKeyring.shared.key(for: path)
            case .none: nil
            }
        guard let key = given, kinds != nil else {
            throw BackupError(
                .unsuitable,
                "The store at “\(path)” is encrypted, and the backup \(manifest.name) isn’t. Give the store’s key, with which the restored "
                    + "one is encrypted, or move the store away first.")
        }
        try SQLiteStorage.checkKey(of: path, encryption: .key(key))
        return key
    }

    private func write(_ file: BackupManifest.File, to path: String) throws {
        let output = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_EXCL, 0o600)
        guard output >= 0 else { throw BackupError.system(path, "created") }
        defer { close(output) }
        for chunk in file.chunks {
            if let code = try chunks.read(chunk).withUnsafeBytes({ $0.write(to: output) }) {
                throw BackupError.system(path, "written", code: code)
            }
        }
        guard lseek(output, 0, SEEK_END) == off_t(file.size) else {
            throw BackupError(.damaged, "The chunks of “\(path)” don’t have the length that was written.")
        }
        guard fsync(output) == 0 else { throw BackupError.system(path, "written") }
    }

    /// Checks the restored store and moves its counter. Returns the damage that it may have.
    private func finish(
        _ staging: String, _ manifest: BackupManifest, previous: String, _ encryption: StoreEncryption,
        _ allowingDamage: Bool
    ) throws -> [String] {
        var options = SQLiteOptions()
        options.encryption = try encryption.fitting(staging)
        do {
            return try finish(
                SQLiteStorage(path: staging, options: options), manifest, previous: previous, encryption, allowingDamage
            )
            .map { $0.replacing(staging, with: previous) }
        } catch let error as StorageError where error.kind == .damaged && allowingDamage {
            // A repair moves the counter, too.
            return [error.description.replacing(staging, with: previous)]
        }
    }

    private func finish(
        _ storage: SQLiteStorage, _ manifest: BackupManifest, previous: String, _ encryption: StoreEncryption,
        _ allowingDamage: Bool
    ) throws -> [String] {
        defer { try? storage.close() }
        let engine = try HealthEngine(storage: storage)
        defer { try? engine.close() }
        let (identity, sequence) = try storage.read { (try $0.identity().uuid, try $0.lastSequence()) }
        guard identity == manifest.store, sequence == manifest.sequence else {
            throw BackupError(.damaged, "The backup \(manifest.name) isn’t of the store that its manifest names.")
        }
        let findings = try Self.damage(of: storage, engine)
        guard findings.isEmpty || allowingDamage else {
            throw BackupError(
                .damaged,
                "The store was damaged when the backup \(manifest.name) was made: \(findings[0]) Restore an older one.")
        }
        let known = max(lastSequence(of: previous, identity: identity, encryption) ?? 0, sequence)
        // A clock that was set back isn't before the backup.
        let skipped = try Self.lastSkippedSequence(after: known, at: max(now(), manifest.created))
        _ = try storage.write { try $0.allocateSequences(Int(skipped - sequence)) }
        return findings
    }

    /// The damage for which a restore refuses a store.
    static func damage(of storage: SQLiteStorage, _ engine: HealthEngine) throws -> [String] {
        let findings = try storage.findDamage()
        // In a file that is damaged, samples can't be checked.
        guard findings.isEmpty else { return findings }
        do {
            return try engine.check()
        } catch let error as StorageError where error.kind == .damaged {
            return [error.description]
        }
    }

    /// The last sequence number of the store that is replaced, if it is the same store and can be read.
    private func lastSequence(of path: String, identity: UUID, _ encryption: StoreEncryption) -> Int64? {
        var options = SQLiteOptions()
        options.isReadOnly = true
        guard FileManager.default.fileExists(atPath: path), let fitting = try? encryption.fitting(path) else {
            return nil
        }
        options.encryption = fitting
        guard let previous = try? SQLiteStorage(path: path, options: options) else { return nil }
        defer { try? previous.close() }
        return try? previous.read { try $0.identity().uuid == identity ? $0.lastSequence() : nil }
    }

    /// Makes the folder of a file beside the store. Who owns the store owns what is restored beside it.
    private func prepareAuxiliaryFile(_ staging: String, _ place: String, _ path: String) throws {
        let folder = URL(fileURLWithPath: place).deletingLastPathComponent().path
        var owner = stat()
        let hasOwner = geteuid() == 0 && stat(FileManager.default.fileExists(atPath: place) ? place : path, &owner) == 0
        if mkdir(folder, 0o700) == 0 {
            if hasOwner { _ = lchown(folder, owner.st_uid, owner.st_gid) }
        } else if errno != EEXIST {
            throw BackupError.system(folder, "created")
        }
        guard access(folder, W_OK) == 0 else { throw BackupError.system(folder, "written") }
        if hasOwner { _ = lchown(staging, owner.st_uid, owner.st_gid) }
    }

    /// Puts the staging in its place. Returns the path of the previous store, if there was one, and the suffixes of the
    /// files that were restored beside it.
    private func install(
        _ staging: String, _ manifest: BackupManifest, at path: String, _ encryption: StoreEncryption
    ) throws -> (previous: String?, auxiliary: [String]) {
        let exists = FileManager.default.fileExists(atPath: path)
        var aside = "\(path).before-\(BackupManifest.name(at: now()))"
        while FileManager.default.fileExists(atPath: aside) { aside += "-2" }
        // The existing file determines who has access now.
        let auxiliary = manifest.files.dropFirst().map(\.suffix).filter {
            $0 != StoreAuxiliaryFiles.accessFile || !FileManager.default.fileExists(atPath: path + $0)
        }
        // What can fail comes before the store is replaced.
        for suffix in auxiliary {
            try prepareAuxiliaryFile(staging + StoreAuxiliaryFiles.flat(suffix), path + suffix, path)
        }
        try SQLiteStorage.replaceStore(at: path, with: staging, keepingAs: aside, encryption: encryption)
        for suffix in auxiliary {
            let (place, flat) = (path + suffix, StoreAuxiliaryFiles.flat(suffix))
            if FileManager.default.fileExists(atPath: place) { rename(place, aside + flat) }
            let folder = URL(fileURLWithPath: place).deletingLastPathComponent().path
            guard rename(staging + flat, place) == 0 else { throw BackupError.system(place, "written") }
            try DurableFile.syncFolder(folder)
        }
        try DurableFile.syncFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        return (exists ? aside : nil, auxiliary)
    }
}
