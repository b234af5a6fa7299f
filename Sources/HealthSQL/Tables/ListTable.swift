import HealthEngine
import HealthJSON
import HealthModel
import HealthStorage

/// The state that the tables of a connection share: snapshot, clock and interned dictionary texts.
final class TableContext {
    let reading: StoreReader
    let clock: LocalClock
    /// Writes dates within JSON.
    let instants: InstantWriter
    let pool = TextPool()
    /// A counter for tests.
    var pagesRead = 0
    /// A counter for tests.
    var rowsVisited = 0
    /// A counter for tests.
    var daysComputed = 0

    private(set) lazy var units = reading.dictionaries.units.map { pool[$0] }
    private(set) lazy var sources = reading.dictionaries.revisions.map { pool[$0.source.name] }
    private(set) lazy var bundleIdentifiers = reading.dictionaries.revisions.map { pool[$0.source.bundleIdentifier] }
    private(set) lazy var devices = reading.dictionaries.devices.map { pool[$0.name ?? $0.model ?? $0.hardwareVersion] }
    private lazy var revisionNumbers = Dictionary(
        reading.dictionaries.revisions.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    private lazy var deviceNumbers = Dictionary(
        reading.dictionaries.devices.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    private(set) lazy var sequences = SequenceIndex(self)

    init(_ reading: StoreReader, clock: LocalClock) {
        self.reading = reading
        self.clock = clock
        instants = InstantWriter(clock: clock)
    }

    /// The types in the store, ordered by short name without case.
    private(set) lazy var types: Result<[TypeDescription], any Error> = Result {
        try reading.types().sorted { ($0.shortName.lowercased(), $0.code) < ($1.shortName.lowercased(), $1.code) }
    }

    private var tableUnits: [TypeCode: TableUnit?] = [:]

    /// The unit of a type's quantities; `nil` for other types.
    func unit(of type: TypeDescription) throws -> TableUnit? {
        if let known = tableUnits[type.code] { return known }
        let unit = try reading.tableUnit(of: type)
        tableUnits[type.code] = .some(unit)
        return unit
    }

    /// Whether local days ascend with time over the whole range of dates.
    private(set) lazy var daysAscend = clock.daysAscend(from: -978_307_200, to: 1_577_836_800)

    /// The dates of an object as shown. An activity summary is stored with its day in UTC and belongs to the local day
    /// of the same date.
    func span(_ place: ObjectOutline) -> (start: Double, end: Double) {
        guard reading.dictionaries.type(place.type)?.kind == .activitySummary else { return (place.start, place.end) }
        let day = Int((place.start / 86_400).rounded(.down))
        return (Double(clock.start(ofDay: day)), Double(clock.start(ofDay: day + 1)))
    }

    func revisionNumber(_ revision: SourceRevisionRecord?) -> Int? { revision.flatMap { revisionNumbers[$0] } }
    func deviceNumber(_ device: DeviceRecord?) -> Int? { device.flatMap { deviceNumbers[$0] } }
}

/// Seconds from 1970-01-01, the reference date in SQL, to 2001-01-01, the reference date in the store.
let unixToReference = 978_307_200.0

/// A small table whose rows are created all at once.
final class ListTable: VirtualTable {
    private let rows: () throws -> [[SQLValue]]

    init(_ declaration: TableDeclaration, rows: @escaping () throws -> [[SQLValue]]) {
        self.rows = rows
        super.init(declaration)
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

/// A cursor over rows in memory.
final class ListCursor: VirtualCursor {
    private let make: () throws -> [[SQLValue]]
    private var rows: [[SQLValue]] = []
    private var index = 0

    init(_ make: @escaping () throws -> [[SQLValue]]) {
        self.make = make
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        rows = try make()
        try memory.take(Self.memory + rows.reduce(0) { $0 + ($1.count + 1) * MemoryLayout<SQLValue>.stride })
        index = 0
    }

    override var isAtEnd: Bool { index >= rows.count }
    override func next() throws { index += 1 }
    override var rowNumber: Int64 { get throws { Int64(index + 1) } }

    override func column(_ column: Int, to result: SQLResult) throws {
        result.value(rows[index][column])
    }
}

/// A table of the parts of objects, such as route points, voltages, events or members. Its first column is the sequence
/// number of the object; a constraint on it reads a single object.
final class PartTable: VirtualTable {
    /// The parts of one object. Values are computed on demand.
    struct Parts {
        var count: Int
        /// The value in a row and a column, which doesn't count the first.
        var value: (_ column: Int, _ row: Int) -> SQLValue
    }

    let context: TableContext
    let isWanted: (TypeDescription) -> Bool
    let parts: (ObjectRecord, TableContext) throws -> Parts

    init(
        _ declaration: TableDeclaration, _ context: TableContext, isWanted: @escaping (TypeDescription) -> Bool,
        parts: @escaping (ObjectRecord, TableContext) throws -> Parts
    ) {
        self.context = context
        self.isWanted = isWanted
        self.parts = parts
        super.init(declaration)
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

/// A cursor over the parts of objects.
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
        try memory.take(Self.memory + owners.count * MemoryLayout<Int64>.stride)
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
