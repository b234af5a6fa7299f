import Foundation
import Testing

@testable import HealthKit

@Suite struct HKHeartbeatSeriesTests {
    private let store = FreshStore.make()

    private func builder() -> HKHeartbeatSeriesBuilder {
        HKHeartbeatSeriesBuilder(healthStore: store, device: .local(), start: FreshStore.epoch)
    }

    private func stored() async throws -> [HKHeartbeatSeriesSample] {
        try await HKSampleQueryDescriptor(predicates: [.heartbeatSeries()], sortDescriptors: []).result(for: store)
    }

    @Test func builtAwaited() async throws {
        let builder = builder()
        try await builder.addHeartbeat(at: 1.5, precededByGap: true)
        try await builder.addHeartbeat(at: 0.75, precededByGap: false)
        try await builder.addMetadata(["HKTimeZone": "UTC", "n": 1])
        try await builder.addMetadata(["n": 2])
        let sample = try await builder.finishSeries()
        #expect(sample.count == 2)
        #expect(sample.endDate == FreshStore.epoch + 1.5)
        #expect(sample.device == .local())
        let found = try await stored()
        #expect(found == [sample])
        #expect(found.first?.metadata?["n"] as? Int == 2)
        #expect(found.first?.metadata?["HKTimeZone"] as? String == "UTC")
        #expect(found.first?.count == 2)
        var beats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] = []
        for try await beat in HKHeartbeatSeriesQueryDescriptor(sample).results(for: store) { beats.append(beat) }
        #expect(beats.map(\.timeIntervalSinceStart) == [0.75, 1.5])
        #expect(beats.map(\.precededByGap) == [false, true])
    }

    private final class ShortSeriesBuilder: HKHeartbeatSeriesBuilder, @unchecked Sendable {
        override class var maximumCount: Int { 2 }
    }

    @Test func beatsBeyondTheMaximumAreRefused() async throws {
        let builder = ShortSeriesBuilder(healthStore: store, device: nil, start: FreshStore.epoch)
        try await builder.addHeartbeat(at: 1, precededByGap: false)
        try await builder.addHeartbeat(at: 2, precededByGap: false)
        let error = await #expect(throws: HKError.self) { try await builder.addHeartbeat(at: 3, precededByGap: false) }
        #expect(error?.code == .errorInvalidArgument)
        #expect(try await builder.finishSeries().count == 2)
    }

    @Test func builtWithHandlers() async throws {
        let builder = builder()
        let calls = Calls<Bool>()
        builder.addHeartbeatWithTimeInterval(sinceSeriesStartDate: 1, precededByGap: false) { done, error in
            calls.add(done && error == nil)
        }
        #expect(await calls.next())
        builder.addMetadata(["n": 1]) { done, error in calls.add(done && error == nil) }
        #expect(await calls.next())
        builder.addHeartbeatWithTimeInterval(sinceSeriesStartDate: -1, precededByGap: false) { done, error in
            calls.add(!done && (error as? HKError)?.code == .errorInvalidArgument)
        }
        #expect(await calls.next())
        builder.finishSeries { sample, error in calls.add(sample?.count == 1 && error == nil) }
        #expect(await calls.next())
        builder.finishSeries { sample, error in calls.add(sample == nil && error != nil) }
        #expect(await calls.next())
        #expect(try await stored().count == 1)
    }

    @Test func beatsWithAHandler() async throws {
        let sample = ObjectFamilies.heartbeats()
        try await store.save(sample)
        let calls = Calls<[Double]>()
        store.execute(
            HKHeartbeatSeriesQuery(heartbeatSeries: sample) { _, time, hasGap, isDone, error in
                calls.add([time, hasGap ? 1 : 0, isDone ? 1 : 0, error == nil ? 0 : 1])
            })
        #expect(await calls.next() == [0.5, 0, 0, 0])
        #expect(await calls.next() == [1.25, 0, 0, 0])
        #expect(await calls.next() == [2, 1, 1, 0])
    }

    @Test func unsavedSeriesHaveNoBeats() async throws {
        let calls = Calls<Bool>()
        store.execute(
            HKHeartbeatSeriesQuery(heartbeatSeries: ObjectFamilies.heartbeats()) { _, _, _, isDone, error in
                calls.add(isDone && (error as? HKError)?.code == .errorNoData)
            })
        #expect(await calls.next())
    }

    @Test(arguments: [0, -1, .nan, .infinity] as [Double])
    func refusedTimes(_ offset: Double) async {
        let builder = builder()
        let error = await #expect(throws: HKError.self) {
            try await builder.addHeartbeat(at: offset, precededByGap: false)
        }
        #expect(
            error?.localizedDescription == "The time of a heartbeat since the start of its series must be positive")
    }

    @Test func aFinishedSeriesIsClosed() async throws {
        let builder = builder()
        await #expect(throws: HKError.self) { _ = try await builder.finishSeries() }
        try await builder.addHeartbeat(at: 1, precededByGap: false)
        _ = try await builder.finishSeries()
        await #expect(throws: HKError.self) { try await builder.addHeartbeat(at: 3, precededByGap: false) }
        await #expect(throws: HKError.self) { try await builder.addMetadata(["n": 1]) }
        await #expect(throws: HKError.self) { _ = try await builder.finishSeries() }
        #expect(try await stored().count == 1)
    }

    @Test func aDiscardedSeriesIsNotSaved() async throws {
        let builder = builder()
        try await builder.addHeartbeat(at: 1, precededByGap: false)
        builder.discard()
        await #expect(throws: HKError.self) { _ = try await builder.finishSeries() }
        await #expect(throws: HKError.self) { try await builder.addHeartbeat(at: 2, precededByGap: false) }
        #expect(try await stored().isEmpty)
        #expect(HKHeartbeatSeriesBuilder.maximumCount > 0)
    }

    @Test func withoutPermissionNothingIsSaved() async throws {
        let store = FreshStore.make(authorization: .ask)
        let builder = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: FreshStore.epoch)
        try await builder.addHeartbeat(at: 1, precededByGap: false)
        await #expect(throws: HKError.self) { _ = try await builder.finishSeries() }
    }
}
