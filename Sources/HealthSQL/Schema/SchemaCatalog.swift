import HealthEngine
import HealthModel

/// The SQL schema: the virtual tables over the store, and the views over the tables.
enum SchemaCatalog {
    /// A view: its name, its statement, and its description.
    struct View {
        var name: String
        var sql: String
        var about: String
        /// Whether the statement is for plain files only, because a virtual table has the same rows.
        var isOnlyInFiles = false
        /// Whether it is the view of a type, of which a store can have thousands.
        var isOfType = false
    }

    static func tables(_ context: TableContext) -> [VirtualTable] {
        [SampleTable(context), DailyTable(context)] + workouts(context) + [
            correlations(context), correlationMembers(context),
        ] + recordings(context) + documents(context) + dictionaries(context)
    }

    /// The views: metadata by key, blood pressure in pairs, and one for each type in the store.
    static func views(_ context: TableContext, beside tables: Set<String>) throws -> [View] {
        var views = [
            View(
                name: "metadata",
                sql: """
                    CREATE VIEW metadata AS
                    SELECT s.sequence, s.type, m.key, m.value, m.type AS value_type
                    FROM samples s, json_each(s.metadata) m WHERE s.metadata IS NOT NULL
                    UNION ALL
                    SELECT o.sequence, o.type, m.key, m.value, m.type AS value_type
                    FROM objects o, json_each(o.metadata) m WHERE o.metadata IS NOT NULL
                    """, about: "Metadata of samples and objects, one row per key.", isOnlyInFiles: true),
            View(
                name: "blood_pressure",
                sql: """
                    CREATE VIEW blood_pressure AS
                    SELECT c.start_date, s.value AS systolic, d.value AS diastolic, s.unit, c.source, c.device,
                        c.metadata, c.day, c.start_time, c.sequence
                    FROM correlations c
                    LEFT JOIN correlation_members s
                        ON s.correlation = c.sequence AND s.type = 'bloodPressureSystolic'
                    LEFT JOIN correlation_members d
                        ON d.correlation = c.sequence AND d.type = 'bloodPressureDiastolic'
                    WHERE c.type = 'bloodPressure'
                    """, about: "Blood pressure, with both values in one row."),
        ]
        var taken = tables.union(views.map(\.name))
        for type in try context.types.get() where type.kind.isPaged {
            let name = snakeCase(type.shortName)
            // Names that SQLite reserves, or that can't be written, have no view.
            guard !name.hasPrefix("sqlite_"), !name.utf8.contains(0), taken.insert(name).inserted else { continue }
            views.append(
                View(
                    name: name,
                    sql: "CREATE VIEW \(quoted(name)) AS SELECT * FROM samples WHERE type = \(literal(type.shortName))",
                    about: "The samples of \(type.shortName).", isOfType: true))
        }
        return views
    }

    /// `step_count` for `stepCount`, `vo2_max` for `vo2Max`.
    static func snakeCase(_ name: String) -> String {
        var words = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let isWordsFirst =
                letter.isUppercase && index > 0
                && (!letters[index - 1].isUppercase || (index + 1 < letters.count && letters[index + 1].isLowercase))
            words += (isWordsFirst ? "_" : "") + letter.lowercased()
        }
        return words
    }

    /// A quoted SQL identifier.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// An SQL string literal.
    static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}

/// The SQL schema, described for people.
public struct SchemaListing: Sendable {
    /// A table or view.
    public struct Table: Sendable {
        /// Its name.
        public let name: String
        /// Its description.
        public let about: String
        /// The kind of its rows.
        public let rows: Rows
        /// Its columns; empty for a view, which has those of a table.
        public let columns: [Column]
    }

    /// The kind of rows in a table.
    public enum Rows: Hashable, Sendable {
        /// Quantity and category samples, with `type`, `start_time` and `sequence`.
        case samples
        /// Objects, with the same columns.
        case objects
        /// Parts of objects. The first column is the sequence number of the owner.
        case parts
        /// Rows of another kind, few in number.
        case list
        /// Rows of other tables.
        case view
    }

    /// A column of a table.
    public struct Column: Sendable {
        /// Its name.
        public let name: String
        /// Its declared type: TEXT, INTEGER, REAL or JSON.
        public let kind: String
        /// Its description.
        public let about: String
    }

    /// A function beyond SQLite's own.
    public struct Function: Sendable {
        /// Its signature, such as `day(time)`.
        public let signature: String
        /// Its description.
        public let about: String
    }

    /// The tables over the store.
    public let tables: [Table]
    /// The views over the tables.
    public let views: [Table]
    /// The functions.
    public let functions: [Function]
}
