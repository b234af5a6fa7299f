package import Foundation
package import HealthModel
import HealthPages
package import HealthStorage

extension HealthEngine {
    /// Reads one state of the store piece by piece, a page or an object at a time.
    ///
    /// The reader is valid only inside `body`, on its thread. `body` must not call the engine.
    ///
    /// - Throws: `StorageError` if the store can't be read, and what `body` throws.
    public func withReader<Value>(
        as caller: Caller, _ body: (StoreReader) throws -> Value
    ) throws -> Value {
        try storage.read { snapshot in
            try body(
                StoreReader(
                    engine: self, caller: caller, snapshot: snapshot, dictionaries: try dictionaries(in: snapshot)))
        }
    }
}

/// Reads one consistent state of a store in pieces: first the outlines of pages and objects, then their contents one by
/// one, so that nothing needs to be in memory as a whole.
///
/// A type that the caller may not read appears to be empty. Valid only inside the closure of
/// ``HealthEngine/withReader(as:_:)``, on its thread. Methods throw `StorageError` and, for damaged pages, `PageError`.
public struct StoreReader {
    let engine: HealthEngine
    let caller: Caller
    let snapshot: any StorageSnapshot
    /// The sources, devices, units and types that the numbers in pages refer to.
    package let dictionaries: StoreDictionaries

    /// Derives the UUIDs of samples and objects that were saved without one.
    package var identities: DerivedIdentities { engine.identities }

    /// Whether the store is encrypted, so that nothing of it should be written to a file that isn't.
    package var isEncrypted: Bool { engine.storage.isEncrypted }

    /// Whether the caller is an application that is subject to authorization. Sources and devices whose samples it
    /// may not read must not be revealed to it, although ``dictionaries`` has all of them.
    package var isSubjectToAuthorization: Bool { caller.permission == .table }

    /// Returns the numbers of the source revisions in samples that the caller may read.
    package func readableRevisions() throws -> Set<UInt32> {
        var revisions: Set<UInt32> = []
        for type in try types() {
            for page in try pages(of: type.code) {
                revisions.formUnion(page.isWhole ? page.revisions : try rows(of: page, columns: .revisions).revisions)
            }
        }
        return revisions
    }

    /// Returns the types that have samples or objects and that the caller may read, ascending by code.
    package func types() throws -> [TypeDescription] {
        try snapshot.typesInUse().compactMap { code in
            guard let type = dictionaries.type(code) else { return nil }
            let scope = try scope(of: code)
            switch scope {
            case .nothing: return nil
            case .everything: return type
            case .ownOnly, .picked:
                // What there is besides isn't revealed.
                let extent = try engine.extent(
                    of: code, matching: .all, scope: scope, caller: caller, in: snapshot)
                return extent == nil ? nil : type
            }
        }
    }

    /// Returns the profile of the store's person; an empty one for an application that is subject to authorization.
    package func profile() throws -> Profile {
        guard caller.permission != .table else { return Profile() }
        return try engine.profile.read(in: snapshot)
    }

    /// Returns the sample or object with a UUID, or `nil` if none is stored.
    package func locate(_ uuid: UUID) throws -> StoredIdentity? {
        try engine.finder(in: snapshot).locate(uuid)
    }

    /// Returns samples and objects as ``HealthEngine/samples(_:as:)`` does.
    package func samples(_ request: SampleRequest) throws -> SampleSelection {
        try engine.samples(request, as: caller, in: snapshot)
    }

    /// Returns the activity summaries of these days.
    package func activitySummaries(_ days: [SummaryDay]) throws -> [ActivitySummaryBody] {
        guard try scope(of: SummaryTypes.summary) != .nothing else { return [] }
        return try engine.activitySummaries(days, as: caller, in: snapshot)
    }

    /// Returns when there is anything that activity summaries are made from, within a range of time and a few days
    /// before and after it.
    package func summaryTimes(within range: ClosedRange<Double>? = nil) throws -> SummaryTimes {
        guard try scope(of: SummaryTypes.summary) != .nothing else { return SummaryTimes() }
        return try engine.summaryTimes(within: range, as: caller, in: snapshot)
    }

    /// Returns what the caller may read of a type: nothing if it never requested authorization.
    func scope(of type: TypeCode) throws -> ReadScope {
        do {
            return try engine.checkRead(type, as: caller, in: snapshot)
        } catch EngineError.authorizationNotDetermined {
            return .nothing
        }
    }

    /// Reads what belongs to objects, as far as the caller may read it.
    private var memberReader: MemberReader {
        MemberReader(
            snapshot: snapshot, dictionaries: dictionaries, identities: identities,
            limits: ReadLimits(of: caller, engine, in: snapshot))
    }

