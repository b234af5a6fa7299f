package import Foundation
package import HealthModel
package import HealthStorage

extension HealthEngine {
    /// Saves samples and objects on behalf of the caller: all of them, in the order given, or none.
    ///
    /// Every sample and object gets the caller's source revision, regardless of its own. If it has a sync identifier
    /// that the caller already used, it replaces the stored version if its own version is higher, also in correlations
    /// and workouts, and is ignored otherwise. The members of an object are saved with it; a member that the
    /// application saved before, identified by its UUID, is only linked.
    ///
    /// Saving an empty batch has no effect.
    ///
    /// - Throws: ``ValidationError`` for an item that the original would not construct;
    ///   ``EngineError/authorizationDenied(_:)`` or ``EngineError/authorizationNotDetermined(_:)``;
    ///   ``EngineError/invalidArgument(_:)`` for an unknown type and for a UUID that is already stored.
    @discardableResult
    package func save(_ items: [SaveItem], as caller: Caller) throws -> SaveOutcome {
        guard !items.isEmpty else { return SaveOutcome() }
        try validate(items)
        return try commit(prefetching: { Self.givenUUIDs(of: items) }) { transaction, pending in
            try checkShare(items, as: caller, in: transaction)
            if items.count == 1, case .sample(let sample) = items[0],
                try append(sample, as: caller, in: transaction, pending: &pending)
            {
                return SaveOutcome(saved: 1)
            }
            return try write(items, as: caller, in: transaction, pending: &pending)
        }
    }

    /// Saves items inside a transaction.
    private func write(
        _ items: [SaveItem], as caller: Caller, in transaction: any StorageTransaction, pending: inout PendingCommit
    ) throws -> SaveOutcome {
        var plan = SavePlan(caller: caller, finder: finder(in: transaction), capacity: items.count)
        for item in items { try plan.add(item) }
        _ = try write(plan, as: caller, in: transaction, pending: &pending)
        return plan.outcome
    }

    /// Deletes samples and objects, then saves others of one or several callers: all of it or nothing. What is deleted
    /// and what replaces it are never stored or lost without each other.
    ///
    /// - Parameters:
    ///   - groups: What is saved, as ``save(_:as:)`` does it, in this order.
    ///   - uuids: What is deleted before, as ``delete(_:as:)`` does it; may be empty.
    ///   - caller: On whose behalf is deleted.
    /// - Throws: The errors of ``save(_:as:)`` and ``delete(_:as:)``.
    @discardableResult
    package func save(_ groups: [SaveGroup], deleting uuids: [UUID], as caller: Caller) throws -> SaveOutcome {
        if uuids.isEmpty, groups.count == 1 { return try save(groups[0].items, as: groups[0].caller) }
        let items = groups.flatMap(\.items)
        guard !items.isEmpty || !uuids.isEmpty else { return SaveOutcome() }
        try validate(items)
        return try commit(prefetching: { uuids + Self.givenUUIDs(of: items) }) { transaction, pending in
            try delete(uuids, as: caller, in: transaction, pending: &pending)
            var outcome = SaveOutcome()
            for group in groups {
                try checkShare(group.items, as: group.caller, in: transaction)
                let saved = try write(group.items, as: group.caller, in: transaction, pending: &pending)
                outcome.saved += saved.saved
                outcome.ignored += saved.ignored
                outcome.replaced += saved.replaced
            }
            return outcome
        }
    }

