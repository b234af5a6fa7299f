import Foundation

/// A table of Health Connect's database, with which one is written that Android imports.
///
/// Tables and columns are those of the Android Open Source Project, packages/modules/HealthFitness.
struct HealthConnectSchema {
    /// The version that Android had when it learned to import. It refuses a later version than its own, and upgrades an
    /// earlier one, for which all tables must be there.
    static let version = 14

    /// The time of the records of a table.
    enum Span: String {
        case moment, period
    }

    let name: String
    let span: Span?
    /// The table of the records to which the rows belong.
    let parent: String?
    /// The table's own columns, as SQL.
    let columns: String

    init(_ name: String, _ kind: String, _ columns: String) {
        (self.name, span, self.columns) = (name, Span(rawValue: kind), columns)
        parent = kind.isEmpty || span != nil ? nil : kind
    }

    private static let record = """
        row_id INTEGER PRIMARY KEY AUTOINCREMENT, uuid BLOB NOT NULL UNIQUE, last_modified_time INTEGER, \
        client_record_id TEXT, client_record_version TEXT, device_info_id INTEGER, app_info_id INTEGER, \
        recording_method INTEGER, dedupe_hash BLOB UNIQUE
        """

    /// The columns of a table by name, and whether each has whole numbers.
    static func columns(of table: String) -> [(name: String, isWhole: Bool)] {
        guard let table = tables.first(where: { $0.name == table }) else {
            preconditionFailure("Health Connect has no \(table).")
        }
        return table.columns.components(separatedBy: ", ").map { column in
            let words = column.components(separatedBy: " ")
            return (words[0], words.dropFirst().first == "INTEGER")
        }
    }

    /// The statement that creates the table.
    var creation: String {
        func reference(_ column: String, _ table: String) -> String {
            "FOREIGN KEY (\(column)) REFERENCES \(table)(row_id) ON DELETE CASCADE"
        }
        func local(_ name: String, _ time: String, _ offset: String) -> String {
            "\(name) INTEGER AS (\(time) + 1000 * \(offset))"
        }
        let parts: [String]
        switch span {
        case .moment:
            parts = [
                Self.record, "time INTEGER, zone_offset INTEGER, local_date INTEGER", columns,
                local("local_date_time", "time", "zone_offset"),
            ]
        case .period:
            parts = [
                Self.record, "start_time INTEGER, start_zone_offset INTEGER",
                "end_time INTEGER, end_zone_offset INTEGER, local_date INTEGER", columns,
                local("local_date_time_start_time", "start_time", "start_zone_offset"),
                local("local_date_time_end_time", "end_time", "end_zone_offset"),
            ]
        case nil: parts = [columns] + (parent.map { [reference("parent_key", $0)] } ?? [])
        }
        let origins = [
            reference("device_info_id", "device_info_table"), reference("app_info_id", "application_info_table"),
        ]
        let all = (parts + (span == nil ? [] : origins)).filter { !$0.isEmpty }
        return "CREATE TABLE \(name) (\(all.joined(separator: ", ")))"
    }

    /// The statement that creates the index with which Android reads the table, if it has one.
    ///
    /// Android asks for a thousand records at a time, in the order of their time, and for the rows of their children.
    var index: String? {
        let column = parent != nil ? "parent_key" : span.map { $0 == .moment ? "time" : "start_time" }
        return column.map { "CREATE INDEX \(parent == nil ? "by_time" : "idx")_\(name)_0 ON \(name)(\($0))" }
    }
}
