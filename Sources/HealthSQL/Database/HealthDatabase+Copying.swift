public import Foundation
import GRDBSQLite
public import HealthEngine
package import HealthModel

extension HealthDatabase {
    /// Copies the tables and views into a new SQLite file as plain tables with keys, references and indexes, for use
    /// by any program that reads SQLite.
    ///
    /// The file isn't synchronized to disk: write to a temporary path, synchronize it, and rename it.
    ///
    /// - Returns: The number of rows copied into each table.
    /// - Throws: ``SQLError``, for example if the file can't be written.
    public func copyTables(
        to path: String, selection: RowConditions, applicationID: Int32 = 0
    ) throws -> [(table: String, rows: Int)] {
        try authorizer.allowingWrites {
            try execute("ATTACH \(SchemaCatalog.literal(path)) AS plain")
            defer { try? execute("DETACH plain") }
            // No other program uses the file yet, and an incomplete copy is discarded as a whole.
            try execute(
                """
                PRAGMA plain.page_size = 16384; PRAGMA plain.application_id = \(applicationID);
                PRAGMA plain.journal_mode = OFF; PRAGMA plain.synchronous = OFF
                """)
            var counts: [(table: String, rows: Int)] = []
            let tables = schema.tables
            try execute("BEGIN")
            let areNamesUnique = try hasUniqueTypeNames()
            for table in tables { try execute(PlainTable(table: table, areTypeNamesUnique: areNamesUnique).creation) }
            // Dictionaries first, so that references resolve.
            for table in tables.sorted(by: { Self.rank($0) < Self.rank($1) }) {
                guard let condition = selection.condition(on: table) else { continue }
                let columns = table.columns.map { SchemaCatalog.quoted($0.name) }.joined(separator: ", ")
                try execute("INSERT INTO plain.\(table.name) SELECT \(columns) FROM main.\(table.name)\(condition)")
                counts.append((table.name, Int(sqlite3_changes64(connection))))
            }
            for table in tables {
                for index in PlainTable(table: table, areTypeNamesUnique: areNamesUnique).indexes { try execute(index) }
            }
            for view in views {
                try execute(view.sql.replacing("CREATE VIEW ", with: "CREATE VIEW plain.", maxReplacements: 1))
            }
            try execute("COMMIT")
            try execute("PRAGMA plain.optimize")
            return counts
        }
    }

    /// Whether every type has its own short name. Two types that this version doesn't know can share one: a
    /// quantity and a category.
    private func hasUniqueTypeNames() throws -> Bool {
        let names = try statements("SELECT count(*) = count(DISTINCT type COLLATE NOCASE) FROM types")[0]
        return try names.step() && names.integer(0) == 1
    }

    private static func rank(_ table: SchemaListing.Table) -> Int {
        switch table.rows {
        case .list: 0
        case .samples, .objects: 1
        case .parts, .view: 2
        }
    }
}

/// The declaration of a table in a plain file.
private struct PlainTable {
    let table: SchemaListing.Table
    /// Whether the short name of a type can be a key, to which other tables refer.
    let areTypeNamesUnique: Bool

    /// Columns that reference a row of another table.
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
        case .list: table.name == "types" && !areTypeNamesUnique ? nil : Self.keys[table.name]
        case .parts, .view: nil
        }
    }

    var creation: String {
        let columns = table.columns.map { column -> String in
            // Types and activities are compared without case, as in the virtual tables.
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
        if column.name == "type", !areTypeNamesUnique { return nil }
        return switch table.rows {
        // Members and statistics can have types without samples of their own.
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

/// A selection of a store's contents as SQL conditions.
public struct RowConditions: Sendable {
    private let names: [String]?
    private let times: [String]
    /// The same for rows that are a day each: those of the days that the selection touches.
    private let days: [String]

    /// Creates the conditions of a selection.
    ///
    /// - Parameters:
    ///   - reading: The store's dictionaries, for types that only this store knows.
    ///   - timeZone: The time zone of days.
    public init(_ selection: ContentsSelection, in reading: StoreReader, timeZone: TimeZone) {
        let clock = LocalClock(timeZone: timeZone)
        func day(_ instant: Double) -> String {
            SchemaCatalog.literal(LocalClock.dayText(number: clock.dayNumber(at: instant)))
        }
        days = [
            selection.since.map { "day >= \(day($0))" }, selection.until.map { "day <= \(day($0.nextDown))" },
        ].compactMap { $0 }
        names = selection.types?.compactMap { reading.dictionaries.type($0)?.shortName }.sorted()
        times = [
            selection.since.map { "start_time >= \($0 + unixToReference)" },
            selection.until.map { "start_time < \($0 + unixToReference)" },
        ].compactMap { $0 }
    }

    /// The `WHERE` clause for a table: empty if every row is selected, `nil` if none can be.
    ///
    /// - Parameter type: The short name of the only type to select.
    public func condition(on table: SchemaListing.Table, type: String? = nil) -> String? {
        switch table.rows {
        case .samples, .objects:
            return Self.joined(own(type))
        case .parts:
            let inner = own(type)
            guard !inner.isEmpty, let owner = table.columns.first?.name else { return "" }
            return " WHERE \(owner) IN (SELECT sequence FROM objects\(Self.joined(inner)))"
        case .list:
            let isOfDays = table.name == "daily" || table.name == "activity_summaries"
            if table.name == "types" || table.name == "daily", let names {
                return Self.joined([Self.among(names)] + (isOfDays ? days : []))
            }
            if table.name == "activity_summaries", let names, !names.contains("activitySummary") { return nil }
            if isOfDays { return Self.joined(days) }
            if table.name == "characteristics", names != nil { return nil }
            return ""
        case .view: return nil
        }
    }

    /// The statement for the rows of a type that isn't in pages, from the table that has most to say of it.
    package func rows(of type: TypeDescription) -> String {
        if type.kind == .activitySummary { return "SELECT * FROM activity_summaries" + Self.joined(days) }
        // A pair in a row; the condition is that of the view.
        if type.shortName == "bloodPressure" { return "SELECT * FROM blood_pressure" + Self.joined(times) }
        let table =
            switch type.identifier {
            case "HKWorkoutTypeIdentifier": "workouts"
            case "HKWorkoutRouteTypeIdentifier": "workout_routes"
            case "HKDataTypeIdentifierElectrocardiogram": "ecgs"
            default: "objects"
            }
        return "SELECT * FROM \(table)" + Self.joined(self.own(type.shortName))
    }

    private func own(_ type: String?) -> [String] {
        (type.map { ["type = \(SchemaCatalog.literal($0))"] } ?? names.map { [Self.among($0)] } ?? []) + times
    }

    private static func among(_ names: [String]) -> String {
        "type IN (" + names.map(SchemaCatalog.literal).joined(separator: ", ") + ")"
    }

    private static func joined(_ conditions: [String]) -> String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }
}
