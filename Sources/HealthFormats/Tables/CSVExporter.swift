public import HealthEngine
import HealthModel
import HealthSQL

/// Writes a store as a folder of CSV files, one a type of samples and one for every other table of `hk sql` that
/// has rows. RFC 4180, a line of names first.
public struct CSVExporter {
    private let options: FormatOptions

    /// An exporter with these options.
    public init(_ options: FormatOptions) {
        self.options = options
    }

    private static let samples = [
        "start_date", "end_date", "value", "value_name", "unit", "source", "bundle_identifier", "device",
        "creation_date", "metadata", "uuid", "sequence",
    ]

    /// Writes the folder. It appears with all its files or not at all.
    ///
    /// - Throws: ``FormatError`` for trouble with the target, and storage trouble.
    public func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        let draft = try Draft(path, replaces: options.replaces)
        try draft.makeFolder()
        return try draft.write { folder in
            try engine.reading(as: caller) { reading in
                let database = try HealthDatabase(reading, timeZone: options.timeZone)
                let selection = RowSelection(options.selection, in: reading)
                var report = FormatReport()
                for table in database.schema.tables {
                    guard table.rows == .samples else {
                        guard let condition = selection.condition(on: table) else { continue }
                        try write("SELECT * FROM \(table.name)\(condition)", table.name, folder, database, &report)
                        continue
                    }
                    for type in try reading.types() where type.kind.isPaged && options.selection.includes(type.code) {
                        // Quantities have no names, categories no units.
                        let unwanted = type.kind == .quantity ? "value_name" : "unit"
                        let columns = Self.samples.filter { $0 != unwanted }.joined(separator: ", ")
                        let condition = selection.condition(on: table, type: type.shortName) ?? ""
                        try write(
                            "SELECT \(columns) FROM samples\(condition)", type.shortName, folder, database, &report)
                    }
                }
                return report
            }
        }
    }

    /// One file, made when there is a row for it.
    private func write(
        _ sql: String, _ name: String, _ folder: String, _ database: HealthDatabase, _ report: inout FormatReport
    ) throws {
        let statement = try database.statement(sql)
        guard try statement.step() else { return }
        let file = try OutputFile("\(folder)/\(Self.fileName(name)).csv")
        var writer = RowWriter(statement, as: .csv) { try file.write($0) }
        try writer.begin()
        var count = 0
        repeat {
            try writer.write(statement)
            count += 1
        } while try statement.step()
        try writer.end()
        try file.finish()
        report.add(name, count)
        report.files += 1
    }

    /// Types only an archive knows may be named in any way.
    private static func fileName(_ name: String) -> String {
        let cleaned = name.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "_" }
        return String(cleaned.prefix(120))
    }
}
