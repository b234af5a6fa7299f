import Foundation
import HealthAccess
import HealthAnswers
import HealthArrow
import HealthEngine
import HealthJSON
import HealthModel
import HealthSQL
import Hummingbird

/// Read-only SQL over the person's store, bounded in rows, bytes and time.
struct SQLResource: PersonResource {
    private static let maximumRows = 10_000
    private static let defaultRows = 1_000
    private static let maximumBytes = 16 << 20
    /// Of a table, whose numbers are binary.
    private static let maximumTableBytes = 32 << 20
    /// Without pauses, and with them at most twice as many.
    private static let maximumSeconds = 5.0

    private struct Statement: Decodable {
        var query: String
        var limit: Int?
        var timeZone: String?
    }

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.post("sql", use: run)
    }

    @Sendable private func run(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        _ = parameters.entries(prefix: "timeZone")
        try parameters.finish()
        let statement = try await request.json(Statement.self, upTo: 256 << 10)
        let format = TableFormat(request)
        let maximum = format == nil ? Self.maximumRows : Int(Int32.max)
        let limit = statement.limit ?? (format == nil ? Self.defaultRows : maximum)
        guard (1...maximum).contains(limit) else {
            throw BodyValue.problem("limit", "Use an integer from 1 to \(maximum).")
        }
        var zone = calendar.timeZone
        if let name = statement.timeZone {
            guard let named = TimeZone(identifier: name) else {
                throw BodyValue.problem("timeZone", "Use a name like Europe/Berlin.")
            }
            zone = named
        }
        let (text, timeZone) = (statement.query, zone)
        guard !text.utf8.contains(0) else { throw BodyValue.problem("query", "It contains a null character.") }
        let (engine, caller) = (context.engine, context.caller)
        calendar.timeZone = zone
        let setting = QuestionSetting(engine: engine, caller: caller, calendar: calendar, now: context.now)
        let nights = try await context.nights(for: text, setting)
        return try await context.pool.statements.run(of: context.access.identity.id) { turn in
            do {
                return try Self.run(text, timeZone, nights, from: engine, as: caller, in: turn) { statement in
                    try format?.response(in: timeZone, upTo: Self.maximumTableBytes) {
                        try StatementBatches.read(statement, limit: limit, timeZone: timeZone, to: $0)
                    } ?? Response(json: Self.json(statement, limit: limit))
                }
            } catch let error as SQLError {
                throw Problem(.invalidSQL, error.description)
            }
        }
    }

    private static func run(
        _ text: String, _ timeZone: TimeZone, _ nights: [[SQLValue]], from engine: HealthEngine, as caller: Caller,
        in turn: StatementTimeSlice,
        _ answer: (SQLStatement) throws -> Response
    ) throws -> Response {
        try engine.withReader(as: caller) { reading in
            let database = try HealthDatabase(reading, timeZone: timeZone, nights: nights)
            try database.limitStatements(seconds: maximumSeconds, pause: turn.check)
            let statements = try database.statements(text)
            guard let statement = statements.first, statements.count == 1 else {
                throw Problem(
                    .invalidSQL,
                    statements.isEmpty ? "The text contains no SQL statement." : "Send one statement at a time.")
            }
            return try answer(statement)
        }
    }

    private static func json(_ statement: SQLStatement, limit: Int) throws -> [UInt8] {
        var (count, isTruncated) = (0, false)
        return try JSONText.objectBytes { json in
            json.member("columns", texts: statement.columnNames)
            try json.array("rows") { json in
                while try statement.step() {
                    guard count < limit else {
                        isTruncated = true
                        break
                    }
                    count += 1
                    try json.array { json in
                        for column in statement.columnNames.indices {
                            json.value(column, of: statement)
                            guard json.bytes.count < maximumBytes else { throw Problem.tooLarge(maximumBytes) }
                        }
                    }
                }
            }
            json.member("isTruncated", flag: isTruncated)
        }
    }
}

extension Problem {
    /// The result of a statement, or a table, is larger than what is held in memory.
    static func tooLarge(_ bytes: Int) -> Problem {
        Problem(.invalidSQL, "The result has more than \(bytes >> 20) MB. Select fewer columns or rows.")
    }
}
