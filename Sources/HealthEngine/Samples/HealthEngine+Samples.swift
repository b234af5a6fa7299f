import HealthModel
import HealthStorage

extension HealthEngine {
    /// Samples and objects by type and filter, in the order asked for. A type the caller may not read
    /// contributes nothing.
    ///
    /// Throws ``EngineError/authorizationNotDetermined(_:)`` for a type the caller never asked for.
    public func samples(_ request: SampleRequest, as caller: Caller) throws -> SampleSelection {
        try storage.read { snapshot in
            var scope: [TypeCode: ReadScope] = [:]
            for part in request.parts where scope[part.type] == nil {
                scope[part.type] = try checkRead(part.type, as: caller, in: snapshot)
            }
            return try select(request, scope: scope, caller: caller, in: snapshot)
        }
    }

    /// The same inside a snapshot or transaction. A type without an entry in `scope` is not read.
    func select(
        _ request: SampleRequest, scope: [TypeCode: ReadScope], caller: Caller,
        in snapshot: any StorageSnapshot
    ) throws -> SampleSelection {
        try select(request, after: 0, scope: scope, caller: caller, in: snapshot)
    }

    /// The same for what came into the store after a point of the sequence.
    func select(
        _ request: SampleRequest, after sequence: Int64, scope: [TypeCode: ReadScope], caller: Caller,
        in snapshot: any StorageSnapshot
    ) throws -> SampleSelection {
        let dictionaries = try dictionaries(in: snapshot)
        let columns = request.columns.union(request.sort.reduce(into: []) { $0.formUnion($1.key.columns) })
        let reader = MemberReader(snapshot: snapshot, dictionaries: dictionaries, identities: identities)
        var batches: [SampleColumns] = []
        var objects: [ObjectRow] = []
        for (type, filter) in Self.united(request.parts) {
            let compiler = FilterCompiler(
                type: type, dictionaries: dictionaries, identities: identities, snapshot: snapshot)
            let test = try compiler.compile(filter, scope: scope[type] ?? .nothing, caller: caller)
            if case .always(false) = test { continue }
            let part = SelectionPart(type: type, test: test, columns: columns, after: sequence)
            if compiler.kind.isPaged {
                var selector = PageSelector(part, in: snapshot)
                if request.limit > 0, let rank = SelectionRank(request.sort.first) {
                    try selector.select(first: request.limit, by: rank)
                } else {
                    try selector.selectAll()
                }
                if selector.rows.count > 0 { batches.append(selector.rows) }
            } else {
                var selector = ObjectSelector(part, reader: reader)
                try selector.selectAll()
                objects += selector.rows
            }
        }
        let order = SelectionOrder(batches: batches, objects: objects, sort: request.sort)
        var selection = SampleSelection(
            batches: batches, order: try order.references(limit: request.limit),
            dictionaries: dictionaries, identities: identities)
        try selection.resolve(objects, reader)
        if request.limit > 0 { selection.releaseUnreferenced() }
        return selection
    }

    /// One filter a type, so that no sample is found twice.
    private static func united(_ parts: [SampleRequest.Part]) -> [(TypeCode, SampleFilter)] {
        var order: [TypeCode] = []
        var filters: [TypeCode: [SampleFilter]] = [:]
        for part in parts {
            if filters[part.type] == nil { order.append(part.type) }
            filters[part.type, default: []].append(part.filter)
        }
        return order.map { type in
            let own = filters[type] ?? []
            return (type, own.count == 1 ? own[0] : .or(own))
        }
    }
}

extension SampleSort.Key {
    /// The columns the key is made from.
    var columns: SampleColumnSet {
        switch self {
        case .start: .starts
        case .end: .ends
        case .sequence: .sequences
        case .duration: [.starts, .ends]
        case .value: .values
        case .workoutTotal: []
        }
    }
}

extension SampleSelection {
    /// Turns the objects that made it into the order into records, members and all, and lets go of the
    /// others.
    fileprivate mutating func resolve(_ rows: [ObjectRow], _ reader: MemberReader) throws {
        guard !rows.isEmpty else { return }
        var place = [Int32](repeating: -1, count: rows.count)
        for index in order.indices where order[index].batch < 0 {
            let row = Int(order[index].row)
            if place[row] < 0 {
                place[row] = Int32(objects.count)
                var object = rows[row]
                objects.append(try object.record())
            }
            order[index].row = place[row]
        }
        try reader.fill(&objects)
    }
}
