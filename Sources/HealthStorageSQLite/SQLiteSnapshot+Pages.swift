import HealthModel
import HealthStorage

extension SQLiteSnapshot {
    final func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        switch try window.search(longest: { try longestPage(of: type) ?? 0 }) {
        case nil: return
        case .starts(let starts, let earliestEnd)?:
            try visitPages(of: type, starts: starts, earliestEnd: earliestEnd, bodies: bodies, visit)
        case .sequences(let sequences)?:
            try visitPages(of: type, sequences: sequences, bodies: bodies, visit)
        }
    }

    final func page(of type: TypeCode, forStart start: Double) throws -> StoredPage? {
        try database.first(Self.lastPageUpToStart, [type, start]) { try page($0, of: type) }
            ?? database.first(Self.firstPage, [type]) { try page($0, of: type) }
    }

    final func page(before key: PageKey) throws -> StoredPage? {
        try database.first(Self.lastPageBeforeKey, key.arguments) {
            try SQLitePageRow.view($0, of: key.type, bodies: false).copy
        }
    }

    private static let lastPageBeforeKey = """
        \(SQLitePageRow.selection(bodies: false)) WHERE type = ? AND (first_start, first_sequence) < (?, ?)
        ORDER BY first_start DESC, first_sequence DESC LIMIT 1
        """
    private static let lastPageUpToStart = """
        \(SQLitePageRow.selection(bodies: true)) WHERE type = ? AND first_start <= ?
        ORDER BY first_start DESC, first_sequence DESC LIMIT 1
        """
    private static let firstPage = """
        \(SQLitePageRow.selection(bodies: true)) WHERE type = ?
        ORDER BY first_start, first_sequence LIMIT 1
        """

    private func page(_ statement: PreparedStatement, of type: TypeCode) throws -> StoredPage {
        let page = try SQLitePageRow.view(statement, of: type, bodies: true).copy
        didFind(SQLitePageRow.location(statement, of: page.key))
        return page
    }

    final func pageBody(_ key: PageKey) throws -> [UInt8]? {
        try database.first(
            """
            SELECT body, bytes FROM page_header LEFT JOIN page_body ON id = body_id
            WHERE type = ? AND first_start = ? AND first_sequence = ?
            """,
            key.arguments
        ) { Array(SQLitePageRow.body($0, at: 0)) }
    }

    final func typesInUse() throws -> [TypeCode] {
        let pages = try types("SELECT type FROM page_header WHERE type > ? ORDER BY type LIMIT 1")
        let objects = try types("SELECT type FROM object WHERE type > ? ORDER BY type LIMIT 1")
        return Set(pages + objects).sorted()
    }

    /// Searches for the next type repeatedly, so that the rows in between are not read.
    private func types(_ next: String) throws -> [TypeCode] {
        var types: [TypeCode] = []
        while true {
            let last = types.last.map { Int64($0.rawValue) } ?? -1
            guard let found = try database.first(next, [last], { try $0.code(0) }) else { return types }
            types.append(found)
        }
    }
}

extension SQLiteSnapshot {
    /// Visits pages by their first start, in key order.
    private func visitPages(
        of type: TypeCode, starts: ClosedRange<Double>, earliestEnd: Double, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        let conditions = "type = ? AND first_start >= ? AND first_start <= ? ORDER BY first_start, first_sequence"
        let sql = "\(SQLitePageRow.selection(bodies: bodies)) WHERE \(conditions)"
        try database.visit(sql, [type, starts.lowerBound, starts.upperBound]) { statement in
            let view = try SQLitePageRow.view(statement, of: type, bodies: bodies)
            return try view.bounds.maximumEnd < earliestEnd || visit(view)
        }
    }

