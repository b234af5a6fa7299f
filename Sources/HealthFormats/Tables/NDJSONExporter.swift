public import HealthEngine
import HealthModel
import HealthSQL

/// Writes a store as one JSON object a line: the person, then samples by type, then objects with their bodies,
/// series and members. What a line does not have is left out of it.
public struct NDJSONExporter {
    private let options: FormatOptions

    /// An exporter with these options.
    public init(_ options: FormatOptions) {
        self.options = options
    }

    /// Writes the file, or to standard output for “-”.
    ///
    /// - Throws: ``FormatError`` for trouble with the target, and storage trouble.
    public func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        guard path != "-" else { return try write(engine, to: path, as: caller) }
        let draft = try Draft(path, replaces: options.replaces)
        try draft.tryFile()
        return try draft.write { try write(engine, to: $0, as: caller) }
    }

    private func write(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try engine.reading(as: caller) { reading in
            let database = try HealthDatabase(reading, timeZone: options.timeZone)
            let selection = RowSelection(options.selection, in: reading)
            let file = try OutputFile(path)
            var report = FormatReport()
            report.files = 1
            for table in database.schema.tables {
                guard let sql = Self.statements[table.name], let condition = selection.condition(on: table) else { continue }
                let statement = try database.statement(sql + condition)
                var writer = RowWriter(statement, as: .ndjson, omitsNull: true) { try file.write($0) }
                try writer.begin()
                var count = 0
                while try statement.step() {
                    try writer.write(statement)
                    count += 1
                }
                try writer.end()
                if count > 0 { report.add(table.name, count) }
            }
            try file.finish()
            return report
        }
    }

    /// By table, what a line of it has.
    private static let statements = [
        "characteristics": "SELECT 'characteristic' AS kind, name AS type, value FROM characteristics",
        "samples": """
            SELECT CASE WHEN unit IS NULL THEN 'category' ELSE 'quantity' END AS kind, identifier AS type, start_date,
                end_date, value, value_name, unit, source, bundle_identifier, revision_id, device, device_id,
                creation_date, metadata, uuid, sequence
            FROM samples
            """,
        "objects": """
            SELECT kind, identifier AS type, start_date, end_date, body, series, members, source, bundle_identifier,
                revision_id, device, device_id, creation_date, metadata, uuid, sequence
            FROM objects
            """,
        "source_revisions": "SELECT 'source' AS kind, * FROM source_revisions",
        "devices": "SELECT 'device' AS kind, * FROM devices",
    ]
}
