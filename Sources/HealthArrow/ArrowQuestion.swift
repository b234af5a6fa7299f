package import Foundation
package import HealthAnswers
import HealthEngine
import HealthJSON
import HealthSQL

/// A question that is given as JSON: its name, and its parameters.
package struct ArrowQuestion: Sendable {
    private let name: String
    private let parameters: QueryParameters
    private let timeZone: TimeZone?

    /// Reads `{"question": "statistics", "type": "stepCount", "interval": "day"}`. Lists are arrays.
    ///
    /// - Throws: ``ParameterError`` for anything else.
    package init(json: [UInt8]) throws {
        let value = try? json.withUnsafeBufferPointer { json in
            try JSONReader.scan(json) { reader in
                let value = try reader.value()
                try reader.end()
                return value
            }
        }
        guard let members = value?.members?.dictionary, let name = members["question"]?.text else {
            throw ParameterError("question", "A question is a JSON object with the member question.")
        }
        var texts: [String: String?] = [:]
        for (key, value) in members where key != "question" { texts[key] = try Self.text(value, of: key) }
        timeZone = try texts["timeZone"].flatMap { $0 }.map(QueryParameters.timeZone)
        self.name = name
        parameters = QueryParameters(texts)
    }

    private static func text(_ value: JSONValue, of name: String) throws -> String? {
        switch value {
        case .null: nil
        case .bool(let flag): "\(flag)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let text): text
        case .array(let elements): try elements.compactMap { try text($0, of: name) }.joined(separator: ",")
        case .object: throw ParameterError(name, "An object isn’t a value of a parameter.")
        }
    }

    // MARK: Answers

    /// Reads the parameters without answering.
    ///
    /// - Throws: ``ParameterError``, `SQLError`, and what reading throws.
    package func check(_ setting: QuestionSetting) throws {
        let setting = settled(setting)
        guard let table = try tableOnly(setting) else { return _ = try asked(setting) }
        try (table as? StatementBatches)?.check()
    }

    /// The answer as JSON.
    package func json(_ context: some QuestionContext, _ setting: QuestionSetting) async throws -> [UInt8] {
        let setting = settled(setting)
        return try await Self.answer(asked(setting), context).json(timeZone: setting.calendar.timeZone)
    }

    /// The answer as a table.
    package func table(_ context: some QuestionContext, _ setting: QuestionSetting) async throws -> any ArrowSource {
        let setting = settled(setting)
        var parameters = parameters
        let sql = try name == "sql" ? parameters.text("query") ?? "" : ""
        if let table = try await tableOnly(setting, nights: context.nights(for: sql, setting)) { return table }
        let answer = try await Self.answer(asked(setting), context)
        return try Self.table(answer, setting.calendar.timeZone)
    }

    /// The table of what a server has answered to the same question: JSON, or lines of it for samples.
    ///
    /// - Parameter setting: That of an empty store, whose time zone is that of the answer.
    package func table(received text: [UInt8], _ setting: QuestionSetting) throws -> any ArrowSource {
        let setting = settled(setting)
        switch try tableOnly(setting) {
        case let samples as SampleBatches: return try ReceivedSamples(text, for: samples, setting)
        case is StatementBatches: return try ReceivedRows(text, timeZone: setting.calendar.timeZone)
        default: return try Self.table(text, of: asked(setting), setting.calendar.timeZone)
        }
    }

    private static func table<Asked: Question>(
        _ json: [UInt8], of question: Asked, _ timeZone: TimeZone
    ) throws -> any ArrowSource {
        try AnswerTable(json, of: Asked.Answer.self, timeZone: timeZone)
    }

    private static func table(_ answer: some AnswerObject, _ timeZone: TimeZone) throws -> any ArrowSource {
        try AnswerTable(answer, timeZone: timeZone)
    }

    /// The setting in the question's own time zone.
    private func settled(_ setting: QuestionSetting) -> QuestionSetting {
        guard let timeZone else { return setting }
        var calendar = setting.calendar
        calendar.timeZone = timeZone
        return QuestionSetting(engine: setting.engine, caller: setting.caller, calendar: calendar, now: setting.now)
    }

    /// The table of samples or of a statement; `nil` for another question.
    private func tableOnly(_ setting: QuestionSetting, nights: [[SQLValue]] = []) throws -> (any ArrowSource)? {
        var parameters = parameters
        switch name {
        case "samples":
            let samples = try SampleBatches(&parameters, setting)
            try parameters.finish()
            return samples
        case "sql":
            let sql = try parameters.requiredText("query")
            try parameters.finish()
            return StatementBatches(
                sql, of: setting.engine, as: setting.caller, timeZone: setting.calendar.timeZone, nights: nights)
        default: return nil
        }
    }

    private func asked(_ setting: QuestionSetting) throws -> any Question {
        var parameters = parameters
        for question in Questions.all where Self.matches(question.about.path, name, &parameters) {
            return try Self.ask(question, parameters, setting)
        }
        let names = Questions.all.map { $0.about.path }.joined(separator: ", ")
        throw QueryParameters.problem("question", name, "is not a question. Use samples, sql, \(names).")
    }

    /// Whether a name is that of a path, whose parameters are then set: `workouts/1` is `workouts/{uuid}`.
    private static func matches(_ path: String, _ name: String, _ parameters: inout QueryParameters) -> Bool {
        if path == name { return true }
        let (parts, words) = (path.split(separator: "/"), name.split(separator: "/", omittingEmptySubsequences: false))
        // `workouts/weeks` is a separate question.
        guard parts.count == words.count, !Questions.all.contains(where: { $0.about.path == name }),
            zip(parts, words).allSatisfy({ $0.hasPrefix("{") || $0 == $1 })
        else { return false }
        for (part, word) in zip(parts, words) where part.hasPrefix("{") {
            parameters.set(String(part.dropFirst().dropLast()), to: String(word))
        }
        return true
    }

    private static func ask<Asked: Question>(
        _ question: Asked.Type, _ parameters: QueryParameters, _ setting: QuestionSetting
    ) throws -> any Question {
        var parameters = parameters
        let asked = try Asked(&parameters, setting)
        try parameters.finish()
        return asked
    }

    private static func answer(
        _ question: some Question, _ context: some QuestionContext
    ) async throws -> any AnswerObject & Sendable {
        try await question.answer(context)
    }
}

extension QueryParameters {
    /// The time zone with a name.
    ///
    /// - Throws: ``ParameterError`` if there is none.
    package static func timeZone(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw problem("timeZone", name, "is not a time zone. Use a name like Europe/Berlin.")
        }
        return zone
    }
}