    /// Visits pages by maximum sequence number, in key order. The index returns the keys, of which there are few; they
    /// are sorted and looked up one by one, so that SQLite does not sort the bytes of pages. Since the index contains
    /// only an upper bound of the maximum sequence number, the row itself is checked.
    private func visitPages(
        of type: TypeCode, sequences: ClosedRange<Int64>, bodies: Bool, _ visit: (PageView) throws -> Bool
    ) throws {
        let keys = try database.all(
            """
            SELECT first_start, first_sequence FROM page_header INDEXED BY page_sequence
            WHERE type = ? AND sequence_bound >= ? AND least_sequence <= ?
            """,
            [type, sequences.lowerBound, sequences.upperBound]
        ) { PageKey(type: type, firstStart: $0.real(0), firstSequence: $0.integer(1)) }
        let conditions = "type = ? AND first_start = ? AND first_sequence = ?"
        let sql = "\(SQLitePageRow.selection(bodies: bodies)) WHERE \(conditions)"
        for key in keys.sorted() {
            let goesOn = try database.run(sql, key.arguments) { statement in
                guard try statement.step() else { return true }
                let view = try SQLitePageRow.view(statement, of: type, bodies: bodies)
                return view.bounds.maximumSequence >= sequences.lowerBound ? try visit(view) : true
            }
            guard goesOn else { return }
        }
    }

    /// The maximum length, from first start to maximum end, that any page of the type has had.
    final func longestPage(of type: TypeCode) throws -> Double? {
        try database.first("SELECT longest FROM page_span WHERE type = ?", [type]) { $0.real(0) }
    }
}

/// A row of `page_header` with its body, if requested: in the row itself if it is short, otherwise in `page_body`.
enum SQLitePageRow {
    /// The columns read by ``view(_:of:bodies:)``, in order.
    private static let columns = """
        first_start, first_sequence, last_start, greatest_end, least_sequence, greatest_sequence, \
        count, header
        """

    /// The beginning of a statement whose rows are read by ``view(_:of:bodies:)``.
    static func selection(bodies: Bool) -> String {
        bodies ? withBodies : "SELECT \(columns) FROM page_header"
    }

    private static let withBodies =
        "SELECT \(columns), body, bytes, body_id FROM page_header LEFT JOIN page_body ON id = body_id"

    /// The maximum length of header and body in one row. A row of a table without rowid may have 1,002 bytes in a
    /// database page of 4,096 bytes; longer rows overflow into a separate page.
    static let inlineBytes = 900

    /// The statement's current row, without copying its bytes.
    static func view(_ statement: PreparedStatement, of type: TypeCode, bodies: Bool) throws -> PageView {
        let count = Int(statement.integer(6))
        guard count > 0 else { throw StorageError(.damaged, "A stored page has no samples.") }
        return PageView(
            key: PageKey(type: type, firstStart: statement.real(0), firstSequence: statement.integer(1)),
            bounds: PageBounds(
                count: count, lastStart: statement.real(2), maximumEnd: statement.real(3),
                minimumSequence: statement.integer(4), maximumSequence: statement.integer(5)),
            header: statement.bytes(7),
            body: bodies ? body(statement, at: 8) : UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The location of a row that was selected with its body.
    static func location(_ statement: PreparedStatement, of key: PageKey) -> PageLocation {
        PageLocation(
            key: key, body: statement.isNull(10) ? nil : statement.integer(10), minimumSequence: statement.integer(4),
            maximumSequence: statement.integer(5))
    }

    /// A body from its two columns, that of the row and that of `page_body`.
    static func body(_ statement: PreparedStatement, at column: Int32) -> UnsafeRawBufferPointer {
        statement.bytes(statement.isNull(column) ? column + 1 : column)
    }
}

/// The progress of a store's sequence.
///
/// The last allocated number follows from the rows that use it, so that a small save does not write a counter as well.
/// The counter is written when a transaction leaves its block of numbers, when it has allocated a number that no row
/// uses, and when it has removed rows, whose numbers would be lost.
struct SQLitePosition: Hashable, Sendable {
    /// The last allocated number.
    var last: Int64
    /// The stored `last_sequence`: at most `last`, and in the same block.
    var counter: Int64

    /// The last number in the block of 1,024 that contains a sequence number.
    static func bound(_ sequence: Int64) -> Int64 { sequence | 1_023 }
}
