public import HealthKit
import Synchronization

/// Keeps an anchor as long as the process runs: for tests and for watching from now on.
public final class MemoryAnchorStore: AnchorStore {
    private let kept = Mutex<(types: Set<String>, anchor: HKQueryAnchor)?>(nil)

    /// Makes a store that keeps no anchor yet.
    public init() {}

    /// The anchor kept last, if it was kept for exactly these types.
    public func load(types: Set<String>) throws -> HKQueryAnchor? {
        kept.withLock { $0?.types == types ? $0?.anchor : nil }
    }

    /// Keeps the anchor in place of the one before, whatever types that was for.
    public func save(_ anchor: HKQueryAnchor, types: Set<String>) throws {
        kept.withLock { $0 = (types, anchor) }
    }
}
