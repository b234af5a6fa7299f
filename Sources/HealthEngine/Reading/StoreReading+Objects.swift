public import HealthModel
public import HealthStorage

extension StoreReading {
    /// The objects of a type that the filter takes, in order of start, then sequence.
    public func objects(of type: TypeCode, matching filter: SampleFilter = .all) throws -> [ObjectPlace] {
        guard dictionaries.type(type)?.kind.isPaged == false else { return [] }
        let test = try test(filter, of: type)
        if case .always(false) = test { return [] }
        let reader = MemberReader(snapshot: snapshot, dictionaries: dictionaries, identities: identities)
        var found: [ObjectPlace] = []
        try snapshot.visitObjects(of: type, in: test.timeHull.window) { object in
            if case .always(true) = test {} else {
                var row = ObjectRow(object, reader: reader)
                guard try test.matches(&row) else { return true }
            }
            found.append(
                ObjectPlace(sequence: object.sequence, type: object.type, start: object.start, end: object.end))
            return true
        }
        return found
    }

    /// An object by its sequence, its members left out; `nil` where there is none that the caller sees.
    public func object(_ sequence: Int64) throws -> ObjectRecord? {
        guard let stored = try snapshot.object(sequence: sequence) else { return nil }
        let test = try test(.all, of: stored.type)
        let reader = MemberReader(snapshot: snapshot, dictionaries: dictionaries, identities: identities)
        var row = ObjectRow(stored, reader: reader)
        guard try test.matches(&row) else { return nil }
        return try row.record()
    }

    /// The samples of a correlation or workout, read and put where ``ObjectRecord/members`` wants them.
    public func fillMembers(of objects: inout [ObjectRecord]) throws {
        try MemberReader(snapshot: snapshot, dictionaries: dictionaries, identities: identities).fill(&objects)
    }

    /// Where the samples and objects are that belong to an object, in the order of their sequence.
    public func members(of owner: Int64) throws -> [StoredIdentity] {
        try snapshot.links(ofOwner: owner).map { StoredIdentity(type: $0.memberType, sequence: $0.member) }
    }

    /// Where the objects are that own a sample or object, in the order of their sequence.
    public func owners(of member: Int64) throws -> [StoredIdentity] {
        try snapshot.links(ofMember: member).map { StoredIdentity(type: $0.ownerType, sequence: $0.owner) }
    }
}
