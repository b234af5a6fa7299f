import Foundation
import HealthEngine
@testable import HealthKit
import Testing

@Suite struct HKActivitySummaryQueryTests {
    private let store = FreshStore.make()
    private let calendar = FreshStore.calendar()

    private func energy(_ kilocalories: Double, at offset: TimeInterval) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.activeEnergyBurned),
            quantity: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories),
            start: FreshStore.epoch + offset, end: FreshStore.epoch + offset + 60)
    }

    private func day(_ date: Date) -> DateComponents {
        var components = calendar.dateComponents([.era, .year, .month, .day], from: date)
        components.calendar = calendar
        return components
    }

    private func energies(_ summaries: [HKActivitySummary]?) -> [Double]? {
        summaries?.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) }
    }

    private func run(_ predicate: NSPredicate?) async -> [HKActivitySummary]? {
        let calls = Calls<[HKActivitySummary]?>()
        store.execute(HKActivitySummaryQuery(predicate: predicate) { calls.add($2 == nil ? $1 : nil) })
        return await calls.next()
    }

    @Test func daysWithDataInOrder() async throws {
        try await store.save([energy(30, at: 3 * 86_400), energy(10, at: 0), energy(5, at: 600)])
        #expect(energies(await run(nil)) == [15, 30])
        #expect(
            energies(await run(HKQuery.predicateForActivitySummary(with: day(FreshStore.epoch)))) == [15])
        let range = HKQuery.predicate(
            forActivitySummariesBetweenStart: day(FreshStore.epoch + 86_400),
            end: day(FreshStore.epoch + 3 * 86_400))
        let found = await run(range)
        #expect(energies(found) == [30])
        #expect(found?.first?.dateComponents(for: calendar).day == day(FreshStore.epoch + 3 * 86_400).day)
    }

    /// A sample that lasts for millennia is on every day; only those that are asked for are computed.
    @Test func aSampleOfMillennia() async throws {
        let millennia = 3e10
        let type = HKQuantityType(.activeEnergyBurned)
        try await store.save(
            HKQuantitySample(
                type: type, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 2 * millennia / 86_400),
                start: FreshStore.epoch - millennia, end: FreshStore.epoch + millennia))
        let error = await #expect(throws: HKError.self) {
            try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
        }
        #expect(error?.code == .errorInvalidArgument)
        let week = HKQuery.predicate(
            forActivitySummariesBetweenStart: day(FreshStore.epoch), end: day(FreshStore.epoch + 6 * 86_400))
        #expect(energies(await run(week))?.map { ($0 * 1e6).rounded() / 1e6 } == Array(repeating: 1, count: 7))
    }

    /// Days between remote samples are never looked at: there are more than a million of them.
    @Test func daysCenturiesApart() async throws {
        try await store.save([energy(10, at: -6e10), energy(30, at: 0), energy(50, at: 6e10)])
        #expect(energies(await run(nil)) == [10, 30, 50])
        #expect(energies(await run(HKQuery.predicateForActivitySummary(with: day(FreshStore.epoch)))) == [30])
        let since = HKQuery.predicate(
            forActivitySummariesBetweenStart: day(FreshStore.epoch), end: day(FreshStore.epoch + 6e10 + 86_400))
        #expect(energies(await run(since)) == [30, 50])
    }

    @Test func nothingIsAnEmptyArray() async {
        #expect(await run(nil)?.isEmpty == true)
    }

    @Test func goalsInForceAreThere() async throws {
        try store.connection.engine().profile.update { profile in
            profile.goals = [
                ActivityGoals(from: .init(year: 2020, month: 1, day: 1), moveEnergy: 500, exercise: 30, stand: 12)
            ]
        }
        try await store.save(energy(10, at: 0))
        let summary = try #require(await run(nil)?.first)
        #expect(summary.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) == 500)
        #expect(summary.exerciseTimeGoal?.doubleValue(for: .minute()) == 30)
        #expect(summary.standHoursGoal?.doubleValue(for: .count()) == 12)
    }

    @Test func updatesReportChangedSummaries() async throws {
        try await store.save(energy(10, at: 0))
        let calls = Calls<[Double]?>()
        let query = HKActivitySummaryQuery(predicate: nil) { _, found, _ in calls.add(self.energies(found)) }
        query.updateHandler = { _, found, _ in calls.add(self.energies(found)) }
        store.execute(query)
        #expect(await calls.next() == [10])
        try await store.save(FreshStore.steps(1))
        try await store.save(energy(7, at: 60))
        #expect(await calls.next() == [17])
        // A new goal changes a summary too; the same goal again does not.
        for _ in 0..<2 {
            try store.connection.engine().profile.update { profile in
                profile.goals = [ActivityGoals(from: .init(year: 2020, month: 1, day: 1), moveEnergy: 400)]
            }
        }
        #expect(await calls.next() == [17])
        #expect(calls.all.count == 3)
        store.stop(query)
    }

    /// Days that did not change are not delivered again; a day that lost its data has figures of zero.
    @Test func updatesLeaveOutUnchangedSummaries() async throws {
        let (first, last) = (energy(10, at: 0), energy(30, at: 4 * 86_400))
        try await store.save([first, energy(20, at: 2 * 86_400), last])
        let calls = Calls<[Double]?>()
        let query = HKActivitySummaryQuery(predicate: nil) { _, found, _ in calls.add(self.energies(found)) }
        query.updateHandler = { _, found, _ in calls.add(self.energies(found)) }
        store.execute(query)
        var iterator = HKActivitySummaryQueryDescriptor(predicate: nil).results(for: store).makeAsyncIterator()
        for expected in [[10.0, 20, 30]] {
            #expect(await calls.next() == expected)
            #expect(energies(try await iterator.next()) == expected)
        }
        try await store.save(energy(1, at: 2 * 86_400 + 60))
        #expect(await calls.next() == [21])
        #expect(energies(try await iterator.next()) == [21])
        try await store.save([energy(5, at: 86_400), energy(2, at: 60)])
        #expect(await calls.next() == [12, 5])
        #expect(energies(try await iterator.next()) == [12, 5])
        try await store.delete(last)
        #expect(await calls.next() == [0])
        #expect(energies(try await iterator.next()) == [0])
        store.stop(query)
    }

    @Test func theAsyncFormsReadOnceAndOn() async throws {
        try await store.save(energy(10, at: 0))
        let descriptor = HKActivitySummaryQueryDescriptor(
            predicate: HKQuery.predicateForActivitySummary(with: day(FreshStore.epoch)))
        #expect(energies(try await descriptor.result(for: store)) == [10])
        var iterator = descriptor.results(for: store).makeAsyncIterator()
        #expect(energies(try await iterator.next()) == [10])
        // Another day doesn't change the result.
        try await store.save(energy(3, at: 86_400))
        try await store.save(energy(3, at: 60))
        #expect(energies(try await iterator.next()) == [13])
    }

    @Test func aTypeWithoutAnAuthorizationRequestFails() async throws {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        let error = await #expect(throws: HKError.self) {
            try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
        }
        #expect(error?.code == .errorAuthorizationNotDetermined)
    }
}
