public import Foundation
import HealthKit

extension SleepReader {
    /// Returns the times of the stages of sleep, by the days on which nights end, in ascending order.
    ///
    /// - Parameters:
    ///   - start: The start of the days to read; `nil` for all before `end`.
    ///   - end: The end of the days to read, not included; `nil` for all after `start`.
    ///   - component: The length of intervals, such as `.week`; `nil` for all nights together.
    /// - Throws: `HKError` if reading fails.
    public func times(
        from start: Date? = nil, to end: Date? = nil, every component: Calendar.Component? = nil
    ) async throws -> [CategoryTimes] {
        // No sleep was recorded before or will be after.
        let (first, last) = (
            start ?? Date(timeIntervalSinceReferenceDate: -6e9), end ?? Date(timeIntervalSinceReferenceDate: 6e9)
        )
        let nights = try await nights(in: DateInterval(start: first, end: max(first, last)))
        guard let earliest = nights.first, let latest = nights.last else { return [] }
        let whole = DateInterval(start: interval(of: earliest).start, end: interval(of: latest).end)
        let groups = Dictionary(grouping: nights) { night in
            component.flatMap { calendar.dateInterval(of: $0, for: interval(of: night).start) } ?? whole
        }
        return groups.sorted { $0.key.start < $1.key.start }.map { interval, nights in
            let segments = nights.flatMap { ([$0.main].compactMap { $0 } + $0.naps).flatMap(\.segments) }
            return CategoryTimes(
                interval: interval,
                values: Dictionary(grouping: segments) { $0.stage.value.rawValue }.sorted { $0.key < $1.key }.map {
                    value, segments in
                    CategoryTimes.Value(
                        value: value, count: segments.count, duration: segments.reduce(0) { $0 + $1.duration })
                })
        }
    }

    /// The day of a night in the reader's calendar, whatever time zone the night was in.
    private func interval(of night: SleepNight) -> DateInterval {
        let start = calendar.date(from: night.day) ?? night.date
        return calendar.dateInterval(of: .day, for: start) ?? DateInterval(start: start, duration: 86_400)
    }
}
