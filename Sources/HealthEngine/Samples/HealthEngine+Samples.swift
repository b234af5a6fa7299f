import Foundation
package import HealthModel
import HealthPages
import HealthStorage

extension HealthEngine {
    /// Returns samples and objects by type and filter, in the order requested. A type that the caller may not read
    /// contributes nothing.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` for a type that the caller never requested.
    package func samples(_ request: SampleRequest, as caller: Caller) throws -> SampleSelection {
        try storage.read { try samples(request, as: caller, in: $0) }
    }

    func samples(_ request: SampleRequest, as caller: Caller, in snapshot: any StorageSnapshot) throws
        -> SampleSelection
    {
        var scope: [TypeCode: ReadScope] = [:]
        for part in request.parts where scope[part.type] == nil {
            scope[part.type] = try checkRead(part.type, as: caller, in: snapshot)
        }
        return try select(request, scope: scope, caller: caller, in: snapshot)
    }

    /// Selects samples and objects that were added after a position in the sequence, in a snapshot or transaction. A type
    /// without an entry in `scope` is not read.
    func select(
        _ request: SampleRequest, after sequence: Int64 = 0, scope: [TypeCode: ReadScope], caller: Caller,
        in snapshot: any StorageSnapshot
    ) throws -> SampleSelection {
        let dictionaries = try dictionaries(in: snapshot)
        let columns = request.columns.union(request.sort.reduce(into: []) { $0.formUnion($1.key.columns) })
        let reader = MemberReader(
            snapshot: snapshot, dictionaries: dictionaries, identities: identities,
            limits: ReadLimits(of: caller, self, in: snapshot))
        var batches: [SampleColumns] = []
        var objects: [ObjectRow] = []
        for (type, filter) in Self.united(request.parts) {
            let compiler = FilterCompiler(
                type: type, dictionaries: dictionaries, identities: identities, snapshot: snapshot)
            let compiled = try compiler.compile(filter, scope: scope[type] ?? .nothing, caller: caller)
            if case .always(false) = compiled { continue }
            let part = SelectionPart(type: type, filter: compiled, columns: columns, after: sequence)
            if compiler.kind.isPaged {
                var selector = PageSelector(part, in: snapshot)
                if request.limit > 0, let sortKey = SortKey(request.sort.first) {
                    try selector.select(first: request.limit, by: sortKey)
                } else {
                    try selector.selectAll()
                }
                if selector.rows.count > 0 { batches.append(selector.rows) }
            } else {
                var selector = ObjectSelector(part: part, reader: reader)
                try selector.selectAll()
                objects += selector.rows
            }
        }
        let order = SelectionOrder(batches: batches, objects: objects, sort: request.sort, dictionaries)
        var selection = SampleSelection(
            batches: batches, order: try order.references(limit: request.limit),
            dictionaries: dictionaries, identities: identities)
        try selection.resolve(objects, reader)
        if request.limit > 0 { selection.releaseUnreferenced() }
        return selection
    }

    /// Returns one filter for each type, so that no sample is found twice.
    static func united(_ parts: [SampleRequest.Part]) -> [(TypeCode, SampleFilter)] {
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
    /// The columns that the key needs.
    var columns: SampleColumnSet {
        switch self {
        case .start: .starts
        case .end: .ends
        case .sequence: .sequences
        case .duration: [.starts, .ends]
        case .value: [.values, .units]
        case .workoutTotal: []
        }
    }
}

extension SampleSelection {
    /// Reads the records of the objects in the order, with their members.
    mutating func resolve(_ rows: [ObjectRow], _ reader: MemberReader) throws {
        guard !rows.isEmpty else { return }
        var place = [Int32](repeating: -1, count: rows.count)
        for index in order.indices {
            guard case .object(let found) = order[index] else { continue }
            let row = Int(found)
            if place[row] < 0 {
                place[row] = Int32(objects.count)
                var object = rows[row]
                objects.append(try object.record())
            }
            order[index] = .object(place[row])
        }
        try reader.fill(&objects)
    }
}

extension HealthEngine {
    /// Returns the earliest start and latest end of the matching samples or objects, in seconds since 2001, or `nil` if
    /// there are none.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` for a type that the caller never requested.
    package func extent(
        of type: TypeCode, matching filter: SampleFilter, as caller: Caller
    ) throws -> ClosedRange<Double>? {
        try storage.read { snapshot in
            let scope = try checkRead(type, as: caller, in: snapshot)
            return try extent(of: type, matching: filter, scope: scope, caller: caller, in: snapshot)
        }
    }

