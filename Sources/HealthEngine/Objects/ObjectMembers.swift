package import Foundation
package import HealthModel
package import HealthStorage

// A workout builder saves samples at once and the workout that owns them later.
extension HealthEngine {
    /// Saves samples that an object is going to own and returns their locations in the same order.
    ///
    /// Samples whose UUID the application has saved before are not saved again; a sample whose sync identifier
    /// is stored in the same or a newer version is replaced by the stored one.
    ///
    /// - Throws: The errors of ``save(_:as:)``.
    package func saveMembers(_ samples: [SampleRecord], as caller: Caller) throws -> [StoredIdentity] {
        guard !samples.isEmpty else { return [] }
        let describe = typeDescriptions()
        for sample in samples { try RecordValidation.validate(sample, description: describe(sample.type)) }
        do {
            // A builder's samples are usually new, and looking up each would take as long as writing it.
            return try saveMembers(samples, as: caller, lookingFirst: false)
        } catch let error as EngineError where error == SavePlan.duplicate {
            // Nothing has been written.
            return try saveMembers(samples, as: caller, lookingFirst: true)
        }
    }

    private func saveMembers(
        _ samples: [SampleRecord], as caller: Caller, lookingFirst: Bool
    ) throws -> [StoredIdentity] {
        try commit { transaction, pending in
            try checkShare(Set(samples.map(\.type)), as: caller, in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction), capacity: samples.count)
            let targets = try samples.map { try plan.addMember($0, isLookedUp: lookingFirst) }
            let run = try write(plan, as: caller, in: transaction, pending: &pending)
            return targets.compactMap { run.identity(of: $0, in: plan) }
        }
    }

    /// Saves an object that owns stored samples, together with its parts, in one
    /// transaction. Samples that have been deleted are ignored. The samples may be of any source.
    ///
    /// - Parameters:
    ///   - members: Locations returned by ``saveMembers(_:as:)`` or a query.
    ///   - parts: Objects that belong to this one, such as a workout's routes.
    ///   - deletions: What is deleted before, in the same transaction, as ``delete(_:as:)`` does it.
    /// - Throws: The errors of ``save(_:as:)``.
    package func save(
        _ object: ObjectRecord, owning members: [StoredIdentity], parts: [ObjectRecord] = [],
        deleting deletions: [UUID] = [], as caller: Caller
    ) throws {
        try validate([.object(object)] + parts.map { .object($0) })
        try commit { transaction, pending in
            try delete(deletions, as: caller, in: transaction, pending: &pending)
            try checkShare(Set([object.type] + parts.map(\.type)), as: caller, in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            let targets = try parts.map { try plan.add(.object($0)) }
            let owner = try plan.add(.object(object))
            let run = try write(plan, as: caller, in: transaction, pending: &pending)
            guard let place = owner.flatMap({ run.identity(of: $0, in: plan) }) else { return }
            let stored = try present(members, in: transaction)
            let saved = targets.compactMap { $0.flatMap { run.identity(of: $0, in: plan) } }
            try link(stored + saved, to: place, in: transaction)
        }
    }

    /// Saves objects that belong to a stored object of the caller, as a route belongs to its workout.
    ///
    /// - Throws: The errors of ``save(_:as:)``; ``EngineError/invalidArgument(_:)`` if the owner is not stored.
    package func addParts(_ parts: [ObjectRecord], toObject uuid: UUID, as caller: Caller) throws {
        guard !parts.isEmpty else { return }
        try validate(parts.map { .object($0) })
        try commit { transaction, pending in
            let owner = try owner(uuid, as: caller, sharing: Set(parts.map(\.type)), in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            let targets = try parts.map { try plan.add(.object($0)) }
            let run = try write(plan, as: caller, in: transaction, pending: &pending)
            let saved = targets.compactMap { $0.flatMap { run.identity(of: $0, in: plan) } }
            try link(saved, to: owner, in: transaction)
            pending.types.insert(owner.type)
        }
    }

    /// Returns a stored object that the caller may add to.
    func owner(
        _ uuid: UUID, as caller: Caller, sharing types: Set<TypeCode>, in transaction: any StorageTransaction
    ) throws -> StoredIdentity {
        guard let identity = try finder(in: transaction).locate(uuid),
            let owner = try transaction.object(sequence: identity.sequence)
        else { throw EngineError.invalidArgument("The object to add to is not stored.") }
        try checkShare(types.union([owner.type]), as: caller, in: transaction)
        let source = try transaction.dictionaries().revision(owner.revision)?.source.bundleIdentifier
        guard caller.permission == .owner || source == caller.bundleIdentifier else {
            throw EngineError.authorizationDenied(owner.type)
        }
        return identity
    }

    private func link(
        _ members: [StoredIdentity], to owner: StoredIdentity, in transaction: any StorageTransaction
    ) throws {
        try transaction.addLinks(members.map { StoredLink(from: owner, to: $0) })
    }

    /// Returns those of the samples that are still stored, looked up page by page.
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