    /// Compiles a filter, limited to what the caller may read.
    func compile(_ filter: SampleFilter, of type: TypeCode) throws -> CompiledFilter {
        let compiler = FilterCompiler(
            type: type, dictionaries: dictionaries, identities: identities, snapshot: snapshot)
        return try compiler.compile(filter, scope: scope(of: type), caller: caller)
    }
}

extension StoreReader {
    /// Returns the pages of a type that may contain matching samples, in order of start. Only headers are read.
    package func pages(of type: TypeCode, matching filter: SampleFilter = .all) throws -> [SamplePage] {
        guard dictionaries.type(type)?.kind.isPaged == true else { return [] }
        let part = SelectionPart(type: type, filter: try compile(filter, of: type), columns: [])
        return try PageOutline.visit(part, in: snapshot).map { SamplePage(outline: $0) }
    }

    /// Returns the matching samples of a page, in order of start, then sequence.
    ///
    /// - Parameter columns: The columns to read; others may be empty. Columns of metadata, UUIDs and creation dates do
    ///   not determine the number of samples, so read another one beside them.
    package func rows(of page: SamplePage, columns: SampleColumnSet) throws -> SampleColumns {
        let (header, compiled) = (page.outline.header, page.outline.filter)
        guard let body = try snapshot.pageBody(page.outline.key) else { return SampleColumns(type: page.type) }
        return try body.withUnsafeBytes { body in
            let reader = try PageReader(header: header, body: body)
            guard !page.isWhole else { return try reader.read(columns) }
            let rows = try reader.read(columns.union(compiled.columns))
            let mask = compiled.mask(of: rows, count: header.count)
            let picked = (0..<header.count).filter { mask[$0] }
            guard picked.count < header.count else { return rows }
            var result = SampleColumns(type: page.type)
            result.append(rows, rows: picked)
            return result
        }
    }
}

extension StoreReader {
    /// Returns the sequences of the samples of a type that are series of quantities.
    package func seriesSequences(of type: TypeCode) throws -> Set<Int64> {
        Set(try QuantitySeriesTable.sequences(of: type, in: snapshot))
    }

    /// Returns the quantities of a sample; `nil` if it isn't a series. The caller has read the sample.
    package func quantitySeries(of sample: StoredIdentity) throws -> QuantitySeries? {
        try QuantitySeriesTable.read(of: sample, in: snapshot)
    }
}

extension HealthEngine {
    /// Returns the quantities of series samples of one type by the samples' identities, without samples that have no
    /// series.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` if the caller never asked for the type; errors of
    ///   the storage.
    package func quantitySeries(
        of samples: [UUID], type: TypeCode, as caller: Caller
    ) throws -> [UUID: QuantitySeries] {
        try storage.read { snapshot in
            let scope = try checkRead(type, as: caller, in: snapshot)
            guard scope != .nothing else { return [:] }
            var readable: Set<Int64>?
            if case .picked = scope {
                let selection = try select(
                    SampleRequest(parts: [.init(type: type, filter: .uuid(Set(samples)))], columns: .sequences),
                    scope: [type: scope], caller: caller, in: snapshot)
                readable = Set(selection.batches.flatMap(\.sequences))
            }
            let finder = finder(in: snapshot)
            var found: [UUID: QuantitySeries] = [:]
            for uuid in samples {
                guard let identity = try finder.locate(uuid), identity.type == type,
                    readable?.contains(identity.sequence) ?? true
                else { continue }
                found[uuid] = try QuantitySeriesTable.read(of: identity, in: snapshot)
            }
            return found
        }
    }

    /// Returns the quantities of series samples by the samples' sequences, without samples that have no series.
    ///
    /// - Throws: Errors of the storage.
    package func quantitySeries(at places: [StoredIdentity]) throws -> [Int64: QuantitySeries] {
        guard !places.isEmpty else { return [:] }
        return try storage.read { snapshot in
            var found: [Int64: QuantitySeries] = [:]
            for place in places { found[place.sequence] = try QuantitySeriesTable.read(of: place, in: snapshot) }
            return found
        }
    }
}

extension StoreReader {
    /// Returns the matching objects of a type, in order of start, then sequence.
    package func objects(of type: TypeCode, matching filter: SampleFilter = .all) throws -> [ObjectOutline] {
        guard dictionaries.type(type)?.kind.isPaged == false else { return [] }
        let compiled = try compile(filter, of: type)
        if case .always(false) = compiled { return [] }
        let reader = memberReader
        var found: [ObjectOutline] = []
        try snapshot.visitObjects(of: type, in: compiled.timeBounds.window) { object in
            if case .always(true) = compiled {
            } else {
                var row = ObjectRow(object, reader: reader)
                guard try compiled.matches(&row) else { return true }
            }
            found.append(
                ObjectOutline(sequence: object.sequence, type: object.type, start: object.start, end: object.end))
            return true
        }
        return found
    }

