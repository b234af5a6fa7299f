public import Foundation
public import HealthModel
import HealthStorage

extension HealthEngine {
    /// Saves samples and objects on behalf of the caller: all of them, in the order given, or none.
    ///
    /// Every sample and object gets the caller's source revision, whatever it says itself. One that
    /// carries a sync identifier of the caller's replaces the stored one when its version is greater,
    /// taking its place in correlations and workouts, and is ignored otherwise. Members of an object
    /// are saved with it; a member the application stored before, told by its UUID, is only linked.
    ///
    /// An empty batch is saved without doing anything.
    /// - Parameter waiting: Whether to wait for other writers to end; if not, `StorageError` `.busy` is thrown
    ///   while there is one, and nothing has happened.
    /// - Throws: ``ValidationError`` for an item the original would not construct;
    ///   ``EngineError/authorizationDenied(_:)`` and ``EngineError/authorizationNotDetermined(_:)``;
    ///   ``EngineError/invalidArgument(_:)`` for a type nobody knows and for a UUID that is stored.
    @discardableResult
    public func save(_ items: [SaveItem], as caller: Caller, waiting: Bool = true) throws -> SaveOutcome {
        guard !items.isEmpty else { return SaveOutcome() }
        try validate(items)
        let (outcome, kinds) = try commit(waiting: waiting) { transaction, draft in
            if caller.permission == .table {
                let shared = items.reduce(into: Set<TypeCode>()) { $0.formUnion($1.sharedTypes) }
                for type in shared.sorted() {
                    try checkShare(type, as: caller, in: transaction)
                }
            }
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            for item in items {
                try plan.add(item)
            }
            let kinds = try write(plan, as: caller, in: transaction, draft: &draft).kinds
            return (plan.outcome, kinds)
        }
        rememberWritten(kinds)
        return outcome
    }

    /// Adds samples to a stored object of the caller's, as a workout's samples are. Stored samples,
    /// told by UUID, are linked; others are saved without a device and linked.
    /// - Throws: as ``save(_:as:)``; ``EngineError/invalidArgument(_:)`` when the object is not stored.
    public func addMembers(
        _ samples: [SampleRecord], toObject uuid: UUID, as caller: Caller
    ) throws {
        guard !samples.isEmpty else { return }
        let bare = samples.map { sample in
            var sample = sample
            sample.device = nil
            return sample
        }
        try validate(bare.map { .sample($0) })
        let kinds = try commit { transaction, draft in
            guard let identity = try finder(in: transaction).locate(uuid),
                let owner = try transaction.object(sequence: identity.sequence)
            else { throw EngineError.invalidArgument("The object to add samples to is not stored.") }
            for type in Set(samples.map(\.type)).union([owner.type]).sorted() {
                try checkShare(type, as: caller, in: transaction)
            }
            let source = try transaction.dictionaries()
                .revision(owner.revision)?.source.bundleIdentifier
            guard caller.permission == .owner || source == caller.bundleIdentifier else {
                throw EngineError.authorizationDenied(owner.type)
            }
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            let targets = try bare.map { try plan.addMember($0) }
            let (run, kinds) = try write(plan, as: caller, in: transaction, draft: &draft)
            for target in targets {
                guard let member = run.place(of: target, in: plan) else { continue }
                try transaction.addLink(
                    StoredLink(
                        owner: owner.sequence, ownerType: owner.type, member: member.sequence,
                        memberType: member.type))
            }
            draft.types.insert(owner.type)
            return kinds
        }
        rememberWritten(kinds)
    }

    /// Looks for samples by identity.
    func finder(in snapshot: any StorageSnapshot) -> PageFinder {
        PageFinder(snapshot: snapshot, identities: identities)
    }

    /// Carries a plan out inside a transaction.
    func write(
        _ plan: SavePlan, as caller: Caller, in transaction: any StorageTransaction,
        draft: inout CommitDraft
    ) throws -> (run: SaveRun, kinds: [SourceKind]) {
        var run = SaveRun(
            transaction: transaction, caller: caller, identities: identities,
            capacity: configuration.pageCapacity)
        try run.write(plan, draft: &draft)
        let kinds = try run.devices.compactMap {
            try noteKind(revision: caller.revision, device: $0, in: transaction)
        }
        return (run, kinds)
    }

    /// Checks every item before anything is written.
    func validate(_ items: [SaveItem]) throws {
        // Types of the store's own are looked up only where the catalog does not know one.
        var loaded: StoreDictionaries?
        func describe(_ type: TypeCode) throws -> TypeDescription {
            if let known = TypeCatalog.description(for: type) { return known }
            let dictionaries = try loaded ?? self.dictionaries()
            loaded = dictionaries
            guard let description = dictionaries.type(type) else {
                throw EngineError.invalidArgument("The store does not know this type.")
            }
            return description
        }
        for item in items {
            switch item {
            case .sample(let sample):
                try RecordValidation.validate(sample, description: describe(sample.type))
            case .object(let object):
                let description = try describe(object.type)
                guard !description.kind.isPaged, description.kind != .characteristic else {
                    throw EngineError.invalidArgument(
                        "Type \(description.identifier) does not have objects of this kind.")
                }
                try RecordValidation.validate(object, description: description)
                for member in object.members {
                    try RecordValidation.validate(member, description: describe(member.type))
                }
            }
        }
    }
}
