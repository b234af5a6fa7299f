import Foundation
import GRDB
package import HealthStorage
import HealthStorageFiles
package import HealthStoragePostgreSQL
import Synchronization

/// The SQLite file of credentials, which the server and `hk token` use at the same time. It is readable by its owner
/// only, and is created by the first change.
package final class AccessFile: AccessStorage {
    package let path: String

    private let opened = Mutex<(pool: DatabasePool, place: FilePlace)?>(nil)

    package init(path: String) {
        self.path = path
    }

    package func read<Value>(
        _ statement: DatabaseStatement, _ row: (any DatabaseRow) throws -> Value
    ) throws -> [Value] {
        try describingErrors {
            guard let pool = try pool(creating: false) else { return [] }
            return try pool.read { try Self.rows(of: statement, in: $0, row) }
        }
    }

    package func write<Value>(
        _ statements: [DatabaseStatement], _ row: (any DatabaseRow) throws -> Value
    ) throws -> [Value] {
        try describingErrors {
            guard let pool = try pool(creating: true) else { return [] }
            return try pool.write { database in
                var rows: [Value] = []
                for statement in statements { rows = try Self.rows(of: statement, in: database, row) }
                return rows
            }
        }
    }

    /// Writes the state of one moment to a new file.
    ///
    /// - Throws: ``AccessFileError``.
    package func copy(to copy: String) throws {
        try describingErrors {
            try makeFile(copy)
            try pool(creating: false)?.writeWithoutTransaction {
                try $0.execute(sql: "VACUUM INTO ?", arguments: [copy])
            }
        }
    }

    /// Closes the file, so that everything is in it.
    package func close() {
        opened.withLock { opened in
            // The last connection to be closed writes the log to the file, which a reading one can't.
            opened?.pool.invalidateReadOnlyConnections()
            try? opened?.pool.close()
            opened = nil
        }
    }

    // MARK: -

    /// The connections to the file; `nil` if there is none and it isn't to be created. A file that was replaced or
    /// removed is opened again.
    private func pool(creating: Bool) throws -> DatabasePool? {
        try opened.withLock { opened in
            if let opened, opened.place.isCurrent { return opened.pool }
            opened = nil
            guard creating || FileManager.default.fileExists(atPath: path) else { return nil }
            if creating { try Self.makeFolder(of: path) }
            try makeFile(path)
            let pool = try open()
            opened = FilePlace(path).map { (pool, $0) }
            return pool
        }
    }

    /// Creates the folder of a file.
    static func makeFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw AccessFileError("The folder “\(folder)” can’t be created.")
        }
    }

    /// Creates an empty file if there is none. SQLite gives the log beside it the same permissions.
    private func makeFile(_ path: String) throws {
        let file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw AccessFileError("The file “\(path)” can’t be opened.") }
        Foundation.close(file)
    }

    private func open() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busySeconds)
        // What is acknowledged is on the disk, as in stores.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let deadline = ContinuousClock.now + .seconds(Self.busySeconds)
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                if try pool.read(Self.version) == 0 { try pool.write(Self.createTables) }
                return pool
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                // SQLite doesn't wait where another program begins to use the log.
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
    }

    private static let busySeconds = 10.0
    private static let currentVersion = 1

    private static func version(_ database: Database) throws -> Int {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version <= currentVersion else {
            throw AccessFileError("The file of tokens was written by a newer version.")
        }
        return version
    }

    private static func createTables(_ database: Database) throws {
        // Another program may have done it meanwhile.
        guard try version(database) == 0 else { return }
        for table in PostgreSQLSchema.credentialTables { try database.execute(sql: table) }
        try database.execute(sql: "PRAGMA user_version = \(currentVersion)")
    }

    private static func rows<Value>(
        of statement: DatabaseStatement, in database: Database, _ row: (any DatabaseRow) throws -> Value
    ) throws -> [Value] {
        // SQLite numbers placeholders with a question mark.
        let prepared = try database.cachedStatement(sql: statement.sql.replacing("$", with: "?"))
        let arguments = statement.arguments.map { argument -> (any DatabaseValueConvertible)? in
            switch argument {
            case .text(let text): text
            case .real(let number): number
            case .integer(let number): number
            }
        }
        var values: [Value] = []
        let rows = try Row.fetchCursor(prepared, arguments: StatementArguments(arguments))
        while let next = try rows.next() { values.append(try row(AccessRow(row: next))) }
        return values
    }

    private func describingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR:
                throw AccessFileError("The file “\(path)” isn’t a file of tokens. Remove it to start with no tokens.")
            default:
                throw AccessFileError("The file “\(path)” can’t be read or written: \(error.resultCode).")
            }
        }
    }
}

/// A row of the file.
private struct AccessRow: DatabaseRow {
    let row: Row

    func isNull(_ column: Int32) -> Bool { row.hasNull(atIndex: Int(column)) }
    func integer(_ column: Int32) throws -> Int64 { row[Int(column)] ?? 0 }
    func real(_ column: Int32) throws -> Double { row[Int(column)] ?? 0 }
    func text(_ column: Int32) -> String { row[Int(column)] ?? "" }
    // No table of credentials has a column of bytes.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

/// The file of tokens, or the log of accesses, can't be read or written.
public struct AccessFileError: Error, CustomStringConvertible, Sendable {
    /// The problem, in a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
