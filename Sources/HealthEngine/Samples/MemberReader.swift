package import HealthModel
package import HealthStorage

/// Reads the samples that belong to objects, for many objects at once, so that each page is decoded only once.
package struct MemberReader {
    let snapshot: any StorageSnapshot
    let dictionaries: StoreDictionaries
    let identities: DerivedIdentities
    /// What may be read; `nil` for everything.
    let limits: ReadLimits?

    /// Returns an object as a record, as far as it may be read and without its members.
    package func record(of stored: StoredObject) throws -> ObjectRecord {
        var row = ObjectRow(stored, reader: self)
        return try row.record()
    }

    /// Reads the members of every object that may be read, in the order they were saved.
    package func fill(_ objects: inout [ObjectRecord]) throws {
        var links: [[StoredLink]] = []
        var needed: [TypeCode: [Int64]] = [:]
        for object in objects {
            let own = try snapshot.links(ofOwner: object.sequence)
            for link in own { needed[link.memberType, default: []].append(link.member) }
            links.append(own)
        }
        guard !needed.isEmpty else { return }
        var members: [Int64: SampleRecord] = [:]
        let finder = PageFinder(snapshot: snapshot, identities: identities)
        for (type, sequences) in needed where try limits?.scope(of: type) != .nothing {
            let rows = try finder.rows(of: type, sequences: Set(sequences).sorted())
            for row in 0..<rows.count {
                let member = rows.record(at: row, dictionaries: dictionaries, identities: identities)
                if try limits?.includes(member) ?? true { members[rows.sequences[row]] = member }
            }
        }
        for index in objects.indices {
            objects[index].members = links[index].compactMap { members[$0.member] }
        }
    }

    /// Returns the samples of one type that belong to an object and, by index, the quantities of those that consist of
    /// several.
    func figureMembers(
        of owner: Int64, type: TypeCode
    ) throws -> (samples: [SampleRecord], series: [Int: QuantitySeries]) {
        let sequences = try snapshot.links(ofOwner: owner).filter { $0.memberType == type }.map(\.member)
        guard !sequences.isEmpty else { return ([], [:]) }
        let found = try PageFinder(snapshot: snapshot, identities: identities)
            .rows(of: type, sequences: sequences, columns: [.starts, .ends, .values, .units])
        let withSeries = Set(try QuantitySeriesTable.sequences(of: type, in: snapshot))
        var series: [Int: QuantitySeries] = [:]
        let samples = try (0..<found.count).map { row -> SampleRecord in
            let sequence = found.sequences[row]
            if withSeries.contains(sequence) {
                series[row] = try QuantitySeriesTable.read(
                    of: StoredIdentity(type: type, sequence: sequence), in: snapshot)
            }
            return SampleRecord(
                type: type, start: found.starts[row], end: found.ends[row], value: found.values[row],
                unit: dictionaries.unit(found.units[row]), sequence: sequence)
        }
        return (samples, series)
    }
}

extension MemberReader {
    /// Creates a reader of everything.
    package init(snapshot: any StorageSnapshot, dictionaries: StoreDictionaries, identities: DerivedIdentities) {
        self.init(snapshot: snapshot, dictionaries: dictionaries, identities: identities, limits: nil)
    }
}

/// What an application may read of the samples and figures within objects: a correlation or a workout that it may read can
/// consist of types that it may not. Belongs to one snapshot.
final class ReadLimits {
    private let engine: HealthEngine
    private let caller: Caller
    private let snapshot: any StorageSnapshot
    private var scopes: [TypeCode: ReadScope] = [:]

    /// Creates the limits of a caller; `nil` for one that may read everything.
    init?(of caller: Caller, _ engine: HealthEngine, in snapshot: any StorageSnapshot) {
        guard caller.permission == .table else { return nil }
        (self.engine, self.caller, self.snapshot) = (engine, caller, snapshot)
    }

    /// Returns what may be read of a type: nothing if that was never decided.
    func scope(of type: TypeCode) throws -> ReadScope {
        if let known = scopes[type] { return known }
        var scope = ReadScope.nothing
        do {
            scope = try engine.checkRead(type, as: caller, in: snapshot)
        } catch EngineError.authorizationNotDetermined {}
        scopes[type] = scope
        return scope
    }

    /// Returns whether a sample that belongs to an object may be read. A limit of history is one of objects, not of their
    /// parts.
    func includes(_ member: SampleRecord) throws -> Bool {
        switch try scope(of: member.type) {
        case .everything, .picked: true
        case .ownOnly: member.revision.map { isOwn($0.source.bundleIdentifier) } ?? false
        case .nothing: false
        }
    }

    /// Returns a body without the figures of types that may not be read. An application's own objects are as it saved them.
    func visible(_ body: ObjectBody, of revision: SourceRevisionRecord?) throws -> ObjectBody {
        guard case .workout(var workout) = body, revision.map({ isOwn($0.source.bundleIdentifier) }) != true else {
            return body
        }
        func isHidden(_ identifier: String) throws -> Bool {
            guard let type = TypeCatalog.description(for: identifier)?.code else { return true }
            return try [.nothing, .ownOnly].contains(scope(of: type))
        }
        try workout.statistics.removeAll { try isHidden($0.type) }
        try workout.zones.removeAll { try isHidden($0.type) }
        for index in workout.activities.indices {
            try workout.activities[index].statistics.removeAll { try isHidden($0.type) }
        }
        return .workout(workout)
    }

    private func isOwn(_ bundleIdentifier: String) -> Bool { bundleIdentifier == caller.bundleIdentifier }
}
