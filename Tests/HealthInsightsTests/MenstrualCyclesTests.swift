import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Menstrual cycles")
struct MenstrualCyclesTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()

    private func flow(
        _ value: HKCategoryValueMenstrualFlow, _ start: String, _ end: String? = nil, isStart: Bool = false
    )
        -> HKCategorySample
    {
        HKCategorySample(
            type: HKCategoryType(.menstrualFlow), value: value.rawValue, start: days.date(start),
            end: days.date(end ?? start), metadata: [HKMetadataKeyMenstrualCycleStart: isStart])
    }

    @Test("A cycle begins after ten days without flow, or where one was recorded")
    func cycles() async throws {
        try health.plant([
            flow(.medium, "2025-09-01 08:00", isStart: true), flow(.light, "2025-09-02 08:00"),
            // Ten days after the last flow is the same period; what is none isn't flow.
            flow(.light, "2025-09-12 08:00"), flow(.none, "2025-09-20 08:00"),
            // Two samples of one day, and one of two days that ends at midnight.
            flow(.light, "2025-09-29 08:00"), flow(.heavy, "2025-09-29 20:00"),
            flow(.medium, "2025-09-30 00:00", "2025-10-02 00:00"),
            // Across the change of the clock.
            flow(.light, "2025-11-03 08:00", isStart: true),
        ])
        let found = try await MenstrualCycles.read(from: health.store, calendar: days.calendar)
        #expect(found.cycles.map(\.start) == ["2025-09-01", "2025-09-29", "2025-11-03"].map(days.date))
        #expect(found.cycles.map(\.periodDays) == [12, 3, 1] && found.cycles.map(\.days) == [28, 35, nil])
        #expect(found.days.map(\.flow) == [3, 2, 2, 4, 3, 3, 2])
        #expect(found.days.map(\.start)[3...5] == ["2025-09-29", "2025-09-30", "2025-10-01"].map(days.date)[...])
    }

    @Test("Where the change of the clock skips midnight, days count as well")
    func withoutMidnight() async throws {
        let days = InsightsDays("America/Santiago")
        // 2025-09-07 begins at one o’clock.
        try health.plant([
            HKCategorySample(
                type: HKCategoryType(.menstrualFlow), value: HKCategoryValueMenstrualFlow.medium.rawValue,
                start: days.date("2025-09-07 08:00"), end: days.date("2025-09-09 20:00"),
                metadata: [HKMetadataKeyMenstrualCycleStart: true]),
            HKCategorySample(
                type: HKCategoryType(.menstrualFlow), value: HKCategoryValueMenstrualFlow.light.rawValue,
                start: days.date("2025-09-08 22:00"), end: days.date("2025-09-08 22:00"),
                metadata: [HKMetadataKeyMenstrualCycleStart: false]),
            HKCategorySample(
                type: HKCategoryType(.menstrualFlow), value: HKCategoryValueMenstrualFlow.medium.rawValue,
                start: days.date("2025-10-05 08:00"), end: days.date("2025-10-05 08:00"),
                metadata: [HKMetadataKeyMenstrualCycleStart: true]),
        ])
        let found = try await MenstrualCycles.read(from: health.store, calendar: days.calendar)
        #expect(found.cycles.map(\.periodDays) == [3, 1] && found.cycles.map(\.days) == [28, nil])
        #expect(found.days.count == 4)
    }
}
