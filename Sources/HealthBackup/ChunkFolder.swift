import Foundation
import HealthStorageFiles

/// The chunks of all backups of a folder, each in a file named by its SHA-256, below 256 folders.
struct ChunkFolder {
    let path: String

    /// The file of a chunk.
    func file(_ hash: String) -> String { "\(folder(hash))/\(hash)" }

    /// The folder of a chunk.
    func folder(_ hash: String) -> String { "\(path)/\(hash.prefix(2))" }

    /// Writes a chunk unless it is there already, undamaged. Returns its hash, and whether it was written.
    func put(_ bytes: Data) throws -> (hash: String, isNew: Bool) {
        let hash = BackupManifest.hash(bytes)
        let file = file(hash)
        if isPresent(hash, size: bytes.count), (try? read(hash)) != nil { return (hash, false) }
        let folder = folder(hash)
        if mkdir(folder, 0o700) == 0 {
            try DurableFile.syncFolder(path)
        } else if errno != EEXIST {
            throw BackupError.system(folder, "created")
        }
        try DurableFile.write(bytes, to: file)
        // What the disk gives back, as far as that can be known before it is turned off.
        _ = try read(hash)
        return (hash, true)
    }

    /// Whether there is a file of this length.
    func isPresent(_ hash: String, size: Int) -> Bool {
        var status = stat()
        return stat(file(hash), &status) == 0 && Int(status.st_size) == size
    }

    /// Reads a chunk.
    ///
    /// - Throws: ``BackupError`` ``BackupError/Kind/damaged`` if it is missing or isn't what was written.
    func read(_ hash: String) throws -> Data {
        guard let bytes = FileManager.default.contents(atPath: file(hash)) else {
            throw BackupError(.damaged, "The chunk “\(file(hash))” is missing or can’t be read.")
        }
        guard BackupManifest.hash(bytes) == hash else {
            throw BackupError(.damaged, "The chunk “\(file(hash))” isn’t what was written.")
        }
        return bytes
    }

    /// Removes chunks that are not in `used`, and what an interrupted backup left.
    func removeAll(except used: Set<String>) {
        let files = FileManager.default
        for folder in (try? files.contentsOfDirectory(atPath: path)) ?? [] {
            for name in (try? files.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? [] where !used.contains(name) {
                unlink("\(path)/\(folder)/\(name)")
            }
        }
    }
}

/// Files that are complete or absent after a power failure, and that only their owner can read.
enum DurableFile {
    /// Writes a file under another name, syncs it and gives it its name.
    static func write(_ bytes: Data, to path: String) throws {
        do {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw BackupError.system(error.path, error.verb, code: error.code)
        }
    }

    /// Syncs a folder, which makes the names in it durable.
    static func syncFolder(_ path: String) throws {
        let folder = open(path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw BackupError.system(path, "opened") }
        defer { close(folder) }
        // Some file systems can't sync a folder, and don't have to.
        guard fsync(folder) == 0 || errno == EINVAL else { throw BackupError.system(path, "written") }
    }
}
