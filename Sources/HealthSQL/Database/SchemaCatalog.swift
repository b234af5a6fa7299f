import HealthEngine
import HealthModel

/// Everything SQL sees: the tables over the store, and the views over the tables.
enum SchemaCatalog {
    /// A view: its name, its statement, and what it shows.
    struct View {
        var name: String
        var sql: String
        var about: String
    }

    static func tables(_ context: TableContext) -> [VirtualTable] {
        [SampleTable(context), DailyTable(context)] + workouts(context) + [correlations(context), correlationMembers(context)]
            + recordings(context) + documents(context) + nouns(context)
    }

    /// Views beside the tables: metadata by key, blood pressure in pairs, and one for each type there is.
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
                    """, about: "Metadata of samples and objects, a row a key."),
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
                    """, about: "Blood pressure, both values in a row."),
        ]
        var taken = tables.union(views.map(\.name))
        for type in try context.types.get() where type.kind.isPaged {
            let name = snakeCase(type.shortName)
            guard taken.insert(name).inserted else { continue }
            views.append(
                View(
                    name: name,
                    sql: "CREATE VIEW \(quoted(name)) AS SELECT * FROM samples WHERE type = \(literal(type.shortName))",
                    about: "The samples of \(type.shortName)."))
        }
        return views
    }

    /// `step_count` for `stepCount`, `vo2_max` for `vo2Max`.
    static func snakeCase(_ name: String) -> String {
        var words = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let isWordsFirst = letter.isUppercase && index > 0
                && (!letters[index - 1].isUppercase || (index + 1 < letters.count && letters[index + 1].isLowercase))
            words += (isWordsFirst ? "_" : "") + letter.lowercased()
        }
        return words
    }

    /// A name as SQL takes it, whatever is in it.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// A text as SQL takes it.
    static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
