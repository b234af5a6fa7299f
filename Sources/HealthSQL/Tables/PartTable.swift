import HealthEngine
import HealthModel
import HealthStorage

/// A table of what objects consist of: route points, voltages, events, members. Its first column is the number of
/// the object; narrowed by that, one object is read, else one after the other.
final class PartTable: VirtualTable {
    /// The parts of one object, a column's value worked out when it is asked for.
    struct Parts {
        var count: Int
        /// The value of a column, not counting the first, at a row.
        var value: (_ column: Int, _ row: Int) -> SQLValue
    }

    let context: TableContext
    let isWanted: (TypeDescription) -> Bool
    let parts: (ObjectRecord, TableContext) throws -> Parts

    /// - Parameter own: the columns behind the first.
    init(
        _ name: String, about: String, of owner: SQLColumn, own: [SQLColumn], _ context: TableContext,
        isWanted: @escaping (TypeDescription) -> Bool,
        parts: @escaping (ObjectRecord, TableContext) throws -> Parts
    ) {
        self.context = context
        self.isWanted = isWanted
        self.parts = parts
        super.init(name, [owner] + own, about: about)
    }

    override func open() -> VirtualCursor { PartCursor(self) }

    override func plan(_ request: inout IndexRequest) {
        if request.take(0, [.equal]).isEmpty {
            request.estimate(rows: 500_000, cost: 1_000_000)
        } else {
            request.estimate(rows: 500, cost: 600)
        }
    }
}

/// Goes through the parts of objects.
final class PartCursor: VirtualCursor {
    private let table: PartTable
    private var owners: [Int64] = []
    private var owner = 0
    private var parts = PartTable.Parts(count: 0) { _, _ in .null }
    private var row = 0
    private var passed: Int64 = 0

    init(_ table: PartTable) {
        self.table = table
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (owners, owner, row, passed) = ([], -1, 0, 0)
        let types = try table.context.types.get().filter { !$0.kind.isPaged && table.isWanted($0) }
        if plan.bounds.isEmpty {
            for type in types { owners += try table.context.reading.objects(of: type.code).map(\.sequence) }
        } else {
            let numbers = Set(arguments.map { $0.wholeNumber ?? $0.text.flatMap { Int64($0) } })
            if numbers.count == 1, let number = numbers.first, let number { owners = [number] }
        }
        try advance(among: Set(types.map(\.code)))
        self.types = Set(types.map(\.code))
    }

    private var types: Set<TypeCode> = []

    private func advance(among types: Set<TypeCode>) throws {
        row = 0
        repeat {
            owner += 1
            guard owner < owners.count else { return }
            guard let object = try table.context.reading.object(owners[owner]), types.contains(object.type) else {
                parts.count = 0
                continue
            }
            parts = try table.parts(object, table.context)
        } while parts.count == 0
    }

    override var isAtEnd: Bool { owner >= owners.count }

    override func next() throws {
        table.context.rowsVisited += 1
        row += 1
        passed += 1
        if row >= parts.count { try advance(among: types) }
    }

    override var rowNumber: Int64 { get throws { passed + 1 } }

    override func column(_ index: Int, to result: SQLResult) throws {
        if index == 0 { result.integer(owners[owner]) } else { result.value(parts.value(index - 1, row)) }
    }
}
