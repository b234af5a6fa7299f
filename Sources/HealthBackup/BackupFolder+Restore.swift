import Foundation
import HealthEngine
import HealthStorage
public import HealthStorageSQLite

/// What restoring a backup has done.
public struct RestoreReport: Hashable, Sendable {
    /// The backup.
    public let manifest: BackupManifest
    /// The path under which the former store is kept; `nil` if there was none.
    public let former: String?
}

extension BackupFolder {
    /// How many sequence numbers a restored store leaves out at least. The numbers after a backup may have been given to samples
    /// that are not in it; programs may have seen them and have anchors behind them.
    public static let skippedSequences = 1 << 20

    /// The last number that a store skips which is restored or repaired at a time.
    ///
    /// A backup can be restored several times, each time without knowing which numbers the last one has given since. Numbers
    /// therefore grow with time: 4 million a second since 2025, which is more than any program saves. They stay below 2⁵³, which
    /// `Double` represents, until 2094.
    ///
    /// - Parameter last: The greatest number that is known.
    static func lastSkippedSequence(after last: Int64, at now: Date) -> Int64 {
        // Milliseconds since 1 January 2025, and 4,096 numbers for each.
        let milliseconds = min(max((now.timeIntervalSinceReferenceDate - 757_382_400) * 1_000, 0), 0x1p40)
        return max(last, Int64(milliseconds) << 12) + Int64(skippedSequences)
    }

    /// Restores a backup: the same store with its UUIDs, anchors, permissions and settings, and the files beside it.
    ///
    /// The store is written to another name first, then checked like by `hk doctor`, and put in its place only if it
    /// is sound. A store that was there is kept beside it. Later samples get sequence numbers and UUIDs that no
    /// sample had before, also not after the backup.
    ///
    /// - Parameters:
    ///   - name: The backup's name; `nil` for the newest.
    ///   - path: The path of the store.
    ///   - replacing: Whether a store may be there, which no program has open.
    ///   - encryption: The key of the backup, which is the one that the store had then. It isn't used for a store that was not encrypted.
    /// - Throws: ``BackupError``: ``BackupError/Kind/damaged`` if the backup isn't whole, ``BackupError/Kind/unsuitable`` if there is
    ///   a store and `replacing` is `false`; `StorageError` `.busy` if another program has the store open.
    public func restore(
        _ name: String? = nil, to path: String, replacing: Bool = false, encryption: StoreEncryption = .automatic
    ) throws -> RestoreReport {
        // The file itself is replaced, not a link to it.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard replacing || !FileManager.default.fileExists(atPath: path) else {
            throw BackupError(.unsuitable, "There is a store at “\(path)”.")
        }
        let lock = try lock(exclusive: false)
        defer { close(lock) }
        guard let name = try name ?? names().last else { throw BackupError(.notFound, "“\(self.path)” has no backups.") }
        let manifest = try manifest(name)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError(.inputOutput, "The folder “\(folder)” can’t be created.")
        }
        let draft = "\(path).restoring"
        removeDraft(draft, manifest)
        defer { removeDraft(draft, manifest) }
        for file in manifest.files { try write(file, to: draft + StoreCompanions.flat(file.suffix)) }
        try finish(draft, manifest, former: path, encryption)
        return RestoreReport(manifest: manifest, former: try install(draft, manifest, at: path, encryption))
    }

    private func write(_ file: BackupManifest.File, to path: String) throws {
        let output = try DurableFile.create(path, replacing: false)
        defer { close(output) }
        for chunk in file.chunks { try DurableFile.append(chunks.read(chunk), to: output, path) }
        guard lseek(output, 0, SEEK_END) == off_t(file.size) else {
            throw BackupError(.damaged, "The chunks of “\(path)” don’t have the length that was written.")
        }
        try DurableFile.sync(output, path)
    }

    /// Checks the restored store and moves its counter.
    private func finish(_ draft: String, _ manifest: BackupManifest, former: String, _ encryption: StoreEncryption) throws {
        var options = SQLiteOptions()
        options.encryption = try encryption.fitting(draft)
        let storage = try SQLiteStorage(path: draft, options: options)
        let engine = try HealthEngine(storage: storage)
        defer { try? engine.close() }
        let (identity, sequence) = try storage.read { (try $0.identity().uuid, try $0.lastSequence()) }
        guard identity == manifest.store, sequence == manifest.sequence else {
            throw BackupError(.damaged, "The backup \(manifest.name) isn’t of the store that its manifest names.")
        }
        let findings = try storage.findDamage() + engine.check()
        guard findings.isEmpty else {
            throw BackupError(
                .damaged, "The store was damaged when the backup \(manifest.name) was made: \(findings[0]) Restore an older one.")
        }
        let known = max(lastSequence(of: former, identity: identity, encryption) ?? 0, sequence)
        // A clock that was set back isn't before the backup.
        let skipped = Self.lastSkippedSequence(after: known, at: max(now(), manifest.created))
        _ = try storage.write { try $0.allocateSequences(Int(skipped - sequence)) }
    }

    /// The last sequence number of the store that is replaced, if it is the same store and can be read.
    private func lastSequence(of path: String, identity: UUID, _ encryption: StoreEncryption) -> Int64? {
        var options = SQLiteOptions()
        options.isReadOnly = true
        guard FileManager.default.fileExists(atPath: path), let fitting = try? encryption.fitting(path) else { return nil }
        options.encryption = fitting
        guard let former = try? SQLiteStorage(path: path, options: options)
        else { return nil }
        defer { try? former.close() }
        return try? former.read { try $0.identity().uuid == identity ? $0.lastSequence() : nil }
    }

    /// Puts the draft in its place. Returns the path of the former store, if there was one.
    private func install(_ draft: String, _ manifest: BackupManifest, at path: String, _ encryption: StoreEncryption) throws -> String? {
        let exists = FileManager.default.fileExists(atPath: path)
        var aside = "\(path).before-\(BackupManifest.name(at: now()))"
        while FileManager.default.fileExists(atPath: aside) { aside += "-2" }
        try SQLiteStorage.replaceStore(at: path, with: draft, keepingAs: aside, encryption: encryption)
        for file in manifest.files.dropFirst() {
            let (place, flat) = (path + file.suffix, StoreCompanions.flat(file.suffix))
            if FileManager.default.fileExists(atPath: place) { rename(place, aside + flat) }
            let folder = URL(fileURLWithPath: place).deletingLastPathComponent().path
            if !FileManager.default.fileExists(atPath: folder) { mkdir(folder, 0o700) }
            guard rename(draft + flat, place) == 0 else { throw BackupError.system(place, "written") }
            try DurableFile.syncFolder(folder)
        }
        try DurableFile.syncFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        return exists ? aside : nil
    }

    private func removeDraft(_ draft: String, _ manifest: BackupManifest) {
        for suffix in ["-wal", "-shm", "-journal"] + manifest.files.map({ StoreCompanions.flat($0.suffix) }) { unlink(draft + suffix) }
    }
}
