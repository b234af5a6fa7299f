import Foundation
import HealthFormats
import HealthJSON

/// The tools, and how they are run: each is a request of the API, so an assistant sees what the API shows, with the
/// same permissions.
struct AssistantTools: Sendable {
    /// Whether the tool that saves a sample is among them.
    let allowsWriting: Bool
    private let person: String
    private let identity: Identity
    private let dispatcher: APIDispatcher

    /// The largest result, in bytes. A larger one would fill the assistant's context.
    static let maximumBytes = 60_000

    init(dispatcher: APIDispatcher, person: String, identity: Identity, allowsWriting: Bool) {
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

    /// Runs a tool.
    func run(_ tool: AssistantTool, arguments: JSONValue) async -> Outcome {
        func failure(_ text: String) -> Outcome { Outcome(text: Array(text.utf8), isError: true) }
        do {
            let call = try tool.call(AssistantTool.Arguments(arguments, of: tool))
            let answer = try await dispatcher.answer(call, person: person, identity: identity)
            guard answer.status < 400 else { return failure(answer.problem) }
            guard answer.bytes.count <= Self.maximumBytes else {
                return failure(
                    "The result has \(answer.bytes.count) bytes, more than \(Self.maximumBytes). Ask for a shorter range, a "
                        + "longer interval or a smaller limit.")
            }
            return Outcome(text: answer.bytes)
        } catch let error as AssistantArgumentError {
            return failure(error.description)
        } catch {
            return failure(Problem(error).detail)
        }
    }
}

// MARK: - The tools

extension AssistantTools {
    private typealias Argument = AssistantTool.Argument

    private static let type = Argument(
        name: "type", kind: .text,
        about:
            "A data type: an identifier such as HKQuantityTypeIdentifierStepCount, or a short name such as stepCount.",
        isRequired: true)
    private static let start = Argument(
        name: "start", kind: .text,
        about: "The beginning, in ISO 8601, such as 2026-02-01 or 2026-02-01T08:00:00+01:00.")
    private static let end = Argument(name: "end", kind: .text, about: "The end, not included, in ISO 8601.")
    private static let unit = Argument(
        name: "unit", kind: .text,
        about: "A HealthKit unit string, such as kg or count/min; by default the person's own.")
    private static let timeZone = Argument(
        name: "time_zone", kind: .text,
        about: "The time zone of days and times, such as Europe/Berlin; by default the person's.")

    private static func required(_ argument: Argument) -> Argument {
        var argument = argument
        argument.isRequired = true
        return argument
    }

    private static func limit(_ maximum: Int, _ standard: Int) -> Argument {
        Argument(
            name: "limit", kind: .integer(1...maximum), about: "The maximum number of results; \(standard) by default.")
    }

    private static let range = [("start", "start"), ("end", "end"), ("time_zone", "timeZone")]
        .map { (argument: $0.0, parameter: $0.1) }

