public import HealthKit

/// Watches a set of types with an observer query, and reads the changes with anchored object queries.
///
/// The anchor is saved only after a change was handled. A crash before that delivers the change again, so none is
/// lost. You can use a watcher from any task.
///
/// ```swift
/// let watcher = HealthWatcher(store: store, types: types, anchors: FileAnchorStore(url: file))
/// for try await change in watcher.changes() {
///     try await upload(change)
/// }
/// ```
public struct HealthWatcher: Sendable {
    /// What to do if there is no anchor yet.
    public enum FirstRun: Hashable, Sendable {
        /// Delivers only future changes.
        case skip
        /// Delivers the whole history first.
        case deliver
    }

    let store: HKHealthStore
    let types: Set<HKSampleType>
    let anchors: any AnchorStore
    let firstRun: FirstRun
    let pageSize: Int

    /// - Parameters:
    ///   - store: The store, which must be authorized to read the types.
    ///   - types: The sample types; at least one.
    ///   - anchors: The place where the anchor is saved. An anchor for another set of types is ignored.
    ///   - firstRun: What to do if there is no anchor.
    ///   - pageSize: The maximum number of samples and deletions in a change.
    public init(
        store: HKHealthStore, types: Set<HKSampleType>, anchors: any AnchorStore, firstRun: FirstRun = .skip,
        pageSize: Int = 1_000
    ) {
        precondition(!types.isEmpty, "A watcher needs at least one type")
        precondition(pageSize > 0, "The page size must be positive")
        self.store = store
        self.types = types
        self.anchors = anchors
        self.firstRun = firstRun
        self.pageSize = pageSize
    }

    /// The changes since the saved anchor and future changes, until the task is canceled.
    ///
    /// A change counts as handled when the next one is requested. Each call starts a separate sequence; simultaneous
    /// sequences with the same anchor store each deliver all changes.
    ///
    /// - Parameter follows: Pass `false` to end the sequence after the existing changes.
    public func changes(follows: Bool = true) -> HealthChanges {
        HealthChanges(watcher: self, follows: follows)
    }

    /// Calls a handler with every change, and saves the anchor each time it succeeds. If the handler throws an
    /// error, watching ends, and the change is delivered again next time.
    public func run(follows: Bool = true, _ handler: (HealthChange) async throws -> Void) async throws {
        for try await change in changes(follows: follows) {
            try await handler(change)
        }
    }

    /// The identifiers of the types for which the anchor is valid.
    var typeIdentifiers: Set<String> { Set(types.map(\.identifier)) }
}

/// The updates of an observer query as a stream. Pending updates are coalesced.
final class ObserverSignals: Sendable {
    let stream: AsyncStream<Void>
    private let store: HKHealthStore
    private let query: HKObserverQuery

    init(store: HKHealthStore, types: Set<HKSampleType>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        self.store = store
        query = HKObserverQuery(
            queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        ) { _, _, completion, error in
            // After an error, such as protected data on a locked device, wait for the next update.
            if error == nil { continuation.yield() }
            completion()
        }
        store.execute(query)
    }

    deinit {
        store.stop(query)
    }
}
