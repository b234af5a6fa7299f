public import Foundation
public import HealthModel
import HealthPages
public import HealthStorage

/// One consistent state of a store, read in pieces: first which pages and objects there are, then one after
/// the other what they hold, so that nothing has to be in memory as a whole.
///
/// A type the caller may not read has nothing in it. Valid only inside the closure of
/// ``HealthEngine/reading(as:_:)``, on that thread. Methods throw `StorageError` and, for damaged pages,
/// `PageError`.
public struct StoreReading {
    let engine: HealthEngine
    let caller: Caller
    let snapshot: any StorageSnapshot
    /// The nouns that numbers in pages stand for.
    public let dictionaries: StoreDictionaries

    /// Makes the UUIDs of samples and objects that were given none.
    public var identities: DerivedIdentities { engine.identities }

    /// The types that have samples or objects and that the caller may read, ascending by code.
    public func types() throws -> [TypeDescription] {
        try snapshot.typesInUse().compactMap { code in
            guard let type = dictionaries.type(code), try scope(of: code) != .nothing else { return nil }
            return type
        }
    }

    /// What the store knows of its person; nothing for an application that is held to the person's decisions.
    public func profile() throws -> Profile {
        guard caller.permission != .table else { return Profile() }
        return try engine.profile(in: snapshot)
    }

    /// Where an identity leads to; `nil` for one that stands for nothing stored.
    public func locate(_ uuid: UUID) throws -> StoredIdentity? {
        try engine.finder(in: snapshot).locate(uuid)
    }

    /// The rings of these days; see ``HealthEngine/activitySummaries(_:as:)``.
    public func activitySummaries(_ days: [SummaryDay]) throws -> [ActivitySummaryBody] {
        guard try scope(of: SummaryTypes.summary) != .nothing else { return [] }
        return try engine.activitySummaries(days, as: caller, in: snapshot)
    }

    /// The span of what rings are made of; see ``HealthEngine/summaryExtent(as:)``.
    public func summaryExtent() throws -> (samples: ClosedRange<Double>?, importedDays: ClosedRange<Profile.Day>?) {
        guard try scope(of: SummaryTypes.summary) != .nothing else { return (nil, nil) }
        return try engine.summaryExtent(as: caller, in: snapshot)
    }

    /// What the caller sees of a type; one it never asked for is one it does not see.
    func scope(of type: TypeCode) throws -> ReadScope {
        do {
            return try engine.checkRead(type, as: caller, in: snapshot)
        } catch EngineError.authorizationNotDetermined {
            return .nothing
        }
    }

    /// The test of a filter, narrowed to what the caller sees.
    func test(_ filter: SampleFilter, of type: TypeCode) throws -> RowTest {
        let compiler = FilterCompiler(
            type: type, dictionaries: dictionaries, identities: identities, snapshot: snapshot)
        return try compiler.compile(filter, scope: scope(of: type), caller: caller)
    }
}
