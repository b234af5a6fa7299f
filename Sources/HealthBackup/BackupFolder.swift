package import Foundation

/// A folder with the backups of one store.
///
/// Each backup is a manifest below `backups`, which lists chunks below `chunks`; backups share equal chunks. A backup
/// exists from the moment its manifest has its name, which is after all of its chunks are on the disk. One that is
/// interrupted leaves chunks that the next one uses or removes. Only the owner can read the files.
///
/// Methods may be called from any thread and process: a lock lets one backup run at a time. They throw ``BackupError``.
package struct BackupFolder: Sendable {
    /// The folder's path.
    package let path: String
    let now: @Sendable () -> Date

    /// Names a folder, which a backup creates.
    ///
    /// - Parameter now: The clock.
    package init(path: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.path = path
        self.now = now
    }

    var chunks: ChunkFolder { ChunkFolder(path: path + "/chunks") }
    var manifests: String { path + "/backups" }
    /// The snapshot of the store while a backup runs.
    var snapshot: String { path + "/snapshot.sqlite" }
    /// The identity of the store whose backups these are, which every manifest has too.
    private var ownerFile: String { path + "/store" }

    // MARK: Listing

    /// The names of the backups, from the oldest to the newest. Their manifests may be damaged.
    package func names() throws -> [String] {
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: manifests)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw BackupError(.notFound, "“\(path)” has no backups.")
        } catch {
            throw BackupError(.inputOutput, "The folder “\(manifests)” can’t be read.")
        }
        return files.filter { $0.hasSuffix(BackupManifest.suffix) }.map {
            String($0.dropLast(BackupManifest.suffix.count))
        }
        .sorted()
    }

    /// The manifests of all backups, from the oldest to the newest.
    package func list() throws -> [BackupManifest] {
        try names().map(manifest)
    }

    /// The backups whose manifests can be read, from the oldest to the newest, and the names of the others.
    package func backups() throws -> (readable: [BackupManifest], unreadable: [String]) {
        var (readable, unreadable): ([BackupManifest], [String]) = ([], [])
        for name in try names() {
            do {
                readable.append(try manifest(name))
            } catch let error as BackupError where [.damaged, .inputOutput].contains(error.kind) {
                unreadable.append(name)
            }
        }
        return (readable, unreadable)
    }

    /// Reads the manifest of a backup.
    package func manifest(_ name: String) throws -> BackupManifest {
        let file = "\(manifests)/\(name)\(BackupManifest.suffix)"
        guard !name.contains("/"), FileManager.default.fileExists(atPath: file) else {
            throw BackupError(.notFound, "“\(path)” has no backup \(name).")
        }
        guard let bytes = FileManager.default.contents(atPath: file) else { throw BackupError.system(file, "read") }
        return try BackupManifest(name: name, text: String(decoding: bytes, as: UTF8.self))
    }

    // MARK: Verifying

    /// Reads every chunk of every backup. Returns a sentence for each backup that can't be restored.
    package func verify() throws -> [String] {
        let lock = try lock(exclusive: false)
        defer { close(lock) }
        var known: [String: Bool] = [:]
        var findings: [String] = []
        for name in try names() {
            do {
                var missing = 0
                for chunk in Set(try manifest(name).files.flatMap(\.chunks)) {
                    let isSound = known[chunk] ?? ((try? chunks.read(chunk)) != nil)
                    known[chunk] = isSound
                    if !isSound { missing += 1 }
                }
                if missing > 0 {
                    let chunks = missing == 1 ? "a chunk that is" : "\(missing) chunks that are"
                    findings.append("The backup \(name) has \(chunks) missing or damaged.")
                }
            } catch let error as BackupError {
                findings.append(error.description)
            }
        }
        return findings
    }

    // MARK: Pruning

    /// Removes all backups but the newest `keep`, and chunks that no backup uses. Returns the number of backups that
    /// were removed. The caller has locked the folder.
    ///
    /// - Parameter all: The manifests of all backups, from the oldest to the newest.
    func prune(_ all: [BackupManifest], keep: Int) throws -> Int {
        let old = all.dropLast(keep)
        for manifest in old {
            let file = "\(manifests)/\(manifest.name)\(BackupManifest.suffix)"
            guard unlink(file) == 0 else { throw BackupError.system(file, "removed") }
        }
        // The manifests go first: a backup without its chunks must not exist, even after a power failure.
        if !old.isEmpty { try DurableFile.syncFolder(manifests) }
        chunks.removeAll(except: Set(all.suffix(keep).flatMap { $0.files.flatMap(\.chunks) }))
        return old.count
    }

    // MARK: Creating and locking

    /// The names of what a first backup creates in the folder.
    static let entries: Set = ["lock", "chunks", "store", "backups"]

    /// Creates the folder.
    ///
    /// - Throws: ``BackupError`` ``BackupError/Kind/unsuitable`` if there is a folder with something else in it.
    func create() throws {
        let files = FileManager.default
        if !files.fileExists(atPath: manifests), let found = try? files.contentsOfDirectory(atPath: path),
            // An interrupted first backup may have left these.
            !Set(found).isSubset(of: Self.entries)
        {
            throw BackupError(.unsuitable, "“\(path)” isn’t empty, and isn’t a folder of backups.")
        }
        for folder in [path, chunks.path, manifests] {
            do {
                try files.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
                throw BackupError.system(folder, "created", code: ENOSPC)
            } catch {
                throw BackupError(.inputOutput, "The folder “\(folder)” can’t be created.")
            }
        }
    }

    /// The identity of the store whose backups these are; `nil` if it isn't known.
    func owner() -> UUID? {
        FileManager.default.contents(atPath: ownerFile).flatMap {
            UUID(uuidString: String(decoding: $0.prefix(36), as: UTF8.self))
        }
    }

    func setOwner(_ store: UUID) throws {
        if owner() != store { try DurableFile.write(Data("\(store.uuidString)\n".utf8), to: ownerFile) }
    }

    /// Locks the folder. The caller closes the descriptor, which unlocks it, as the end of the process does.
    func lock(exclusive: Bool) throws -> Int32 {
        let file = path + "/lock"
        var lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // Backups on a medium that can't be written are only read.
        if lock < 0, !exclusive {
            lock = open(FileManager.default.fileExists(atPath: file) ? file : path, O_RDONLY | O_CLOEXEC)
        }
        guard lock >= 0 else {
            if errno == ENOENT { throw BackupError(.notFound, "“\(path)” has no backups.") }
            throw BackupError.system(file, "opened")
        }
        guard flock(lock, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
            let code = errno
            close(lock)
            if code == EWOULDBLOCK { throw BackupError(.busy, "Another program is using the backups in “\(path)”.") }
            throw BackupError.system(file, "locked", code: code)
        }
        return lock
    }
}
