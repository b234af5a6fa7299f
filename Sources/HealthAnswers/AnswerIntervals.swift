import Foundation

/// The weeks, months or years of which an answer has averages.
struct AnswerIntervals: Sendable {
    private let component: Calendar.Component
    private let calendar: Calendar

    /// Reads a parameter; `nil` if it is missing or means no longer intervals.
    ///
    /// - Throws: ``ParameterError``.
    init?(
        _ parameters: inout QueryParameters, _ parameter: QuestionDescription.Parameter, _ setting: QuestionSetting
    ) throws {
        calendar = try setting.withFirstWeekday(&parameters).calendar
        let single = parameter.standard ?? ""
        let name = try parameters.choice(parameter, "is not \(single), week, month or year.") ?? single
        guard name != single, let component = Calendar.Component.named[name] else { return nil }
        self.component = component
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

extension Calendar.Component {
    /// The units of a calendar by the names of intervals.
    static let named: [String: Calendar.Component] = [
        "hour": .hour, "day": .day, "week": .weekOfYear, "month": .month, "quarter": .quarter, "year": .year,
    ]
}

extension QuestionSetting {
    /// The setting with weeks from the day that the parameter `firstWeekday` names.
    ///
    /// - Throws: ``ParameterError`` for anything else than a weekday.
    func withFirstWeekday(_ parameters: inout QueryParameters) throws -> QuestionSetting {
        let parameter = QuestionDescription.Parameter.firstWeekday
        let name = try parameters.choice(parameter, "is not a weekday. Use a name such as sunday.")
        // A calendar numbers them from 1, which is Sunday.
        guard let index = name.flatMap(parameter.choices.firstIndex(of:)) else { return self }
        var calendar = calendar
        calendar.firstWeekday = index + 1
        return QuestionSetting(engine: engine, caller: caller, calendar: calendar, now: now)
    }
}
