import HealthModel
import HealthStorage

/// A row of `page_header`, with the body where it was asked for: in the row if it is short, else behind it.
enum SQLitePageRow {
    /// What ``view(_:of:bodies:)`` reads, in its order.
    private static let columns = """
        first_start, first_sequence, last_start, greatest_end, least_sequence, greatest_sequence, \
        count, header
        """

    /// The beginning of a statement whose rows ``view(_:of:bodies:)`` reads.
    static func selection(bodies: Bool) -> String {
        bodies ? withBodies : "SELECT \(columns) FROM page_header"
    }

    private static let withBodies =
        "SELECT \(columns), body, bytes, body_id FROM page_header LEFT JOIN page_body ON id = body_id"

    /// The greatest length of header and body together that stay in one row. A row of a table without rowid
    /// may have 1,002 bytes in a database page of 4,096; more goes to a page of its own.
    static let inlineBytes = 900

    /// The row a statement stands on, without copying its bytes.
    static func view(_ statement: PreparedStatement, of type: TypeCode, bodies: Bool) throws -> PageView {
        let count: Int = try statement.number(6)
        guard count > 0 else { throw StorageError(.damaged, "A stored page has no sample.") }
        return PageView(
            key: PageKey(
                type: type, firstStart: statement.real(0), firstSequence: statement.integer(1)),
            bounds: PageBounds(
                count: count, lastStart: statement.real(2),
                greatestEnd: statement.real(3), leastSequence: statement.integer(4),
                greatestSequence: statement.integer(5)),
            header: statement.bytes(7),
            body: bodies ? body(statement, at: 8) : UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Where things are, of a row that was selected with its body.
    static func place(_ statement: PreparedStatement) -> SQLitePagePlace {
        SQLitePagePlace(
            body: statement.isNull(10) ? nil : statement.integer(10), leastSequence: statement.integer(4),
            greatestSequence: statement.integer(5))
    }

    /// A body from its two columns, the row's own and that of `page_body`.
    static func body(_ statement: PreparedStatement, at column: Int32) -> UnsafeRawBufferPointer {
        statement.bytes(statement.isNull(column) ? column + 1 : column)
    }
}

extension PreparedStatement {
    /// A key as the first three arguments.
    func bind(_ key: PageKey) throws {
        try bind(Int64(key.type.rawValue), at: 1)
        try bind(key.firstStart, at: 2)
        try bind(key.firstSequence, at: 3)
    }
}