    func extent(
        of type: TypeCode, matching filter: SampleFilter, scope: ReadScope, caller: Caller,
        in snapshot: any StorageSnapshot
    ) throws -> ClosedRange<Double>? {
        let dictionaries = try dictionaries(in: snapshot)
        let compiler = FilterCompiler(
            type: type, dictionaries: dictionaries, identities: identities, snapshot: snapshot)
        let compiled = try compiler.compile(filter, scope: scope, caller: caller)
        let part = SelectionPart(type: type, filter: compiled, columns: [])
        guard compiler.kind.isPaged else {
            var selector = ObjectSelector(
                part: part,
                reader: MemberReader(
                    snapshot: snapshot, dictionaries: dictionaries, identities: identities, limits: nil))
            try selector.selectAll()
            return selector.rows.reduce(into: nil) { extent, row in
                extent = row.stored.start.extended(to: row.stored.end, joining: extent)
            }
        }
        let pages = try PageOutline.visit(part, in: snapshot)
        return try PageOutline.extent(pages, in: snapshot)
    }

    /// Returns ascending, disjoint stretches of time that contain the matching samples of a type of samples in pages,
    /// without longer gaps.
    func stretches(
        of type: TypeCode, matching filter: SampleFilter, within range: ClosedRange<Double>?, intervalLength: Double,
        scope: ReadScope, caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> [ClosedRange<Double>] {
        let compiler = FilterCompiler(
            type: type, dictionaries: try dictionaries(in: snapshot), identities: identities, snapshot: snapshot)
        var filters = [filter]
        if let last = range?.upperBound, last.isFinite { filters.append(.start(.lessThanOrEqual, last)) }
        if let first = range?.lowerBound, first.isFinite { filters.append(.end(.greaterThanOrEqual, first)) }
        let compiled = try compiler.compile(filters.count > 1 ? .and(filters) : filter, scope: scope, caller: caller)
        let pages = try PageOutline.visit(SelectionPart(type: type, filter: compiled, columns: []), in: snapshot)
        guard let extent = try PageOutline.extent(pages, in: snapshot) else { return [] }
        return try PageOutline.stretches(
            of: pages, within: range.map { extent.clamped(to: $0) } ?? extent, intervalLength: intervalLength,
            in: snapshot)
    }
}

extension Double {
    /// Returns the range from this start to an end, extended to include another range. An end before the start, which
    /// no stored sample has, adds nothing.
    func extended(to end: Double, joining other: ClosedRange<Double>?) -> ClosedRange<Double>? {
        guard self <= end else { return other }
        guard let other else { return self...end }
        return min(self, other.lowerBound)...max(end, other.upperBound)
    }
}

/// A request for samples or objects by type and filter, in order, up to a limit.
package struct SampleRequest: Sendable {
    /// A type with a filter.
    package struct Part: Hashable, Sendable {
        /// The type. An unknown one has no samples.
        package var type: TypeCode
        /// The filter that its samples must match.
        package var filter: SampleFilter

        /// Creates a part for samples of one type, by default for all of them.
        package init(type: TypeCode, filter: SampleFilter = .all) {
            self.type = type
            self.filter = filter
        }
    }

    /// The parts. A sample in several of them is returned once.
    package var parts: [Part]
    /// The sort keys, the most significant first. Ties are in insertion order.
    package var sort: [SampleSort]
    /// The maximum number of results, applied after sorting; 0 for no limit.
    package var limit: Int
    /// The columns to read. Starts, ends and sequences are read in any case.
    package var columns: SampleColumnSet

    /// Creates a request, by default in insertion order and without limit.
    package init(
        parts: [Part], sort: [SampleSort] = [], limit: Int = 0, columns: SampleColumnSet = .all
    ) {
        self.parts = parts
        self.sort = sort
        self.limit = limit
        self.columns = columns
    }
}

/// The result of a sample request: samples in columns, objects as records, and the order of both.
package struct SampleSelection: Sendable {
    /// Identifies one result. Indexes are of 32 bits, because there is one for each result.
    package enum Reference: Hashable, Sendable {
        /// A row of one of ``batches``.
        case sample(batch: Int32, row: Int32)
        /// One of ``objects``.
        case object(Int32)
    }

    /// Matching page samples, one or several batches for each type.
    package var batches: [SampleColumns]
    /// Matching objects with their members. `ObjectRecord.uuid` is always set.
    package var objects: [ObjectRecord]
    /// The results in the order requested.
    package var order: [Reference]
    /// The sources, devices and units that the numbers in the batches refer to.
    package var dictionaries: StoreDictionaries
    /// Derives the UUIDs of samples that were saved without one.
    package var identities: DerivedIdentities

    /// Creates a selection. Every reference must refer to a row or an object.
    package init(
        batches: [SampleColumns] = [], objects: [ObjectRecord] = [], order: [Reference] = [],
        dictionaries: StoreDictionaries, identities: DerivedIdentities
    ) {
        self.batches = batches
        self.objects = objects
        self.order = order
        self.dictionaries = dictionaries
        self.identities = identities
    }

    /// The number of results.
    package var count: Int { order.count }
}

extension SampleSelection {
    /// Removes the rows and objects that are not among the results because of a limit.
    mutating func releaseUnreferenced() {
        var rows = [[Int]](repeating: [], count: batches.count)
        var places: [Int] = []
        for reference in order {
            switch reference {
            case .sample(let batch, let row): rows[Int(batch)].append(Int(row))
            case .object(let index): places.append(Int(index))
            }
        }
        let moved = batches.indices.map { batch -> [Int32]? in
            guard rows[batch].count < batches[batch].count else { return nil }
            let retained = rows[batch].sorted()
            var smaller = SampleColumns(type: batches[batch].type)
            smaller.append(batches[batch], rows: retained)
            var targets = [Int32](repeating: -1, count: batches[batch].count)
            for (target, row) in retained.enumerated() { targets[row] = Int32(target) }
            batches[batch] = smaller
            return targets
        }
        let objectTargets = releaseObjects(except: places.sorted())
        for index in order.indices {
            switch order[index] {
            case .sample(let batch, let row):
                if let targets = moved[Int(batch)] { order[index] = .sample(batch: batch, row: targets[Int(row)]) }
            case .object(let place):
                order[index] = .object(objectTargets[Int(place)])
            }
        }
    }

    /// Keeps only some objects. Returns the new index of each.
    private mutating func releaseObjects(except retained: [Int]) -> [Int32] {
        var targets = [Int32](repeating: -1, count: objects.count)
        for (target, place) in retained.enumerated() { targets[place] = Int32(target) }
        objects = retained.map { objects[$0] }
        return targets
    }
}

extension SampleColumns {
    /// Returns one row as a record.
    package func record(
        at row: Int, dictionaries: StoreDictionaries, identities: DerivedIdentities
    ) -> SampleRecord {
        SampleRecord(
            uuid: uuid(at: row) ?? identities.uuid(for: sequences[row]), type: type, start: starts[row], end: ends[row],
            value: values[row], unit: dictionaries.unit(units.isEmpty ? 0 : units[row]),
            revision: dictionaries.revision(revisions[row]),
            device: dictionaries.device(devices.isEmpty ? 0 : devices[row]),
            metadata: metadata(at: row), creation: creation(at: row), sequence: sequences[row])
    }
}
