public import Foundation

/// What tells one store from every other.
public struct StoreIdentity: Hashable, Sendable {
    /// Anchors carry it, so that an anchor of another store is noticed.
    public var uuid: UUID
    /// Key of the derived UUIDs; fixed when the store is made.
    public var seed: UInt64

    /// Makes an identity; a new store takes random ones.
    public init(uuid: UUID, seed: UInt64) {
        self.uuid = uuid
        self.seed = seed
    }
}
