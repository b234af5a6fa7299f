import Foundation

extension QuestionSetting {
    /// The names of weekdays, as a calendar numbers them from 1.
    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// The setting with weeks from the day that the parameter `firstWeekday` names.
    ///
    /// - Throws: ``ParameterError`` for anything else than a weekday.
    func withFirstWeekday(_ parameters: inout QueryParameters) throws -> QuestionSetting {
        guard let name = try parameters.text("firstWeekday") else { return self }
        guard let index = Self.weekdays.firstIndex(of: name) else {
            throw QueryParameters.problem("firstWeekday", name, "is not a weekday. Use a name such as sunday.")
        }
        var calendar = calendar
        calendar.firstWeekday = index + 1
        return QuestionSetting(engine: engine, caller: caller, calendar: calendar, now: now)
    }
}
