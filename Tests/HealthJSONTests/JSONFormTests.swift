import Foundation
import Testing

@testable import HealthJSON

@Suite("Objects of a list that are written alike")
struct JSONFormTests {
    /// Reads a list of objects through a window: their values by name, and those without a form as a whole.
    private func read(_ text: String, windowSize: Int = 16_384) throws -> (
        rows: [[String: String]], calls: Int, others: Int
    ) {
        let bytes = Array(text.utf8)
        var json = JSONReader(
            .reading { offset, buffer in
                let part = bytes[min(offset, bytes.count)...].prefix(buffer.count)
                buffer.copyBytes(from: part)
                return part.count
            }, windowSize: windowSize)
        var rows = JSONRows()
        var found: [[String: String]] = []
        var (calls, others) = (0, 0)
        try json.array { json, _ in
            guard try json.read(&rows) else {
                others += 1
                return try json.skip()
            }
            calls += 1
            let (names, bytes) = (rows.form.names, rows.bytes)
            rows.withSpans { spans in
                for row in 0..<rows.count {
                    found.append(
                        Dictionary(
                            names.enumerated().map { place, name in
                                let span = spans[row * names.count + place]
                                return (
                                    name,
                                    String(decoding: bytes[span.start..<(span.start + span.count)], as: UTF8.self)
                                )
                            }, uniquingKeysWith: { $0 + " " + $1 }))
                }
            }
        }
        try json.end()
        return (found, calls, others)
    }

    @Test("Values are named by the names of the objects around them, and many objects are read at once")
    func values() throws {
        let object = { (number: Int) in
            "{\n  \"dateTime\" : \"05/01/24 07:00:07\",\n  \"value\" : {\n    \"bpm\" : \(number),\n    \"confidence\" : 3\n  }\n}"
        }
        let (rows, calls, others) = try read("[" + (0..<10_000).map(object).joined(separator: ",") + "]")
        #expect(rows.count == 10_000 && others == 0 && calls < 200)
        for (number, row) in rows.enumerated() {
            #expect(row == ["dateTime": "05/01/24 07:00:07", "value.bpm": "\(number)", "value.confidence": "3"])
        }
    }

    @Test("Objects of other forms, with lists, fractions, exponents and texts with commas and braces are read, too")
    func forms() throws {
        let text = #"""
            [{"a":1,"b":"x"},{"a":2,"b":"{,}"} , {"b":"y","a":-3.5},{"a":1e3,"b":""},{"a":12,"b":"ü"},
            {"list":[{"v":1},{"v":2}],"flag":true,"none":null},{"list":[{"v":3},{"v":4}],"flag":true,"none":null}]
            """#
        let rows = try read(text).rows
        #expect(rows.prefix(5).map { $0["a"] } == ["1", "2", "-3.5", "1e3", "12"])
        #expect(rows.prefix(5).map { $0["b"] } == ["x", "{,}", "y", "", "ü"])
        #expect(rows.count == 7 && rows.suffix(2).map { $0["list.v"] } == ["1 2", "3 4"])
    }

    @Test("Objects with escapes, without values or of many kilobytes have no form")
    func others() throws {
        let long = String(repeating: "x", count: 5_000)
        let text = #"[{"a":"\n"},{},{"a":1},{"a":"\#(long)"},{"a":2}]"#
        let (rows, _, others) = try read(text)
        #expect(rows == [["a": "1"], ["a": "2"]] && others == 3)
        #expect(try read("[]").rows.isEmpty)
    }

    @Test(
        "Text that isn’t JSON is an error, also after objects of a form",
        arguments: [
            "[{\"a\":1},{\"a\":01}]", "[{\"a\":1},{\"a\":1.}]", "[{\"a\":1}{\"a\":2}]", "[{\"a\":1},{\"a\":}]",
            "[{\"a\":1},{\"a\":2", "[{\"a\":1},,{\"a\":2}]", "[{\"a\":1}],", "[{\"a\":1},]", "[{\"a\":-}]",
        ])
    func errors(text: String) {
        #expect(throws: JSONSyntaxError.self) { try read(text) }
    }
}
