import Foundation
import HealthAnswers
import HealthFormats
import HealthJSON

/// A tool that an assistant can call: its description, its arguments, and the request of the API that answers it.
struct AssistantTool: Sendable {
    /// A request of the API, below the person.
    struct Call: Sendable {
        var isPost = false
        var path: String
        var query: [(name: String, value: String)] = []
        var body: [UInt8]?
    }

    var name: String
    var title: String
    var about: String
    var parameters: [QuestionDescription.Parameter]
    /// The values of missing parameters, where they differ from the API's.
    var defaults: [Default]
    /// The form of the result.
    var result: AssistantResult
    var isWriting: Bool
    /// Makes the request from the arguments.
    var call: @Sendable (Arguments) throws(AssistantArgumentError) -> Call

    /// The texts and the arguments of a tool.
    struct Description: Sendable {
        var name: String
        var title: String
        var about: String
        var parameters: [QuestionDescription.Parameter]
        var defaults: [Default]
    }

    init(
        _ description: Description, result: AssistantResult = AssistantResult(), isWriting: Bool = false,
        call: @escaping @Sendable (Arguments) throws(AssistantArgumentError) -> Call
    ) {
        (name, title, about) = (description.name, description.title, description.about)
        (parameters, defaults) = (description.parameters, description.defaults)
        (self.result, self.isWriting, self.call) = (result, isWriting, call)
    }

    /// The tool of a resource of the API, whose arguments are the parameters of the resource.
    ///
    /// - Parameter constants: Parameters that are always given, and aren't arguments.
    init(
        _ description: Description, at path: String, constants: [(name: String, value: String)] = [],
        result: AssistantResult = AssistantResult()
    ) {
        self.init(description, result: result) { arguments in
            var (path, query) = (path, arguments.query + constants)
            for (index, (name, value)) in query.enumerated().reversed() where path.contains("{\(name)}") {
                path = path.replacingOccurrences(of: "{\(name)}", with: APIDispatcher.encoded(value))
                query.remove(at: index)
            }
            return Call(path: path, query: query)
        }
    }

    /// The tool of a question. Its answers have their coverage.
    init<Asked: Question>(_ question: Asked.Type, defaults: [Default]) {
        let about = Asked.about
        let arguments = about.parameters.filter { $0.name != QuestionDescription.Parameter.coverage.name }
        self.init(
            Description(
                name: about.tool, title: about.title, about: about.summary, parameters: arguments, defaults: defaults),
            at: about.path,
            constants: arguments.count < about.parameters.count
                ? [(QuestionDescription.Parameter.coverage.name, "true")] : [],
            result: AssistantResult(units: Asked.Answer.schema.units))
    }

    /// The value of a parameter that isn't given.
    struct Default: Sendable {
        enum Value: Sendable {
            case text(String)
            /// The beginning of the day some days before today, if the range has no end either.
            case daysAgo(Int)
        }

        var name: String
        var value: Value

        /// The value in words.
        fileprivate var text: String {
            switch value {
            case .text(let text): text
            case .daysAgo(let days): "\(days) days ago"
            }
        }
    }

    /// The arguments of a call. The API checks their values.
    struct Arguments: Sendable {
        private var values: [String: JSONValue]

        /// - Parameter calendar: The calendar of days without the argument `timeZone`.
        init(
            _ value: JSONValue, of tool: AssistantTool, now: Date, calendar: Calendar
        ) throws(AssistantArgumentError) {
            guard let members = value.members else { throw AssistantArgumentError("The arguments are not an object.") }
            var values = members.dictionary.filter { $0.value != .null }
            for standard in tool.defaults where values[standard.name] == nil {
                switch standard.value {
                case .text(let text): values[standard.name] = .string(text)
                case .daysAgo(let days):
                    guard values["end"] == nil else { continue }
                    var calendar = calendar
                    if let zone = values["timeZone"]?.text.flatMap({ TimeZone(identifier: $0) }) {
                        calendar.timeZone = zone
                    }
                    let day = calendar.date(byAdding: .day, value: -days, to: now) ?? now
                    values[standard.name] = .string(
                        day.formatted(Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day()))
                }
            }
            self.values = values
            let names = tool.parameters.map(\.name)
            if let unknown = values.keys.sorted().first(where: { !names.contains($0) }) {
                throw AssistantArgumentError(
                    "“\(unknown.prefix(60))” is not an argument of \(tool.name). It has \(names.joined(separator: ", "))."
                )
            }
            if let missing = tool.parameters.first(where: { $0.isRequired && values[$0.name] == nil }) {
                throw AssistantArgumentError("\(missing.name) is required.")
            }
            for parameter in tool.parameters {
                guard case .integer(let range) = parameter.kind, let text = text(parameter.name) else { continue }
                guard let number = Int(text), range.contains(number) else {
                    throw AssistantArgumentError(
                        "\(parameter.name) is not an integer from \(range.lowerBound) to \(range.upperBound).")
                }
            }
        }

