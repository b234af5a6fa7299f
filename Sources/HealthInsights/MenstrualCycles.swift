package import Foundation
package import HealthKit

/// The menstrual cycles of a person, from the days with flow.
package struct MenstrualCycles: Hashable, Sendable {
    /// A cycle, which begins with the first day of a period.
    package struct Cycle: Hashable, Sendable {
        /// The first day.
        package let start: Date
        /// The days from the first to the last one with flow.
        package fileprivate(set) var periodDays: Int
        /// The days until the next cycle; `nil` for the latest one.
        package fileprivate(set) var days: Int?
    }

    /// A day with flow.
    package struct Day: Hashable, Sendable {
        /// The start of the day.
        package let start: Date
        /// The raw value of the heaviest flow.
        package fileprivate(set) var flow: Int
        /// Whether a cycle was recorded as beginning on the day.
        fileprivate var isStart: Bool
    }

    /// The cycles in ascending order.
    package let cycles: [Cycle]
    /// The days with flow in ascending order.
    package let days: [Day]

    /// The days without flow after which flow is a new period.
    private static let pause = 10

    /// Divides days with flow, in ascending order, into cycles. A cycle also begins where one was recorded.
    private init(days: [Day]) {
        // Days have 23 to 25 hours, and some begin at one o’clock.
        func distance(_ first: Date, _ second: Date) -> Int {
            Int((second.timeIntervalSince(first) / 86_400).rounded())
        }
        var cycles: [Cycle] = []
        for day in days {
            if let current = cycles.last {
                let since = distance(current.start, day.start)
                if !day.isStart, since - (current.periodDays - 1) <= Self.pause {
                    cycles[cycles.count - 1].periodDays = since + 1
                    continue
                }
                cycles[cycles.count - 1].days = since
            }
            cycles.append(Cycle(start: day.start, periodDays: 1))
        }
        (self.cycles, self.days) = (cycles, days)
    }

    /// Reads the cycles of a store.
    ///
    /// - Parameter calendar: The calendar that determines days.
    /// - Throws: `HKError` if reading fails.
    package static func read(from store: HKHealthStore, calendar: Calendar) async throws -> MenstrualCycles {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.menstrualFlow))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        var days: [Date: Day] = [:]
        for sample in samples where sample.value != HKCategoryValueMenstrualFlow.none.rawValue {
            let first = calendar.startOfDay(for: sample.startDate)
            let isStart = (sample.metadata?[HKMetadataKeyMenstrualCycleStart] as? NSNumber)?.boolValue ?? false
            // A sample that ends at midnight is of the day before; one of a month and more is a mistake.
            for offset in 0...longest {
                let day = calendar.startOfDay(offset, after: first)
                guard offset == 0 || day < sample.endDate else { break }
                var known = days[day] ?? Day(start: day, flow: sample.value, isStart: false)
                known.flow = max(known.flow, sample.value)
                known.isStart = known.isStart || (isStart && offset == 0)
                days[day] = known
            }
        }
        return MenstrualCycles(days: days.values.sorted { $0.start < $1.start })
    }

    /// The days after the first one that a sample of flow counts for.
    private static let longest = 31
}
