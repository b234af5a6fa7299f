import Foundation
import HealthKit
import Testing

@Suite struct HKSourceQueryTests {
    private let name = FreshStore.name()

    @Test func sourcesOfMatchingSamples() async throws {
        let one = FreshStore.make(named: name, app: "org.example.one")
        let two = FreshStore.make(named: name, app: "org.example.two")
        try await one.save([FreshStore.steps(1), FreshStore.steps(2, at: 600)])
        try await two.save([FreshStore.steps(3, at: 900), FreshStore.pulse(60)])
        let calls = Calls<Set<HKSource>?>()
        one.execute(
            HKSourceQuery(sampleType: FreshStore.steps, samplePredicate: nil) { calls.add($2 == nil ? $1 : nil) })
        #expect(
            Set(await calls.next()?.map(\.bundleIdentifier) ?? []) == ["org.example.one", "org.example.two"])
        let late = HKQuery.predicateForSamples(withStart: FreshStore.epoch + 700, end: nil)
        let found = try await HKSourceQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps, predicate: late)
        ).result(for: one)
        #expect(found.map(\.bundleIdentifier) == ["org.example.two"])
        let block = NSPredicate { object, _ in
            ((object as? HKQuantitySample)?.quantity.doubleValue(for: .count()) ?? 0) < 2
        }
        let small = try await HKSourceQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.steps, predicate: block)
        ).result(for: one)
        #expect(small.map(\.bundleIdentifier) == ["org.example.one"])
    }

    @Test func withoutSamplesThereAreNoSources() async {
        let calls = Calls<Set<HKSource>?>()
        FreshStore.make().execute(
            HKSourceQuery(sampleType: FreshStore.sleep, samplePredicate: nil) { _, sources, _ in calls.add(sources) })
        #expect(await calls.next() == [])
    }
}
