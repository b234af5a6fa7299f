import GRDBSQLite
import HealthModel

/// The SQL functions beyond SQLite's own: dates in the session's time zone, and units.
extension HealthDatabase {
    /// A function: its signature and description for `hk sql --schema`, and its implementation.
    struct Function {
        let name: String
        let signature: String
        let about: String
        let argumentCount: Int32
        let call: (TableContext, [SQLArgument], SQLResult) -> Void
    }

    nonisolated(unsafe) static let functions: [Function] = [
        time("day", "local day, such as 2024-01-31") { $2.day(number: $0.dayNumber(at: $1)) },
        time("week", "Monday of the local week, such as 2024-01-29") { clock, instant, result in
            // Day 0, the first of 2001, was a Monday.
            let number = clock.dayNumber(at: instant)
            result.day(number: number - ((number % 7) + 7) % 7)
        },
        time("month", "local month, such as 2024-01") { $2.text(String($0.dayText($1).prefix(7))) },
        time("year", "local year as a number") { clock, instant, result in
            result.integer(Int64(CivilDate.date(dayNumber: clock.dayNumber(at: instant)).year))
        },
        time("hour", "local hour, 0 to 23") { clock, instant, result in
            let wall = clock.wallSecond(at: instant)
            result.integer(Int64(CivilDate.split(wall).second / 3_600))
        },
        time("weekday", "local day of the week, Monday 1 to Sunday 7") { clock, instant, result in
            let number = clock.dayNumber(at: instant)
            result.integer(Int64(((number % 7) + 7) % 7 + 1))
        },
        time("local", "ISO 8601 in the session’s time zone") { $2.date($1, $0) },
        time(
            "local_date",
            "local day of start_date, start_time or another date, such as 2024-01-31; SQLite’s date() gives the day in UTC"
        ) { $2.day(number: $0.dayNumber(at: $1)) },
        Function(
            name: "instant", signature: "instant(text)",
            about: "seconds since 1970 of a date such as 2024-01-31 or 2024-01-31 08:30, local unless it has an offset",
            argumentCount: 1
        ) { context, arguments, result in
            guard let text = arguments[0].text else { return result.null() }
            guard let instant = context.clock.instant(of: text) else {
                return result.error("instant() needs a date such as 2024-01-31 or 2024-01-31 08:30")
            }
            result.real(instant + unixToReference)
        },
        Function(
            name: "convert", signature: "convert(value, from, to)",
            about: "the value in another unit, such as convert(value, unit, 'kg'); NULL if the units are incompatible",
            argumentCount: 3
        ) { _, arguments, result in
            // No unit is longer.
            guard let value = arguments[0].number, arguments[1].byteCount <= 1_000, arguments[2].byteCount <= 1_000,
                let from = arguments[1].text, let to = arguments[2].text,
                let converted = QuantityRecord(value, unit: unit(from)).value(in: unit(to))
            else { return result.null() }
            result.real(converted)
        },
    ]

    /// HealthKit's string of a unit as people write it; the text itself if it isn't one.
    private static func unit(_ text: String) -> String { (try? UnitExpression(words: text))?.string ?? text }

    /// A function of a date: seconds since 1970, or a text as in the tables.
    private static func time(
        _ name: String, _ about: String, _ call: @escaping (LocalClock, Double, SQLResult) -> Void
    ) -> Function {
        Function(name: name, signature: "\(name)(date)", about: about, argumentCount: 1) { context, arguments, result in
            if let seconds = arguments[0].number { return call(context.clock, seconds - unixToReference, result) }
            guard sqlite3_value_type(arguments[0].value) != SQLITE_NULL else { return result.null() }
            guard let instant = arguments[0].text.flatMap({ context.clock.instant(of: $0) }) else {
                return result.error("\(name)() needs a date such as 2024-01-31, start_date or start_time")
            }
            call(context.clock, instant, result)
        }
    }

    func defineFunctions() throws {
        for (index, function) in Self.functions.enumerated() {
            let call = FunctionCall(index: index, context: context)
            functionCalls.append(call)
            let code = sqlite3_create_function_v2(
                connection, function.name, function.argumentCount,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, Unmanaged.passUnretained(call).toOpaque(),
                { context, count, values in
                    guard let data = sqlite3_user_data(context) else { return }
                    let call = Unmanaged<FunctionCall>.fromOpaque(data).takeUnretainedValue()
                    let arguments = (0..<Int(count)).map { SQLArgument(value: values?[$0]) }
                    HealthDatabase.functions[call.index].call(call.context, arguments, SQLResult(context: context))
                }, nil, nil, nil)
            guard code == SQLITE_OK else { throw SQLError(message) }
        }
        try defineAggregates()
    }
}

/// The user data of a C function, which identifies its Swift implementation.
final class FunctionCall {
    let index: Int
    let context: TableContext

    init(index: Int, context: TableContext) {
        self.index = index
        self.context = context
    }
}

