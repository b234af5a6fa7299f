import Foundation
import HealthSQL
import Testing

/// SQL functions and their values in Berlin.
@Suite struct FunctionTests {
    @Test(arguments: [
        ("day(1706686200)", SQLValue.text("2024-01-31")), ("month(1706686200)", .text("2024-01")),
        ("year(1706686200)", .integer(2024)), ("hour(1706686200)", .integer(8)), ("weekday(1706686200)", .integer(3)),
        ("week(1706686200)", .text("2024-01-29")), ("local(1706686200)", .text("2024-01-31T08:30:00+01:00")),
        ("instant('2024-01-31 08:30')", .real(1_706_686_200)),
        ("instant('2024-01-31T07:30:00Z')", .real(1_706_686_200)),
        ("weekday(instant('2000-01-02'))", .integer(7)), ("week(instant('2000-01-02'))", .text("1999-12-27")),
        ("hour(instant('1999-12-31 23:59'))", .integer(23)), ("day(NULL)", .null),
        ("convert(1.5, 'kg', 'g')", .real(1_500)), ("convert(1, 'kg', 'm')", .null),
        ("convert(NULL, 'kg', 'g')", .null),
        ("convert(1, 'nonsense', 'g')", .null),
        ("local_date(1706742000)", .text("2024-02-01")),
        ("local_date('2024-01-31T23:30:00+01:00')", .text("2024-01-31")),
        ("local_date('2024-01-31T23:30:00Z')", .text("2024-02-01")), ("local_date('2024-01-31')", .text("2024-01-31")),
        ("weekday('2024-01-31')", .integer(3)), ("month('2024-01-31')", .text("2024-01")),
        ("hour('2024-01-31T08:30:00+01:00')", .integer(8)), ("hour('2024-01-31T23:30:00Z')", .integer(0)),
        ("week('2024-01-31 08:30')", .text("2024-01-29")), ("year('2024-01-31')", .integer(2024)),
        ("weekday(NULL)", .null), ("local_date(NULL)", .null), ("day(1e300)", .text("9999-12-31")),
        ("day(-1e300)", .text("0001-01-01")),
        ("local_date(9e999)", .text("9999-12-31")), ("hour(-9e999)", .integer(0)),
    ])
    func returns(_ call: String, _ value: SQLValue) throws {
        let store = try SQLStore()
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(try store.ask("SELECT \(call)", zone: zone).rows == [[value]])
    }

    @Test(arguments: [
        ("median(x)", "(VALUES (3), (1), (NULL), (2))", SQLValue.real(2)),
        ("median(x)", "(VALUES (4), (1), (2), (3))", .real(2.5)),
        ("median(x)", "(VALUES (NULL))", .null), ("median(x)", "(VALUES (1)) WHERE 0", .null),
        ("median(x)", "(VALUES (1.7e308), (1.7e308))", .real(1.7e308)),
        ("median(x)", "(VALUES (-1.7e308), (1.7e308))", .real(0)),
        ("median(x)", "(VALUES (1), (9e999), (9e999))", .real(.infinity)),
        ("percentile(x, 0)", "(VALUES (3), (1), (2))", .real(1)),
        ("percentile(x, 100)", "(VALUES (3), (1), (2))", .real(3)),
        ("percentile(x, 25)", "(VALUES (10), (20), (30), (40), (50))", .real(20)),
        ("percentile(x, 90)", "(VALUES (10), (20))", .real(19)),
    ])
    func aggregates(_ call: String, _ rows: String, _ value: SQLValue) throws {
        let store = try SQLStore()
        #expect(try store.ask("WITH v(x) AS (SELECT * FROM \(rows)) SELECT \(call) FROM v").rows == [[value]])
    }

    @Test(arguments: [
        "percentile(1, 101)", "percentile(1, 'half')", "percentile(1, NULL)", "local_date('soon')", "day('x')",
        "weekday('soon')", "hour('Monday')", "month(x'00')",
    ])
    func refuses(_ call: String) throws {
        let store = try SQLStore()
        #expect(throws: SQLError.self) { _ = try store.ask("SELECT \(call)") }
    }
}
