import Foundation
import HealthKit
import HealthTesting

/// Dates and samples for the tests of insights.
struct InsightsDays {
    let calendar: Calendar

    init(_ zone: String = "America/New_York") {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone)!
        calendar.firstWeekday = 2
        self.calendar = calendar
    }

    /// A date from `2025-11-16 23:30`, in the calendar's time zone.
    func date(_ text: String) -> Date {
        let parts = text.split { "- :".contains($0) }.map { Int($0)! }
        return calendar.date(
            from: DateComponents(
                year: parts[0], month: parts[1], day: parts[2], hour: parts.count > 3 ? parts[3] : 0,
                minute: parts.count > 4 ? parts[4] : 0, second: parts.count > 5 ? parts[5] : 0))!
    }

    func interval(_ start: String, _ end: String) -> DateInterval {
        DateInterval(start: date(start), end: date(end))
    }

    func sleepSample(
        _ value: HKCategoryValueSleepAnalysis, _ start: String, _ end: String, zone: String? = nil, byHand: Bool = false
    ) -> HKCategorySample {
        var metadata: [String: Any] = [:]
        if let zone { metadata[HKMetadataKeyTimeZone] = zone }
        if byHand { metadata[HKMetadataKeyWasUserEntered] = true }
        return HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: date(start), end: date(end),
            metadata: metadata.isEmpty ? nil : metadata)
    }

    func quantity(
        _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, _ start: String, _ end: String? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value), start: date(start),
            end: date(end ?? start))
    }
}

extension TestSource {
    /// An app that tracks sleep without a watch.
    static let tracker = TestSource(bundleIdentifier: "org.example.tracker", name: "Tracker")
    /// A ring.
    static let ring = TestSource(bundleIdentifier: "org.example.ring", name: "Ring")
}
