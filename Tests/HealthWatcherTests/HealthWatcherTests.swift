import Foundation
import HealthKit
import HealthWatcher
import Synchronization
import Testing

/// The delays that a handler's retries waited for.
private final class Delays: Sendable {
    private let delays = Mutex<[TimeInterval]>([])
    var all: [TimeInterval] { delays.withLock { $0 } }
    func add(_ delay: TimeInterval) { delays.withLock { $0.append(delay) } }
}

@Suite("HealthWatcher")
struct HealthWatcherTests {
    private let steps = HKQuantityType(.stepCount)
    private let sleep = HKCategoryType(.sleepAnalysis)
    private let store = HKHealthStore(configuration: .inMemory)

    private func step(_ count: Double, at second: Double) -> HKQuantitySample {
        let date = Date(timeIntervalSinceReferenceDate: second)
        return HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: date, end: date)
    }

    private func collect(_ watcher: HealthWatcher) async throws -> [Double] {
        var counts: [Double] = []
        for try await change in watcher.changes(follows: false) {
            counts += change.quantitySamples.map { $0.quantity.doubleValue(for: .count()) }
        }
        return counts
    }

    @Test("The first run skips history; the next reports changes")
    func firstRunSkips() async throws {
        let anchors = MemoryAnchorStore()
        let watcher = HealthWatcher(store: store, types: [steps], anchors: anchors)
        try await store.save([step(1, at: 10), step(2, at: 20)])
        #expect(try await collect(watcher) == [])
        try await store.save(step(3, at: 5))
        #expect(try await collect(watcher) == [3])
        #expect(try await collect(watcher) == [])
    }

    @Test("The anchor of a first run that skips history is that of a query that reads everything")
    func skippedAnchor() async throws {
        let anchors = MemoryAnchorStore()
        let samples = (1...5).map { step(Double($0), at: Double($0)) }
        try await store.save(samples)
        try await store.delete(samples[2])
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: steps), .sample(type: sleep)], anchor: nil)
        let expected = try await descriptor.result(for: store).newAnchor
        #expect(try await store.latestAnchor(for: [steps, sleep]) == expected)
        #expect(try await collect(HealthWatcher(store: store, types: [steps, sleep], anchors: anchors)) == [])
        #expect(try anchors.load() == [steps.identifier: expected, sleep.identifier: expected])
    }

    @Test("A type for which authorization was never requested can't be watched, with or without history")
    func undetermined() async throws {
        let asking = HKHealthStore(configuration: .init(location: .inMemory(name: nil), authorization: .ask))
        for firstRun in [HealthWatcher.FirstRun.skip, .deliver] {
            let watcher = HealthWatcher(
                store: asking, types: [steps], anchors: MemoryAnchorStore(), firstRun: firstRun)
            await #expect(throws: HKError.self) { try await collect(watcher) }
        }
    }

    @Test("History is delivered in pages on request")
    func history() async throws {
        let watcher = HealthWatcher(
            store: store, types: [steps], anchors: MemoryAnchorStore(), firstRun: .deliver, pageSize: 2)
        try await store.save((1...5).map { step(Double($0), at: Double($0)) })
        #expect(try await collect(watcher) == [1, 2, 3, 4, 5])
    }

    @Test("A change is delivered again if its handler failed, but not if it succeeded")
    func failure() async throws {
        struct Failed: Error {}
        let watcher = HealthWatcher(
            store: store, types: [steps], anchors: MemoryAnchorStore(), firstRun: .deliver, pageSize: 1)
        try await store.save([step(1, at: 1), step(2, at: 2)])
        var handled: [Double] = []
        await #expect(throws: Failed.self) {
            try await watcher.run(follows: false, retry: .never) { change in
                let count = change.quantitySamples[0].quantity.doubleValue(for: .count())
                if count == 2 { throw Failed() }
                handled.append(count)
            }
        }
        #expect(handled == [1])
        #expect(try await collect(watcher) == [2])
    }

    @Test("Types alternate, so that one that changes all the time blocks no other")
    func turns() async throws {
        let anchors = MemoryAnchorStore()
        let energy = HKQuantityType(.activeEnergyBurned)
        func burned(_ value: Double) -> HKQuantitySample {
            let date = Date(timeIntervalSinceReferenceDate: value)
            return HKQuantitySample(
                type: energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: value), start: date, end: date)
        }
        _ = try await collect(HealthWatcher(store: store, types: [energy], anchors: anchors))
        try await store.save([step(1, at: 1), burned(1)])
        // The two types have different anchors, and the handler makes a change of the first for each.
        let watcher = HealthWatcher(store: store, types: [energy, steps], anchors: anchors, firstRun: .deliver)
        var found: [HKSampleType] = []
        for try await change in watcher.changes(follows: false) {
            found += change.addedSamples.map(\.sampleType)
            if change.addedSamples.contains(where: { $0.sampleType == steps }) || found.count > 10 { break }
            try await store.save(burned(Double(found.count + 1)))
        }
        #expect(found.contains(steps) && found.count <= 3)
    }

    @Test("A watcher follows a type whose authorization came while it began")
    func lateAuthorization() async throws {
        final class Asking: AnchorStore {
            let store: HKHealthStore
            let base = MemoryAnchorStore()
            init(_ store: HKHealthStore) { self.store = store }
            func load() throws -> [String: HKQueryAnchor] {
                let answered = DispatchSemaphore(value: 0)
                store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)]) { _, _ in answered.signal()
                }
                answered.wait()
                return try base.load()
            }
            func save(_ anchors: [String: HKQueryAnchor]) throws { try base.save(anchors) }
        }
        let name = UUID().uuidString
        func open(_ authorization: HKHealthStore.Configuration.Authorization) -> HKHealthStore {
            HKHealthStore(
                configuration: HKHealthStore.Configuration(
                    location: .inMemory(name: name), authorization: authorization))
        }
        let (writer, reader) = (open(.allowAll), open(.handler { .init(share: [], read: $0.read) }))
        try await writer.save(step(1, at: 1))
        let watcher = HealthWatcher(store: reader, types: [steps], anchors: Asking(reader), firstRun: .deliver)
        var counts: [Double] = []
        for try await change in watcher.changes() {
            counts += change.quantitySamples.map { $0.quantity.doubleValue(for: .count()) }
            if counts.count == 3 { break }
            try await writer.save(step(Double(counts.count + 1), at: 10))
        }
        #expect(counts == [1, 2, 3])
    }

    @Test("Types that stay keep their anchors; those that are added begin as a first run does, and catch up")
    func otherTypes() async throws {
        let anchors = MemoryAnchorStore()
        let night = HKCategorySample(
            type: sleep, value: HKCategoryValueSleepAnalysis.asleepDeep.rawValue,
            start: Date(timeIntervalSinceReferenceDate: 0), end: Date(timeIntervalSinceReferenceDate: 60))
        func watcher(_ types: Set<HKSampleType>, _ firstRun: HealthWatcher.FirstRun) -> HealthWatcher {
            HealthWatcher(store: store, types: types, anchors: anchors, firstRun: firstRun, pageSize: 1)
        }
        func changes(_ watcher: HealthWatcher) async throws -> (steps: [Double], nights: Int) {
            var found: (steps: [Double], nights: Int) = ([], 0)
            for try await change in watcher.changes(follows: false) {
                found.steps += change.quantitySamples.map { $0.quantity.doubleValue(for: .count()) }
                found.nights += change.categorySamples.count
            }
            return found
        }
        try await store.save([step(1, at: 1), night])
        #expect(try await changes(watcher([steps], .deliver)) == ([1], 0))
        try await store.save(step(2, at: 2))
        // The history of the new type, and only what is new of the other.
        #expect(try await changes(watcher([steps, sleep], .deliver)) == ([2], 1))
        try await store.save(step(3, at: 3))
        #expect(try await changes(watcher([steps, sleep], .deliver)) == ([3], 0))
        #expect(try await changes(watcher([sleep], .deliver)) == ([], 0))
        #expect(try anchors.load().count == 2)
        // From now on: what was there of an added type isn't delivered.
        let weight = HKQuantityType(.bodyMass)
        try await store.save([
            HKQuantitySample(
                type: weight, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 70),
                start: night.startDate,
                end: night.startDate), step(4, at: 4),
        ])
        let added = watcher([steps, sleep, weight], .skip)
        #expect(try await changes(added) == ([4], 0))
    }

    @Test("A handler that throws is called again with the same change, after growing delays")
    func retries() async throws {
        struct Failed: Error {}
        let delays = Delays()
        let watcher = HealthWatcher(
            store: store, types: [steps], anchors: MemoryAnchorStore(), firstRun: .deliver, pageSize: 1)
        try await store.save([step(1, at: 1), step(2, at: 2)])
        var calls: [Double] = []
        try await watcher.run(follows: false, retry: .growing(from: 2, to: 10, wait: { delays.add($0) })) { change in
            let count = change.quantitySamples[0].quantity.doubleValue(for: .count())
            calls.append(count)
            if count == 1, calls.count < 6 { throw Failed() }
            if count == 2, calls.count < 8 { throw Failed() }
        }
        #expect(calls == [1, 1, 1, 1, 1, 1, 2, 2])
        #expect(delays.all == [2, 4, 8, 10, 10, 2])
    }

    @Test("Canceling during a delay ends the watch, and the change is delivered again")
    func canceledRetry() async throws {
        struct Failed: Error {}
        let anchors = MemoryAnchorStore()
        let watcher = HealthWatcher(store: store, types: [steps], anchors: anchors, firstRun: .deliver)
        try await store.save(step(1, at: 1))
        try await watcher.run(retry: .growing(wait: { _ in throw CancellationError() })) { _ in throw Failed() }
        #expect(try await collect(watcher) == [1])
    }

    @Test("The next change is read when the handler is done with the previous one")
    func backPressure() async throws {
        let watcher = HealthWatcher(
            store: store, types: [steps], anchors: MemoryAnchorStore(), firstRun: .deliver, pageSize: 1)
        try await store.save([step(1, at: 1), step(2, at: 2)])
        let second = step(3, at: 3)
        var sizes: [[Double]] = []
        var isHandling = false
        try await watcher.run(follows: false) { change in
            #expect(!isHandling)
            isHandling = true
            sizes.append(change.quantitySamples.map { $0.quantity.doubleValue(for: .count()) })
            // What comes meanwhile waits in the store.
            if sizes.count == 1 { try await store.save(second) }
            await Task.yield()
            isHandling = false
        }
        #expect(sizes == [[1], [2], [3]])
    }

    @Test("Deletions are reported")
    func deletions() async throws {
        let anchors = MemoryAnchorStore()
        let sample = step(1, at: 1)
        try await store.save(sample)
        let watcher = HealthWatcher(store: store, types: [steps], anchors: anchors, firstRun: .deliver)
        #expect(try await collect(watcher) == [1])
        try await store.delete(sample)
        var deleted: [UUID] = []
        try await watcher.run(follows: false) { deleted += $0.deletedObjects.map(\.uuid) }
        #expect(deleted == [sample.uuid])
    }

    @Test("Later changes are reported")
    func follows() async throws {
        let watcher = HealthWatcher(store: store, types: [steps], anchors: MemoryAnchorStore(), firstRun: .deliver)
        try await store.save(step(1, at: 1))
        var iterator = watcher.changes().makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.quantitySamples.count == 1)
        try await store.save(step(2, at: 2))
        let second = try await iterator.next()
        #expect(second?.quantitySamples.map { $0.quantity.doubleValue(for: .count()) } == [2])
    }

    @Test("Canceling the task ends the watch")
    func cancellation() async throws {
        let watcher = HealthWatcher(store: store, types: [steps], anchors: MemoryAnchorStore())
        let task = Task {
            var count = 0
            for try await _ in watcher.changes() { count += 1 }
            return count
        }
        task.cancel()
        #expect(try await task.value == 0)
    }
}
