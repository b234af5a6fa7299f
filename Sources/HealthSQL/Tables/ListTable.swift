/// A small table whose rows are made all at once when they are asked for.
final class ListTable: VirtualTable {
    private let rows: () throws -> [[SQLValue]]

    init(_ name: String, _ columns: [SQLColumn], about: String, rows: @escaping () throws -> [[SQLValue]]) {
        self.rows = rows
        super.init(name, columns, about: about)
    }

    private var made: [[SQLValue]]?

    override func open() -> VirtualCursor {
        ListCursor { [unowned self] in
            if let made { return made }
            let rows = try self.rows()
            made = rows
            return rows
        }
    }

    override func plan(_ request: inout IndexRequest) {
        request.estimate(rows: 100, cost: 200)
    }
}

/// Goes through rows that are there.
final class ListCursor: VirtualCursor {
    private let make: () throws -> [[SQLValue]]
    private var rows: [[SQLValue]] = []
    private var index = 0

    init(_ make: @escaping () throws -> [[SQLValue]]) {
        self.make = make
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        rows = try make()
        index = 0
    }

    override var isAtEnd: Bool { index >= rows.count }
    override func next() throws { index += 1 }
    override var rowNumber: Int64 { get throws { Int64(index + 1) } }

    override func column(_ column: Int, to result: SQLResult) throws {
        result.value(rows[index][column])
    }
}
