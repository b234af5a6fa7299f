import Foundation
import GRDBSQLite
import HealthStorage
import Synchronization

/// SQLite's access to the files of stores, an SQLite VFS.
///
/// It is SQLite's default once a store was opened, because GRDB opens files with the default. Encrypted stores and
/// files that are to become stores are registered by their path; a store whose pages have checksums is known by the
/// beginning of its file. All other files are opened by the system's own access, and keep its methods.
enum StoreFileSystem {
    /// What SQLite opens.
    enum Kind: CaseIterable {
        case file, log, journal

        fileprivate var flag: Int32 {
            switch self {
            case .file: SQLITE_OPEN_MAIN_DB
            case .log: SQLITE_OPEN_WAL
            case .journal: SQLITE_OPEN_MAIN_JOURNAL
            }
        }

        fileprivate var suffix: String {
            switch self {
            case .file: ""
            case .log: "-wal"
            case .journal: "-journal"
            }
        }
    }

    /// How the files at a path are opened.
    enum Access {
        /// By the system's own access.
        case system
        /// Not at all.
        case refused
        /// By an object, created for the file on the disk and SQLite's methods for it.
        case file((UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods, String) -> StoreFile)
    }

    private struct Entry {
        var number: Int
        var access: @Sendable (Kind) -> Access
    }

    private struct State {
        var entries: [String: [Entry]] = [:]
        var next = 0
    }

    private static let state = Mutex(State())

    /// A path that is opened in a certain way, until this object is released. Files that are open keep theirs.
    final class Registration: Sendable {
        private let name: String
        private let number: Int

        init(_ path: String, _ access: @escaping @Sendable (Kind) -> Access) throws {
            let name = try SystemFile.fullName(path)
            self.name = name
            try StoreFileSystem.install()
            number = state.withLock { state in
                state.next += 1
                state.entries[name, default: []].append(Entry(number: state.next, access: access))
                return state.next
            }
        }

        deinit {
            state.withLock { state in
                state.entries[name]?.removeAll { $0.number == number }
                if state.entries[name]?.isEmpty == true { state.entries[name] = nil }
            }
        }
    }

    /// Makes this SQLite's default access, before the first store is opened.
    static func install() throws {
        guard isInstalled else { throw StorageError(.unreachable, "SQLite refuses another access to files.") }
    }

    /// Opens a path by what is in the file from now on: it isn't encrypted any longer.
    static func forget(_ path: String) throws {
        let name = try SystemFile.fullName(path)
        state.withLock { $0.entries[name] = nil }
    }

    // MARK: SQLite's side

    /// Where SQLite's object for a file of a store has the one for the file on the disk. The methods and the object are
    /// before it.
    private static let systemOffset = 16

    private static let isInstalled: Bool = {
        guard let system = SystemFile.system else { return false }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // All else works on names, and is the system's.
        own.initialize(to: system.pointee)
        own.pointee.pNext = nil
        own.pointee.zName = UnsafePointer(strdup("openhealthkit"))
        own.pointee.szOsFile = system.pointee.szOsFile + Int32(systemOffset)
        own.pointee.xOpen = { _, name, file, flags, result in
            StoreFileSystem.open(name, file, flags, result)
        }
        return sqlite3_vfs_register(own, 1) == SQLITE_OK
    }()

    private static func open(
        _ name: sqlite3_filename?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ result: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let system = SystemFile.system, let open = system.pointee.xOpen, let file else { return SQLITE_CANTOPEN }
        guard let name else { return open(system, name, file, flags, result) }
        let make: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods, String) -> StoreFile
        switch access(name, flags) {
        case .system: return open(system, name, file, flags, result)
        case .refused:
            file.pointee.pMethods = nil
            return SQLITE_CANTOPEN
        case .file(let object): make = object
        }
        file.pointee.pMethods = nil
        let memory = UnsafeMutableRawPointer(file)
        let real = (memory + systemOffset).assumingMemoryBound(to: sqlite3_file.self)
        memset(real, 0, Int(system.pointee.szOsFile))
        let code = open(system, name, real, flags, result)
        guard code == SQLITE_OK, let methods = real.pointee.pMethods?.pointee else {
            if let methods = real.pointee.pMethods?.pointee { _ = methods.xClose?(real) }
            return code == SQLITE_OK ? SQLITE_CANTOPEN : code
        }
        let opened = make(real, methods, String(cString: name))
        memory.storeBytes(of: Unmanaged.passRetained(opened), toByteOffset: 8, as: Unmanaged<StoreFile>.self)
        file.pointee.pMethods = UnsafePointer(Self.methods)
        return SQLITE_OK
    }

    private static func access(_ name: sqlite3_filename, _ flags: Int32) -> Access {
        let path = String(cString: name)
        guard let kind = Kind.allCases.first(where: { flags & $0.flag != 0 }), path.hasSuffix(kind.suffix) else {
            return .system
        }
        let registered = state.withLock { $0.entries[String(path.dropLast(kind.suffix.count))]?.last?.access }
        if let registered { return registered(kind) }
        return kind != .journal && CheckedFile.isChecked(String(path.dropLast(kind.suffix.count)))
            ? CheckedFile.access(kind, .strict) : .system
    }

    /// The file behind SQLite's object.
    private static func file(_ file: UnsafeMutablePointer<sqlite3_file>?) -> StoreFile {
        UnsafeMutableRawPointer(file!).load(fromByteOffset: 8, as: Unmanaged<StoreFile>.self).takeUnretainedValue()
    }

    /// The file of a store that a connection has open; `nil` if it was opened by the system's access.
    static func file(of connection: OpaquePointer?) -> StoreFile? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file, file.pointee.pMethods == UnsafePointer(methods) else { return nil }
        return Self.file(file)
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
            return opened.takeRetainedValue().close()
        }
        methods.pointee.xRead = { StoreFileSystem.file($0).read($1!, Int64($2), at: $3) }
        methods.pointee.xWrite = { StoreFileSystem.file($0).write($1!, Int64($2), at: $3) }
        methods.pointee.xTruncate = { StoreFileSystem.file($0).truncate($1) }
        methods.pointee.xSync = { StoreFileSystem.file($0).sync($1) }
        methods.pointee.xFileSize = { StoreFileSystem.file($0).size($1) }
        methods.pointee.xLock = { StoreFileSystem.file($0).lock($1) }
        methods.pointee.xUnlock = { StoreFileSystem.file($0).unlock($1) }
        methods.pointee.xCheckReservedLock = { StoreFileSystem.file($0).checkLock($1) }
        methods.pointee.xFileControl = { StoreFileSystem.file($0).control($1, $2) }
        methods.pointee.xSectorSize = { StoreFileSystem.file($0).sectorSize() }
        methods.pointee.xDeviceCharacteristics = { StoreFileSystem.file($0).characteristics() }
        methods.pointee.xShmMap = { StoreFileSystem.file($0).mapIndex($1, $2, $3, $4) }
        methods.pointee.xShmLock = { StoreFileSystem.file($0).lockIndex($1, $2, $3) }
        methods.pointee.xShmBarrier = { StoreFileSystem.file($0).indexBarrier() }
        methods.pointee.xShmUnmap = { StoreFileSystem.file($0).unmapIndex($1) }
        return methods
    }()
}
