import Foundation

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
