import HealthSQL
import Testing

/// Statements read, and do nothing else.
@Suite struct StatementGuardTests {
    @Test(arguments: [
        ("INSERT INTO samples(type) VALUES ('x')", "INSERT is refused"),
        ("DELETE FROM samples", "table samples may not be modified"), ("UPDATE samples SET value = 1", "table samples may not be modified"),
        ("UPDATE sqlite_schema SET sql = ''", "may not be modified"),
        ("CREATE TABLE t(x)", "CREATE is refused"), ("CREATE TEMP TABLE t(x)", "CREATE is refused"),
        ("DROP VIEW metadata", "DROP is refused"), ("ATTACH '/tmp/x.sqlite' AS x", "ATTACH is refused"),
        ("DETACH main", "DETACH is refused"), ("PRAGMA user_version = 5", "PRAGMA user_version is refused"),
        ("PRAGMA writable_schema = 1", "PRAGMA writable_schema is refused"),
        ("SELECT load_extension('x')", ""), ("BEGIN", "a transaction is refused"), ("SAVEPOINT s", "a transaction is refused"),
        ("VACUUM INTO '/tmp/x.sqlite'", "refused"),
        ("SELECT nosuch FROM samples", "no such column: nosuch"), ("SELEC 1", "near \"SELEC\": syntax error"),
        ("SELECT * FROM nowhere", "no such table: nowhere"), ("SELECT instant('soon')", "instant() wants a date"),
    ])
    func refuses(_ sql: String, _ words: String) throws {
        let store = try SQLStore()
        let error = #expect(throws: SQLError.self) { _ = try store.ask(sql) }
        if !words.isEmpty { #expect(error?.description.contains(words) == true, "\(error?.description ?? "")") }
    }

    @Test(arguments: [
        "SELECT 1", "EXPLAIN SELECT * FROM samples", "EXPLAIN QUERY PLAN SELECT * FROM samples",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT * FROM n",
        "SELECT name FROM sqlite_schema WHERE type = 'view'", "PRAGMA table_info(samples)",
        "SELECT * FROM pragma_table_info('samples')", "VALUES (1), (2)",
        "SELECT json_group_array(value) FROM (SELECT 1 AS value)",
    ])
    func allows(_ sql: String) throws {
        let store = try SQLStore()
        #expect(throws: Never.self) { _ = try store.ask(sql) }
    }
}
