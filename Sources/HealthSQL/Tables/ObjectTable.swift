import Foundation
import HealthEngine
import HealthJSON
import HealthModel
import HealthStorage

/// A table with one row per object of certain types, which are read one at a time.
///
/// A table of several types starts with a type column. The columns of the family follow, then those common to all
/// objects.
final class ObjectTable: VirtualTable {
    /// The value of a column specific to a family.
    typealias Value = (ObjectRecord, TableContext) throws -> SQLValue

    /// The columns common to all objects.
    enum Common: Int {
        case startDate, endDate, source, device, metadata, day, startTime, endTime, duration, creationDate
        case bundleIdentifier, revision, deviceNumber, type, identifier, uuid, sequence
    }

    let context: TableContext
    let own: [Value]
    /// The types in the table.
    let isWanted: (TypeDescription) -> Bool

    /// - Parameter own: The values of the family's columns, in their order.
    init(
        _ declaration: TableDeclaration, own: [Value], _ context: TableContext,
        isWanted: @escaping (TypeDescription) -> Bool
    ) {
        self.context = context
        self.own = own
        self.isWanted = isWanted
        super.init(declaration)
    }

    override func open() -> VirtualCursor { ObjectCursor(self) }

    /// The common column at an index of the table.
    func common(_ index: Int) -> Common? { Common(rawValue: index - own.count) }

    func index(_ column: Common) -> Int { own.count + column.rawValue }

    /// The table's types that are in the store, in alphabetical order.
    func types() throws -> [TypeDescription] {
        try context.types.get().filter { !$0.kind.isPaged && isWanted($0) }
    }

    override func plan(_ request: inout IndexRequest) {
        let bounds: [IndexPlan.Comparison] = [.equal, .greater, .greaterOrEqual, .less, .lessOrEqual]
        let wanted = request.order
        let isSingle =
            !request.take(index(.sequence), [.equal]).isEmpty
            || !request.take(-1, [.equal]).isEmpty || !request.take(index(.uuid), [.equal]).isEmpty
        let byType = request.take(index(.type), [.equal]) + request.take(index(.identifier), [.equal])
        var times: [IndexPlan.Comparison] = []
        for column in [Common.startTime, .endTime] { times += request.take(index(column), bounds) }
        for column in [Common.startDate, .endDate, .day] {
            times += request.take(index(column), bounds + [.like, .glob])
        }
        let hasOneType = (try? types().count <= 1) ?? false
        if wanted.count == 1, wanted[0].column == index(.startTime), hasOneType {
            request.deliver(wanted[0].isDescending ? .startDescending : .natural)
        }
        guard !isSingle else { return request.estimate(rows: 1, cost: 10, isUnique: true) }
        var rows = byType.isEmpty ? 5_000.0 : 2_000.0
        for _ in times { rows /= 4 }
        request.estimate(rows: rows, cost: 20 + 10 * rows)
    }
}

/// A cursor over objects, type by type and by start date. An object is read when its row is reached.
final class ObjectCursor: VirtualCursor {
    private let table: ObjectTable
    private var places: [ObjectOutline] = []
    private var index = 0
    private var types: [TypeCode: TypeDescription] = [:]
    private var record: ObjectRecord?
    private var readsObjects = true

    init(_ table: ObjectTable) {
        self.table = table
    }

