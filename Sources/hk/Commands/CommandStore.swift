import Foundation
import HealthAnswers
import HealthEngine
import HealthKit

/// The store of a command, of which it asks questions.
struct CommandStore: QuestionContext {
    let engine: HealthEngine
    let location: HKHealthStore.Configuration.Location

    var now: Date { CurrentTime.now }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (HealthEngine, Caller) throws -> Value
    ) async throws -> Value {
        try work(engine, .person)
    }

    /// The store through HealthKit, with permission to read and write everything.
    func healthStore(calendar: Calendar) -> HKHealthStore {
        HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: location,
                application: HKHealthStore.Configuration.Application(
                    bundleIdentifier: "org.openhealthkit.hk", name: "hk", version: HealthCommand.version),
                authorization: .allowAll, clock: CurrentTime.clock, calendar: calendar),
            engine: engine, availability: DeviceAvailability())
    }
}

extension StoreOptions {
    /// The store, opened once.
    ///
    /// - Throws: ``UsageError`` if there is no store.
    func commandStore() throws -> CommandStore {
        CommandStore(
            engine: try engine(),
            location: isDatabase ? .database(path) : .file(URL(fileURLWithPath: path, isDirectory: false)))
    }

    /// Opens the store through HealthKit, with permission to read and write everything.
    ///
    /// - Throws: ``UsageError`` if there is no store.
    func openStore() throws -> HKHealthStore {
        try commandStore().healthStore(calendar: RangeOptions.machineCalendar)
    }

    /// Asks a question.
    ///
    /// - Throws: ``ParameterError`` if a parameter is invalid, and what reading throws.
    func ask<Asked: Question>(
        _ question: Asked.Type, _ parameters: [String: String?], calendar: Calendar
    ) async throws -> Asked.Answer {
        let store = try commandStore()
        var parameters = QueryParameters(parameters)
        let setting = QuestionSetting(engine: store.engine, caller: .person, calendar: calendar, now: CurrentTime.now)
        return try await Asked(&parameters, setting).answer(store)
    }

    /// Prints an answer as JSON, or as a text for people.
    func show<Answer: AnswerObject>(_ answer: Answer, calendar: Calendar, text: (Answer) throws -> String) throws {
        try StandardOutput.send(json ? answer.json(timeZone: calendar.timeZone) + [0x0A] : Array(try text(answer).utf8))
    }

    /// Asks a question, and prints the answer.
    func answer<Asked: Question>(
        _ question: Asked.Type, _ parameters: [String: String?] = [:], calendar: Calendar,
        text: (Asked.Answer) throws -> String
    ) async throws {
        try show(try await ask(question, parameters, calendar: calendar), calendar: calendar, text: text)
    }
}
