package import Foundation
package import HealthModel
package import HealthStorage

/// The plan of a save, determined by reading only: which samples and objects are new, which replace an older
/// sync version, which are ignored, and the members of every object.
package struct SavePlan {
    /// One sample or object that will be written.
    struct Entry {
        var item: SaveItem
        /// The older version that it replaces.
        var replaces: StoredSync?
        var sync: StoredSync.Key?
        var version = 0.0
        /// Members in order, for an object.
        var members: [Target] = []
        /// The index of a newer version in the same batch, which is written instead.
        var supersededBy: Int?
    }

    /// A sample or object that is stored or planned.
    package enum Target {
        case stored(StoredIdentity)
        case planned(Int)
    }

    private(set) var entries: [Entry] = []
    package private(set) var outcome = SaveOutcome()

    private let caller: Caller
    private let finder: PageFinder
    private var plannedSyncs: [StoredSync.Key: Int] = [:]
    private var plannedUUIDs: [UUID: Planned] = [:]

    private struct Planned {
        var target: Target
        /// Whether it has occurred only as a member so far.
        var isMemberOnly: Bool
    }

    /// Creates an empty plan.
    ///
    /// - Parameter capacity: The number of items that it is going to have.
    package init(caller: Caller, finder: PageFinder, capacity: Int = 0) {
        self.caller = caller
        self.finder = finder
        entries.reserveCapacity(capacity)
        plannedUUIDs.reserveCapacity(capacity)
    }

    /// The number of sequence numbers that the plan needs: one for each entry written and each replaced.
    var sequenceCount: Int {
        entries.indices.reduce(0) {
            entries[$1].supersededBy != nil ? $0 : $0 + (entries[$1].replaces == nil ? 1 : 2)
        }
    }

    /// Adds an item of the batch. Returns `nil` for an object that is ignored.
    @discardableResult
    package mutating func add(_ item: SaveItem) throws -> Target? {
        switch item {
        case .sample(let sample):
            return try add(item, uuid: sample.uuid, type: sample.type, metadata: sample.metadata)
        case .object(let object):
            // An ignored object's members are ignored with it.
            if let (mark, key) = sync(of: object.metadata, type: object.type),
                try isIgnored(mark, key)
            {
                outcome.ignored += 1
                return nil
            }
            // Members come first, so a sequential reader already has them when it reads the object.
            let members = try object.members.map { try addMember($0) }
            let target = try add(
                item, uuid: object.uuid, type: object.type, metadata: object.metadata)
            if case .planned(let index) = target {
                entries[index].members = members
            }
            return target
        }
    }

    /// Adds a member. One that is already stored is only linked.
    ///
    /// - Parameter isLookedUp: Whether to look it up. If `false`, it is assumed to be new, unless it may replace an
    ///   older version; if it is stored after all, writing it fails as a duplicate.
    mutating func addMember(_ sample: SampleRecord, isLookedUp: Bool = true) throws -> Target {
        if let uuid = sample.uuid {
            if let planned = plannedUUIDs[uuid] { return planned.target }
            let isLookedUp = isLookedUp || SyncMark(sample.metadata) != nil
            if let stored = try isLookedUp ? finder.locate(uuid) : finder.locateDerived(uuid) {
                guard try isOwn(stored) else { throw Self.duplicate }
                return .stored(stored)
            }
        }
        return try add(
            .sample(sample), uuid: sample.uuid, type: sample.type, metadata: sample.metadata,
            isMember: true)
    }

    /// Whether what is written for a target is the item with this UUID, and not another version of it.
    package func isWritten(_ target: Target, as uuid: UUID) -> Bool {
        guard case .planned(let index) = target else { return false }
        return entries[index].supersededBy == nil && entries[index].item.uuid == uuid
    }

    /// Returns the newest version of a target in the batch.
    func final(_ target: Target) -> Target {
        guard case .planned(var index) = target else { return target }
        while let next = entries[index].supersededBy { index = next }
        return .planned(index)
    }

    private mutating func add(
        _ item: SaveItem, uuid: UUID?, type: TypeCode, metadata: Metadata, isMember: Bool = false
    ) throws -> Target {
        let sync = sync(of: metadata, type: type)
        var entry = Entry(item: item, sync: sync?.key, version: sync?.mark.version ?? 0)
        var superseded: Int?
        if let (mark, key) = sync {
            if let planned = plannedSyncs[key] {
                guard mark.version > entries[planned].version else {
                    outcome.ignored += 1
                    return .planned(planned)
                }
                superseded = planned
                entry.replaces = entries[planned].replaces
            } else if let stored = try finder.snapshot.sync(key) {
                guard mark.version > stored.version else {
                    outcome.ignored += 1
                    return .stored(StoredIdentity(type: type, sequence: stored.sequence))
                }
                entry.replaces = stored
            }
        }
        if let uuid {
            // A member has been looked up already.
            if !isMember, let planned = plannedUUIDs[uuid] {
                guard planned.isMemberOnly else { throw Self.duplicate }
                plannedUUIDs[uuid]?.isMemberOnly = false
                return planned.target
            }
            // An item that is certain to be written with its UUID is rejected there if it is stored, which saves a
            // search.
            if !isMember {
                let isTaken = try sync == nil ? finder.locateDerived(uuid) != nil : finder.locate(uuid) != nil
                guard !isTaken else { throw Self.duplicate }
            }
        }
        if superseded != nil || entry.replaces != nil { outcome.replaced += 1 }
        outcome.saved += superseded == nil ? 1 : 0
        let index = entries.count
        entries.append(entry)
        if let superseded { entries[superseded].supersededBy = index }
        if let key = sync?.key { plannedSyncs[key] = index }
        if let uuid { plannedUUIDs[uuid] = Planned(target: .planned(index), isMemberOnly: isMember) }
        return .planned(index)
    }

    private func sync(
        of metadata: Metadata, type: TypeCode
    ) -> (mark: SyncMark, key: StoredSync.Key)? {
        SyncMark(metadata).map { ($0, $0.key(source: caller.bundleIdentifier, type: type)) }
    }

    /// Returns whether this version or a newer one is stored or planned.
    private func isIgnored(_ mark: SyncMark, _ key: StoredSync.Key) throws -> Bool {
        if let planned = plannedSyncs[key] { return mark.version <= entries[planned].version }
        guard let stored = try finder.snapshot.sync(key) else { return false }
        return mark.version <= stored.version
    }

    /// Returns whether the caller's application saved the sample or object.
    private func isOwn(_ identity: StoredIdentity) throws -> Bool {
        let revision: UInt32
        if let object = try finder.snapshot.object(sequence: identity.sequence) {
            revision = object.revision
        } else {
            let rows = try finder.rows(of: identity.type, sequences: [identity.sequence], columns: .revisions)
            guard let only = rows.revisions.first else { return false }
            revision = only
        }
        return try finder.snapshot.dictionaries().revision(revision)?.source.bundleIdentifier == caller.bundleIdentifier
    }

    static let duplicate = EngineError.invalidArgument("An object with the same UUID is already stored.")

    /// Reports a UUID that is already stored, which is detected when it is written.
    static func reportingDuplicates(_ put: () throws -> Void) throws {
        do {
            try put()
        } catch let error as StorageError where error.kind == .duplicate {
            throw duplicate
        }
    }
}

/// An object's sync identifier and version.
package struct SyncMark: Hashable {
    var identifier: String
    package var version: Double

    /// Returns `nil` for metadata without a valid sync identifier and version.
    package init?(_ metadata: Metadata) {
        guard !metadata.isEmpty,
            case .string(let identifier) = metadata[MetadataKey.syncIdentifier],
            let version = metadata[MetadataKey.syncVersion]?.number
        else { return nil }
        self.identifier = identifier
        self.version = version
    }

    /// Returns the key under which the identifier is unique: with its source and type.
    package func key(source: String, type: TypeCode) -> StoredSync.Key {
        StoredSync.Key(source: source, type: type, identifier: identifier)
    }
}