    private var context: TableContext { table.context }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (places, index, record) = ([], 0, nil)
        var types = try table.types()
        var bounds = TimeBounds()
        var single: Int64?
        var isPossible = true
        for (bound, value) in zip(plan.bounds, arguments) {
            switch table.common(bound.column) {
            case .type: types.removeAll { $0.shortName.lowercased() != value.text?.lowercased() }
            case .identifier: types.removeAll { $0.identifier.lowercased() != value.text?.lowercased() }
            case .startTime: bounds.take(.start, bound.comparison, value)
            case .endTime: bounds.take(.end, bound.comparison, value)
            case .startDate, .day: bounds.take(.start, bound.comparison, text: value)
            case .endDate: bounds.take(.end, bound.comparison, text: value)
            case .uuid:
                let found = try value.text.flatMap { UUID(uuidString: $0) }.flatMap { try context.reading.locate($0) }
                isPossible = isPossible && found != nil && (single == nil || single == found?.sequence)
                single = found?.sequence
            default:
                let number = value.wholeNumber ?? value.text.flatMap { Int64($0) }
                isPossible = isPossible && number != nil && (single == nil || single == number)
                single = number
            }
        }
        self.types = Dictionary(types.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        guard isPossible, !bounds.isEmpty else { return }
        // Values in the object itself require reading it.
        readsObjects = (0..<table.columns.count).contains { column in
            guard plan.uses(column) else { return false }
            switch table.common(column) {
            case .startDate, .endDate, .day, .startTime, .endTime, .type, .identifier, .sequence: return false
            default: return true
            }
        }
        if let single {
            guard let found = try context.reading.object(single), types.contains(where: { $0.code == found.type })
            else {
                return
            }
            places = [ObjectOutline(found)]
            record = found
        } else {
            let filter = bounds.filters.isEmpty ? SampleFilter.all : .and(bounds.filters)
            for type in types {
                // Activity summaries are stored in UTC, where the bounds don't apply.
                let own = type.kind == .activitySummary ? .all : filter
                places += try context.reading.objects(of: type.code, matching: own)
            }
            try memory.take(Self.memory + places.count * MemoryLayout<ObjectOutline>.stride)
            if plan.order == .startDescending { places.reverse() }
            try read()
        }
    }

    private func read() throws {
        record = nil
        guard readsObjects else { return }
        while index < places.count {
            record = try context.reading.object(places[index].sequence)
            if record != nil { return }
            index += 1
        }
    }

    override var isAtEnd: Bool { index >= places.count }

    override func next() throws {
        context.rowsVisited += 1
        index += 1
        try read()
    }

    override var rowNumber: Int64 { get throws { places[index].sequence } }

    override func column(_ column: Int, to result: SQLResult) throws {
        let place = places[index]
        guard let common = table.common(column) else {
            guard let object = try object() else { return result.null() }
            return result.value(try table.own[column](object, context))
        }
        let span = context.span(place)
        switch common {
        case .type: result.text(types[place.type].map { context.pool[$0.shortName] })
        case .identifier: result.text(types[place.type].map { context.pool[$0.identifier] })
        case .startTime: result.real(span.start + unixToReference)
        case .endTime: result.real(span.end + unixToReference)
        case .startDate: result.date(span.start, context.clock)
        case .endDate: result.date(span.end, context.clock)
        case .day: result.day(number: context.clock.dayNumber(at: span.start))
        case .sequence: result.integer(place.sequence)
        default:
            guard let object = try object() else { return result.null() }
            value(common, object, result)
        }
    }

    private func object() throws -> ObjectRecord? {
        if record == nil { record = try context.reading.object(places[index].sequence) }
        return record
    }

    private func value(_ column: ObjectTable.Common, _ object: ObjectRecord, _ result: SQLResult) {
        switch column {
        case .source: result.text(object.revision?.source.name)
        case .bundleIdentifier: result.text(object.revision?.source.bundleIdentifier)
        case .revision: result.value(SQLValue(context.revisionNumber(object.revision)))
        case .device:
            result.text(object.device.flatMap { $0.name ?? $0.model ?? $0.hardwareVersion })
        case .deviceNumber: result.value(SQLValue(context.deviceNumber(object.device)))
        case .metadata: result.text(JSONText.metadata(object.metadata, context.instants))
        case .duration:
            if case .workout(let workout) = object.body {
                result.real(workout.duration)
            } else {
                let span = context.span(ObjectOutline(object))
                result.real(span.end - span.start)
            }
        case .creationDate:
            if let creation = object.creation { result.date(creation, context.clock) } else { result.null() }
        case .uuid: if let uuid = object.uuid { result.uuid(uuid) } else { result.null() }
        default: result.null()
        }
    }
}
