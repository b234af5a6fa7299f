import Foundation
import GRDBSQLite
import HealthStorage

/// A store's file as it is on the disk, read, written and locked through SQLite's own VFS.
///
/// Closing a file descriptor releases all locks that the process holds on the file. Reading the file directly while a
/// connection has it open would therefore remove the connection's locks, and another process could delete the log that
/// it is writing to. SQLite keeps track of its open files and avoids this.
package final class VFSFile {
    /// SQLite's own VFS, by name: a program may have registered another one as the default.
    // Written once, before anything else can read it, and by SQLite only.
    nonisolated(unsafe) static let system: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find("unix")

    private let path: String
    private let memory: UnsafeMutableRawPointer
    private let name: sqlite3_filename?
    private let methods: sqlite3_io_methods

    private var file: UnsafeMutablePointer<sqlite3_file> { memory.assumingMemoryBound(to: sqlite3_file.self) }

    /// Opens a file. Throws `StorageError` `.unreachable`.
    package init(_ path: String, isWritten: Bool = false) throws {
        guard let system = Self.system, let open = system.pointee.xOpen,
            let name = sqlite3_create_filename(try Self.fullPath(path), "", "", 0, nil)
        else { throw Self.unreachable(path, "read") }
        let size = max(Int(system.pointee.szOsFile), MemoryLayout<sqlite3_file>.size)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let file = memory.assumingMemoryBound(to: sqlite3_file.self)
        let flags = (isWritten ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_MAIN_DB
        var given = flags
        let code = open(system, name, file, flags, &given)
        guard code == SQLITE_OK, let methods = file.pointee.pMethods?.pointee,
            !isWritten || given & SQLITE_OPEN_READWRITE != 0
        else {
            if let methods = file.pointee.pMethods?.pointee { _ = methods.xClose?(file) }
            sqlite3_free_filename(name)
            memory.deallocate()
            throw Self.unreachable(path, isWritten ? "written to" : "read")
        }
        (self.path, self.memory, self.name, self.methods) = (path, memory, name, methods)
    }

    deinit {
        _ = methods.xClose?(file)
        sqlite3_free_filename(name)
        memory.deallocate()
    }

    /// The path by which SQLite opens a file: absolute, and without symbolic links, which it doesn't open.
    /// One that leads below a folder whose name isn't UTF-8 stays as it is, because SQLite follows all but the last part.
    package static func fullName(_ path: String) throws -> String {
        String(validating: try fullPath(path).dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) ?? path
    }

    /// The size of the log of a store's file; 0 if there is none.
    package static func logSize(of path: String) -> Int {
        var status = stat()
        let name = (try? fullPath(path)) ?? Array(path.utf8CString)
        return stat(Array(name.dropLast()) + Array("-wal".utf8CString), &status) == 0 ? Int(status.st_size) : 0
    }

    /// The bytes of ``fullName(_:)``, which needn't be UTF-8, and the zero at their end.
    private static func fullPath(_ path: String) throws -> [CChar] {
        let failure = StorageError(.unreachable, "\(path) cannot be opened.")
        guard let system, let full = system.pointee.xFullPathname else { throw failure }
        var name = [CChar](repeating: 0, count: Int(system.pointee.mxPathname) + 1)
        // The code for a symbolic link isn't an error.
        guard full(system, path, Int32(name.count), &name) & 0xFF == SQLITE_OK else { throw failure }
        return Array(name.prefix { $0 != 0 }) + [0]
    }

    /// Returns up to `count` bytes of the beginning of a file, fewer if it is shorter.
    package static func head(of path: String, count: Int) throws -> [UInt8] {
        try VFSFile(path).read(count: count)
    }

    /// The file's length in bytes.
    package var size: Int {
        get throws {
            // SQLite rounds the size of a file with one byte down to zero.
            var status = stat()
            guard stat(path, &status) == 0 else { throw Self.unreachable(path, "read") }
            return Int(status.st_size)
        }
    }

    /// Returns up to `count` bytes at an offset, fewer at the end of the file.
    package func read(count: Int, at offset: Int = 0) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: try max(0, min(count, size - offset)))
        guard !bytes.isEmpty else { return [] }
        let code = bytes.withUnsafeMutableBytes { methods.xRead?(file, $0.baseAddress, Int32($0.count), Int64(offset)) }
        guard code == SQLITE_OK else { throw Self.unreachable(path, "read") }
        return bytes
    }

    /// Writes bytes, which are on the disk when the method returns, unless they needn't be.
    package func write(_ bytes: [UInt8], at offset: Int, isSynchronized: Bool = true) throws {
        let code = bytes.withUnsafeBytes { methods.xWrite?(file, $0.baseAddress, Int32($0.count), Int64(offset)) }
        guard code == SQLITE_OK else {
            throw StorageError(.inputOutput, "\(path) cannot be written to: \(StorageError.systemReason).")
        }
        if isSynchronized { try synchronize() }
    }

    /// Waits until everything that was written is on the disk.
    func synchronize() throws {
        guard methods.xSync?(file, SQLITE_SYNC_FULL) == SQLITE_OK else {
            throw StorageError(.inputOutput, "\(path) cannot be written to: \(StorageError.systemReason).")
        }
    }

    /// Whether the file isn't at its path any more.
    private var isMoved: Bool {
        var isMoved: Int32 = 0
        _ = methods.xFileControl?(file, SQLITE_FCNTL_HAS_MOVED, &isMoved)
        return isMoved != 0
    }

    /// Locks the file until this object is released, against other programs that change its key.
    ///
    /// Programs that use the store don't notice: with write-ahead logging, SQLite doesn't use this lock.
    package func lockForKeys() throws {
        try lock([SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED])
    }

    /// Locks the file until this object is released. No connection, of this process or another one, has it open or can
    /// begin to read it.
    package func lockExclusively() throws {
        try lock([SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE])
    }

    /// Locks the file until this object is released, against programs that replace it: whatever is read of it and
    /// beside it meanwhile belongs together.
    package func lockPlace() throws {
        try lock([SQLITE_LOCK_SHARED])
    }

    private func lock(_ levels: [Int32]) throws {
        for level in levels {
            let code = methods.xLock?(file, level) ?? SQLITE_ERROR
            guard code != SQLITE_BUSY else { throw StorageError(.busy, "Another program has \(path) open.") }
            guard code == SQLITE_OK else { throw StorageError(.inputOutput, "\(path) cannot be locked.") }
        }
        // Another program may have put another file in its place before this one was locked.
        guard !isMoved else { throw StorageError(.busy, "Another program has replaced \(path).") }
    }

    private static func unreachable(_ path: String, _ what: String) -> StorageError {
        StorageError(.unreachable, "\(path) cannot be \(what).")
    }

    /// Makes the names in a file's folder durable.
    package static func syncFolder(of path: String) {
        let folder = open(
            URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    // MARK: Functions that Swift doesn't import

    /// A function of Linux's C library; `nil` if it has none with this name.
    fileprivate static func function(_ name: String) -> UnsafeMutableRawPointer? {
        #if os(Linux)
            dlsym(nil, name)
        #else
            nil
        #endif
    }

    /// Whether a file has an access control list, by `getxattr`.
    package static func hasAccessList(_ path: String) -> Bool {
        typealias Look =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
        guard let look = function("getxattr").map({ unsafeBitCast($0, to: Look.self) }) else { return false }
        return look(path, "system.posix_acl_access", nil, 0) > 0
    }
}

/// Which file is at a path.
package struct FilePlace: Equatable, Sendable {
    private let path: String
    private let device: UInt64
    private let number: UInt64

    /// `nil` if there is no file.
    package init?(_ path: String) {
        self.path = path
        if let look = Self.look {
            // struct statx: stx_ino at 32, stx_dev_major and stx_dev_minor at 136.
            var status = [UInt64](repeating: 0, count: 32)
            guard look(AT_FDCWD, path, 0, Self.identityOnly, &status) == 0 else { return nil }
            (device, number) = (status[17], status[4])
        } else {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
        }
    }

    private typealias Look =
        @convention(c) (Int32, UnsafePointer<CChar>?, Int32, UInt32, UnsafeMutableRawPointer?) -> Int32
    /// STATX_INO
    private static let identityOnly: UInt32 = 0x100

    /// Linux's `statx`, which Swift doesn't import. Who asks for a file's times, as with `stat`, makes the next write
    /// to it note the exact time, and the next sync write that to the disk, which takes a commit half as long again.
    private static let look: Look? = VFSFile.function("statx").map { unsafeBitCast($0, to: Look.self) }

    /// Whether the file is still there, as far as that can be found out.
    package var isCurrent: Bool {
        // On a disk that fails, what was committed is in the file all the same.
        guard let now = FilePlace(path) else { return errno != ENOENT && errno != ENOTDIR }
        return now == self
    }
}
