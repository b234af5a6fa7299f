import Foundation
import HealthKit
import Testing

@Suite struct DeleteTests {
    private let name = FreshStore.name()

    private func values(_ store: HKHealthStore) async throws -> [Double] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store).map { $0.quantity.doubleValue(for: .count()) }
    }

    @Test func deletedObjectsAreGone() async throws {
        let store = FreshStore.make()
        let samples = [FreshStore.steps(1), FreshStore.steps(2, at: 60), FreshStore.steps(3, at: 120)]
        try await store.save(samples)
        try await store.delete(samples[0])
        let calls = Calls<(Bool, (any Error)?)>()
        store.delete(samples[2]) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        #expect(try await values(store) == [2])
    }

    @Test func anUnknownObjectFailsTheWholeArray() async throws {
        let store = FreshStore.make()
        let sample = FreshStore.steps(1)
        try await store.save(sample)
        let error = await #expect(throws: HKError.self) {
            try await store.delete([sample, FreshStore.steps(2)])
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(error?.localizedDescription == "Failed to find some objects for deletion.")
        #expect(try await values(store) == [1])
    }

    @Test func anEmptyArrayIsRefused() async {
        let store = FreshStore.make()
        let error = await #expect(throws: HKError.self) { try await store.delete([HKObject]()) }
        #expect(error?.code == .errorInvalidArgument)
        #expect(error?.localizedDescription == "dataObjects cannot be empty")
    }

    @Test func deletingByPredicatePassesOverOthersObjects() async throws {
        let mine = FreshStore.make(named: name)
        let other = FreshStore.make(named: name, app: "org.example.other")
        try await mine.save([FreshStore.steps(1), FreshStore.steps(2, at: 600)])
        try await other.save(FreshStore.steps(3, at: 60))
        let early = HKQuery.predicateForSamples(
            withStart: FreshStore.epoch, end: FreshStore.epoch + 300)
        #expect(try await mine.deleteObjects(of: FreshStore.steps, predicate: early) == 1)
        #expect(try await values(mine) == [3, 2])
        let calls = Calls<(Bool, Int, (any Error)?)>()
        mine.deleteObjects(of: FreshStore.steps, predicate: early) { calls.add(($0, $1, $2)) }
        let (success, count, error) = await calls.next()
        #expect(success && count == 0 && error == nil)
    }

    @Test func blockPredicateDeletesMatchingObjects() async throws {
        let store = FreshStore.make()
        try await store.save((1...6).map { FreshStore.steps(Double($0), at: Double($0) * 60) })
        let even = NSPredicate { object, _ in
            guard let sample = object as? HKQuantitySample else { return false }
            return sample.quantity.doubleValue(for: .count()).truncatingRemainder(dividingBy: 2) == 0
        }
        #expect(try await store.deleteObjects(of: FreshStore.steps, predicate: even) == 3)
        #expect(try await values(store) == [1, 3, 5])
    }
}
