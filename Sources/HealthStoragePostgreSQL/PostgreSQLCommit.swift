import Foundation
import HealthModel
import HealthStorage

/// The statements that end a writing transaction: they update the store's row, check for listeners, and commit.
///
/// A transaction that only assumes the store's row has not begun on the server; its statements begin it, too. Its
/// update locks the row, and divides by zero if the row has changed, which rolls everything back.
struct PostgreSQLCommit {
    var person: Int64
    var schema: String
    /// The row as the transaction leaves it.
    var after: PostgreSQLStoreRow

    /// The end of a transaction that has read and locked the row.
    var calls: [PostgreSQLCall] {
        [after.update(person), PostgreSQLListener.listeners(of: person, schema: schema), PostgreSQLCall("COMMIT")]
    }

    /// A complete transaction if the row is still `previous`.
    func calls(from previous: PostgreSQLStoreRow, writes: [PostgreSQLCall]) -> [PostgreSQLCall] {
        let update = PostgreSQLCall("WITH \(Self.changed) SELECT 1 / count(*) FROM changed", arguments(previous))
        return PostgreSQLStoreRow.beginWithoutReading(person) + [update] + writes
            + [PostgreSQLListener.listeners(of: person, schema: schema), PostgreSQLCall("COMMIT")]
    }

    /// The same for a transaction that writes and removes pages, and enters identities and settings, as a function: one
    /// statement without `BEGIN`, which the server commits before it answers. A cluster's coordinator sends it to the
    /// person's worker as a whole, where it would route each statement by itself, with a round trip for each.
    func calls(
        from previous: PostgreSQLStoreRow, pages: PostgreSQLTransaction.PendingPages,
        rows: PostgreSQLTransaction.PendingRows
    ) -> [PostgreSQLCall] {
        let written = pages.pages.values.sorted { $0.key < $1.key }
        let summaries = written.map { PostgreSQLPageSummary($0) }
        let removed = pages.removed.sorted()
        let spans = rows.spans.sorted { $0.key < $1.key }
        let settings = rows.settings.sorted { ($0.key.namespace, $0.key.key) < ($1.key.namespace, $1.key.key) }
        let values: [any PostgreSQLArgument] = [
            written.map(\.key.type), written.map(\.key.firstStart), written.map(\.key.firstSequence),
            written.map(\.bounds.lastStart), written.map(\.bounds.maximumEnd), written.map(\.bounds.minimumSequence),
            written.map(\.bounds.maximumSequence), written.map { PostgreSQLPageRow.bound($0.bounds.maximumSequence) },
            written.map { Int64($0.bounds.count) }, written.map(\.header), written.map(\.body),
            summaries.map { Int64($0?.revisions.count ?? -1) }, summaries.flatMap { $0?.revisions ?? [] },
            summaries.flatMap { $0?.values ?? [] },
            removed.map(\.type), removed.map(\.firstStart), removed.map(\.firstSequence),
            spans.map(\.key), spans.map(\.value),
            settings.map(\.key.namespace), settings.map(\.key.key), settings.map(\.value),
        ]
        let identities = PostgreSQLIdentities.Rows(rows.identities).arguments
        return [
            PostgreSQLListener.listeners(of: person, schema: schema),
            Self.function.call(in: schema, arguments(previous) + values + identities),
        ]
    }

    /// The arguments: those of the store's row before and after (1 to 10), of pages (11 to 24, with the numbers of
    /// revisions of each, or −1 for one without a summary, and the revisions and summaries of all), the keys of pages that are
    /// removed (25 to 27), the longest pages of types (28 and 29), settings (30 to 32), and identities (33 to 37).
    static let function = PostgreSQLFunction(
        name: "save_pages",
        arguments: [
            "int8", "int8", "int8", "int8", "int8", "bytea", "int8", "int8", "int8", "bytea",
            "int8[]", "float8[]", "int8[]", "float8[]", "float8[]", "int8[]", "int8[]", "int8[]", "int8[]", "bytea[]",
            "bytea[]", "int8[]", "int8[]", "float8[]",
            "int8[]", "float8[]", "int8[]", "int8[]", "float8[]", "text[]", "text[]", "bytea[]",
        ] + PostgreSQLIdentities.Rows.types,
        variables: "revisions_used int8 := 0; figures_used int8 := 0; " + PostgreSQLIdentities.variables, isOwners: true
    ) { schema in
        let columns = (11...21).map { "$\($0)[i]" }.joined(separator: ", ")
        return """
                UPDATE \(schema).store \(PostgreSQLStoreRow.assignments) WHERE \(unchanged);
                IF NOT FOUND THEN RAISE division_by_zero; END IF;
                IF cardinality($33) > 0 THEN
                    \(PostgreSQLIdentities.entering(in: schema, from: 33))
                END IF;
                FOR i IN 1 .. cardinality($25) LOOP
                    DELETE FROM \(schema).page
                    WHERE person = $1 AND type = $25[i] AND first_start = $26[i] AND first_sequence = $27[i];
                END LOOP;
                FOR i IN 1 .. cardinality($11) LOOP
                    INSERT INTO \(schema).page (\(PageCopyData.columns))
                    VALUES ($1, \(columns), CASE WHEN $22[i] >= 0 THEN $23[revisions_used + 1:revisions_used + $22[i]] END,
                        CASE WHEN $22[i] >= 0 THEN $24[figures_used + 1:figures_used + \(PostgreSQLPageSummary.count)] END)
                    \(PostgreSQLTransaction.replacement);
                    IF $22[i] >= 0 THEN
                        revisions_used := revisions_used + $22[i];
                        figures_used := figures_used + \(PostgreSQLPageSummary.count);
                    END IF;
                END LOOP;
                FOR i IN 1 .. cardinality($28) LOOP
                    INSERT INTO \(schema).page_span (person, type, longest) VALUES ($1, $28[i], $29[i])
                    ON CONFLICT (person, type) DO UPDATE SET longest = excluded.longest;
                END LOOP;
                FOR i IN 1 .. cardinality($30) LOOP
                    INSERT INTO \(schema).setting (person, namespace, key, value) VALUES ($1, $30[i], $31[i], $32[i])
                    ON CONFLICT (person, namespace, key) DO UPDATE SET value = excluded.value;
                END LOOP;
            """
    }

    /// Whether there are listeners, from the answers to one of these lists. Throws if the server has rolled back.
    static func isListenedTo(_ rows: [PostgreSQLRows]) throws -> Bool {
        guard let last = rows.last, rows.count > 1 else { throw PostgreSQLSnapshot.noAnswer }
        // Without an error, a function with an answer at the end has been committed.
        guard last.count == 1 || last.command == "COMMIT" else {
            throw StorageError(.inputOutput, "PostgreSQL has rolled back the transaction.")
        }
        return !rows[rows.count - 2][0].isTrue(0)
    }

    /// Updates the row if it is still the previous one.
    private static let changed = """
        changed AS (
            UPDATE store \(PostgreSQLStoreRow.assignments)
            WHERE \(unchanged)
            RETURNING person)
        """

    private static let unchanged = "person = $1 AND commits = $8 AND substring(marks from $9::int4 for 8) = $10"

    private func arguments(_ previous: PostgreSQLStoreRow) -> [any PostgreSQLArgument] {
        after.arguments(person) + [previous.commits, previous.lastMarkPlace, previous.lastMark]
    }
}