    /// Returns an object without its members, or `nil` if there is none that the caller may read.
    package func object(_ sequence: Int64) throws -> ObjectRecord? {
        guard let stored = try snapshot.object(sequence: sequence) else { return nil }
        let compiled = try compile(.all, of: stored.type)
        let reader = memberReader
        var row = ObjectRow(stored, reader: reader)
        guard try compiled.matches(&row) else { return nil }
        return try row.record()
    }

    /// Reads the samples of correlations and workouts into ``ObjectRecord/members``.
    package func fillMembers(of objects: inout [ObjectRecord]) throws {
        try memberReader.fill(&objects)
    }

    /// Returns the samples and objects that belong to an object, in the order of their sequence.
    package func members(of owner: Int64) throws -> [StoredIdentity] {
        try snapshot.links(ofOwner: owner).map { StoredIdentity(type: $0.memberType, sequence: $0.member) }
    }

    /// Returns the objects that own a sample or object, in the order of their sequence.
    package func owners(of member: Int64) throws -> [StoredIdentity] {
        try snapshot.links(ofMember: member).map { StoredIdentity(type: $0.ownerType, sequence: $0.owner) }
    }
}

extension StoreReader {
    /// Returns the statistics of a quantity type, with sources merged; none for a type that the caller may not read.
    package func statistics(_ request: StatisticsRequest) throws -> [StatisticsBucket] {
        let scope = try scope(of: request.type)
        guard scope != .nothing else { return [] }
        return try engine.statistics(request, scope: scope, caller: caller, in: snapshot)
    }

    /// Returns ascending, disjoint stretches of time, in seconds since 2001, that contain the matching samples of a
    /// quantity or category type as far as they overlap a range. Gaps that are long in terms of an interval are left
    /// out.
    package func stretches(
        of type: TypeCode, matching filter: SampleFilter = .all, within range: ClosedRange<Double>? = nil,
        intervalLength: Double
    ) throws -> [ClosedRange<Double>] {
        let scope = try scope(of: type)
        guard scope != .nothing else { return [] }
        return try engine.stretches(
            of: type, matching: filter, within: range, intervalLength: intervalLength, scope: scope, caller: caller,
            in: snapshot)
    }
}

/// A page of samples before its body is read: the contents of its header.
package struct SamplePage: Sendable {
    let outline: PageOutline

    /// The type of all samples within.
    package var type: TypeCode { outline.key.type }
    /// The number of samples in the page, whether or not they match.
    package var count: Int { outline.header.count }
    /// Whether every sample of the page matches.
    package var isWhole: Bool { outline.isWhole }
    /// Start of the first sample, in seconds since 2001. Pages are in this order.
    package var firstStart: Double { outline.header.firstStart }
    /// The latest end of any sample.
    package var maximumEnd: Double { outline.header.maximumEnd }
    /// The range of the sequence numbers.
    package var sequences: ClosedRange<Int64> { outline.header.minimumSequence...outline.header.maximumSequence }
    /// Whether any sample has metadata.
    package var hasMetadata: Bool { outline.header.hasMetadata }
    /// The numbers of the source revisions, ascending.
    package var revisions: [UInt32] { outline.header.revisions }
}

/// An object before its payload is read.
package struct ObjectOutline: Hashable, Sendable {
    /// The object's sequence, by which it is read.
    package let sequence: Int64
    /// The object's type.
    package let type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package let start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package let end: Double
}

extension ObjectOutline {
    /// Creates the outline of an object that was read.
    package init(_ object: ObjectRecord) {
        self.init(sequence: object.sequence, type: object.type, start: object.start, end: object.end)
    }
}

/// The part of a store's contents to be read: types and a span of time.
public struct ContentsSelection: Hashable, Sendable {
    /// The types; `nil` for all.
    package var types: Set<TypeCode>?
    /// The earliest start, in seconds since 2001; `nil` for no bound.
    public var since: Double?
    /// The instant before which samples and objects start, in seconds since 2001; `nil` for no bound.
    public var until: Double?

    /// Creates a selection, of everything by default.
    public init(since: Double? = nil, until: Double? = nil) {
        self.since = since
        self.until = until
    }

    /// Creates a selection of types.
    package init(types: Set<TypeCode>?, since: Double? = nil, until: Double? = nil) {
        self.init(since: since, until: until)
        self.types = types
    }

    /// Whether everything is selected.
    package var isEverything: Bool { types == nil && since == nil && until == nil }

    /// Returns whether a type is selected.
    package func includes(_ type: TypeCode) -> Bool {
        types?.contains(type) ?? true
    }

    /// Returns whether samples and objects that start at this instant are selected.
    package func includes(start: Double) -> Bool {
        since.map { start >= $0 } ?? true && until.map { start < $0 } ?? true
    }
}