extension HealthDatabase {
    /// Replaces the functions of SQLite that can take long within one call, where SQLite doesn't call its progress
    /// handler.
    func defineBoundedFunctions(within bounds: StatementBounds) throws {
        let builtIns = try BuiltInFunctions()
        for bound in BoundedFunction.bounds {
            // This version of SQLite may not have the function.
            for count in bound.argumentCounts where builtIns.hasFunction(bound.name, argumentCount: max(Int(count), 1))
            {
                let function = BoundedFunction(bound, bounds, builtIns)
                boundedFunctions.append(function)
                let code = sqlite3_create_function_v2(
                    connection, bound.name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                    Unmanaged.passUnretained(function).toOpaque(),
                    { context, count, values in
                        guard let data = sqlite3_user_data(context) else { return }
                        Unmanaged<BoundedFunction>.fromOpaque(data).takeUnretainedValue()
                            .call(context, (0..<Int(count)).map { SQLArgument(value: values?[$0]) })
                    }, nil, nil, nil)
                guard code == SQLITE_OK else { throw SQLError(message) }
            }
        }
    }
}

/// A function of SQLite whose time is the product of two lengths, or depends on a number in a format. It refuses what
/// would take long and leaves the rest to SQLite's own.
final class BoundedFunction {
    /// The bound of a function.
    struct Bound: Sendable {
        let name: String
        /// Numbers of arguments; -1 for any. With others, it is SQLite's own.
        let argumentCounts: [Int32]
        /// The number of the argument that has to be short.
        let argument: Int
        let maximumBytes: Int
        /// A description of the argument, for the error.
        let about: String
    }

    private let bound: Bound
    private let time: StatementBounds
    private let builtIns: BuiltInFunctions

    init(_ bound: Bound, _ time: StatementBounds, _ builtIns: BuiltInFunctions) {
        (self.bound, self.time, self.builtIns) = (bound, time, builtIns)
    }

    func call(_ context: OpaquePointer?, _ arguments: [SQLArgument]) {
        guard !time.isOver() else { return sqlite3_result_error_code(context, SQLITE_INTERRUPT) }
        let result = SQLResult(context: context)
        if bound.argument < arguments.count {
            let argument = arguments[bound.argument]
            guard argument.byteCount <= bound.maximumBytes else {
                return result.error("\(bound.name)(): \(bound.about) longer than \(bound.maximumBytes) bytes")
            }
            if bound.name == "printf" || bound.name == "format", let format = argument.text, Self.isLong(format) {
                return result.error(
                    "\(bound.name)(): use a width and a precision of at most 999, written in the format instead of *"
                )
            }
        }
        if let matches = matches(arguments) { return result.integer(matches ? 1 : 0) }
        builtIns.call(bound.name, arguments, context)
    }

    /// The result of `LIKE` and `GLOB` for two texts, without another statement for each row.
    private func matches(_ arguments: [SQLArgument]) -> Bool? {
        guard bound.name == "like" || bound.name == "glob", arguments.count == 2,
            arguments.allSatisfy({ sqlite3_value_type($0.value) == SQLITE_TEXT }),
            let pattern = sqlite3_value_text(arguments[0].value), let text = sqlite3_value_text(arguments[1].value)
        else { return nil }
        let patternBytes = UnsafeRawPointer(pattern).assumingMemoryBound(to: CChar.self)
        let textBytes = UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)
        return bound.name == "like"
            ? sqlite3_strlike(patternBytes, textBytes, 0) == 0 : sqlite3_strglob(patternBytes, textBytes) == 0
    }

    /// Whether a width or a precision in a format has four digits, after the flag 0, or is taken from an argument: SQLite
    /// repeats a character as often as they say, even when the text has become too long.
    static func isLong(_ format: String) -> Bool { format.contains(/%[-+ #!,.0-9l]*?(\*|[1-9][0-9]{3})/) }
}

/// SQLite's own functions, called on a connection without data where none is replaced.
final class BuiltInFunctions {
    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init() throws {
        connection = try HealthDatabase.openInMemory()
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(clamping: HealthDatabase.maximumValueBytes))
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// Returns the result of a function, or its error.
    func call(_ name: String, _ arguments: [SQLArgument], _ context: OpaquePointer?) {
        guard let statement = statement(name, arguments.count) else { return fail(context) }
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() {
            guard sqlite3_bind_value(statement, Int32(index + 1), argument.value) == SQLITE_OK else {
                return fail(context)
            }
        }
        guard sqlite3_step(statement) == SQLITE_ROW else { return fail(context) }
        sqlite3_result_value(context, sqlite3_column_value(statement, 0))
    }

    func hasFunction(_ name: String, argumentCount: Int) -> Bool { statement(name, argumentCount) != nil }

    private func statement(_ name: String, _ count: Int) -> OpaquePointer? {
        let parameters = (0..<count).map { "?\($0 + 1)" }.joined(separator: ", ")
        let sql = "SELECT \(name)(\(parameters))"
        if let known = statements[sql] { return known }
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &handle, nil) == SQLITE_OK else { return nil }
        statements[sql] = handle
        return handle
    }

    private func fail(_ context: OpaquePointer?) {
        SQLResult(context: context).error(String(cString: sqlite3_errmsg(connection)))
    }
}
