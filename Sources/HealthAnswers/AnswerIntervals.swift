import Foundation

/// The weeks, months or years of which an answer has averages.
struct AnswerIntervals: Sendable {
    private let component: Calendar.Component
    private let calendar: Calendar

    private static let components: [(name: String, component: Calendar.Component)] = [
        ("week", .weekOfYear), ("month", .month), ("year", .year),
    ]

    /// Reads the parameter `interval`; `nil` if it is missing or means no longer intervals.
    ///
    /// - Throws: ``ParameterError``.
    init?(_ parameters: inout QueryParameters, unless single: String, _ setting: QuestionSetting) throws {
        let calendar = try setting.withFirstWeekday(&parameters).calendar
        guard let name = try parameters.text("interval"), name != single else { return nil }
        guard let found = Self.components.first(where: { $0.name == name }) else {
            throw QueryParameters.problem(
                "interval", name, "is not \(single), week, month or year.")
        }
        (component, self.calendar) = (found.component, calendar)
    }

    /// Groups what belongs to days, in ascending order. Intervals without anything are left out.
    func groups<Element>(
        of elements: [Element], by day: (Element) -> DateComponents
    ) -> [(interval: DateInterval, elements: [Element])] {
        let groups = Dictionary(grouping: elements) { element in
            let day = day(element)
            let days = DateComponents(year: day.year, month: day.month, day: day.day, hour: 12)
            return calendar.date(from: days).flatMap { calendar.dateInterval(of: component, for: $0) }
        }
        return groups.compactMap { interval, elements in interval.map { ($0, elements) } }
            .sorted { $0.interval.start < $1.interval.start }
    }
}
