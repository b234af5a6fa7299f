import Foundation
import HealthStorage
import HealthStorageFiles

/// A store file before SQLite opens it. A file that is not a store must remain unchanged.
struct SQLiteFile: Sendable {
    enum State: Equatable {
        /// There is no file, an empty file, or one whose creation was interrupted.
        case new
        case store
        /// A store whose version is known only with its key.
        case encrypted
    }

    /// The `PRAGMA application_id` of a store: the letters OHCK, for OpenHealthKit with checksums. A program that
    /// wouldn't write checksums refuses it.
    static let applicationID: Int32 = 0x4F48_434B

    var path: String

    /// Whether there is a file that can be read, and it or its directory can't be written.
    var isProtected: Bool {
        let files = FileManager.default
        let directory = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
        return files.isReadableFile(atPath: path)
            && (!files.isWritableFile(atPath: path) || !files.isWritableFile(atPath: directory))
    }

    /// Whether commits may be in a log beside the file.
    var hasLog: Bool {
        VFSFile.logSize(of: path) > Self.logHeaderLength
    }

    /// Why there is no store to open.
    var absence: StorageError {
        guard FileManager.default.fileExists(atPath: path) else {
            return StorageError(.unreachable, "No store found at “\(path)”.")
        }
        if hasLog {
            return StorageError(
                .damaged,
                "\(path) is empty although \(path)-wal has changes of a store: the file was truncated. Restore a backup. To create a new store, move the log away."
            )
        }
        return StorageError(
            .notAStore,
            FileManager.default.fileExists(atPath: path + "-journal")
                ? "Creating \(path) was interrupted. The next command that writes to it, such as “hk import”, completes it."
                : "\(path) is empty, and not a store. If it was one, it was truncated: restore a backup. “hk import” creates a new one."
        )
    }

    /// Creates an empty file that only its owner has access to. Throws `StorageError` `.unreachable` if there is one.
    static func create(_ path: String) throws {
        let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StorageError(.unreachable, "\(path) cannot be created: \(StorageError.systemReason).")
        }
        Foundation.close(descriptor)
    }

    /// Reads the beginning of the file without changing it. Throws ``StorageError`` for a file that cannot be opened
    /// or is not a store of this version.
    ///
    /// - Parameter isReadOnly: Whether the file won't be written.
    func inspect(isReadOnly: Bool = false) throws -> State {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard !isDirectory.boolValue else { throw StorageError(.unreachable, "\(path) is a directory.") }
        if !isReadOnly { try checkDirectory() }
        guard exists else { return .new }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StorageError(.unreachable, "\(path) cannot be read.")
        }
        var status = stat()
        // Opening a pipe would block forever.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(.unreachable, "\(path) is not a regular file.")
        }
        let head = try VFSFile.head(of: path, count: Self.headLength)
        // It never has a journal.
        if head.starts(with: EncryptionHeader.magic) { return .encrypted }
        // A rollback journal indicates that creating the file was interrupted; SQLite must roll it back first.
        if head.isEmpty || FileManager.default.fileExists(atPath: path + "-journal") { return .new }
        try check(head: head)
        return .store
    }

    /// Checks the beginning of a database.
    func check(head: [UInt8]) throws {
        guard head.count >= Self.headLength, head.starts(with: Self.magic) else {
            throw StorageError(.notAStore, "\(path) is not a health store.")
        }
        func number(at offset: Int) -> UInt32 { head[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        try Self.check(applicationID: Int32(bitPattern: number(at: 68)), version: Int(number(at: 60)))
    }

    static func check(applicationID: Int32, version: Int) throws {
        guard applicationID == Self.applicationID, version > 0 else {
            throw StorageError(.notAStore, "The file is an SQLite database, but not a health store.")
        }
        guard version <= SQLiteSchema.version else {
            throw StorageError(
                .notAStore,
                "The store has version \(version); this program supports versions up to \(SQLiteSchema.version).")
        }
    }

    private func checkDirectory() throws {
        let directory = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw StorageError(.unreachable, "\(directory) is not a directory.") }
        guard FileManager.default.isWritableFile(atPath: directory) else {
            throw StorageError(.unreachable, "\(directory) cannot be written to.")
        }
    }

    static let headLength = 100
    fileprivate static let logHeaderLength = 32
    private static let magic = Array("SQLite format 3\0".utf8)
}

/// Shows whether a file that is read as one without writers has been written, or is going to be.
struct FileContents: Equatable {
    private struct State: Equatable {
        let place: FilePlace?
        let size: off_t
        let modified: [Int]

        init(_ path: String) {
            var status = stat()
            let isThere = stat(path, &status) == 0
            place = FilePlace(path)
            size = isThere ? status.st_size : -1
            modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }
    }

    private let file: State
    private let log: State
    /// Whether a program has the file open for writing, or has left its log.
    let isOpen: Bool

    init(of file: SQLiteFile) {
        // In this order: who opens the file meanwhile is seen.
        self.file = State(file.path)
        log = State(file.path + "-wal")
        isOpen = log.size > SQLiteFile.logHeaderLength || access(file.path + "-shm", F_OK) == 0
    }

    /// Whether the file itself is the same, whatever is beside it.
    func hasFile(of other: FileContents) -> Bool { file == other.file }
}
