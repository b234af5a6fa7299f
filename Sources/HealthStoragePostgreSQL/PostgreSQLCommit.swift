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

    /// The same for the smallest transaction, which writes one page and at most one identity, as a function: one statement
    /// without `BEGIN`, which the server commits before it answers. A cluster's coordinator sends it to the person's worker
    /// as a whole, where it would route each statement by itself, with a round trip for each.
    func calls(
        from previous: PostgreSQLStoreRow, page: StoredPage, identity: (key: UUID, value: StoredIdentity)?
    ) -> [PostgreSQLCall] {
        let entry: [any PostgreSQLArgument] = [identity?.key, identity?.value.type, identity?.value.sequence]
        let arguments = arguments(previous) + page.arguments + entry
        let marks = (1...arguments.count).map { "$\($0)" }.joined(separator: ", ")
        return [
            PostgreSQLListener.listeners(of: person, schema: schema),
            PostgreSQLCall("SELECT \(schema).save_page(\(marks))", arguments),
        ]
    }

    /// The function, by its arguments: those of the store's row before and after, of the page, and of the identity, which
    /// can be NULL.
    static let function = """
        save_page(int8, int8, int8, int8, int8, bytea, int8, int8, int8, bytea, int8, float8, int8, float8, float8, int8, \
        int8, int8, int8, bytea, bytea, int8[], float8[], uuid, int8, int8)
        """

    /// The statement that creates the function. Settings of the transaction don't reach a worker, so it sets the person.
    static func functionCreation(_ schema: String) -> String {
        let page = (11...23).map { "$\($0)" }.joined(separator: ", ")
        return """
            CREATE OR REPLACE FUNCTION \(schema).\(function) RETURNS void LANGUAGE plpgsql AS $function$
            BEGIN
                PERFORM set_config('\(PostgreSQLSchema.personSetting)', $1::text, true);
                UPDATE \(schema).store \(PostgreSQLStoreRow.assignments) WHERE \(unchanged);
                IF NOT FOUND THEN RAISE division_by_zero; END IF;
                IF $24 IS NOT NULL THEN
                    INSERT INTO \(schema).identity (person, uuid, type, sequence) VALUES ($1, $24, $25, $26);
                END IF;
                INSERT INTO \(schema).page (\(PageCopyData.columns)) VALUES ($1, \(page))
                \(PostgreSQLTransaction.replacement);
            END
            $function$
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
