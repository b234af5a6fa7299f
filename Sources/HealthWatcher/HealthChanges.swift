public import HealthKit

/// The changes reported by a ``HealthWatcher``, as an asynchronous sequence.
public struct HealthChanges: AsyncSequence, Sendable {
    public typealias Element = HealthChange

    let watcher: HealthWatcher
    let follows: Bool

    /// Creates an iterator that begins at the saved anchor. Simultaneous iterators each return all changes.
    public func makeAsyncIterator() -> Iterator {
        Iterator(watcher: watcher, follows: follows)
    }

    /// Reads page by page, then waits for the observer query.
    public struct Iterator: AsyncIteratorProtocol {
        private let watcher: HealthWatcher
        private let follows: Bool
        private var position: HKQueryAnchor?
        private var isLoaded = false
        /// The anchor of the most recently returned change, which is saved when the next one is requested.
        private var handedOut: HKQueryAnchor?
        private var signals: ObserverSignals?
        private var waiting: AsyncStream<Void>.Iterator?

        init(watcher: HealthWatcher, follows: Bool) {
            self.watcher = watcher
            self.follows = follows
        }

        /// Returns the next change, and saves the anchor of the previous one, which thereby counts as handled.
        ///
        /// Returns `nil` when the task is canceled or, unless the sequence follows, when all changes have been
        /// returned. Throws the errors of the store, the query and the anchor store.
        public mutating func next() async throws -> HealthChange? {
            if let handedOut {
                try watcher.anchors.save(handedOut, types: watcher.typeIdentifiers)
                self.handedOut = nil
            }
            do {
                try await begin()
                return try await following()
            } catch is CancellationError {
                // Cancellation ends the sequence without an error.
                return nil
            }
        }

        private mutating func following() async throws -> HealthChange? {
            while !Task.isCancelled {
                let page = try await read()
                position = page.anchor
                if !page.addedSamples.isEmpty || !page.deletedObjects.isEmpty {
                    handedOut = page.anchor
                    return page
                }
                guard follows, await waiting?.next() != nil else { return nil }
            }
            return nil
        }

        /// Registers the observer before the first read, so that no change is missed in between.
        private mutating func begin() async throws {
            guard !isLoaded else { return }
            if follows {
                let observer = ObserverSignals(store: watcher.store, types: watcher.types)
                signals = observer
                waiting = observer.stream.makeAsyncIterator()
            }
            position = try watcher.anchors.load(types: watcher.typeIdentifiers)
            if position == nil, watcher.firstRun == .skip {
                try await skipHistory()
            }
            isLoaded = true
        }

        private mutating func skipHistory() async throws {
            let latest = try await watcher.store.latestAnchor(for: watcher.types)
            position = latest
            try watcher.anchors.save(latest, types: watcher.typeIdentifiers)
        }

        private func read() async throws -> HealthChange {
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: watcher.types.map { HKSamplePredicate.sample(type: $0) }, anchor: position,
                limit: watcher.pageSize)
            let result = try await descriptor.result(for: watcher.store)
            return HealthChange(
                addedSamples: result.addedSamples, deletedObjects: result.deletedObjects, anchor: result.newAnchor)
        }
    }
}

/// Samples and deletions since the last handled change.
public struct HealthChange: Sendable {
    /// The new samples in the order they were saved.
    public let addedSamples: [HKSample]
    /// The deleted objects, of which only UUID and sync metadata remain.
    public let deletedObjects: [HKDeletedObject]
    /// The anchor from which reading continues after this change.
    let anchor: HKQueryAnchor

    /// The new quantity samples.
    public var quantitySamples: [HKQuantitySample] { addedSamples.compactMap { $0 as? HKQuantitySample } }

    /// The new category samples.
    public var categorySamples: [HKCategorySample] { addedSamples.compactMap { $0 as? HKCategorySample } }
}
