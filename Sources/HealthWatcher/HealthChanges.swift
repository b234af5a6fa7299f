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
        /// The anchor of each type; a type without one begins with the first change.
        private var anchors: [String: HKQueryAnchor] = [:]
        private var isLoaded = false
        /// The anchors after the most recently returned change, which are saved when the next one is requested.
        private var handedOut: [String: HKQueryAnchor]?
        private var signals: ObserverSignals?
        private var waiting: AsyncStream<Void>.Iterator?
        /// The types whose samples of before the marked calls of the observer have yet to be handled.
        private var unread: Set<String> = []
        /// Those that the most recently returned change ends.
        private var ending: Set<String> = []
        /// The first type of the group that was read last.
        private var latest = ""
        /// Whether the place where the watcher begins has yet to be handed out, because the anchor store doesn't keep
        /// it.
        private var handsOutStart = false

        init(watcher: HealthWatcher, follows: Bool) {
            self.watcher = watcher
            self.follows = follows
        }

        /// Returns the next change, and saves the anchors of the previous one, which thereby counts as handled.
        ///
        /// Returns `nil` when the task is canceled or, unless the sequence follows, when all changes have been
        /// returned. Throws the errors of the store, the query and the anchor store.
        public mutating func next() async throws -> HealthChange? {
            if let handedOut {
                try watcher.anchors.save(handedOut)
                self.handedOut = nil
                finish(ending)
            }
            do {
                try await begin()
                if handsOutStart {
                    handsOutStart = false
                    handedOut = anchors
                    return HealthChange(addedSamples: [], deletedObjects: [], anchors: anchors)
                }
                return try await following()
            } catch is CancellationError {
                // Cancellation ends the sequence without an error.
                return nil
            }
        }

        private mutating func following() async throws -> HealthChange? {
            while !Task.isCancelled {
                // What the observer was called for before this is read now, or has been handled and its anchor saved.
                if unread.isEmpty, signals?.collect() ?? false { unread = Set(watcher.types.map(\.identifier)) }
                for types in groups() {
                    let (change, anchor) = try await read(types)
                    let identifiers = Set(types.map(\.identifier))
                    for identifier in identifiers { anchors[identifier] = anchor }
                    latest = identifiers.min() ?? ""
                    let count = change.addedSamples.count + change.deletedObjects.count
                    if count > 0 {
                        handedOut = anchors
                        ending = count < watcher.pageSize ? identifiers : []
                        return HealthChange(
                            addedSamples: change.addedSamples, deletedObjects: change.deletedObjects, anchors: anchors)
                    }
                    finish(identifiers)
                }
                // An observer that could not begin has ended. What follows is read by another one, as long as there is
                // no error here.
                if let signals, try signals.hasFailed() {
                    observe(failures: signals.failures)
                    continue
                }
                guard follows, await waiting?.next() != nil else { return nil }
            }
            return nil
        }

        /// Completes the marked calls when all types have been read up to them, although more may have been saved
        /// meanwhile.
        private mutating func finish(_ types: Set<String>) {
            ending = []
            guard !unread.isEmpty else { return }
            unread.subtract(types)
            if unread.isEmpty { signals?.complete() }
        }

        /// Types with the same anchor are read together. Those that were added to the watcher later have another one
        /// until they have caught up. The groups alternate, so that none waits for another one that never ends.
        private func groups() -> [Set<HKSampleType>] {
            func first(_ types: Set<HKSampleType>) -> String { types.map(\.identifier).min() ?? "" }
            let groups = Dictionary(grouping: watcher.types) { anchors[$0.identifier] }.values.map(Set.init).sorted {
                first($0) < first($1)
            }
            let next = groups.firstIndex { first($0) > latest } ?? 0
            return Array(groups[next...] + groups[..<next])
        }

        private mutating func observe(failures: Int = 0) {
            let observer = ObserverSignals(store: watcher.store, types: watcher.types, failures: failures)
            signals = observer
            waiting = observer.stream.makeAsyncIterator()
            unread = []
        }

        /// Registers the observer before the first read, so that no change is missed in between.
        private mutating func begin() async throws {
            guard !isLoaded else { return }
            if follows { observe() }
            let identifiers = Set(watcher.types.map(\.identifier))
            anchors = try watcher.anchors.load().filter { identifiers.contains($0.key) }
            if watcher.firstRun == .skip { try await skipHistory() }
            isLoaded = true
        }

        /// Lets the types without an anchor begin now.
        private mutating func skipHistory() async throws {
            let new = watcher.types.filter { anchors[$0.identifier] == nil }
            guard !new.isEmpty else { return }
            let latest = try await watcher.store.latestAnchor(for: new)
            for type in new { anchors[type.identifier] = latest }
            try watcher.anchors.save(anchors)
            // A store that keeps anchors only with results needs a change.
            let kept = try watcher.anchors.load()
            handsOutStart = new.contains { kept[$0.identifier] == nil }
        }

        private func read(
            _ types: Set<HKSampleType>
        ) async throws -> (HKAnchoredObjectQueryDescriptor<HKSample>.Result, HKQueryAnchor) {
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: types.map { HKSamplePredicate.sample(type: $0) },
                anchor: types.first.flatMap { anchors[$0.identifier] }, limit: watcher.pageSize)
            let result = try await descriptor.result(for: watcher.store)
            return (result, result.newAnchor)
        }
    }
}

/// Samples and deletions since the last handled change.
public struct HealthChange: Sendable {
    /// The new samples in the order they were saved.
    public let addedSamples: [HKSample]
    /// The deleted objects, of which only UUID and sync metadata remain.
    public let deletedObjects: [HKDeletedObject]
    /// The anchors from which watching continues after this change, by type identifier. See ``AnchorStore`` for keeping
    /// them with your results.
    public let anchors: [String: HKQueryAnchor]

    /// The new quantity samples.
    public var quantitySamples: [HKQuantitySample] { addedSamples.compactMap { $0 as? HKQuantitySample } }

    /// The new category samples.
    public var categorySamples: [HKCategorySample] { addedSamples.compactMap { $0 as? HKCategorySample } }
}
