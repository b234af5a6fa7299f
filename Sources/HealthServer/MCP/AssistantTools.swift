import Foundation
import HealthAccess
import HealthAnswers
import HealthDevices
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
    private typealias Parameter = QuestionDescription.Parameter

    static let reading: [AssistantTool] =
        Questions.all.map { tool($0) } + [
            .reading(
                "samples", name: "get_samples", title: "Samples",
                about:
                    "Returns single samples of a type with values, units, dates and sources, the newest first. For totals and "
                    + "averages use get_statistics.",
                parameters: [
                    .sampleTypes, .start, .end, .timeZone,
                    Parameter(name: "sort", kind: .choice(["startDate", "-startDate"]), about: "The order."),
                    limit(200, 25), .unit,
                ], defaults: [standard("sort", "-startDate"), standard("limit", "25")],
                result: AssistantResult(units: [.init(path: ["samples", "duration"], unit: "s")])),
            .reading(
                "electrocardiograms", name: "get_electrocardiograms", title: "Electrocardiograms",
                about:
                    "Returns electrocardiograms with classification, symptoms and average heart rate, the newest first.",
                parameters: [.start, .end, .timeZone, limit(100, 10)],
                defaults: [standard("limit", "10")]),
            .reading(
                "workouts/{uuid}/{format}", name: "export_workout", title: "Workout as a file",
                about:
                    "Returns a workout with route, heart rate, cadence, power, laps and pauses as a file for another program. A "
                    + "file that is too large for a conversation has an address instead of its content.",
                parameters: [
                    Parameter(
                        name: "uuid", kind: .text, about: "The UUID of the workout, from get_workouts.",
                        isRequired: true),
                    Parameter(
                        name: "format", kind: .choice(WorkoutFileFormat.allCases.map(\.rawValue)),
                        about: "The format; only fit and tcx have workouts without a route."), .timeZone,
                ], defaults: [standard("format", "fit")]),
            .reading(
                "characteristics", name: "get_characteristics", title: "Characteristics",
                about:
                    "Returns the person's date of birth, sex, blood type and other characteristics, as far as they are known.",
                parameters: []),
            AssistantTool(
                name: "query_sql", title: "SQL",
                about:
                    "Runs one read-only SQL statement (SQLite) over all data. describe_sql_schema lists tables and columns.",
                parameters: [
                    Parameter(name: "query", kind: .text, about: "A SELECT statement.", isRequired: true),
                    limit(500, 100), .timeZone,
                ], result: AssistantResult(isExact: true)
            ) { arguments in
                sql(
                    arguments.text("query") ?? "", arguments.number("limit").flatMap { Int(exactly: $0) } ?? 100,
                    arguments.text("timeZone"))
            },
            AssistantTool(
                name: "describe_sql_schema", title: "Tables for SQL",
                about: "Lists the tables and their columns for query_sql.", parameters: [],
                result: AssistantResult(isExact: true)
            ) { _ in
                sql(
                    """
                    SELECT l.name AS "table", (SELECT group_concat(c.name || ' ' || c.type, ', ') FROM pragma_table_info(l.name) c) \
                    AS columns FROM pragma_table_list l WHERE l.name NOT LIKE 'sqlite%' ORDER BY l.name
                    """, 1_000, nil)
            },
        ]

    private static func limit(_ maximum: Int, _ standard: Int) -> Parameter {
        Parameter(
            name: "limit", kind: .integer(1...maximum), about: "The maximum number of results.",
            standard: "\(standard)")
    }

    private static func standard(_ name: String, _ value: String) -> AssistantTool.Default {
        AssistantTool.Default(name: name, value: .text(value))
    }

    /// The ranges and the details of questions that fit into a conversation.
    private static let defaults: [String: [AssistantTool.Default]] = [
        "get_statistics": [.init(name: "start", value: .daysAgo(30))],
        "get_activity_rings": [.init(name: "start", value: .daysAgo(6))],
        "get_energy_balance": [.init(name: "start", value: .daysAgo(6))],
        "get_sleep": [standard("segments", "false")],
    ]

    private static func tool<Asked: Question>(_ question: Asked.Type) -> AssistantTool {
        AssistantTool(question, defaults: defaults[Asked.about.tool] ?? [])
    }

    private static func sql(_ query: String, _ limit: Int, _ timeZone: String?) -> AssistantTool.Call {
        var json = JSONText()
        json.object { json in
            json.member("query", text: query)
            json.member("limit", integer: limit)
            json.member("timeZone", text: timeZone)
        }
        return AssistantTool.Call(isPost: true, path: "sql", body: json.bytes)
    }

    static let logSample = AssistantTool(
        name: "log_sample", title: "Log a sample",
        about: "Saves one quantity or category sample, such as a weight, a drink or a symptom.",
        parameters: [
            .type,
            Parameter(
                name: "value", kind: .text, about: "For categories, the value's name or number, such as moderate."),
            Parameter(name: "quantity", kind: .number, about: "For quantities, the number in the unit."),
            Parameter(name: "unit", kind: .text, about: "For quantities, a HealthKit unit string."),
            Parameter(
                name: "startDate", kind: .instant,
                about: "The beginning, in ISO 8601, such as 2026-02-01T08:00:00+01:00.", isRequired: true),
            Parameter(name: "endDate", kind: .instant, about: "The end.", standard: "the beginning"),
        ], isWriting: true
    ) { arguments throws(AssistantArgumentError) in
        guard (arguments.number("quantity") == nil) != (arguments.text("value") == nil) else {
            throw AssistantArgumentError("Give either quantity and unit, or value.")
        }
        var json = JSONText()
        json.object { json in
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
        return AssistantTool.Call(isPost: true, path: "samples", body: json.bytes)
    }
}
