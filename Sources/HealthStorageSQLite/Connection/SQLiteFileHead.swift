import Foundation
import GRDBSQLite
import HealthStorage

/// The first bytes of a file, read through SQLite.
///
/// Closing a descriptor of a file lets go of every lock that the process holds on it, whoever took them: a file that
/// was read by itself beside an open connection would be unlocked under it, and another process could delete the log
/// that the connection goes on writing to. SQLite knows what it has open and closes nothing in between.
enum SQLiteFileHead {
    /// Up to `count` bytes of the file at `path`, fewer where it is shorter. Throws `StorageError` `.unreachable`.
    static func read(_ path: String, count: Int) throws -> [UInt8] {
        guard let system = sqlite3_vfs_find(nil), let open = system.pointee.xOpen,
            let name = sqlite3_create_filename(path, "", "", 0, nil)
        else { throw unreadable(path) }
        defer { sqlite3_free_filename(name) }
        let size = max(Int(system.pointee.szOsFile), MemoryLayout<sqlite3_file>.size)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let file = memory.assumingMemoryBound(to: sqlite3_file.self)
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
        guard open(system, name, file, flags, nil) == SQLITE_OK, let methods = file.pointee.pMethods?.pointee else {
            throw unreadable(path)
        }
        defer { _ = methods.xClose?(file) }
        // SQLite's own idea of a length takes one byte for none.
        var status = stat()
        guard stat(path, &status) == 0 else { throw unreadable(path) }
        var bytes = [UInt8](repeating: 0, count: min(count, Int(status.st_size)))
        guard !bytes.isEmpty else { return [] }
        let code = bytes.withUnsafeMutableBytes { methods.xRead?(file, $0.baseAddress, Int32($0.count), 0) }
        guard code == SQLITE_OK else { throw unreadable(path) }
        return bytes
    }

    private static func unreadable(_ path: String) -> StorageError {
        StorageError(.unreachable, "\(path) cannot be read.")
    }
}
