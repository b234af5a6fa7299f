import Foundation
import HealthStorage

/// The store's file before SQLite touches it: what is no store must stay as it is.
struct SQLiteFile: Sendable {
    enum State: Equatable {
        /// There is nothing, or an empty file, or one whose creation was cut short.
        case new
        case store
    }

    var path: String

    /// Looks at the file's first bytes without changing it. Throws ``StorageError`` for what cannot
    /// be opened or is no store of this or an older version.
    func inspect(newestVersion: Int) throws -> State {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard !isDirectory.boolValue else { throw StorageError(.unreachable, "\(path) is a directory.") }
        try checkDirectory()
        guard exists else { return .new }
        guard FileManager.default.isReadableFile(atPath: path), FileManager.default.isWritableFile(atPath: path) else {
            throw StorageError(.unreachable, "\(path) cannot be read and written.")
        }
        let head = try SQLiteFileHead.read(path, count: Self.headLength)
        // A left-over rollback journal means that making or migrating the file was cut short: SQLite
        // must first take it back.
        if head.isEmpty || FileManager.default.fileExists(atPath: path + "-journal") { return .new }
        guard head.count == Self.headLength, head.starts(with: Self.magic) else {
            throw StorageError(.notAStore, "\(path) is not a health store.")
        }
        try Self.check(
            applicationID: Int32(truncatingIfNeeded: Self.bigEndian(head, at: 68)),
            version: Int(Self.bigEndian(head, at: 60)), newest: newestVersion)
        return .store
    }

    static func check(applicationID: Int32, version: Int, newest: Int) throws {
        guard applicationID == SQLiteSchema.applicationID, version > 0 else {
            throw StorageError(.notAStore, "The file is an SQLite database, but not a health store.")
        }
        guard version <= newest else {
            throw StorageError(
                .notAStore,
                "The store has version \(version); this program knows versions up to \(newest).")
        }
    }

    private func checkDirectory() throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw StorageError(.unreachable, "\(directory) is not a directory.") }
        guard FileManager.default.isWritableFile(atPath: directory) else {
            throw StorageError(.unreachable, "\(directory) cannot be written to.")
        }
    }

    private static let headLength = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    private static func bigEndian(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
