public import Foundation
public import HealthModel
public import HealthStorage

// How a workout builder writes: samples at once, and later the workout that owns them.
extension HealthEngine {
    /// Saves samples that an object is going to own, and says where each is, in the order given.
    /// Samples the application stored before, told by UUID, are only found; one whose sync identifier
    /// is stored in the same or a newer version stands for the stored one.
    /// - Throws: as ``save(_:as:)``.
    public func saveMembers(_ samples: [SampleRecord], as caller: Caller) throws -> [StoredIdentity] {
        guard !samples.isEmpty else { return [] }
        try validate(samples.map { .sample($0) })
        do {
            // A builder's samples are new as a rule: looking for each would take as long as writing it.
            return try saveMembers(samples, as: caller, lookingFirst: false)
        } catch let error as EngineError where error == SavePlan.duplicate {
            // Nothing of it has been kept.
            return try saveMembers(samples, as: caller, lookingFirst: true)
        }
    }

    private func saveMembers(
        _ samples: [SampleRecord], as caller: Caller, lookingFirst: Bool
    ) throws -> [StoredIdentity] {
        let (places, kinds) = try commit { transaction, draft in
            for type in Set(samples.map(\.type)).sorted() {
                try checkShare(type, as: caller, in: transaction)
            }
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            let targets = try samples.map { try plan.addMember($0, isLookedFor: lookingFirst) }
            let (run, kinds) = try write(plan, as: caller, in: transaction, draft: &draft)
            return (targets.compactMap { run.place(of: $0, in: plan) }, kinds)
        }
        rememberWritten(kinds)
        return places
    }

    /// Saves an object that owns stored samples and further objects, which are saved with it, in one
    /// transaction. Samples that are gone by now are passed over. The samples may be of any source.
    ///
    /// - Parameters:
    ///   - members: What ``saveMembers(_:as:)`` or a reading gave.
    ///   - parts: Objects that belong to this one, such as a workout's routes.
    /// - Throws: as ``save(_:as:)``.
    public func save(
        _ object: ObjectRecord, owning members: [StoredIdentity], parts: [ObjectRecord] = [],
        as caller: Caller
    ) throws {
        try validate([.object(object)] + parts.map { .object($0) })
        let kinds = try commit { transaction, draft in
            for type in Set([object.type] + parts.map(\.type)).sorted() {
                try checkShare(type, as: caller, in: transaction)
            }
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            let targets = try parts.map { try plan.add(.object($0)) }
            let owner = try plan.add(.object(object))
            let (run, kinds) = try write(plan, as: caller, in: transaction, draft: &draft)
            guard let place = owner.flatMap({ run.place(of: $0, in: plan) }) else { return kinds }
            let stored = try present(members, in: transaction)
            let saved = targets.compactMap { $0.flatMap { run.place(of: $0, in: plan) } }
            try link(stored + saved, to: place, in: transaction)
            return kinds
        }
        rememberWritten(kinds)
    }

    /// Saves objects that belong to a stored object of the caller's, as a route belongs to its workout.
    /// - Throws: as ``save(_:as:)``; ``EngineError/invalidArgument(_:)`` when the owner is not stored.
    public func addParts(_ parts: [ObjectRecord], toObject uuid: UUID, as caller: Caller) throws {
        guard !parts.isEmpty else { return }
        try validate(parts.map { .object($0) })
        let kinds = try commit { transaction, draft in
            let owner = try owner(uuid, as: caller, sharing: Set(parts.map(\.type)), in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            let targets = try parts.map { try plan.add(.object($0)) }
            let (run, kinds) = try write(plan, as: caller, in: transaction, draft: &draft)
            let saved = targets.compactMap { $0.flatMap { run.place(of: $0, in: plan) } }
            try link(saved, to: owner, in: transaction)
            draft.types.insert(owner.type)
            return kinds
        }
        rememberWritten(kinds)
    }

    /// A stored object that the caller may add to.
    private func owner(
        _ uuid: UUID, as caller: Caller, sharing types: Set<TypeCode>, in transaction: any StorageTransaction
    ) throws -> StoredIdentity {
        guard let identity = try finder(in: transaction).locate(uuid),
            let owner = try transaction.object(sequence: identity.sequence)
        else { throw EngineError.invalidArgument("The object to add to is not stored.") }
        for type in types.union([owner.type]).sorted() {
            try checkShare(type, as: caller, in: transaction)
        }
        let source = try transaction.dictionaries().revision(owner.revision)?.source.bundleIdentifier
        guard caller.permission == .owner || source == caller.bundleIdentifier else {
            throw EngineError.authorizationDenied(owner.type)
        }
        return identity
    }

    private func link(
        _ members: [StoredIdentity], to owner: StoredIdentity, in transaction: any StorageTransaction
    ) throws {
        try transaction.addLinks(
            members.map {
                StoredLink(
                    owner: owner.sequence, ownerType: owner.type, member: $0.sequence, memberType: $0.type)
            })
    }

    /// Those of the page samples that are stored, looked up a page at a time.
    private func present(
        _ members: [StoredIdentity], in transaction: any StorageTransaction
    ) throws -> [StoredIdentity] {
        let finder = finder(in: transaction)
        var stored: [StoredIdentity] = []
        for (type, group) in Dictionary(grouping: members, by: \.type).sorted(by: { $0.key < $1.key }) {
            let wanted = Set(group.map(\.sequence)).sorted()
            let found = try finder.rows(of: type, sequences: wanted, columns: .sequences).sequences
            stored += found.sorted().map { StoredIdentity(type: type, sequence: $0) }
        }
        return stored
    }
}
