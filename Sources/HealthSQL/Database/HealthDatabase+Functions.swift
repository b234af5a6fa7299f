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
            result.integer(Int64((((wall % 86_400) + 86_400) % 86_400) / 3_600))
        },
        time("weekday", "local day of the week, Monday 1 to Sunday 7") { clock, instant, result in
            let number = clock.dayNumber(at: instant)
            result.integer(Int64(((number % 7) + 7) % 7 + 1))
        },
        time("local", "ISO 8601 in the session’s time zone") { $2.date($1, $0) },
        Function(
            name: "local_date", signature: "local_date(date)",
            about: "local day of start_date, start_time or another date, such as 2024-01-31; SQLite’s date() gives the day in UTC",
            argumentCount: 1
        ) { context, arguments, result in
            if let seconds = arguments[0].number {
                return result.day(number: context.clock.dayNumber(at: seconds - unixToReference))
            }
            guard let text = arguments[0].text else { return result.null() }
            guard let instant = context.clock.instant(of: text) else {
                return result.error("local_date() needs a date such as 2024-01-31, start_date or start_time")
            }
            result.day(number: context.clock.dayNumber(at: instant))
        },
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
            guard let value = arguments[0].number, let from = arguments[1].text, let to = arguments[2].text,
                let converted = Units.convert(value, from: from, to: to)
            else { return result.null() }
            result.real(converted)
        },
    ]

    /// A function of an instant in seconds since 1970.
    private static func time(
        _ name: String, _ about: String, _ call: @escaping (LocalClock, Double, SQLResult) -> Void
    ) -> Function {
        Function(name: name, signature: "\(name)(time)", about: about, argumentCount: 1) { context, arguments, result in
            guard let seconds = arguments[0].number else { return result.null() }
            call(context.clock, seconds - unixToReference, result)
        }
    }

    func defineFunctions() throws {
        for (index, function) in Self.functions.enumerated() {
            let call = FunctionCall(index: index, context: context)
            functionCalls.append(call)
            let code = sqlite3_create_function_v2(
                connection, function.name, function.argumentCount, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                Unmanaged.passUnretained(call).toOpaque(),
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
