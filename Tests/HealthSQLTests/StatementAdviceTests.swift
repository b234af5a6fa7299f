import HealthSQL
import Testing

/// Statements that are valid and probably not what was meant.
@Suite struct StatementAdviceTests {
    private static let names: Set<String> = ["stepcount", "bodymass"]

    @Test(arguments: [
        ("SELECT date(start_date), sum(value) FROM samples GROUP BY 1", ["date(start_date)"]),
        ("SELECT DATE( s.end_date ) d, date(start_date) FROM samples s", ["date(end_date)", "date(start_date)"]),
        ("SELECT strftime('%H', start_date) FROM samples", ["strftime(…, start_date)"]),
        ("SELECT datetime(start_time, 'unixepoch') FROM samples", ["datetime(start_time)"]),
        ("SELECT datetime(start_time, 'unixepoch', 'localtime') FROM samples", []),
        ("SELECT day, local_date(start_date), date(local(start_time)), date('now') FROM samples", []),
        ("SELECT 'date(start_date)' -- date(start_date)\n /* date(start_date) */", []),
        ("SELECT date(", []), ("SELECT date FROM route_points", []), ("", []),
    ])
    func daysInUTC(_ sql: String, _ calls: [String]) {
        #expect(StatementAdvice(sql, typeNames: Self.names).callsInUTC == calls)
    }

    @Test(arguments: [
        ("SELECT * FROM samples WHERE type = 'steps'", ["steps"]), ("SELECT * FROM samples WHERE type='StepCount'", []),
        (
            "SELECT * FROM samples s WHERE s.type == 'HKQuantityTypeIdentifierStepCount'",
            ["HKQuantityTypeIdentifierStepCount"]
        ),
        ("SELECT * FROM samples WHERE \"type\" IN ('stepCount', 'weight', 'weight')", ["weight"]),
        ("SELECT * FROM samples WHERE type IN (SELECT type FROM types WHERE kind = 'quantity')", []),
        ("SELECT name FROM sqlite_schema WHERE type = 'view'", []),
        ("SELECT * FROM samples WHERE type = \"steps\" OR type IN (\"weight\", 'bodyMass')", ["steps", "weight"]),
        ("SELECT j.type FROM samples, json_each(metadata) j WHERE j.type = 'text'", []),
        ("SELECT 'type = ''x''' FROM samples WHERE value_type = 'text'", []), ("SELECT type =", []),
        ("SELECT type IN ('it''s", []),
    ])
    func unknownTypes(_ sql: String, _ names: [String]) {
        #expect(StatementAdvice(sql, typeNames: Self.names).unknownTypes == names)
    }
}
