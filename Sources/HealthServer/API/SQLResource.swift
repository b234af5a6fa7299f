import Foundation
import HealthAnswers
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
        let limit = statement.limit ?? Self.defaultRows
        guard (1...Self.maximumRows).contains(limit) else {
            throw BodyValue.problem("limit", "Use an integer from 1 to \(Self.maximumRows).")
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
        return try await context.pool.statements.run(of: context.access.identity.id) { turn in
            do {
                return Response(
                    json: try Self.answer(text, limit: limit, timeZone, from: engine, as: caller, in: turn))
            } catch let error as SQLError {
                throw Problem(.invalidSQL, error.description)
            }
        }
    }

    private static func answer(
        _ text: String, limit: Int, _ timeZone: TimeZone, from engine: HealthEngine, as caller: Caller,
        in turn: StatementTurn
    ) throws -> [UInt8] {
        try engine.withReader(as: caller) { reading in
            let database = try HealthDatabase(reading, timeZone: timeZone)
            try database.limitStatements(seconds: maximumSeconds, pause: turn.check)
            let statements = try database.statements(text)
            guard let statement = statements.first, statements.count == 1 else {
                throw Problem(
                    .invalidSQL,
                    statements.isEmpty ? "The text contains no SQL statement." : "Send one statement at a time.")
            }
            var json = JSONText()
            var (count, isTruncated) = (0, false)
            try json.object { json in
                json.member("columns", texts: statement.columnNames)
                try json.array("rows") { json in
                    while try statement.step() {
                        guard count < limit else {
                            isTruncated = true
                            break
                        }
                        count += 1
                        json.array { json in for value in statement.values { json.value(value) } }
                        guard json.bytes.count < maximumBytes else {
                            throw Problem(
                                .invalidSQL,
                                "The result has more than \(maximumBytes >> 20) MB. Select fewer columns or rows.")
                        }
                    }
                }
                json.member("isTruncated", flag: isTruncated)
            }
            return json.bytes
        }
    }
}

extension JSONText {
    fileprivate mutating func value(_ value: SQLValue) {
        switch value {
        case .null: null()
        case .integer(let number): integer(number)
        case .real(let number): self.number(number)
        case .text(let text): string(text)
        case .blob(let bytes): string(Base64.text(bytes))
        }
    }
}