    static let reading: [AssistantTool] = [
        AssistantTool(
            name: "list_types", title: "Data types",
            about:
                "Lists the data types the person has, each with its number of samples, first and last date and unit.",
            arguments: [timeZone]
        ) { arguments in
            AssistantTool.Call(path: "types", query: arguments.query([("time_zone", "timeZone")]))
        },
        AssistantTool(
            name: "get_samples", title: "Samples",
            about:
                "Returns single samples of a type with values, units, dates and sources. For totals and averages use "
                + "get_statistics.",
            arguments: [
                type, start, end,
                Argument(
                    name: "order", kind: .choice(["newest", "oldest"]),
                    about: "Which come first; the newest by default."),
                limit(200, 25), unit, timeZone,
            ]
        ) { arguments in
            AssistantTool.Call(
                path: "samples",
                query: arguments.query([("type", "type"), ("unit", "unit")] + range) + [
                    ("sort", arguments.text("order") == "oldest" ? "startDate" : "-startDate"),
                    ("limit", String(arguments.integer("limit") ?? 25)),
                ])
        },
        AssistantTool(
            name: "get_statistics", title: "Statistics",
            about:
                "Returns sums of cumulative types, or averages, minimums and maximums of others, with sources merged as the "
                + "Health app does; for categories the time in each value. With an interval, one for each.",
            arguments: [
                type, required(start), required(end),
                Argument(
                    name: "interval", kind: .choice(["hour", "day", "week", "month", "year"]),
                    about: "The length of intervals; without one, the whole range."), unit, timeZone,
            ]
        ) { arguments in
            let interval = arguments.query([("interval", "interval")])
            return AssistantTool.Call(
                path: interval.isEmpty ? "statistics" : "statistics/collection",
                query: arguments.query([("type", "type"), ("unit", "unit")] + range) + interval)
        },
        AssistantTool(
            name: "get_trend", title: "Trend",
            about:
                "Compares the last days of a quantity type with a baseline before them, and this week with the last.",
            arguments: [
                type,
                Argument(
                    name: "recent_days", kind: .integer(1...366), about: "The days that are compared; 7 by default."),
                Argument(
                    name: "baseline_days", kind: .integer(1...3_660), about: "The days before them; 28 by default."),
                unit, timeZone,
            ]
        ) { arguments in
            AssistantTool.Call(
                path: "trends",
                query: arguments.query([
                    ("type", "type"), ("recent_days", "recentDays"), ("baseline_days", "baselineDays"),
                    ("unit", "unit"),
                    ("time_zone", "timeZone"),
                ]))
        },
        AssistantTool(
            name: "compare_periods", title: "Comparison of two periods",
            about: "Compares a quantity type in one period with another, by daily averages.",
            arguments: [
                type, required(start), required(end),
                Argument(
                    name: "compare_start", kind: .text, about: "The beginning of the other period.", isRequired: true),
                Argument(name: "compare_end", kind: .text, about: "The end of the other period.", isRequired: true),
                unit,
                timeZone,
            ]
        ) { arguments in
            AssistantTool.Call(
                path: "trends",
                query: arguments.query(
                    [
                        ("type", "type"), ("compare_start", "compareStart"), ("compare_end", "compareEnd"),
                        ("unit", "unit"),
                    ]
                        + range))
        },
        AssistantTool(
            name: "get_sleep", title: "Nights of sleep",
            about: "Returns nights with stages, durations and efficiency. A night belongs to the day of waking up.",
            arguments: [required(start), end, timeZone]
        ) { AssistantTool.Call(path: "sleep", query: $0.query(range)) },
        AssistantTool(
            name: "get_activity_rings", title: "Activity rings",
            about: "Returns the Move, Exercise and Stand rings of days, with goals.",
            arguments: [required(start), end, timeZone]
        ) { AssistantTool.Call(path: "activity-summaries", query: $0.query(range)) },
        AssistantTool(
            name: "get_energy_balance", title: "Energy balance",
            about: "Returns consumed, active, resting and net energy of days.",
            arguments: [required(start), end, timeZone]
        ) { AssistantTool.Call(path: "energy-balance", query: $0.query(range)) },
        AssistantTool(
            name: "list_workouts", title: "Workouts",
            about: "Lists workouts, the newest first, with activity, duration, energy and distance.",
            arguments: [
                start, end,
                Argument(name: "activity", kind: .text, about: "An activity, such as running or cycling."),
                limit(100, 20),
                timeZone,
            ]
        ) { arguments in
            AssistantTool.Call(
                path: "workouts",
                query: arguments.query([("activity", "activityType")] + range)
                    + [("limit", String(arguments.integer("limit") ?? 20))])
        },
        AssistantTool(
            name: "get_workout", title: "One workout",
            about: "Returns one workout, or its statistics, heart rate zones or splits.",
            arguments: [
                Argument(name: "uuid", kind: .text, about: "The workout's UUID, from list_workouts.", isRequired: true),
                Argument(
                    name: "part", kind: .choice(["workout", "statistics", "zones", "splits"]),
                    about: "What to return; the workout by default."), timeZone,
            ]
        ) { arguments throws(AssistantArgumentError) in
            guard let uuid = arguments.text("uuid").flatMap({ UUID(uuidString: $0) }) else {
                throw AssistantArgumentError("uuid is not a UUID.")
            }
            let part = arguments.text("part") ?? "workout"
            return AssistantTool.Call(
                path: "workouts/\(uuid.uuidString)" + (part == "workout" ? "" : "/" + part),
                query: arguments.query([("time_zone", "timeZone")]))
        },
        AssistantTool(
            name: "get_today", title: "Today",
            about:
                "Returns today's rings, energy, steps, heart rate, last night and latest workout, each against the last four "
                + "weeks.", arguments: [timeZone]
        ) { AssistantTool.Call(path: "today", query: $0.query([("time_zone", "timeZone")])) },
        AssistantTool(
            name: "get_characteristics", title: "Characteristics",
            about:
                "Returns the person's date of birth, sex, blood type and other characteristics, as far as they are known.",
            arguments: []
        ) { _ in AssistantTool.Call(path: "characteristics") },
        AssistantTool(
            name: "query_sql", title: "SQL",
            about:
                "Runs one read-only SQL statement (SQLite) over all data. describe_sql_schema lists tables and columns.",
            arguments: [
                Argument(name: "query", kind: .text, about: "A SELECT statement.", isRequired: true), limit(500, 100),
                timeZone,
            ]
        ) { arguments in
            sql(arguments.text("query") ?? "", arguments.integer("limit") ?? 100, arguments.text("time_zone"))
        },
        AssistantTool(
            name: "describe_sql_schema", title: "Tables for SQL",
            about: "Lists the tables and their columns for query_sql.",
            arguments: []
        ) { _ in
            sql(
                """
                SELECT l.name AS "table", (SELECT group_concat(c.name || ' ' || c.type, ', ') FROM pragma_table_info(l.name) c) \
                AS columns FROM pragma_table_list l WHERE l.name NOT LIKE 'sqlite%' ORDER BY l.name
                """, 1_000, nil)
        },
    ]

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
        arguments: [
            type,
            Argument(
                name: "value", kind: .text, about: "For categories, the value's name or number, such as moderate."),
            Argument(name: "quantity", kind: .number, about: "For quantities, the number in the unit."),
            Argument(name: "unit", kind: .text, about: "For quantities, a HealthKit unit string."),
            required(start), end,
        ], isWriting: true
    ) { arguments throws(AssistantArgumentError) in
        guard (arguments.number("quantity") == nil) != (arguments.text("value") == nil) else {
            throw AssistantArgumentError("Give either quantity and unit, or value.")
        }
        var json = JSONText()
        json.object { json in
            json.key("samples")
            json.array { json in
                json.object { json in
                    json.member("type", text: arguments.text("type"))
                    json.member("startDate", text: arguments.text("start"))
                    json.member("endDate", text: arguments.text("end"))
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
