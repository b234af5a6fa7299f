import Foundation
import HealthKit
import HealthTesting
import Testing

@Test func countsSteps() async throws {
    let health = TestHealthStore()
    let type = HKQuantityType(.stepCount)
    let quantity = HKQuantity(unit: .count(), doubleValue: 1200)
    try await health.store.save(
        HKQuantitySample(type: type, quantity: quantity, start: TestClock.start, end: TestClock.start + 60))
    let descriptor = HKStatisticsQueryDescriptor(predicate: .quantitySample(type: type), options: .cumulativeSum)
    let sum = try await descriptor.result(for: health.store)?.sumQuantity()
    #expect(sum?.doubleValue(for: .count()) == 1200)
}
