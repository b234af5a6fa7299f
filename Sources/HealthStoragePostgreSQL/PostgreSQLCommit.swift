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

    /// The same for the smallest transaction, which writes one page and at most one identity: one statement, and the
    /// one before that says whose rows it may change. Without `BEGIN`, the server commits after the last statement sent
    /// along, and sends its answers then. Compared with statements of their own, this takes a tenth off the time of a
    /// save.
    ///
    /// The rows are inserted from the row that was updated, so that the lock on it comes first.
    func calls(
        from previous: PostgreSQLStoreRow, page: StoredPage, identity: (key: UUID, value: StoredIdentity)?
    ) -> [PostgreSQLCall] {
        var arguments = arguments(previous) + page.arguments
        arguments += PostgreSQLListener.lockArguments(person, schema: schema)
        if let identity { arguments += [identity.key, identity.value.type, identity.value.sequence] }
        return [
            PostgreSQLStoreRow.setImplicitPerson(person),
            PostgreSQLCall(identity == nil ? Self.withPage : Self.withPageAndIdentity, arguments),
        ]
    }

    /// The same over a cluster, as a function that is executed by the person's worker: the coordinator routes statement by
    /// statement, and each is a round trip between the two.
    func delegatedCalls(
        from previous: PostgreSQLStoreRow, page: StoredPage, identity: (key: UUID, value: StoredIdentity)?
    ) -> [PostgreSQLCall] {
        let entry: [any PostgreSQLArgument] = [identity?.key, identity?.value.type, identity?.value.sequence]
        let arguments = arguments(previous) + page.arguments + entry
        let marks = (1...arguments.count).map { "$\($0)" }.joined(separator: ", ")
        return [
            PostgreSQLListener.listeners(of: person, schema: schema),
            PostgreSQLCall("SELECT save_page(\(marks))", arguments),
        ]
    }

    /// The function, by its arguments: those of the store's row before and after, of the page, and of the identity, which
    /// can be NULL.
    static let function = """
        save_page(int8, int8, int8, int8, int8, bytea, int8, int8, int8, bytea, int8, float8, int8, float8, float8, int8, \
        int8, int8, int8, bytea, bytea, int8[], float8[], uuid, int8, int8)
        """

    /// The statement that creates the function. Settings of the transaction don't reach the worker, so it sets the person.
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
                INSERT INTO \(schema).page (\(PageCopy.columns)) VALUES ($1, \(page))
                \(PostgreSQLTransaction.replacement);
            END
            $function$
            """
    }

    /// Whether there are listeners, from the answers to one of these lists. Throws if the server has rolled back.
    static func isListenedTo(_ rows: [PostgreSQLRows]) throws -> Bool {
        guard let last = rows.last, rows.count > 1 else { throw PostgreSQLSnapshot.noAnswer }
        // Without an error, a statement with rows at the end has been committed. A function has returned nothing.
        if last.count == 1 { return !(last[0].bytes(0).isEmpty ? rows[rows.count - 2] : last)[0].isTrue(0) }
        guard last.command == "COMMIT" else {
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

    private static let withPage = statement(identity: "")
    private static let withPageAndIdentity = statement(
        identity: """
            entered AS (
                INSERT INTO identity (person, uuid, type, sequence)
                SELECT person, $26::uuid, $27::int8, $28::int8 FROM changed),

            """)

    private static func statement(identity: String) -> String {
        """
        WITH \(changed),
        \(identity)written AS (
            INSERT INTO page (\(PageCopy.columns))
            SELECT person, $11::int8, $12::float8, $13::int8, $14::float8, $15::float8, $16::int8, $17::int8, $18::int8,
                $19::int8, $20::bytea, $21::bytea, $22::int8[], $23::float8[]
            FROM changed
            \(PostgreSQLTransaction.replacement))
        SELECT pg_try_advisory_xact_lock(hashtext($24), $25::int4), 1 / count(*) FROM changed
        """
    }
}
