import Foundation
import HealthAccess
import HealthAnswers
import HealthFormats
import HealthModel
import HealthJSON

/// The tools, and how they are run: each is a request of the API, so an assistant sees what the API shows, with the
/// same permissions.
struct AssistantTools: Sendable {
    /// Whether the tool that saves a sample is among them.
    let allowsWriting: Bool
    private let person: String
    private let identity: Identity
    private let dispatcher: APIDispatcher
    /// The time, and the calendar of the person's days.
    let now: Date
    let calendar: Calendar

    /// The largest result, in bytes. A larger one would fill the assistant's context.
    static let maximumBytes = 60_000

    init(
        dispatcher: APIDispatcher, person: String, identity: Identity, allowsWriting: Bool, now: Date,
        timeZone: TimeZone
    ) {
        self.now = now
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
        self.dispatcher = dispatcher
        self.person = person
        self.identity = identity
        self.allowsWriting = allowsWriting && !identity.isReadOnly
    }

    var all: [AssistantTool] { allowsWriting ? Self.reading + [Self.logSample] : Self.reading }

    /// The result of a tool.
    struct Outcome: Sendable {
        /// The API's JSON, or a sentence about an error.
        var text: [UInt8]
        var isError = false
        /// Whether the text is a JSON object.
        var isObject: Bool { !isError && text.first == UInt8(ascii: "{") }
    }

    /// Runs a tool. If the answer is too large, it is asked for longer intervals or fewer results, and says so.
    func run(_ tool: AssistantTool, arguments: JSONValue) async -> Outcome {
        func failure(_ text: String) -> Outcome { Outcome(text: Array(text.utf8), isError: true) }
        do {
            var arguments = try AssistantTool.Arguments(arguments, of: tool, now: now, calendar: calendar)
            var note: String?
            while true {
                let call = try tool.call(arguments)
                let answer = try await dispatcher.answer(call, person: person, identity: identity)
                // A file that is too large has its address instead.
                let isTooMuch =
                    answer.isCut && answer.fileName == nil
                    || answer.problem?.contains(StatisticsIntervals.tooMany) ?? false
                guard answer.status < 400 || isTooMuch else { return failure(answer.problem ?? "") }
                let text =
                    answer.fileName == nil
                    ? tool.result.text(answer.bytes, note: note)
                    : AssistantFile(answer, address: "/v1/people/\(person)/\(call.path)").text(
                        within: Self.maximumBytes)
                guard isTooMuch || text.count > Self.maximumBytes else { return Outcome(text: text) }
                guard let change = arguments.reduce(tool) else {
                    return failure(
                        "The result has more than \(Self.maximumBytes) bytes. Ask for a shorter range, a longer "
                            + "interval or a smaller limit.")
                }
                note = "The answer to what was asked has more than \(Self.maximumBytes) bytes. \(change)"
            }
        } catch let error as AssistantArgumentError {
            return failure(error.description)
        } catch {
            return failure(Problem(error).detail)
        }
    }
}

// MARK: - The tools

extension AssistantTools {
    static let reading: [AssistantTool] =
        Questions.all.map { tool($0) } + [
            AssistantTool(
                .getSamples, at: "samples",
                result: AssistantResult(units: [.init(path: ["samples", "duration"], unit: "s")])),
            AssistantTool(.getElectrocardiograms, at: "electrocardiograms"),
            AssistantTool(.exportWorkout, at: "workouts/{uuid}/{format}"),
            AssistantTool(.getCharacteristics, at: "characteristics"),
            AssistantTool(.querySQL, result: AssistantResult(isExact: true)) { arguments in
                sql(
                    arguments.text("query") ?? "", arguments.number("limit").flatMap { Int(exactly: $0) } ?? 100,
                    arguments.text("timeZone"))
            },
            AssistantTool(.describeSQLSchema, result: AssistantResult(isExact: true)) { _ in
                sql(
                    """
                    SELECT l.name AS "table", (SELECT group_concat(c.name || ' ' || c.type, ', ') FROM pragma_table_info(l.name) c) \
                    AS columns FROM pragma_table_list l WHERE l.name NOT LIKE 'sqlite%' ORDER BY l.name
                    """, 1_000, nil)
            },
        ]

    /// The ranges and the details of questions that fit into a conversation.
    private static let defaults: [String: [AssistantTool.Default]] = [
        "get_statistics": [.init(name: "start", value: .daysAgo(30))],
        "get_activity_rings": [.init(name: "start", value: .daysAgo(6))],
        "get_energy_balance": [.init(name: "start", value: .daysAgo(6))],
        "get_sleep": [.init(name: "segments", value: .text("false"))],
    ]

    private static func tool<Asked: Question>(_ question: Asked.Type) -> AssistantTool {
        AssistantTool(question, defaults: defaults[Asked.about.tool] ?? [])
    }

    private static func sql(_ query: String, _ limit: Int, _ timeZone: String?) -> AssistantTool.Call {
        let body = JSONText.objectBytes { json in
            json.member("query", text: query)
            json.member("limit", integer: limit)
            json.member("timeZone", text: timeZone)
        }
        return AssistantTool.Call(isPost: true, path: "sql", body: body)
    }

    static let logSample = AssistantTool(.logSample, isWriting: true) { arguments throws(AssistantArgumentError) in
        guard (arguments.number("quantity") == nil) != (arguments.text("value") == nil) else {
            throw AssistantArgumentError("Give either quantity and unit, or value.")
        }
        let body = JSONText.objectBytes { json in
            json.array("samples") { json in
                json.object { json in
                    json.member("type", text: arguments.text("type"))
                    json.member("startDate", text: arguments.text("startDate"))
                    json.member("endDate", text: arguments.text("endDate"))
                    json.member("quantity", number: arguments.number("quantity"))
                    json.member("unit", text: arguments.text("unit"))
                    if let value = arguments.text("value") {
                        json.key("value")
                        if let number = Int(value) { json.integer(Int64(number)) } else { json.string(value) }
                    }
                }
            }
        }
        return AssistantTool.Call(isPost: true, path: "samples", body: body)
    }
}
