import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthModel
import HealthSQL

/// `hk sql "SELECT …"`: runs read-only SQL over the store.
struct SQLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Query the store with SQL.",
        discussion: """
            Samples, workouts and all other contents are SQLite tables that are read from the store while the \
            statement runs. Nothing can be written. --schema lists tables, columns and functions. Dates are local: \
            start_date and day are text, and start_time is seconds since 1970. Group by day or local_date(start_date): \
            SQLite’s own date() gives the day in UTC. A sum over samples counts twice what \
            two sources measured at the same time; the table daily has sums that are merged as in HealthKit, and the table \
            nights has sleep by night. \
            A text or blob has at most 64 MiB. \
            Without an argument, the statement is read from standard input.

              hk sql "SELECT day, sum FROM daily WHERE type = 'stepCount'"
              hk sql "SELECT day, asleep / 3600 AS hours FROM nights"
              hk sql "SELECT * FROM workouts WHERE activity = 'running'" --format csv
              hk sql --schema
            """)

    @Argument(help: "The statement, or several separated by semicolons.")
    var statement: String?

    @Option(name: .long, help: "The output format: table, csv, json or ndjson (default: table).")
    var format: SQLFormat?

    @Option(name: .long, help: "The time zone of dates (default: the one given at import, or the system’s).")
    var timeZone: String?

    @Flag(name: .long, help: "List tables, columns and functions.")
    var schema = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        try TimeZoneArgument.validate(timeZone)
        if options.json, let format, format != .json {
            throw ValidationError("--json and --format \(format.rawValue) contradict each other.")
        }
        if schema, statement != nil { throw ValidationError("--schema can’t be combined with a statement.") }
    }

    func run() async throws {
        let text = schema ? "" : try statement ?? input()
        let engine = try options.openEngine()
        let calendar = try RangeOptions.calendar(timeZone, options)
        let zone = calendar.timeZone
        let setting = QuestionSetting(engine: engine, caller: .person, calendar: calendar, now: CurrentTime.now)
        let nights = try await options.commandStore().nights(for: text, setting)
        try engine.withReader(as: .person) { reading in
            let database = try HealthDatabase(reading, timeZone: zone, nights: nights)
            database.limitValues()
            guard !schema else { return try SchemaText(database.schema).print(asJSON: options.json) }
            let statements = try statements(of: text, database, reading.dictionaries)
            if statements.isEmpty { throw UsageError("The input contains no SQL statement.") }
            warn(about: text, zone, reading.dictionaries)
            for (index, statement) in statements.enumerated() where !statement.columnNames.isEmpty {
                try print(statement, isFirst: index == 0)
            }
        }
    }

    /// The statements of a text. If a table doesn't exist, but is what a type is called, the error names the view of
    /// the type.
    private func statements(
        of text: String, _ database: HealthDatabase, _ dictionaries: StoreDictionaries
    ) throws -> [SQLStatement] {
        do {
            return try database.statements(text)
        } catch let error as SQLError where error.description.hasPrefix("no such table: ") {
            let name = String(error.description.dropFirst("no such table: ".count))
            guard let type = try? TypeName.resolve(name, dictionaries: dictionaries),
                let view = database.schema.views.first(where: {
                    $0.name.replacing("_", with: "") == TypeName.short(type.identifier).lowercased()
                })
            else { throw error }
            throw SQLError("\(error.description). Did you mean \(view.name)?")
        }
    }

    /// Reports on standard error what the statement probably doesn't mean.
    private func warn(about text: String, _ zone: TimeZone, _ dictionaries: StoreDictionaries) {
        let all = TypeCatalog.all + dictionaries.types
        let advice = StatementAdvice(text, typeNames: Set(all.map { TypeName.short($0.identifier).lowercased() }))
        var warnings: [String] = []
        if zone.secondsFromGMT() != 0 {
            warnings += advice.callsInUTC.map {
                "\($0) is in UTC. Use the column day or local_date(start_date) for local days, and local(start_time) for local times."
            }
        }
        warnings += advice.unknownTypes.map { name in
            let found = try? TypeName.resolve(name, dictionaries: dictionaries)
            let hint =
                found.map { "Use type = '\(TypeName.short($0.identifier))'." }
                ?? "SELECT type FROM types lists the types in the store."
            return "“\(name)” is not the short name of a type, so nothing matches it. \(hint)"
        }
        for warning in warnings { Terminal.printError("\(Terminal.error.styled("Warning:", .yellow)) \(warning)\n") }
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

    /// The statement from standard input.
    private func input() throws -> String {
        guard !Terminal.inputIsTerminal else {
            throw UsageError("Give a statement, such as hk sql \"SELECT * FROM types\".")
        }
        let data = try FileHandle.standardInput.readToEnd() ?? Data()
        guard let text = String(data: data, encoding: .utf8) else {
            throw UsageError("Standard input is not UTF-8 text.")
        }
        return text
    }
}

