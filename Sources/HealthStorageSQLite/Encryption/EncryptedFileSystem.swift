import Foundation
import GRDBSQLite
import HealthStorage
import Synchronization

/// SQLite's access to the files of encrypted stores, by path.
///
/// It is SQLite's default once a store with a key was opened, because GRDB opens files with the default. Files that aren't registered
/// here are opened by the system's own, and keep its methods.
enum EncryptedFileSystem {
    private struct Entry {
        var number: Int
        var cipher: any PageCipher
    }

    private struct State {
        var entries: [String: [Entry]] = [:]
        var next = 0
    }

    private static let state = Mutex(State())

    /// A path that is opened with a cipher, until this object is released. Open files keep theirs.
    final class Registration: Sendable {
        private let name: String
        private let number: Int

        init(_ path: String, _ cipher: any PageCipher) throws {
            let name = try EncryptedFileSystem.fullName(path)
            self.name = name
            guard EncryptedFileSystem.isRegistered else { throw StorageError(.unreachable, "SQLite refuses encrypted files.") }
            number = state.withLock { state in
                state.next += 1
                state.entries[name, default: []].append(Entry(number: state.next, cipher: cipher))
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

    /// Opens a path without a cipher from now on: its file isn't encrypted any longer.
    static func forget(_ path: String) throws {
        let name = try fullName(path)
        state.withLock { $0.entries[name] = nil }
    }

    /// The path by which SQLite opens the file.
    private static func fullName(_ path: String) throws -> String {
        let failure = StorageError(.unreachable, "\(path) cannot be opened.")
        guard let system = SystemFile.system, let full = system.pointee.xFullPathname else { throw failure }
        var name = [CChar](repeating: 0, count: Int(system.pointee.mxPathname) + 1)
        // The code for a symbolic link isn't an error.
        guard full(system, path, Int32(name.count), &name) & 0xFF == SQLITE_OK else { throw failure }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: SQLite's side

    /// Where SQLite's object for an encrypted file has the one for the file on the disk. The methods and the object are before it.
    private static let systemOffset = 16

    private static let isRegistered: Bool = {
        guard let system = SystemFile.system else { return false }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // All else works on names, and is the system's.
        own.initialize(to: system.pointee)
        own.pointee.pNext = nil
        own.pointee.zName = UnsafePointer(strdup("openhealthkit"))
        own.pointee.szOsFile = system.pointee.szOsFile + Int32(systemOffset)
        own.pointee.xOpen = { _, name, file, flags, result in
            EncryptedFileSystem.open(name, file, flags, result)
        }
        return sqlite3_vfs_register(own, 1) == SQLITE_OK
    }()

    private static func open(
        _ name: sqlite3_filename?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ result: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let system = SystemFile.system, let open = system.pointee.xOpen, let file else { return SQLITE_CANTOPEN }
        guard let name, let (cipher, place) = cipher(name, flags) else { return open(system, name, file, flags, result) }
        file.pointee.pMethods = nil
        // A journal would contain pages as they were before encryption. Stores are always in write-ahead mode.
        guard let place else { return SQLITE_CANTOPEN }
        let memory = UnsafeMutableRawPointer(file)
        let real = (memory + systemOffset).assumingMemoryBound(to: sqlite3_file.self)
        memset(real, 0, Int(system.pointee.szOsFile))
        let code = open(system, name, real, flags, result)
        guard code == SQLITE_OK, let methods = real.pointee.pMethods?.pointee else {
            if let methods = real.pointee.pMethods?.pointee { _ = methods.xClose?(real) }
            return code == SQLITE_OK ? SQLITE_CANTOPEN : code
        }
        let encrypted = EncryptedFile(real, methods, cipher, place, path: String(cString: name))
        memory.storeBytes(of: Unmanaged.passRetained(encrypted), toByteOffset: 8, as: Unmanaged<EncryptedFile>.self)
        file.pointee.pMethods = UnsafePointer(Self.methods)
        return SQLITE_OK
    }

    /// The cipher of a file, and what it is; no place for a journal. Returns `nil` for files that aren't of an encrypted store.
    private static func cipher(_ name: sqlite3_filename, _ flags: Int32) -> (any PageCipher, EncryptedPage.Place?)? {
        let suffixes: [(flag: Int32, suffix: String, place: EncryptedPage.Place?)] = [
            (SQLITE_OPEN_MAIN_DB, "", .file), (SQLITE_OPEN_WAL, "-wal", .log), (SQLITE_OPEN_MAIN_JOURNAL, "-journal", nil),
        ]
        guard let kind = suffixes.first(where: { flags & $0.flag != 0 }) else { return nil }
        let path = String(cString: name)
        guard path.hasSuffix(kind.suffix) else { return nil }
        return state.withLock { $0.entries[String(path.dropLast(kind.suffix.count))]?.last }.map { ($0.cipher, kind.place) }
    }

    /// The file behind SQLite's object.
    static func file(_ file: UnsafeMutablePointer<sqlite3_file>?) -> EncryptedFile {
        UnsafeMutableRawPointer(file!).load(fromByteOffset: 8, as: Unmanaged<EncryptedFile>.self).takeUnretainedValue()
    }

    /// Whether SQLite's object is for an encrypted file.
    static func isEncrypted(_ file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
        file.pointee.pMethods == UnsafePointer(methods)
    }

    /// The methods of version 2: without those for memory-mapped files.
    // Written once, before SQLite reads it.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 2
        methods.pointee.xClose = { file in
            let encrypted = UnsafeMutableRawPointer(file!).load(fromByteOffset: 8, as: Unmanaged<EncryptedFile>.self)
            file?.pointee.pMethods = nil
            return encrypted.takeRetainedValue().close()
        }
        methods.pointee.xRead = { EncryptedFileSystem.file($0).read($1!, Int64($2), at: $3) }
        methods.pointee.xWrite = { EncryptedFileSystem.file($0).write($1!, Int64($2), at: $3) }
        methods.pointee.xTruncate = { EncryptedFileSystem.file($0).truncate($1) }
        methods.pointee.xSync = { EncryptedFileSystem.file($0).sync($1) }
        methods.pointee.xFileSize = { EncryptedFileSystem.file($0).size($1) }
        methods.pointee.xLock = { EncryptedFileSystem.file($0).lock($1) }
        methods.pointee.xUnlock = { EncryptedFileSystem.file($0).unlock($1) }
        methods.pointee.xCheckReservedLock = { EncryptedFileSystem.file($0).checkLock($1) }
        methods.pointee.xFileControl = { EncryptedFileSystem.file($0).control($1, $2) }
        methods.pointee.xSectorSize = { EncryptedFileSystem.file($0).sectorSize() }
        methods.pointee.xDeviceCharacteristics = { EncryptedFileSystem.file($0).characteristics() }
        methods.pointee.xShmMap = { EncryptedFileSystem.file($0).mapIndex($1, $2, $3, $4) }
        methods.pointee.xShmLock = { EncryptedFileSystem.file($0).lockIndex($1, $2, $3) }
        methods.pointee.xShmBarrier = { EncryptedFileSystem.file($0).indexBarrier() }
        methods.pointee.xShmUnmap = { EncryptedFileSystem.file($0).unmapIndex($1) }
        return methods
    }()
}
