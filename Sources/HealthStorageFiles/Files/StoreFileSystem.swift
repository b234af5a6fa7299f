import Foundation
import GRDBSQLite
import HealthStorage
import Synchronization

/// How SQLite opens the files of a store, as long as this object exists: through an SQLite VFS of its own, by name.
///
/// The VFS finds the object by its number in the file's URI. A path that another program, or another part of this one,
/// opens without it is opened by the system.
package final class StoreAccess: Sendable {
    /// Creates the object for a file, before it is opened. Returns `nil` for one that mustn't be.
    package typealias Opening = @Sendable (StoreFile.Disk, StoreFile.Kind) -> StoreFile?

    private let number: Int64

    /// Throws `StorageError` `.unreachable` if SQLite doesn't accept the VFS.
    package init(_ opening: @escaping Opening) throws {
        guard StoreFileSystem.isRegistered else {
            throw StorageError(.unreachable, "SQLite doesn’t accept the VFS of health stores.")
        }
        number = StoreFileSystem.openings.withLock { openings in
            openings.last += 1
            openings.byNumber[openings.last] = opening
            return openings.last
        }
    }

    deinit {
        StoreFileSystem.openings.withLock { $0.byNumber[number] = nil }
    }

    /// The URI by which SQLite opens a file.
    ///
    /// - Parameter isImmutable: Whether SQLite reads the file without locks, as one without writers.
    package func uri(of path: String, isImmutable: Bool = false) -> String {
        URL(fileURLWithPath: path, isDirectory: false).absoluteString
            + "?vfs=\(StoreFileSystem.name)&access=\(number)\(isImmutable ? "&immutable=1" : "")"
    }
}

/// The SQLite VFS.
package enum StoreFileSystem {
    static let name = "openhealthkit"
    fileprivate static let openings = Mutex<(last: Int64, byNumber: [Int64: StoreAccess.Opening])>((0, [:]))

    /// The file of a store that a connection has open.
    package static func file(of connection: OpaquePointer?) -> StoreFile? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        return object(of: file)
    }

    /// Where SQLite's object for a file has the one for the file on the disk. The methods and ours are before it.
    private static let diskOffset = 16

    fileprivate static let isRegistered: Bool = {
        guard let system = VFSFile.system else { return false }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // All else works on names, and is the system's.
        own.initialize(to: system.pointee)
        own.pointee.pNext = nil
        own.pointee.zName = UnsafePointer(strdup(name))
        own.pointee.szOsFile = system.pointee.szOsFile + Int32(diskOffset)
        own.pointee.xOpen = { StoreFileSystem.open($1, $2, $3, $4) }
        own.pointee.xDelete = { _, name, isSynchronized in
            // The last connection deletes a log whose pages are all in the file.
            if let name, String(cString: name).hasSuffix("-wal"),
                let store = StoreFileSystem.object(of: sqlite3_database_file_object(name))
            {
                let code = store.close(logOf: .everything)
                guard code == SQLITE_OK else { return code }
            }
            return VFSFile.system!.pointee.xDelete!(VFSFile.system, name, isSynchronized)
        }
        return sqlite3_vfs_register(own, 0) == SQLITE_OK
    }()

    private static func open(
        _ name: sqlite3_filename?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ result: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let system = VFSFile.system, let open = system.pointee.xOpen, let file else { return SQLITE_CANTOPEN }
        // Temporary files have no name.
        guard let name, let kind = StoreFile.Kind(flags: flags) else { return open(system, name, file, flags, result) }
        file.pointee.pMethods = nil
        let number = sqlite3_uri_int64(name, "access", 0)
        guard let opening = openings.withLock({ $0.byNumber[number] }) else { return SQLITE_CANTOPEN }
        let memory = UnsafeMutableRawPointer(file)
        let real = (memory + diskOffset).assumingMemoryBound(to: sqlite3_file.self)
        memset(real, 0, Int(system.pointee.szOsFile))
        let store = kind == .file ? nil : object(of: sqlite3_database_file_object(name))
        let disk = StoreFile.Disk(file: real, path: String(cString: name), store: store)
        guard let opened = opening(disk, kind) else { return SQLITE_CANTOPEN }
        let code = open(system, name, real, flags, result)
        guard code == SQLITE_OK, real.pointee.pMethods != nil else {
            if let methods = real.pointee.pMethods { _ = methods.pointee.xClose?(real) }
            return code == SQLITE_OK ? SQLITE_CANTOPEN : code
        }
        memory.storeBytes(of: Unmanaged.passRetained(opened), toByteOffset: 8, as: Unmanaged<StoreFile>.self)
        file.pointee.pMethods = UnsafePointer(Self.methods)
        return SQLITE_OK
    }

    /// The object behind SQLite's; `nil` for a file that was opened by another VFS.
    private static func object(of file: UnsafeMutablePointer<sqlite3_file>?) -> StoreFile? {
        guard let file, file.pointee.pMethods == UnsafePointer(methods) else { return nil }
        return opened(file)
    }

    private static func opened(_ file: UnsafeMutablePointer<sqlite3_file>?) -> StoreFile {
        UnsafeMutableRawPointer(file!).load(fromByteOffset: 8, as: Unmanaged<StoreFile>.self).takeUnretainedValue()
    }

    /// The methods of version 2: without those for memory-mapped files.
    // Written once, before SQLite reads it.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 2
        methods.pointee.xClose = { file in
            let opened = UnsafeMutableRawPointer(file!).load(fromByteOffset: 8, as: Unmanaged<StoreFile>.self)
            file?.pointee.pMethods = nil
            let object = opened.takeRetainedValue()
            return object.disk.methods.pointee.xClose!(object.disk.file)
        }
        methods.pointee.xRead = { opened($0).read($1!, Int64($2), at: $3) }
        methods.pointee.xWrite = { opened($0).write($1!, Int64($2), at: $3) }
        methods.pointee.xTruncate = { opened($0).truncate($1) }
        methods.pointee.xSync = { opened($0).sync($1) }
        methods.pointee.xFileSize = { opened($0).size($1) }
        methods.pointee.xFileControl = { opened($0).control($1, $2) }
        methods.pointee.xLock = { disk($0).methods.pointee.xLock!(disk($0).file, $1) }
        methods.pointee.xUnlock = { disk($0).methods.pointee.xUnlock!(disk($0).file, $1) }
        methods.pointee.xCheckReservedLock = { disk($0).methods.pointee.xCheckReservedLock!(disk($0).file, $1) }
        methods.pointee.xSectorSize = { disk($0).methods.pointee.xSectorSize!(disk($0).file) }
        methods.pointee.xDeviceCharacteristics = { disk($0).methods.pointee.xDeviceCharacteristics!(disk($0).file) }
        methods.pointee.xShmMap = { disk($0).methods.pointee.xShmMap!(disk($0).file, $1, $2, $3, $4) }
        methods.pointee.xShmLock = { disk($0).methods.pointee.xShmLock!(disk($0).file, $1, $2, $3) }
        methods.pointee.xShmBarrier = { disk($0).methods.pointee.xShmBarrier!(disk($0).file) }
        methods.pointee.xShmUnmap = { disk($0).methods.pointee.xShmUnmap!(disk($0).file, $1) }
        return methods
    }()

    private static func disk(_ file: UnsafeMutablePointer<sqlite3_file>?) -> StoreFile.Disk { opened(file).disk }
}
