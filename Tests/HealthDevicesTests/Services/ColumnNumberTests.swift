import HealthFiles
import Testing

@testable import HealthDevices

@Suite("Numbers in the cells of tables")
struct ColumnNumberTests {
    @Test("Numbers have one decimal separator, and the other one groups thousands")
    func numbers() {
        let values: [(String, Character, Double?)] = [
            ("1.5", ".", 1.5), ("1,234.5", ".", 1234.5), ("1.234,5", ",", 1234.5), ("9,44", ",", 9.44),
            ("9,44", ".", nil),
            ("1,5", ".", nil), ("12 345", ".", 12_345), ("-3e2", ".", -300), ("0x10", ".", nil), ("inf", ".", nil),
            ("", ".", nil), ("1.2.3", ".", nil), ("<40", ".", nil),
            // Four digits before a point aren't a group of thousands.
            ("1234.567", ",", nil), ("-123.456", ",", -123_456), ("1234,567", ".", nil),
        ]
        for (text, decimal, value) in values { #expect(ColumnNumber.parse(text, decimal: decimal) == value, "\(text)") }
        #expect(ColumnNumber.list("[60, 60]") == [60, 60])
        #expect(ColumnNumber.list("[]") == [])
        #expect(ColumnNumber.list("[a]") == nil)
        #expect(ColumnNumber.duration("1:30:05", unit: 1, decimal: ".") == 5_405)
        #expect(ColumnNumber.duration("7,5", unit: 60, decimal: ",") == 450)
        #expect(ColumnNumber.duration("1:30:05,5", unit: 60, decimal: ",") == 5_405.5)
        // Minutes and seconds, or hours and minutes: the unit decides.
        #expect(ColumnNumber.duration("45:30", unit: 60, decimal: ".") == 2_730)
        #expect(ColumnNumber.duration("7:45", unit: 3_600, decimal: ".") == 27_900)
        #expect(ColumnNumber.duration("45:30", unit: 1, decimal: ".") == nil)
        #expect(ColumnNumber.duration("7:75", unit: 60, decimal: ".") == nil)
    }
}