/// The output format of `hk sql`.
enum SQLFormat: String, CaseIterable, ExpressibleByArgument {
    /// Aligned columns for people.
    case table
    case csv
    case json
    case ndjson

    /// The machine-readable row format; `nil` for the aligned table.
    var rows: RowFormat? { RowFormat(rawValue: rawValue) }
}

/// The rows of a statement in aligned columns.
///
/// Column widths are those of the first thousand rows, so that results of any length can be streamed.
struct ResultTable {
    private let statement: SQLStatement
    private static let measuredCount = 1_000
    /// The text that is printed at once.
    private static let chunkBytes = 1 << 16

    init(_ statement: SQLStatement) {
        self.statement = statement
    }

    func print() throws {
        var first: [[(text: String, isNumber: Bool)]] = []
        var isEnded = false
        while first.count < Self.measuredCount {
            guard try statement.step() else {
                isEnded = true
                break
            }
            first.append(cells())
        }
        let columns = statement.columnNames.indices.map { column in
            // Columns that contain only numbers are right-aligned.
            Table.Column(
                title: statement.columnNames[column],
                isNumber: first.contains { $0[column].isNumber }
                    && first.allSatisfy { $0[column].isNumber || $0[column].text.isEmpty })
        }
        var table = Table(columns)
        for row in first { table.add(row.map(\.text)) }
        try StandardOutput.send(Array(table.text().utf8))
        guard !isEnded else { return }
        let widths = table.widths(on: .output)
        let fits = table.fits(widths, on: .output)
        var bytes: [UInt8] = []
        while try statement.step() {
            let row = cells().map(\.text)
            if fits {
                table.append(row, widths, on: .output, to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            } else {
                bytes += ("\n" + table.block(row, on: .output)).utf8
            }
            guard bytes.count >= Self.chunkBytes else { continue }
            try StandardOutput.send(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        try StandardOutput.send(bytes)
    }

    private func cells() -> [(text: String, isNumber: Bool)] {
        statement.values.map { value in
            switch value {
            case .null: ("", false)
            case .integer(let number): (String(number), true)
            case .real(let number): (Self.text(number), true)
            // Line breaks within a text would look like rows.
            case .text(let text): (Self.oneLine(text), false)
            case .blob(let bytes): ("\(bytes.count) bytes", false)
            }
        }
    }

    private static func oneLine(_ text: String) -> String {
        // Without one of these bytes there is no line break, and finding characters takes long.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x85 || $0 == 0xA8 || $0 == 0xA9 }) else { return text }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Whole numbers without a decimal point, others without binary rounding errors.
    private static func text(_ number: Double) -> String {
        if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
        return NumberOutput.plain(number)
    }
}

/// The output of `hk sql --schema`.
struct SchemaText {
    private let schema: SchemaListing

    init(_ schema: SchemaListing) {
        self.schema = schema
    }

    private struct Answer: Encodable {
        struct Table: Encodable {
            var name: String
            var about: String
            var columns: [Column]
        }

        struct Column: Encodable {
            var name: String
            var type: String
            var about: String
        }

        struct Function: Encodable {
            var signature: String
            var about: String
        }

        var tables: [Table]
        var views: [Table]
        var functions: [Function]
    }

    func print(asJSON: Bool) throws {
        guard !asJSON else { return try JSONOutput.print(answer) }
        var text = ""
        for table in schema.tables {
            text +=
                Terminal.output.entry(
                    "\(Terminal.output.styled(table.name, .bold))  ", table.about, after: table.name.count + 2) + "\n"
            let width = table.columns.map(\.name.count).max() ?? 0
            for column in table.columns {
                text +=
                    Terminal.output.entry(
                        "  " + padded(column.name, width) + padded(column.kind, 7), column.about, after: width + 13)
                    + "\n"
            }
            text += "\n"
        }
        text += list("Views", schema.views.map { ($0.name, $0.about) })
        text += "\n" + list("Functions", schema.functions.map { ($0.signature, $0.about) })
        try StandardOutput.send(Array(text.utf8))
    }

    private func list(_ title: String, _ lines: [(String, String)]) -> String {
        let width = lines.map(\.0.count).max() ?? 0
        return Terminal.output.styled(title, .bold) + "\n"
            + lines.map { Terminal.output.entry("  " + padded($0.0, width), $0.1, after: width + 4) + "\n" }.joined()
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count) + 2)
    }

    private var answer: Answer {
        func tables(_ list: [SchemaListing.Table]) -> [Answer.Table] {
            list.map { table in
                Answer.Table(
                    name: table.name, about: table.about,
                    columns: table.columns.map { .init(name: $0.name, type: $0.kind, about: $0.about) })
            }
        }
        return Answer(
            tables: tables(schema.tables), views: tables(schema.views),
            functions: schema.functions.map { .init(signature: $0.signature, about: $0.about) })
    }
}
