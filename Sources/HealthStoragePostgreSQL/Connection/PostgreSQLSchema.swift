import HealthStorage

/// The tables of a database. Docs/Format/PostgreSQL.md describes them column by column.
///
/// Every key of a table with people's data starts with the person, so that a cluster can distribute the tables by person
/// and answer each statement from one shard.
package enum PostgreSQLSchema {
    /// The schema version of this code.
    static let version = 1
    /// The oldest version that this code can read.
    static let oldestReadable = 1

    /// The tables with people's data; the first is the one with which the others are colocated.
    static let personTables = [
        "store", "page", "page_span", "object", "link_run", "identity", "sync", "tombstone", "source", "revision",
        "device", "unit", "type", "setting",
    ]

    /// The tables without people's data, which a cluster keeps on every node.
    static let referenceTables = ["person", "schema_version"]

    /// The tables that are read of many people together.
    static let cohortTables = DictionaryTable.allCases.map(\.rawValue) + ["store", "page", "page_span", "setting"]

    /// The setting that contains the person of a transaction, on which row-level security is based.
    static let personSetting = "openhealthkit.person"
    /// The setting that contains the people whom a transaction reads together, with a comma before and after each.
    static let peopleSetting = "openhealthkit.people"
}

extension PostgreSQLSchema {
    /// The statements that create the tables.
    static let creation: [String] =
        tables + credentialTables
        // Bodies are packed already; out of line, so that scans of headers read dense blocks.
        + ["ALTER TABLE page ALTER COLUMN body SET STORAGE EXTERNAL"]
        + personTables.flatMap { table in
            [
                "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY",
                """
                CREATE POLICY own_person ON \(table)
                USING (person = nullif(current_setting('\(personSetting)', true), '')::int8)
                """,
            ]
        } + cohortTables.map(cohortPolicy)

    /// The statement that lets a transaction read the rows of several people. It is checked row by row, for which an array
    /// takes ten times as long, and a cluster allows no query in it.
    static func cohortPolicy(on table: String) -> String {
        """
        CREATE POLICY people ON \(table) FOR SELECT
        USING (strpos(current_setting('\(peopleSetting)', true), ',' || person::text || ',') > 0)
        """
    }
}
