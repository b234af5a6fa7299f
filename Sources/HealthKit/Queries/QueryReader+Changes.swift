import Foundation
import HealthEngine
import HealthModel
import HealthStorage

extension QueryReader {
    /// The additions and deletions since an anchor, and the new anchor.
    struct Changes: Sendable {
        var added: [HKSample]
        var deleted: [HKDeletedObject]
        var anchor: HKQueryAnchor

        var isEmpty: Bool { added.isEmpty && deleted.isEmpty }
    }

    /// Returns the changes after an anchor in insertion order; `nil` starts at the beginning, a limit of 0
    /// returns all.
    func changes(_ parts: [QueryPart], after anchor: HKQueryAnchor?, limit: Int) throws -> Changes {
        let store = engine.identity().uuid
        // The engine compares the position with the last one in the same read.
        let after = anchor?.position(in: store, lastSequence: .max) ?? 0
        let resolved = try parts.compactMap { try resolve($0) }
        let result = try engine.changes(
            ChangesRequest(parts: resolved, after: after, limit: max(0, limit), beginsAgain: true), as: caller)
        let added = RecordDecoder.samples(result.added)
        return Changes(
            added: Self.matching(added, Self.residuals(parts)), deleted: RecordDecoder.deletedObjects(result.deleted),
            anchor: HKQueryAnchor(store: store, sequence: result.sequence))
    }

    /// Returns an anchor after everything that is stored now, without reading it.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` for a type for which the application never requested
    ///   authorization, like a query from that anchor.
    func latestAnchor(_ parts: [QueryPart]) throws -> HKQueryAnchor {
        for part in parts { try requireDetermined(part) }
        return HKQueryAnchor(store: engine.identity().uuid, sequence: try engine.lastSequence())
    }

    /// Returns the last sequence number of the store.
    func lastSequence() throws -> Int64 { try engine.lastSequence() }

    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` if the application never requested
    ///   authorization for the part's type.
    func requireDetermined(_ part: QueryPart) throws {
        guard let code = try engine.code(of: part.identifier) else { return }
        _ = try engine.checkRead(code, as: caller)
    }

    /// Returns whether the commits of a digest announced the part's type, or added or deleted a matching sample
    /// after a sequence number; `nil` if they don't concern the type or are older, so that nothing was searched.
    func hasChanges(_ part: QueryPart, after sequence: Int64, _ digest: CommitDigest) throws -> Bool? {
        guard let resolved = try resolve(part) else { return false }
        if digest.announces(resolved.type) {
            return try engine.checkRead(resolved.type, as: caller) != .nothing ? true : nil
        }
        guard digest.touches(resolved.type, after: sequence) else { return nil }
        // If every sample of the type matches, the commit is answer enough.
        if part.isWholeType, try engine.checkRead(resolved.type, as: caller) == .everything {
            return true
        }
        return try hasChanges(part, after: sequence)
    }

    /// Returns whether a matching sample was added, or one that may have matched deleted, after a sequence number.
    func hasChanges(_ part: QueryPart, after sequence: Int64) throws -> Bool {
        guard let resolved = try resolve(part) else { return false }
        let limit = part.residual == nil ? 1 : 0
        let result = try engine.changes(ChangesRequest(parts: [resolved], after: sequence, limit: limit), as: caller)
        guard result.deleted.isEmpty else { return true }
        guard let residual = part.residual else { return result.added.count > 0 }
        return RecordDecoder.samples(result.added).contains { residual($0) }
    }

    /// Returns whether the commits touched the type of any part.
    func touches(_ parts: [QueryPart], _ digest: CommitDigest) throws -> Bool {
        try parts.contains { part in
            try engine.code(of: part.identifier).map(digest.touches) ?? false
        }
    }

    /// Calls `handler` after every commit, on any thread, until the subscription is cancelled or released.
    func observeCommits(_ handler: @escaping @Sendable (CommitDigest) -> Void) -> CommitSubscription {
        CommitSubscription(observation: engine.observeCommits { handler(CommitDigest($0)) })
    }
}

/// Keeps a handler of commits active until it is cancelled or released.
struct CommitSubscription: Sendable {
    fileprivate let observation: StorageSubscription

    func cancel() {
        observation.cancel()
    }
}

/// The types and sequences that one or more commits changed.
struct CommitDigest: Sendable {
    /// The last sequence number of the commits that touched each type.
    private var sequences: [TypeCode: Int64] = [:]
    /// Types whose observers are notified although nothing was written.
    private var announced: Set<TypeCode> = []
    private(set) var settingsChanged = false

    fileprivate init(_ commit: Commit) {
        for type in commit.types {
            sequences[type] = commit.sequences.upperBound
        }
        announced = commit.isAnnouncement ? commit.types : []
        settingsChanged = commit.settingsChanged
    }

    /// Adds later commits.
    mutating func merge(_ later: CommitDigest) {
        sequences.merge(later.sequences) { max($0, $1) }
        announced.formUnion(later.announced)
        settingsChanged = settingsChanged || later.settingsChanged
    }

    /// A Boolean value that indicates whether samples of any type were added, deleted or announced.
    var touchesSamples: Bool { !sequences.isEmpty }

    /// Returns whether samples of the type were added or deleted.
    func touches(_ type: TypeCode) -> Bool { sequences[type] != nil }

    /// Returns whether samples of the type were added or deleted after a sequence number. A query that has just
    /// read the store may be notified of a commit it has seen already.
    func touches(_ type: TypeCode, after sequence: Int64) -> Bool {
        sequences[type].map { $0 > sequence } ?? false
    }

    /// Returns whether observers of the type are notified whatever they find.
    func announces(_ type: TypeCode) -> Bool { announced.contains(type) }
}
