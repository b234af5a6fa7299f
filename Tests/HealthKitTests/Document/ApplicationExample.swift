import Foundation
import HealthKit

// The lines between the marks are in Docs/Application.md, which ApplicationExampleTests compares with them.
// begin
func stepsOfTheWeek(in store: HKHealthStore, until now: Date) async throws -> [Date: Double] {
    let steps = HKQuantityType(.stepCount)
    try await store.requestAuthorization(toShare: [], read: [steps])

    let calendar = Calendar.current
    let today = calendar.startOfDay(for: now)
    let start = calendar.date(byAdding: .day, value: -6, to: today)!
    let descriptor = HKStatisticsCollectionQueryDescriptor(
        predicate: .quantitySample(
            type: steps, predicate: HKQuery.predicateForSamples(withStart: start, end: now)),
        options: .cumulativeSum, anchorDate: today, intervalComponents: DateComponents(day: 1))

    var counts: [Date: Double] = [:]
    for day in try await descriptor.result(for: store).statistics() {
        counts[day.startDate] = day.sumQuantity()?.doubleValue(for: .count())
    }
    return counts
}
// end
