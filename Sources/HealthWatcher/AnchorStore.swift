public import HealthKit

/// Keeps the anchor of one watcher between runs.
public protocol AnchorStore: Sendable {
    /// The anchor that was saved last for exactly this set of type identifiers, or `nil` where none was.
    ///
    /// - Throws: ``AnchorStoreError`` when an anchor is there but cannot be read: it is never taken for
    ///   “none”, which would deliver a whole history again.
    func load(types: Set<String>) throws -> HKQueryAnchor?

    /// Keeps the anchor in place of the earlier one. When it returns, the anchor survives a crash; when it
    /// throws, or the process ends before it returns, the earlier one or the new one is there, whole.
    func save(_ anchor: HKQueryAnchor, types: Set<String>) throws
}
