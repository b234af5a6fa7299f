package import Foundation
import HealthAccess
import HealthEngine
package import HealthStorage
import HealthStorageSQLite

/// How a backup is made.
package struct BackupOptions: Sendable {
    /// The number of backups to keep, with this one; `nil` keeps all.
    package var keep: Int?

    /// Creates the default options.
    package init(keep: Int? = nil) {
        self.keep = keep
    }
}

/// The result of a backup.
package struct BackupReport: Hashable, Sendable {
    /// The backup.
    package let manifest: BackupManifest
    /// The number of chunks that no earlier backup had.
    package let newChunks: Int
    /// The bytes of those chunks.
    package let newBytes: Int
    /// The number of older backups that were removed. None is removed while the manifest of one can't be read.
    package let pruned: Int
    /// The names of earlier backups whose manifests can't be read.
    package let unreadable: [String]
    /// The damage of the store that was backed up; empty if there is none. Nothing is pruned if there is.
    package let damage: [String]
}

extension BackupFolder {
    /// Backs up a store while other programs read and write it.
    ///
    /// The backup is the store's state of one moment, with the files beside it: the access file of a server, and the
    /// positions of `hk watch` and `hk sync`, which are read before the store and therefore never ahead of it. The disk
    /// needs room for a second copy of the store while the backup runs. The backup of an encrypted store is encrypted,
    /// with the key that the store has then; the files beside it are as they are.
    ///
    /// - Throws: ``BackupError``: ``BackupError/Kind/busy`` while another backup runs, ``BackupError/Kind/outOfSpace``
    ///   if the disk is full, ``BackupError/Kind/unsuitable`` for a store in a database or a folder with backups of
    ///   another store. Earlier backups remain in any case.
    package func backUp(_ storage: any HealthStorage, options: BackupOptions = BackupOptions()) throws -> BackupReport {
        guard let storage = storage as? SQLiteStorage else {
            throw BackupError(
                .unsuitable,
                "Only stores in files can be backed up to a folder. Back up a database with pg_dump, or copy a store to a file with “hk copy”."
            )
        }
        let found = try? FileManager.default.contentsOfDirectory(atPath: path)
        try create()
        let lock = try lock(exclusive: true)
        defer { close(lock) }
        do {
            return try backUpLocked(storage, options)
        } catch {
            // Nothing is left of a first backup that failed.
            if found?.isEmpty ?? true, (try? names().isEmpty) == true {
                for name in Self.entries { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
                if found == nil { rmdir(path) }
            }
            throw error
        }
    }

    /// Backs up a store if its newest backup is older than an interval, or there is none. Returns `nil` if there was
    /// nothing to do.
    ///
    /// A service calls this method as often as it likes, such as once a minute, and whenever it starts.
    ///
    /// - Parameter interval: Seconds.
    /// - Throws: as ``backUp(_:options:)``.
    package func backUpIfDue(
        _ storage: any HealthStorage, every interval: TimeInterval, options: BackupOptions = BackupOptions()
    ) throws -> BackupReport? {
        if let name = try? names().last, let newest = try? manifest(name) {
            let age = now().timeIntervalSince(newest.created)
            // One from the future was made before the clock was set back.
            if age >= 0, age < interval { return nil }
        }
        return try backUp(storage, options: options)
    }

    private func backUpLocked(_ storage: SQLiteStorage, _ options: BackupOptions) throws -> BackupReport {
        let newest = try names().last
        let (earlier, unreadable) = try backups()
        let identity = try storage.read { try $0.identity().uuid }
        let owner = earlier.last?.store ?? owner()
        guard owner == nil || owner == identity else {
            throw BackupError(.unsuitable, "“\(path)” has backups of another store. Use a folder for each store.")
        }
        try setOwner(identity)
        removeSnapshot()
        defer { removeSnapshot() }
        var report = (chunks: 0, bytes: 0)
        let known = Set(earlier.last?.files.flatMap(\.chunks) ?? [])
        var unsynced: Set<String> = []
        func store(_ suffix: String, _ path: String) throws -> BackupManifest.File {
            var file = BackupManifest.File(suffix: suffix, size: 0, chunks: [])
            guard let input = FileHandle(forReadingAtPath: path) else { throw BackupError.system(path, "read") }
            defer { try? input.close() }
            while let bytes = try read(input, path), !bytes.isEmpty {
                let (hash, isNew) = try chunks.put(bytes)
                if isNew { report = (report.chunks + 1, report.bytes + bytes.count) }
                // An interrupted backup may have left it without waiting for the disk.
                if !isNew, !known.contains(hash) { unsynced.insert(chunks.folder(hash)) }
                file.chunks.append(hash)
                file.size += bytes.count
                // What a server appends to its log meanwhile is left to the next backup.
                if bytes.count < BackupManifest.chunkSize { break }
            }
            return file
        }
        var auxiliary: [BackupManifest.File] = []
        let file = SQLiteStorage.pathOfFile(at: storage.path)
        for suffix in StoreAuxiliaryFiles.suffixes(of: file) {
            guard suffix == StoreAuxiliaryFiles.accessFile else {
                auxiliary.append(try store(suffix, file + suffix))
                continue
            }
            // What a server has changed last is in the log beside it.
            try AccessFile(path: file + suffix).copy(to: snapshot)
            auxiliary.append(try store(suffix, snapshot))
            removeSnapshot()
        }
        do {
            try storage.writeSnapshot(to: snapshot)
        } catch let error as StorageError where error.kind == .inputOutput {
            throw BackupError(
                .outOfSpace, "A snapshot of the store can’t be written to “\(path)”. \(error.description)")
        }
        let (sequence, damage) = try inspectSnapshot(of: storage)
        let files = [try store("", snapshot)] + auxiliary
        let created = now()
        // Names grow even if the clock is set back.
        let last = newest.flatMap(BackupManifest.instant)?.addingTimeInterval(1)
        let manifest = BackupManifest(
            name: BackupManifest.name(at: max(created, last ?? created)), created: created, store: identity,
            sequence: sequence, files: files)
        // Names of folders, and of chunks in them, are durable before the manifest is.
        if !unsynced.isEmpty { unsynced.insert(chunks.path) }
        for folder in unsynced { try DurableFile.syncFolder(folder) }
        let text = manifest.text
        _ = try BackupManifest(name: manifest.name, text: text)
        try DurableFile.write(Data(text.utf8), to: "\(manifests)/\(manifest.name)\(BackupManifest.suffix)")
        // The chunks of an interrupted backup are removed even if all backups are kept. Nothing may be removed beside a
        // manifest that can't be read.
        let pruned =
            try damage.isEmpty && unreadable.isEmpty ? prune(earlier + [manifest], keep: options.keep ?? .max) : 0
        return BackupReport(
            manifest: manifest, newChunks: report.chunks, newBytes: report.bytes, pruned: pruned,
            unreadable: unreadable, damage: damage)
    }

    private func read(_ input: FileHandle, _ path: String) throws -> Data? {
        do {
            return try input.read(upToCount: BackupManifest.chunkSize)
        } catch {
            throw BackupError(.inputOutput, "“\(path)” can’t be read.")
        }
    }

    private func inspectSnapshot(of storage: SQLiteStorage) throws -> (sequence: Int64, damage: [String]) {
        let copy = try storage.openSnapshot(at: snapshot)
        defer { try? copy.close() }
        // What a restore checks: a backup that couldn't be restored must not replace older ones.
        return (try copy.read { try $0.lastSequence() }, try Self.damage(of: copy, HealthEngine(storage: copy)))
    }

    private func removeSnapshot() {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(snapshot + suffix) }
    }
}

