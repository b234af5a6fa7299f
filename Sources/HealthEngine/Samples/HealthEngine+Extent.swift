public import HealthModel
import HealthPages
import HealthStorage

extension HealthEngine {
    /// Earliest start and latest end of the matching samples or objects, in seconds since 2001; `nil`
    /// when there is none.
    ///
    /// Throws ``EngineError/authorizationNotDetermined(_:)`` for a type the caller never asked for.
    public func extent(
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
        let test = try compiler.compile(filter, scope: scope, caller: caller)
        let part = SelectionPart(type: type, test: test, columns: [])
        guard compiler.kind.isPaged else {
            var selector = ObjectSelector(
                part,
                reader: MemberReader(snapshot: snapshot, dictionaries: dictionaries, identities: identities))
            try selector.selectAll()
            return selector.rows.reduce(into: nil) { extent, row in
                extent = row.stored.start.extended(to: row.stored.end, joining: extent)
            }
        }
        let pages = try PageOutline.visit(part, in: snapshot)
        return try PageOutline.extent(pages, in: snapshot)
    }
}

extension Double {
    /// The range from this start to an end that also takes in another range. An end before the start,
    /// which no stored sample has, adds nothing.
    func extended(to end: Double, joining other: ClosedRange<Double>?) -> ClosedRange<Double>? {
        guard self <= end else { return other }
        guard let other else { return self...end }
        return min(self, other.lowerBound)...max(end, other.upperBound)
    }
}
