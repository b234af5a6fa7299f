public import HealthKit

/// The changes of a ``HealthWatcher``, as an asynchronous sequence.
public struct HealthChanges: AsyncSequence, Sendable {
    public typealias Element = HealthChange

    let watcher: HealthWatcher
    let follows: Bool

    /// Begins at the anchor kept by the watcher's store of anchors. Two iterators at once do not share the
    /// changes: each gets all of them.
    public func makeAsyncIterator() -> Iterator {
        Iterator(watcher: watcher, follows: follows)
    }

    /// Reads page after page, then waits for word of the observer.
    public struct Iterator: AsyncIteratorProtocol {
        private let watcher: HealthWatcher
        private let follows: Bool
        private var position: HKQueryAnchor?
        private var isLoaded = false
        /// The anchor of the change handed out last, saved when the next one is asked for.
        private var handedOut: HKQueryAnchor?
        private var signals: ObserverSignals?
        private var waiting: AsyncStream<Void>.Iterator?

        init(watcher: HealthWatcher, follows: Bool) {
            self.watcher = watcher
            self.follows = follows
        }

        /// The next change. Asking for it says that the one before is dealt with: only now is its anchor
        /// kept.
        /// `nil` when the task is cancelled or, for a sequence that does not follow, when all is read. Throws
        /// what the store, the query and the store of anchors throw.
        public mutating func next() async throws -> HealthChange? {
            if let handedOut {
                try watcher.anchors.save(handedOut, types: watcher.typeIdentifiers)
                self.handedOut = nil
            }
            do {
                try await begin()
                return try await following()
            } catch is CancellationError {
                // The end of the task is the end of the sequence, not an error.
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

        /// Registers the observer before the first reading, so that nothing falls in between.
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
            while true {
                let page = try await read()
                let isEnd = page.addedSamples.isEmpty && page.deletedObjects.isEmpty
                position = page.anchor
                if isEnd { break }
            }
            if let position { try watcher.anchors.save(position, types: watcher.typeIdentifiers) }
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
