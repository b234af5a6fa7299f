import ArgumentParser
import Foundation
import HealthEngine
import HealthSQL

/// `hk sql "SELECT …"`: any question, in SQL, over the store itself.
struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Answer SQL over the store.",
        discussion: """
            The samples, workouts and everything else are tables of SQLite, read from the store as the \
            statement goes along; nothing can be written. --schema lists tables, columns and functions. \
            Dates are local: start_date and day are text, start_time is seconds since 1970. Sums over samples \
            count what two sources measured twice; the table daily has them merged, as HealthKit does. Without \
            a statement it is read from standard input.

              hk sql "SELECT day, sum FROM daily WHERE type = 'stepCount'"
              hk sql "SELECT * FROM workouts WHERE activity = 'running'" --format csv
              hk sql --schema
            """)

    @Argument(help: "The statement, or several with semicolons between.")
    var statement: String?

    @Option(name: .long, help: "How to answer: table, csv, json or ndjson; a table unless told.")
    var format: SQLFormat?

    @Option(name: .long, help: "The time zone dates are told in; the machine's if not given.")
    var timeZone: String?

    @Flag(name: .long, help: "List tables, columns and functions.")
    var schema = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("“\(timeZone)” is no time zone; it is wanted like Europe/Berlin.")
        }
        if options.json, let format, format != .json { throw ValidationError("--json and --format \(format.rawValue) differ.") }
        if schema, statement != nil { throw ValidationError("--schema stands alone, without a statement.") }
    }

    func run() throws {
        let text = schema ? "" : try statement ?? input()
        let engine = try options.openEngine()
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? .current
        try engine.reading(as: .person) { reading in
            let database = try HealthDatabase(reading, timeZone: zone)
            guard !schema else { return try SchemaText(database.schema).print(asJSON: options.json) }
            let statements = try database.statements(text)
            if statements.isEmpty { throw UsageError("There is no statement.") }
            for (index, statement) in statements.enumerated() where !statement.columnNames.isEmpty {
                try print(statement, isFirst: index == 0)
            }
        }
    }

    private func print(_ statement: SQLStatement, isFirst: Bool) throws {
        let format = options.json ? SQLFormat.json : self.format ?? .table
        guard let rows = format.rows else {
            if !isFirst { try StandardOutput.send(Array("\n".utf8)) }
            return try ResultTable(statement).print()
        }
        var writer = RowWriter(statement, as: rows, to: StandardOutput.send)
        try writer.begin()
        while try statement.step() { try writer.write(statement) }
        try writer.end()
    }

    /// The statement that comes in by standard input.
    private func input() throws -> String {
        guard !Terminal.inputIsTerminal else {
            throw UsageError("A statement is wanted, such as hk sql \"SELECT * FROM types\".")
        }
        let data = try FileHandle.standardInput.readToEnd() ?? Data()
        guard let text = String(data: data, encoding: .utf8) else { throw UsageError("Standard input is no UTF-8 text.") }
        return text
    }
}
