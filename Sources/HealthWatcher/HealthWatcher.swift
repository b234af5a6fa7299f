public import Foundation
public import HealthKit
import Synchronization

/// Watches a set of types with an observer query, and reads the changes with anchored object queries.
///
/// Anchors are saved only after a change was handled. A crash before that delivers the change again, so none is lost;
/// ``AnchorStore`` describes how none takes effect twice either. The next change is read when the previous one has been
/// handled. When all are handled, the observer query's completion handler is called, which acknowledges background
/// deliveries. You can use a watcher from any task.
///
/// ```swift
/// let watcher = HealthWatcher(store: store, types: types, anchors: FileAnchorStore(url: file))
/// try await watcher.run { change in
///     try await upload(change)
/// }
/// ```
public struct HealthWatcher: Sendable {
    /// The treatment of a type that has no anchor yet.
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
    ///   - anchors: The place where the anchors are saved. If the set of types changes, the types that stay keep
    ///     theirs.
    ///   - firstRun: What to do with types that have no anchor.
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

    /// Calls a handler with every change, and saves the anchors each time it succeeds.
    ///
    /// If the handler throws an error, it is called again with the same change after a delay, as `retry` says. If it
    /// isn't retried, watching ends with the error, and the change is delivered again next time. It also ends with an
    /// error of the store, such as `errorDatabaseInaccessible` on a locked device.
    public func run(
        follows: Bool = true, retry: WatchRetry = .growing(), _ handler: (HealthChange) async throws -> Void
    ) async throws {
        for try await change in changes(follows: follows) {
            var delays = retry.delays
            while true {
                do {
                    try await handler(change)
                    break
                } catch {
                    guard !Task.isCancelled, let delay = delays.next() else { throw error }
                    do {
                        try await retry.wait(delay)
                    } catch is CancellationError {
                        return
                    }
                }
            }
        }
    }
}

/// Whether and when a handler that threw an error is called again.
public struct WatchRetry: Sendable {
    private let first: TimeInterval?
    private let maximum: TimeInterval
    let wait: @Sendable (TimeInterval) async throws -> Void

    /// Errors end the watch.
    public static let never = WatchRetry(first: nil, maximum: 0, wait: { _ in })

    /// The handler is called again until it succeeds, after a delay that doubles each time.
    ///
    /// - Parameters:
    ///   - first: The first delay in seconds.
    ///   - maximum: The maximum delay in seconds.
    ///   - wait: Waits for a number of seconds; the default uses the system's clock. It throws `CancellationError` when
    ///     the task is canceled.
    public static func growing(
        from first: TimeInterval = 1, to maximum: TimeInterval = 300,
        wait: @escaping @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) -> WatchRetry {
        WatchRetry(first: first, maximum: maximum, wait: wait)
    }

    /// The delays of one change.
    var delays: some IteratorProtocol<TimeInterval> {
        let (first, maximum) = (first, maximum)
        var next = first
        return AnyIterator {
            defer { next = next.map { min($0 * 2, maximum) } }
            return next
        }
    }
}

/// The updates of an observer query as a stream. Pending updates are coalesced.
///
/// The completion handlers are kept until what the observer was called for has been handled.
final class ObserverSignals: Sendable {
    typealias Completions = [HKObserverQueryCompletionHandler]

    let stream: AsyncStream<Void>
    private let store: HKHealthStore
    private let query: HKObserverQuery

    private final class Calls: Sendable {
        /// The completion handlers of calls since the last ``collect()``, and of earlier calls.
        let completions = Mutex<(new: Completions, collected: Completions)>(([], []))
        /// How often the observer reported an error since it was last called for a change, and the last of these
        /// errors.
        let failures: Mutex<(count: Int, error: (any Error)?)>

        init(failures: Int) { self.failures = Mutex((failures, nil)) }
    }

    private let calls: Calls

    /// The number of failures in a row after which the observer's error ends the watch.
    private static let maximumFailures = 3

    /// - Parameter failures: Those of the observers before this one.
    init(store: HKHealthStore, types: Set<HKSampleType>, failures: Int = 0) {
        let calls = Calls(failures: failures)
        self.calls = calls
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        self.store = store
        query = HKObserverQuery(
            queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        ) { _, _, completion, error in
            if let error {
                completion()
                // An observer that couldn't read the store tries again by itself.
                if (error as? HKError)?.isPassing != true { calls.failures.withLock { $0 = ($0.count + 1, error) } }
            } else {
                calls.completions.withLock { $0.new.append(completion) }
                calls.failures.withLock { $0 = (0, nil) }
            }
            continuation.yield()
        }
        store.execute(query)
    }

    /// How often the observers have failed in a row.
    var failures: Int { calls.failures.withLock { $0.count } }

    /// Whether the observer has reported an error, after which it may not be called any more. Throws the error if
    /// observers fail again and again although the types can be read.
    func hasFailed() throws -> Bool {
        let (count, error) = calls.failures.withLock { $0 }
        guard let error else { return false }
        if count >= Self.maximumFailures { throw error }
        return true
    }

    /// Marks the calls made so far: what they were made for is read from now on. Returns `false` if there are none.
    func collect() -> Bool {
        calls.completions.withLock { waiting in
            waiting.collected += waiting.new
            waiting.new = []
            return !waiting.collected.isEmpty
        }
    }

    /// Completes the marked calls.
    func complete() {
        let collected = calls.completions.withLock { waiting in
            defer { waiting.collected = [] }
            return waiting.collected
        }
        for completion in collected { completion() }
    }

    deinit {
        store.stop(query)
    }
}
