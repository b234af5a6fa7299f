public import HealthKit

/// Watches a set of types: an observer query tells that something happened, one anchored query tells what.
///
/// The anchor is saved only after a change was handled, so a crash in between delivers that change
/// again and loses none. A watcher may be used from any task.
///
/// ```swift
/// let watcher = HealthWatcher(store: store, types: types, anchors: FileAnchorStore(url: file))
/// for try await change in watcher.changes() {
///     try await upload(change)
/// }
/// ```
public struct HealthWatcher: Sendable {
    /// What happens when there is no anchor yet.
    public enum FirstRun: Hashable, Sendable {
        /// Only what comes from now on is delivered.
        case skip
        /// The whole history is delivered first.
        case deliver
    }

    let store: HKHealthStore
    let types: Set<HKSampleType>
    let anchors: any AnchorStore
    let firstRun: FirstRun
    let pageSize: Int

    /// - Parameters:
    ///   - store: Where to watch; the types must have been asked for reading.
    ///   - types: Sample types; at least one.
    ///   - anchors: Where the anchor lives between runs. An anchor of another set of types does not count.
    ///   - firstRun: What to do without an anchor.
    ///   - pageSize: How many samples and deletions a change holds at the most.
    public init(
        store: HKHealthStore, types: Set<HKSampleType>, anchors: any AnchorStore, firstRun: FirstRun = .skip,
        pageSize: Int = 1_000
    ) {
        precondition(!types.isEmpty, "A watcher wants at least one type")
        precondition(pageSize > 0, "A change holds at least one sample")
        self.store = store
        self.types = types
        self.anchors = anchors
        self.firstRun = firstRun
        self.pageSize = pageSize
    }

    /// The changes, from the saved anchor on and then as they happen, until the task is cancelled.
    ///
    /// A change counts as handled when the next one is asked for. Each call starts a sequence of its own;
    /// two at a time over one anchor store would both deliver everything.
    ///
    /// - Parameter follows: `false` ends the sequence when everything that is there was delivered.
    public func changes(follows: Bool = true) -> HealthChanges {
        HealthChanges(watcher: self, follows: follows)
    }

    /// Calls the handler with every change and saves the anchor after each success. A handler that throws
    /// ends the watching; the change it failed on comes again the next time.
    public func run(follows: Bool = true, _ handler: (HealthChange) async throws -> Void) async throws {
        for try await change in changes(follows: follows) {
            try await handler(change)
        }
    }

    /// The identifiers an anchor is bound to.
    var typeIdentifiers: Set<String> { Set(types.map(\.identifier)) }
}
