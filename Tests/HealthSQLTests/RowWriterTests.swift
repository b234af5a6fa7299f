import Foundation
import HealthEngine
import HealthSQL
import Testing

/// Rows as CSV and JSON, read back.
@Suite struct RowWriterTests {
    private static let unusual =
        "SELECT 1 AS a, 2.5 AS b, 'x,\"y\"' || char(13, 10) || ' ü🥗' AS c, NULL AS d, '' AS e, x'00ff' AS f, 1e300 AS a"

    private func written(_ sql: String, _ format: RowFormat) throws -> String {
        let store = try SQLStore()
        return try store.engine.withReader(as: SQLStore.owner) { reading in
            let statement = try HealthDatabase(reading, timeZone: .gmt).statement(sql)
            var bytes: [UInt8] = []
            var writer = RowWriter(statement, as: format) { bytes += $0 }
            try writer.begin()
            while try statement.step() { try writer.write(statement) }
            try writer.end()
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test func csv() throws {
        #expect(
            try written(Self.unusual, .csv)
                == "a,b,c,d,e,f,a_2\r\n1,2.5,\"x,\"\"y\"\"\r\n ü🥗\",,\"\",AP8=,1e+300\r\n")
    }

    @Test func json() throws {
        let text = try written(Self.unusual + " UNION ALL SELECT 2, 3, char(7), 4, '\\', 5, 6", .json)
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(rows.count == 2)
        #expect(rows[0]["c"] as? String == "x,\"y\"\r\n ü🥗" && rows[0]["d"] is NSNull && rows[0]["b"] as? Double == 2.5)
        #expect(rows[1]["c"] as? String == "\u{7}" && rows[1]["e"] as? String == "\\")
        #expect(try written("SELECT 1 WHERE 0", .json) == "[]\n")
    }

    @Test func numbersThatAreNotFinite() throws {
        let sql = "SELECT 9e999 AS a, -9e999 AS b, 9e999 - 9e999 AS c, 1.7976931348623157e308 AS d, 5e-324 AS e"
        #expect(try written(sql, .csv) == "a,b,c,d,e\r\nInfinity,-Infinity,,1.7976931348623157e+308,5e-324\r\n")
        let json = try written(sql, .ndjson)
        #expect(
            json == "{\"a\":\"Infinity\",\"b\":\"-Infinity\",\"c\":null,\"d\":1.7976931348623157e+308,\"e\":5e-324}\n")
        #expect(throws: Never.self) { _ = try JSONSerialization.jsonObject(with: Data(json.utf8)) }
    }

    @Test func ndjson() throws {
        let text = try written("VALUES (1, 'a'), (2, 'b')", .ndjson)
        #expect(text == "{\"column1\":1,\"column2\":\"a\"}\n{\"column1\":2,\"column2\":\"b\"}\n")
    }
}
