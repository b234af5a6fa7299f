import HealthSQL
import Testing

/// Only statements that read are allowed.
@Suite struct StatementAuthorizerTests {
    @Test(arguments: [
        ("INSERT INTO samples(type) VALUES ('x')", "INSERT is not allowed"),
        ("DELETE FROM samples", "table samples may not be modified"),
        ("UPDATE samples SET value = 1", "table samples may not be modified"),
        ("UPDATE sqlite_schema SET sql = ''", "may not be modified"),
        ("CREATE TABLE t(x)", "CREATE is not allowed"), ("CREATE TEMP TABLE t(x)", "CREATE is not allowed"),
        ("DROP VIEW blood_pressure", "DROP is not allowed"), ("ATTACH '/tmp/x.sqlite' AS x", "ATTACH is not allowed"),
        ("DETACH main", "DETACH is not allowed"), ("PRAGMA user_version = 5", "PRAGMA user_version is not allowed"),
        ("PRAGMA writable_schema = 1", "PRAGMA writable_schema is not allowed"),
        ("SELECT load_extension('x')", "load_extension() is not allowed"), ("BEGIN", "a transaction is not allowed"),
        ("SAVEPOINT s", "a transaction is not allowed"),
        ("VACUUM INTO '/tmp/x.sqlite'", "not allowed"),
        ("SELECT nosuch FROM samples", "no such column: nosuch"), ("SELEC 1", "near \"SELEC\": syntax error"),
        ("SELECT * FROM nowhere", "no such table: nowhere"), ("SELECT instant('soon')", "instant() needs a date"),
    ])
    func rejects(_ sql: String, _ message: String) throws {
        let store = try SQLStore()
        let error = #expect(throws: SQLError.self) { _ = try store.ask(sql) }
        if !message.isEmpty { #expect(error?.description.contains(message) == true, "\(error?.description ?? "")") }
    }

    /// Builds of SQLite have different ones of these. Where they exist, they return or take addresses, or have effects.
    @Test(arguments: [
        "SELECT hex(fts3_tokenizer('simple'))", "SELECT fts3_tokenizer('simple', x'0102030405060708')",
        "SELECT rtreecheck('x')", "SELECT fts5(NULL)",
        "SELECT sqlite_log(1, 'x')", "SELECT readfile('/etc/hostname')",
        "SELECT 1 FROM samples ORDER BY fts3_tokenizer('simple')",
    ])
    func rejectsOtherFunctions(_ sql: String) throws {
        let store = try SQLStore()
        let error = #expect(throws: SQLError.self) { _ = try store.ask(sql) }
        let text = error?.description ?? ""
        #expect(
            text.contains("() is not allowed") || text.contains("no such function")
                || text.contains("wrong number of arguments"), "\(text)")
    }

    @Test(arguments: [
        "SELECT upper('a'), 'b' || 1, '{\"a\":1}' ->> 'a', current_date, date('now'), round(1.5), coalesce(NULL, 1), sqlite_version()",
        "SELECT count(*), sum(x), avg(x), total(x), min(x), max(x), group_concat(x), json_group_array(x), median(x), percentile(x, 5) FROM (SELECT 1 AS x)",
        "SELECT row_number() OVER (), rank() OVER (ORDER BY x), lag(x) OVER (), nth_value(x, 1) OVER () FROM (SELECT 1 AS x)",
        "SELECT day(0), week(0), month(0), year(0), hour(0), weekday(0), local(0), local_date(0), instant('2024-01-31'), convert(1, 'km', 'm')",
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
