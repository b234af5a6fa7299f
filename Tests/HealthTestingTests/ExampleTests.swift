import Foundation
import HealthKit
import HealthTesting
import Testing

/// A model as an application has it, which asks for permission, reads today's steps and logs water.
private struct DayModel {
    let store: HKHealthStore

    private var steps: HKQuantityType { HKQuantityType(.stepCount) }
    private var water: HKQuantityType { HKQuantityType(.dietaryWater) }

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [water], read: [steps, water])
    }

    func stepCount(on day: DateInterval) async throws -> Int {
        let predicate = HKQuery.predicateForSamples(withStart: day.start, end: day.end, options: .strictStartDate)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps, predicate: predicate), options: .cumulativeSum)
        do {
            let sum = try await descriptor.result(for: store)?.sumQuantity()
            return Int(sum?.doubleValue(for: .count()) ?? 0)
        } catch HKError.errorNoData {
            return 0
        }
    }

    func log(milliliters: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: .literUnit(with: .milli), doubleValue: milliliters)
        try await store.save(HKQuantitySample(type: water, quantity: quantity, start: date, end: date))
    }
}

/// A complete test of an application's HealthKit code, as the documentation shows it.
struct ExampleTests {
    private let day = DateInterval(start: TestClock.start, duration: 86_400)

    private func steps(_ count: Double, at offset: TimeInterval) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
            start: day.start + offset, end: day.start + offset + 600)
    }

    @Test("steps of the watch are counted once the person agrees")
    func countsSteps() async throws {
        let health = TestHealthStore(permission: .undecided)
        try health.plant([steps(1200, at: 3600), steps(800, at: 7200)], from: .watch)
        let model = DayModel(store: health.store)

        try await model.authorize()

        #expect(try await model.stepCount(on: day) == 2000)
        #expect(health.permissionRequests.count == 1)
        #expect(health.permissionRequests.first?.read.contains(HKQuantityType(.stepCount)) == true)
    }

    @Test("a person who refuses to be read looks like one without steps")
    func refusedReading() async throws {
        let health = TestHealthStore(
            permission: .undecided { request in .init(share: request.share, read: []) })
        try health.plant([steps(1200, at: 3600)])
        let model = DayModel(store: health.store)
        try await model.authorize()
        #expect(try await model.stepCount(on: day) == 0)
    }

    @Test("logging water fails when the person refused it, and on nothing else")
    func refusedWriting() async throws {
        let health = TestHealthStore()
        health.deny(share: [HKQuantityType(.dietaryWater)])
        let model = DayModel(store: health.store)
        await #expect(throws: HKError.self) { try await model.log(milliliters: 250, at: day.start) }
        health.grant(share: [HKQuantityType(.dietaryWater)])
        try await model.log(milliliters: 250, at: day.start)
    }

    @Test("while the device is locked nothing can be read, but logging continues")
    func lockedDevice() async throws {
        let health = TestHealthStore()
        try health.plant([steps(1200, at: 3600)])
        let model = DayModel(store: health.store)
        health.lockDevice()
        do {
            _ = try await model.stepCount(on: day)
            Issue.record("a locked device was read")
        } catch HKError.errorDatabaseInaccessible {
        }
        try await model.log(milliliters: 250, at: day.start)
        health.unlockDevice()
        #expect(try await model.stepCount(on: day) == 1200)
    }
}
