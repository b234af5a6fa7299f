import Foundation
import HealthSQL
import Testing

/// SQL functions and their values in Berlin.
@Suite struct FunctionTests {
    @Test(arguments: [
        ("day(1706686200)", SQLValue.text("2024-01-31")), ("month(1706686200)", .text("2024-01")),
        ("year(1706686200)", .integer(2024)), ("hour(1706686200)", .integer(8)), ("weekday(1706686200)", .integer(3)),
        ("week(1706686200)", .text("2024-01-29")), ("local(1706686200)", .text("2024-01-31T08:30:00+01:00")),
        ("instant('2024-01-31 08:30')", .real(1_706_686_200)), ("instant('2024-01-31T07:30:00Z')", .real(1_706_686_200)),
        ("weekday(instant('2000-01-02'))", .integer(7)), ("week(instant('2000-01-02'))", .text("1999-12-27")),
        ("hour(instant('1999-12-31 23:59'))", .integer(23)), ("day(NULL)", .null), ("day('x')", .null),
        ("convert(1.5, 'kg', 'g')", .real(1_500)), ("convert(1, 'kg', 'm')", .null), ("convert(NULL, 'kg', 'g')", .null),
        ("convert(1, 'nonsense', 'g')", .null),
    ])
    func returns(_ call: String, _ value: SQLValue) throws {
        let store = try SQLStore()
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(try store.ask("SELECT \(call)", zone: zone).rows == [[value]])
    }
}