/// The files beside a store's file that belong to it.
enum StoreAuxiliaryFiles {
    /// Tokens, sessions and sign-in codes of a server over this store.
    static let accessFile = ".server/access.sqlite"
    /// The access file and the log of that server.
    private static let serverFiles = [accessFile, ".server/audit.log"]
    /// The positions of `hk watch` and `hk sync`.
    private static let prefixes = ["watch-", "sync-"]

    /// The suffixes of a store's auxiliary files after the store's path, in order.
    static func suffixes(of path: String) -> [String] {
        let store = URL(fileURLWithPath: path)
        let prefix = store.lastPathComponent + "."
        let found = (try? FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path)) ?? []
        let positions = found.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
            .filter { name in
                prefixes.contains { name.hasPrefix($0) } && !name.hasSuffix(".new") && !name.hasSuffix(".lock")
            }
            // A manifest has a line for each.
            .filter { !$0.contains(where: \.isNewline) }
        return serverFiles.filter { FileManager.default.fileExists(atPath: path + $0) }
            + positions.map { "." + $0 }.sorted()
    }

    /// Whether a manifest may name an auxiliary file, whose path must not lead elsewhere.
    static func isSuffix(_ suffix: String) -> Bool {
        serverFiles.contains(suffix) || suffix.hasPrefix(".") && !suffix.contains("/")
    }

    /// The suffix as part of one file name, for files that aren't in their place.
    static func flat(_ suffix: String) -> String {
        suffix.replacingOccurrences(of: "/", with: "-")
    }
}