    /// Saves samples and objects as ``save(_:as:)`` does, and returns where each is stored: `nil` for one that
    /// was ignored because the same or a newer sync version is stored.
    /// - Throws: The errors of ``save(_:as:)``.
    package func saveLocating(
        _ items: [SaveItem], as caller: Caller
    ) throws -> (outcome: SaveOutcome, places: [StoredIdentity?]) {
        guard !items.isEmpty else { return (SaveOutcome(), []) }
        try validate(items)
        return try commit(prefetching: { Self.givenUUIDs(of: items) }) { transaction, pending in
            try checkShare(items, as: caller, in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction), capacity: items.count)
            let targets = try items.map { try plan.add($0) }
            let run = try write(plan, as: caller, in: transaction, pending: &pending)
            let places = targets.map { target -> StoredIdentity? in
                guard let target, case .planned = target else { return nil }
                return run.identity(of: target, in: plan)
            }
            return (plan.outcome, places)
        }
    }

    /// Appends one sample to the short page at the end of its type, which is all there is to do for the usual save.
    /// Returns `false`, with nothing changed, if more has to be done: if the page is not known or would not stay short,
    /// if the sample does not come last, or if it may replace an older version.
    private func append(
        _ sample: SampleRecord, as caller: Caller, in transaction: any StorageTransaction, pending: inout PendingCommit
    ) throws -> Bool {
        let editor = PageEditor(transaction: transaction, capacity: configuration.pageCapacity)
        guard SyncMark(sample.metadata) == nil, let page = try editor.indexForAppending(sample, in: &pending.shortPages)
        else { return false }
        // A UUID that an application gave is rejected where it is written.
        if let uuid = sample.uuid, try finder(in: transaction).locateDerived(uuid) != nil { throw SavePlan.duplicate }
        let sequence = try transaction.allocateSequences(1)
        pending.recordSequences(1, from: sequence)
        pending.types = pending.shortPages.types(at: page)
        pending.keepsShortPages = true
        try editor.append(
            sample, unit: sample.unit.isEmpty ? 0 : transaction.intern(unit: sample.unit),
            revision: transaction.intern(caller.revision), device: sample.device.map(transaction.intern) ?? 0,
            sequence: sequence, at: page, of: &pending.shortPages)
        if let uuid = sample.uuid {
            let identity = StoredIdentity(type: sample.type, sequence: sequence)
            try SavePlan.reportingDuplicates { try transaction.putIdentity(uuid, identity) }
        }
        try recordKind(revision: caller.revision, device: sample.device, in: transaction, pending: &pending)
        return true
    }

    /// The UUIDs that came with items and their members.
    private static func givenUUIDs(of items: [SaveItem]) -> [UUID] {
        items.flatMap { item in
            switch item {
            case .sample(let sample): [sample.uuid].compactMap { $0 }
            case .object(let object):
                object.members.reduce(into: [object.uuid]) { $0.append($1.uuid) }.compactMap { $0 }
            }
        }
    }

    private func checkShare(
        _ items: [SaveItem], as caller: Caller, in transaction: any StorageTransaction
    ) throws {
        guard caller.permission == .table else { return }
        var shared: Set<TypeCode> = []
        for item in items { item.addSharedTypes(to: &shared) }
        try checkShare(shared, as: caller, in: transaction)
    }

    /// Adds samples to a stored object of the caller's, such as a workout. Samples that are already stored, identified
    /// by their UUID, are linked; others are saved without a device and linked.
    /// - Parameter deletions: What is deleted before, in the same transaction, as ``delete(_:as:)`` does it.
    /// - Throws: The errors of ``save(_:as:)``; ``EngineError/invalidArgument(_:)`` if the object is not
    ///   stored.
    package func addMembers(
        _ samples: [SampleRecord], toObject uuid: UUID, deleting deletions: [UUID] = [], as caller: Caller
    ) throws {
        guard !samples.isEmpty || !deletions.isEmpty else { return }
        let bare = samples.map { sample in
            var sample = sample
            sample.device = nil
            return sample
        }
        try validate(bare.map { .sample($0) })
        try commit(prefetching: { [uuid] + deletions + samples.compactMap(\.uuid) }) { transaction, pending in
            try delete(deletions, as: caller, in: transaction, pending: &pending)
            let owner = try owner(uuid, as: caller, sharing: Set(samples.map(\.type)), in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            let targets = try bare.map { try plan.addMember($0) }
            let run = try write(plan, as: caller, in: transaction, pending: &pending)
            try transaction.addLinks(run.links(from: owner, to: targets, in: plan))
            pending.types.insert(owner.type)
        }
    }

    /// Returns a finder of samples and objects by identity.
    package func finder(in snapshot: any StorageSnapshot) -> PageFinder {
        PageFinder(snapshot: snapshot, identities: identities)
    }

    /// Executes a plan inside a transaction.
    package func write(
        _ plan: SavePlan, as caller: Caller, in transaction: any StorageTransaction, pending: inout PendingCommit
    ) throws -> SaveRun {
        var run = SaveRun(
            transaction: transaction, caller: caller, identities: identities, capacity: configuration.pageCapacity)
        try run.write(plan, pending: &pending)
        let devices = run.devices.map(Optional.some) + (run.hasSamplesWithoutDevice ? [nil] : [])
        for device in devices {
            try recordKind(revision: caller.revision, device: device, in: transaction, pending: &pending)
        }
        return run
    }

    /// Validates every item before anything is written.
    package func validate(_ items: [SaveItem]) throws {
        let describe = typeDescriptions()
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

    /// Describes types for a validation. The store's own types are loaded only for a type that is not in the catalog.
    func typeDescriptions() -> (TypeCode) throws -> TypeDescription {
        var loaded: StoreDictionaries?
        return { type in
            if let known = TypeCatalog.description(for: type) { return known }
            let dictionaries = try loaded ?? self.dictionaries()
            loaded = dictionaries
            guard let description = dictionaries.type(type) else {
                throw EngineError.invalidArgument("The type is unknown to the store.")
            }
            return description
        }
    }
}

/// A sample or object to save. The order of a batch is the order of its sequence numbers.
// A record has hundreds of bytes: an indirect case is passed on as a reference instead of being copied field by field.
package indirect enum SaveItem: Sendable {
    /// A quantity or category sample.
    case sample(SampleRecord)
    /// Any other object, with its members.
    case object(ObjectRecord)
}

/// Samples and objects to save on behalf of one caller; see ``HealthEngine/save(_:deleting:as:)``.
package struct SaveGroup: Sendable {
    /// The samples and objects, in order.
    package var items: [SaveItem]
    /// Whose source revision they get.
    package var caller: Caller

    /// Creates a group.
    package init(_ items: [SaveItem], as caller: Caller) {
        self.items = items
        self.caller = caller
    }
}

extension SaveItem {
    /// The UUID given to the sample or object.
    package var uuid: UUID? {
        switch self {
        case .sample(let sample): sample.uuid
        case .object(let object): object.uuid
        }
    }

    package var type: TypeCode {
        switch self {
        case .sample(let sample): sample.type
        case .object(let object): object.type
        }
    }

    /// Adds the types that the application must be allowed to share. The permission for a correlation is that for its
    /// members.
    fileprivate func addSharedTypes(to types: inout Set<TypeCode>) {
        switch self {
        case .sample(let sample):
            types.insert(sample.type)
        case .object(let object):
            for member in object.members { types.insert(member.type) }
            let isCorrelation = TypeCatalog.description(for: object.type)?.kind == .correlation
            if !isCorrelation || object.members.isEmpty { types.insert(object.type) }
        }
    }
}

/// The result of a save.
package struct SaveOutcome: Hashable, Sendable {
    /// The number of samples and objects written, including members of objects.
    package var saved: Int
    /// The number ignored because the same or a newer sync version is stored.
    package var ignored: Int
    /// The number of older sync versions replaced.
    package var replaced: Int

    /// Creates an outcome.
    package init(saved: Int = 0, ignored: Int = 0, replaced: Int = 0) {
        self.saved = saved
        self.ignored = ignored
        self.replaced = replaced
    }
}

extension HealthEngine {
    /// Saves a series sample together with its quantities.
    ///
    /// Statistics count the quantities in place of the sample. A sample whose sync identifier is stored in the same or
    /// a newer version is ignored, and so are its quantities.
    ///
    /// - Throws: The errors of ``save(_:as:)``; ``EngineError/invalidArgument(_:)`` for quantities that are not ordered
    ///   by start or extend beyond the sample.
    package func save(_ sample: SampleRecord, series: QuantitySeries, as caller: Caller) throws {
        try validate([.sample(sample)])
        guard series.isConsistent, series.count > 0, series.starts[0] >= sample.start,
            series.ends.allSatisfy({ $0 <= sample.end })
        else {
            throw EngineError.invalidArgument("The quantities of a series must lie within their sample.")
        }
        try commit { transaction, pending in
            try checkShare(sample.type, as: caller, in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            try plan.add(.sample(sample))
            let run = try write(plan, as: caller, in: transaction, pending: &pending)
            if !plan.entries.isEmpty, let place = run.identity(of: .planned(0), in: plan) {
                try QuantitySeriesTable.write(series, of: place, in: transaction)
            }
        }
    }
}
