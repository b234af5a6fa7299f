public import Foundation
public import HealthStorage

/// What ``StorageContents`` asks for by name.
public struct StorageProbes: Sendable {
    /// Sequences whose links are read, besides those of all objects.
    public var owners: Set<Int64> = []
    /// Given UUIDs to look up.
    public var uuids: [UUID] = []
    /// Sync identifiers to look up.
    public var syncKeys: [StoredSync.Key] = []
    /// Namespaces whose settings are read.
    public var namespaces: [String] = []

    /// Asks for nothing by name.
    public init() {}
}
