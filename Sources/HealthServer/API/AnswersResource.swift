import Foundation
import HealthAnswers
import HealthArrow
import HealthModel
import Hummingbird

/// The questions of HealthAnswers, each at its path.
struct AnswersResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        for question in Questions.all { add(question, to: group) }
    }

    private func add<Asked: Question>(_ question: Asked.Type, to group: RouterGroup<PersonRequestContext>) {
        group.get(RouterPath(Asked.about.path)) { request, context in
            if let format = TableFormat(request) {
                let (answer, zone) = try await answer(question, request, context)
                return try format.response(in: zone) { try AnswerTable(answer, timeZone: zone).read(to: $0) }
            }
            guard Asked.about.isTimeless else { return Response(json: try await json(question, request, context)) }
            let day = LocalClock(timeZone: try context.calendar(of: request).timeZone)
                .dayNumber(at: context.now.timeIntervalSinceReferenceDate)
            return try await context.kept(Asked.about.path, request, day: day) {
                try await json(question, request, context)
            }
        }
    }

    private func json<Asked: Question>(
        _ question: Asked.Type, _ request: Request, _ context: PersonRequestContext
    ) async throws -> [UInt8] {
        let (answer, zone) = try await answer(question, request, context)
        return answer.json(timeZone: zone)
    }

    /// The answer, and the time zone in which it is shown.
    private func answer<Asked: Question>(
        _ question: Asked.Type, _ request: Request, _ context: PersonRequestContext
    ) async throws -> (Asked.Answer, TimeZone) {
        let calendar = try context.calendar(of: request)
        var parameters = try QueryParameters(request)
        for (name, value) in context.parameters { parameters.set(String(name), to: String(value)) }
        let asked = try await context.read { [parameters] engine, caller in
            var parameters = parameters
            let asked = try Asked(
                &parameters, QuestionSetting(engine: engine, caller: caller, calendar: calendar, now: context.now))
            try parameters.finish()
            return asked
        }
        return (try await asked.answer(context), calendar.timeZone)
    }
}

extension PersonRequestContext: QuestionContext {}
