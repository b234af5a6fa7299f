package import Foundation
package import HealthEngine
import HealthInsights
package import HealthKit
package import HealthModel

/// A question about a person's health: parameters with their checks, and how it is answered.
///
/// The command line, the API, an assistant's tools and other programs ask with the same names and get the same answers,
/// which each question's `Answer` writes as JSON.
package protocol Question: Sendable {
    associatedtype Answer: AnswerObject & Sendable

    /// The question's name, its subject and its parameters.
    static var about: QuestionDescription { get }

    /// Reads the parameters.
    ///
    /// - Throws: ``ParameterError`` if one is missing or invalid.
    init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws

    func answer(_ context: some QuestionContext) async throws -> Answer
}

/// Where and when a question is asked.
package struct QuestionSetting: Sendable {
    package let engine: HealthEngine
    package let caller: Caller
    /// The calendar of days, with weeks from Monday.
    package let calendar: Calendar
    package let now: Date

    package init(engine: HealthEngine, caller: Caller, calendar: Calendar, now: Date) {
        (self.engine, self.caller, self.calendar, self.now) = (engine, caller, calendar, now)
    }

    var timeZone: TimeZone { calendar.timeZone }
    var endOfToday: Date { calendar.startOfDay(1, after: now) }
}

/// The store that a question is answered from.
package protocol QuestionContext: Sendable {
    var now: Date { get }
    /// Works on the engine, on behalf of the caller, where that may block.
    func read<Value: Sendable>(_ work: @escaping @Sendable (HealthEngine, Caller) throws -> Value) async throws -> Value
    /// The store as an application uses it.
    func healthStore(calendar: Calendar) -> HKHealthStore
}

/// A question's name, its subject and its parameters.
package struct QuestionDescription: Sendable {
    package struct Parameter: Sendable {
        package enum Kind: Sendable {
            case text, instant, flag, unit, timeZone, interval, uuid
            case number
            case integer(ClosedRange<Int>)
            case choice([String])
            /// A type of one of these kinds.
            case type(Set<TypeKind>)
        }

        package var name: String
        package var kind: Kind
        package var about: String
        /// The meaning of a missing parameter, such as `today`.
        package var standard: String?
        package var isRequired = false
        /// Whether the value is a list, separated by commas.
        package var isList = false
        /// An example, as JSON.
        package var example: String?

        package init(
            name: String, kind: Kind, about: String, standard: String? = nil, isRequired: Bool = false,
            isList: Bool = false, example: String? = nil
        ) {
            (self.name, self.kind, self.about, self.standard) = (name, kind, about, standard)
            (self.isRequired, self.isList, self.example) = (isRequired, isList, example)
        }

        /// A description of the parameter, with the meaning of a missing one.
        package var text: String { standard.map { "\(about) By default \($0)." } ?? about }

        /// The names that can be chosen.
        var choices: [String] { if case .choice(let names) = kind { names } else { [] } }

        /// The JSON schema of a value.
        package var schema: String {
            switch kind {
            case .text, .instant, .unit, .timeZone, .type: #"{"type":"string"}"#
            case .uuid: #"{"type":"string","minLength":1}"#
            case .interval: #"{"type":"string","pattern":"\#(StatisticsIntervals.pattern)"}"#
            case .flag: #"{"type":"boolean"}"#
            case .number: #"{"type":"number"}"#
            case .integer(let range):
                #"{"type":"integer","minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)}"#
            case .choice(let names): #"{"enum":["\#(names.joined(separator: #"",""#))"]}"#
            }
        }
    }

    /// The path of the resource, such as `sleep`. It can contain a parameter, such as `workouts/{workout}`.
    package var path: String
    /// The name of the assistant's tool, such as `get_sleep`.
    package var tool: String
    /// The group of similar questions.
    package var group: String
    /// A title for people.
    package var title: String
    /// A summary of the answer, in a sentence or two.
    package var summary: String
    package var parameters: [Parameter]
    /// Whether the answer stays the same until the store changes, or the day.
    package var isTimeless = false
}

package enum Questions {
    package static let all: [any Question.Type] = [
        StatisticsQuestion.self, TodayQuestion.self, HighlightsQuestion.self, RingsQuestion.self, EnergyQuestion.self,
        SleepQuestion.self,
        TrendsQuestion.self, WorkoutsQuestion.self, WorkoutWeeksQuestion.self, WorkoutRecordsQuestion.self,
        WorkoutQuestion.self, CyclesQuestion.self, LabResultsQuestion.self, TypesQuestion.self,
    ]
}

extension QuestionContext {
    /// Reads through HealthKit. What the application was never allowed to read is as empty as what it may not read.
    ///
    /// - Throws: `EngineError.invalidArgument` for more than is computed, and the other errors of reading.
    func silently<Value>(_ none: Value, _ read: () async throws -> Value) async throws -> Value {
        do {
            return try await read()
        } catch let error as HKError where error.code == .errorAuthorizationNotDetermined {
            return none
        } catch let error as HKError where error.code == .errorInvalidArgument {
            // Such as more intervals than are computed, which depends on the samples.
            throw EngineError.invalidArgument(error.localizedDescription)
        }
    }
}

extension HealthEngine {
    /// The person's own order of the sources of a type, and the sources that don't count: also all but the chosen ones.
    func ownOrder(
        ofType identifier: String, from chosen: Set<String>? = nil
    ) throws -> (order: [String], disabled: Set<String>) {
        let dictionaries = try dictionaries()
        var own: (order: [String], disabled: Set<String>) = ([], [])
        if let type = dictionaries.type(identifier: identifier) { own = try sources.ownOrder(of: type.code) }
        if let chosen { own.disabled = Set(dictionaries.sources.map(\.bundleIdentifier)).subtracting(chosen) }
        return own
    }
}

extension QuestionSetting {
    /// The unit in which quantities of a type are shown.
    func displayUnit(of type: TypeDescription) throws -> String {
        try engine.displayUnit(of: type, as: caller, locale: calendar.locale?.identifier)
    }

    /// The unit in which energy is shown: that of active energy.
    func energyUnit() throws -> HKUnit {
        let type = TypeCatalog.description(for: HKQuantityTypeIdentifier.activeEnergyBurned.rawValue)
        return HKUnit(from: try type.map(displayUnit) ?? "kcal")
    }

    /// The unit of a quantity type that is asked for; without one, that in which its quantities are shown.
    ///
    /// - Throws: ``ParameterError`` for a unit that the type isn't measured in.
    package func unit(_ given: String?, of type: TypeDescription) throws -> String {
        let own = try displayUnit(of: type)
        guard let given else { return own }
        guard let unit = try? UnitExpression(words: given, of: type).string,
            type.canonicalUnit.map({ UnitConversion(between: $0, and: unit) != nil }) ?? true
        else {
            throw QueryParameters.problem(
                "unit", given, "is not a unit of \(type.shortName), which is measured in \(own).")
        }
        return unit
    }
}
