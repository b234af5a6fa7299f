package import HealthStorage
package import HealthStoragePostgreSQL

/// Where credentials are kept: a file, or a database that several servers share. Both have the same tables.
package protocol AccessStorage: Sendable {
    /// Executes a statement that changes nothing.
    ///
    /// - Throws: ``AccessFileError``, or `StorageError`.
    func read<Value>(_ statement: DatabaseStatement, _ row: (any DatabaseRow) throws -> Value) throws -> [Value]

    /// Executes statements in one transaction, and returns the rows of the last when their effect is durable.
    ///
    /// They may be executed twice: repeated, they must have no further effect.
    ///
    /// - Throws: ``AccessFileError``, or `StorageError`; nothing is changed then.
    @discardableResult
    func write<Value>(_ statements: [DatabaseStatement], _ row: (any DatabaseRow) throws -> Value) throws -> [Value]
}

/// The credentials of the servers that share a database.
package struct AccessDatabase: AccessStorage {
    private let database: @Sendable () throws -> PostgreSQLDatabase

    /// - Parameter database: Returns the open database.
    package init(_ database: @escaping @Sendable () throws -> PostgreSQLDatabase) {
        self.database = database
    }

    package func read<Value>(
        _ statement: DatabaseStatement, _ row: (any DatabaseRow) throws -> Value
    ) throws -> [Value] {
        try database().readCredentials(statement).map(row)
    }

    package func write<Value>(
        _ statements: [DatabaseStatement], _ row: (any DatabaseRow) throws -> Value
    ) throws -> [Value] {
        try database().writeCredentials(statements).map(row)
    }
}
