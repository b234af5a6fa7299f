import HealthModel
import HealthStorage

/// A row of `page_header`, with the body behind it where it was asked for.
enum SQLitePageRow {
    /// What ``view(_:of:bodies:)`` reads, in its order; a body follows as the next column.
    static let columns = """
        first_start, first_sequence, last_start, greatest_end, least_sequence, greatest_sequence, \
        count, header
        """

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
            body: bodies ? statement.bytes(8) : UnsafeRawBufferPointer(start: nil, count: 0))
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