        /// An argument as text; lists are separated by commas.
        func text(_ name: String) -> String? { values[name].map(Self.text) }
        func number(_ name: String) -> Double? { values[name]?.number }

        /// Asks for less: for the next longer intervals, for half as many results, or without details.
        ///
        /// - Returns: What changed, in words; `nil` if less can't be asked for.
        mutating func reduce(_ tool: AssistantTool) -> String? {
            for parameter in tool.parameters {
                switch parameter.kind {
                case .interval, .choice:
                    guard parameter.name == "interval", let current = text("interval") ?? parameter.standard,
                        let longer = Self.interval(longerThan: current, of: parameter)
                    else { continue }
                    values["interval"] = .string(longer)
                    return "Its intervals are therefore a \(longer) each."
                case .integer where parameter.name == "limit":
                    // No limit is one, too.
                    let current = text("limit").flatMap(Int.init) ?? parameter.standard.flatMap(Int.init) ?? 0
                    guard current != 1 else { continue }
                    let limit = current == 0 ? 200 : current / 2
                    values["limit"] = .number(Double(limit))
                    return "It therefore has no more than \(limit) results."
                case .flag where parameter.name == "recent" && text("recent") == "true":
                    values["recent"] = .bool(false)
                    return "It therefore is without recent values."
                default: continue
                }
            }
            return nil
        }

        private static let intervals = ["minute", "hour", "day", "week", "month", "quarter", "year"]

        /// The next longer interval that a parameter can have, such as a week after `night` or a day after `6h`.
        private static func interval(
            longerThan current: String, of parameter: QuestionDescription.Parameter
        ) -> String? {
            // A number with m is one of minutes.
            let unit = intervals.firstIndex(of: current) ?? intervals.firstIndex { $0.first == current.last } ?? 2
            return intervals.dropFirst(unit + 1).first { name in
                if case .choice(let names) = parameter.kind { names.contains(name) } else { true }
            }
        }

        /// All arguments as text, in the order of their names.
        var query: [(name: String, value: String)] {
            values.sorted { $0.key < $1.key }.map { ($0.key, Self.text($0.value)) }
        }

        private static func text(_ value: JSONValue) -> String {
            switch value {
            case .number(let number): ShortestNumber.shortest(number) ?? ""
            case .bool(let flag): "\(flag)"
            case .array(let values): values.map(text).joined(separator: ",")
            default: value.text ?? ""
            }
        }
    }

    /// Writes the tool for `tools/list`.
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("name", text: name)
            json.member("title", text: title)
            json.member("description", text: about)
            json.object("inputSchema") { json in
                json.member("type", text: "object")
                json.object("properties") { json in
                    for parameter in parameters {
                        json.key(parameter.name)
                        let list = parameter.isList ? "Several are separated by commas." : ""
                        var parameter = parameter
                        if let standard = defaults.first(where: { $0.name == parameter.name }) {
                            parameter.standard = standard.text
                        }
                        let about = [parameter.text, list].filter { !$0.isEmpty }.joined(separator: " ")
                        var description = JSONText()
                        description.string(about)
                        let schema = parameter.isList ? #"{"type":"string"}"# : parameter.schema
                        json.raw(schema.dropLast() + #","description":"# + description.text + "}")
                    }
                }
                let required = parameters.filter(\.isRequired)
                if !required.isEmpty {
                    json.member("required", texts: required.map(\.name))
                }
                json.member("additionalProperties", flag: false)
            }
            json.object("annotations") { json in
                json.member("readOnlyHint", flag: !isWriting)
                json.member("destructiveHint", flag: false)
                json.member("openWorldHint", flag: false)
            }
        }
    }
}

/// Arguments that don't fit a tool; the description says which.
struct AssistantArgumentError: Error {
    let description: String

    init(_ description: String) { self.description = description }
}
