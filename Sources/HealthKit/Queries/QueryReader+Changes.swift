import Foundation
import HealthEngine
import HealthModel
import HealthStorage

extension QueryReader {
    /// What was added and deleted since an anchor, and the new anchor.
    struct Changes: Sendable {
        var added: [HKSample]
        var deleted: [HKDeletedObject]
        var anchor: HKQueryAnchor

        var isEmpty: Bool { added.isEmpty && deleted.isEmpty }
    }

    /// Reads on from an anchor, in insertion order; `nil` is the beginning, a limit of 0 is none.
    func changes(_ parts: [QueryPart], after anchor: HKQueryAnchor?, limit: Int) throws -> Changes {
        let store = engine.identity().uuid
        let after = anchor?.position(in: store, lastSequence: try engine.lastSequence()) ?? 0
        let resolved = try parts.compactMap { try $0.resolved(in: engine) }
        let result = try engine.changes(
            ChangesRequest(parts: resolved, after: after, limit: max(0, limit)), as: caller)
        let added = RecordDecoder.samples(result.added)
        return Changes(
            added: Self.passing(added, Self.residuals(parts)),
            deleted: RecordDecoder.deletedObjects(result.deleted),
            anchor: HKQueryAnchor(store: store, sequence: result.sequence))
    }

    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` when the application never asked for the
    ///   part's type.
    func requireDetermined(_ part: QueryPart) throws {
        guard let code = try engine.code(of: part.identifier) else { return }
        _ = try engine.checkRead(code, as: caller)
    }

    /// Whether anything that a part asks for was added or deleted after a place in the sequence by the
    /// commits of a digest, or is announced.
    func hasChanges(_ part: QueryPart, after sequence: Int64, _ digest: CommitDigest) throws -> Bool {
        guard let resolved = try part.resolved(in: engine) else { return false }
        if digest.announces(resolved.type) {
            return try engine.checkRead(resolved.type, as: caller) != .nothing
        }
        guard digest.touches(resolved.type, after: sequence) else { return false }
        // Word of a commit says enough when every sample of the type counts.
        if part.isWholeType, try engine.checkRead(resolved.type, as: caller) == .everything {
            return true
        }
        let limit = part.residual == nil ? 1 : 0
        let result = try engine.changes(
            ChangesRequest(parts: [resolved], after: sequence, limit: limit), as: caller)
        guard result.deleted.isEmpty else { return true }
        guard let residual = part.residual else { return result.added.count > 0 }
        return RecordDecoder.samples(result.added).contains { residual($0) }
    }

    /// Whether commits touched any part's type.
    func touches(_ parts: [QueryPart], _ digest: CommitDigest) throws -> Bool {
        try parts.contains { part in
            try engine.code(of: part.identifier).map(digest.touches) ?? false
        }
    }

    /// Whether commits touched a type.
    func touches(_ type: HKSampleType, _ digest: CommitDigest) throws -> Bool {
        try engine.code(of: type.identifier).map(digest.touches) ?? false
    }
}
