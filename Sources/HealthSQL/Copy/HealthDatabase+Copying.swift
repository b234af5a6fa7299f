import GRDBSQLite
import HealthEngine

extension HealthDatabase {
    /// Copies the tables into a new SQLite file as plain tables, with keys, references and indexes, and the views
    /// beside them, so that any program that reads SQLite can go on from there.
    ///
    /// The file is not durable before it is synchronised: write under a temporary name and rename it.
    ///
    /// - Returns: how many rows each table got.
    /// - Throws: ``SQLError``, among them that the file cannot be written.
    public func copyTables(
        to path: String, selection: RowSelection
    ) throws -> [(table: String, rows: Int)] {
        try guardian.open {
            try execute("ATTACH \(SchemaCatalog.literal(path)) AS plain")
            defer { try? execute("DETACH plain") }
            // Nobody else knows the file yet: what breaks off is thrown away as a whole.
            try execute("PRAGMA plain.page_size = 16384; PRAGMA plain.journal_mode = OFF; PRAGMA plain.synchronous = OFF")
            var counts: [(table: String, rows: Int)] = []
            let tables = schema.tables
            try execute("BEGIN")
            for table in tables { try execute(PlainTable(table).creation) }
            // Nouns first, so that references lead somewhere.
            for table in tables.sorted(by: { Self.rank($0) < Self.rank($1) }) {
                guard let condition = selection.condition(on: table) else { continue }
                let columns = table.columns.map { SchemaCatalog.quoted($0.name) }.joined(separator: ", ")
                try execute("INSERT INTO plain.\(table.name) SELECT \(columns) FROM main.\(table.name)\(condition)")
                counts.append((table.name, Int(sqlite3_changes64(connection))))
            }
            for table in tables { for index in PlainTable(table).indexes { try execute(index) } }
            for view in views {
                try execute(view.sql.replacing("CREATE VIEW ", with: "CREATE VIEW plain.", maxReplacements: 1))
            }
            try execute("COMMIT")
            try execute("PRAGMA plain.optimize")
            return counts
        }
    }

    private static func rank(_ table: SchemaListing.Table) -> Int {
        switch table.rows {
        case .list: 0
        case .samples, .objects: 1
        case .parts, .view: 2
        }
    }
}

/// A table as it is declared in a plain file.
private struct PlainTable {
    let table: SchemaListing.Table

    init(_ table: SchemaListing.Table) {
        self.table = table
    }

    /// Columns that tell a row of another table.
    private static let references = [
        "revision_id": "source_revisions(revision_id)", "device_id": "devices(device_id)", "type": "types(type)",
        "workout": "workouts(sequence)", "correlation": "correlations(sequence)", "route": "workout_routes(sequence)",
        "ecg": "ecgs(sequence)", "series": "objects(sequence)", "audiogram": "objects(sequence)",
    ]
    private static let keys = [
        "types": "type", "source_revisions": "revision_id", "devices": "device_id", "activity_summaries": "day",
        "characteristics": "name",
    ]

    private var key: String? {
        switch table.rows {
        case .samples, .objects: "sequence"
        case .list: Self.keys[table.name]
        case .parts, .view: nil
        }
    }

    var creation: String {
        let columns = table.columns.map { column -> String in
            // Types and activities compare in any case here as there.
            let isName = ["type", "identifier", "activity", "event"].contains(column.name) && column.kind == "TEXT"
            var text = SchemaCatalog.quoted(column.name) + " " + (column.kind == "JSON" ? "TEXT" : column.kind)
            if column.name == key { text += " PRIMARY KEY" }
            if isName { text += " COLLATE NOCASE" }
            if column.name != key, let reference = reference(column) { text += " REFERENCES \(reference)" }
            return text
        }
        return "CREATE TABLE plain.\(table.name) (\n  \(columns.joined(separator: ",\n  "))\n)"
    }

    private func reference(_ column: SchemaListing.Column) -> String? {
        switch table.rows {
        // Members and figures may be of types that have no samples of their own.
        case .parts: column.name == table.columns.first?.name ? Self.references[column.name] : nil
        case .samples, .objects: column.name == "series" ? nil : Self.references[column.name]
        case .list, .view: nil
        }
    }

    var indexes: [String] {
        switch table.rows {
        case .samples, .objects:
            return [
                "CREATE INDEX plain.\(table.name)_by_time ON \(table.name)(type, start_time)",
                "CREATE INDEX plain.\(table.name)_by_day ON \(table.name)(type, day)",
            ]
        case .parts:
            guard let owner = table.columns.first?.name else { return [] }
            return ["CREATE INDEX plain.\(table.name)_by_owner ON \(table.name)(\(SchemaCatalog.quoted(owner)))"]
        case .list, .view: return []
        }
    }
}
