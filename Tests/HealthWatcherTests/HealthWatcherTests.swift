import Foundation
import HealthKit
import HealthWatcher
import Testing

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
        #expect(try anchors.load(types: [steps.identifier, sleep.identifier]) == expected)
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
            try await watcher.run(follows: false) { change in
                let count = change.quantitySamples[0].quantity.doubleValue(for: .count())
                if count == 2 { throw Failed() }
                handled.append(count)
            }
        }
        #expect(handled == [1])
        #expect(try await collect(watcher) == [2])
    }

    @Test("Another set of types starts over")
    func otherTypes() async throws {
        let anchors = MemoryAnchorStore()
        try await store.save(step(1, at: 1))
        let first = HealthWatcher(store: store, types: [steps], anchors: anchors, firstRun: .deliver)
        #expect(try await collect(first) == [1])
        let second = HealthWatcher(store: store, types: [steps, sleep], anchors: anchors, firstRun: .deliver)
        #expect(try await collect(second) == [1])
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
