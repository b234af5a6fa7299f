package import HealthStorage

/// The tables that belong to no person: the credentials of the servers that share a database.
extension PostgreSQLDatabase {
    /// Executes a statement that changes nothing, and returns its rows.
    package func readCredentials(_ statement: DatabaseStatement) throws -> [any DatabaseRow] {
        Array(try run([PostgreSQLCall(statement)]))
    }

    /// Executes statements in one transaction, and returns the rows of the last when their effect is durable.
    ///
    /// They are executed again if the connection is lost, also during the commit: repeated, they must have no further
    /// effect.
    package func writeCredentials(_ statements: [DatabaseStatement]) throws -> [any DatabaseRow] {
        try pool.checkWritable()
        let calls = [PostgreSQLCall("BEGIN")] + statements.map { PostgreSQLCall($0) } + [PostgreSQLCall("COMMIT")]
        return try StorageError.translatingPostgreSQL {
            Array(try Self.repeating(over: pool.lease()) { try $0.execute(calls) }[statements.count])
        }
    }
}

extension PostgreSQLCall {
    init(_ statement: DatabaseStatement) {
        self.init(
            statement.sql,
            statement.arguments.map { argument -> any PostgreSQLArgument in
                switch argument {
                case .text(let text): text
                case .real(let number): number
                case .integer(let number): number
                }
            })
    }
}

/// A statement that SQLite and PostgreSQL execute alike, with placeholders `$1`, `$2`, ….
package struct DatabaseStatement: Sendable {
    /// A value for a placeholder; without one, NULL.
    package enum Argument: Hashable, Sendable {
        case text(String?)
        case real(Double?)
        case integer(Int64)
    }

    package var sql: String
    package var arguments: [Argument]

    package init(_ sql: String, _ arguments: [Argument] = []) {
        self.sql = sql
        self.arguments = arguments
    }
}
