public import Foundation
public import HealthModel

/// What remains of a deleted sample or object.
public struct StoredTombstone: Hashable, Sendable {
    /// The deletion's own place in the sequence.
    public var sequence: Int64
    /// The type of what was deleted.
    public var type: TypeCode
    /// Its identity, given or derived.
    public var uuid: UUID
    /// Its sync identifier, where it had one.
    public var syncIdentifier: String?
    /// Its sync version, where it had one.
    public var syncVersion: Double?

    /// Makes the mark of one deletion.
    public init(
        sequence: Int64, type: TypeCode, uuid: UUID, syncIdentifier: String? = nil,
        syncVersion: Double? = nil
    ) {
        self.sequence = sequence
        self.type = type
        self.uuid = uuid
        self.syncIdentifier = syncIdentifier
        self.syncVersion = syncVersion
    }
}
