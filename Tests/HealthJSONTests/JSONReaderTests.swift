import Foundation
import HealthJSON
import Testing

@Suite("JSON is read as Foundation reads it")
struct JSONReaderTests {
    /// A value as Foundation has it.
    private static func value(_ json: inout JSONReader) throws -> Any {
        switch try json.kind() {
        case .object:
            var members: [String: Any] = [:]
            try json.object { json, name in members[name] = try value(&json) }
            return members
        case .array:
            var elements: [Any] = []
            try json.array { json, _ in elements.append(try value(&json)) }
            return elements
        case .string: return try json.string()
        case .number: return try json.number()
        case .bool: return try json.bool()
        case .null:
            _ = try json.acceptNull()
            return NSNull()
        }
    }

    private static func scan(_ bytes: [UInt8]) throws -> Any {
        try bytes.withUnsafeBufferPointer { bytes in
            try JSONReader.scan(bytes) { json in
                let found = try value(&json)
                try json.end()
                return found
            }
        }
    }

    @Test(
        "Valid texts",
        arguments: [
            "{}", "[]", " [1, -2.5e3 , 0.1, 1e-7, 123456789012345678901234567890, 5e-324, 1.7976931348623157e308] ",
            #"{"a":{"b":[true,false,null]},"ä":"ö\n\"\\\/\b\f\r\t\u00e9\ud83c\udf4e"}"#, #""""#, "0", "-0.0", "\"🍎\"",
            "9007199254740993", "8.41e21",
        ])
    func valid(text: String) throws {
        let expected = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        #expect(NSArray(array: [try Self.scan(Array(text.utf8))]).isEqual(to: [expected]), "\(text)")
    }

    @Test(
        "Numbers are the nearest ones",
        arguments: ["0.30000000000000004", "2.2250738585072014e-308", "1e23", "123456789.123456789"])
    func nearest(text: String) throws {
        #expect(try Self.scan(Array(text.utf8)) as? Double == Double(text))
    }

    @Test(
        "Invalid texts throw",
        arguments: [
            "", "{", "}", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "1e", "+1", "tru", "nul",
            "\"", "\"\\x\"",
            "\"\\u12\"", "\"\\ud83c\"", "\"a\u{1}\"", "[1]x", "1e999", "-", "{\"a\":1,}",
        ])
    func invalid(text: String) {
        #expect(throws: JSONSyntaxError.self) { try Self.scan(Array(text.utf8)) }
    }

    @Test("Text that is not UTF-8, and deep nesting")
    func hostile() {
        #expect(throws: JSONSyntaxError.self) { try Self.scan([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try Self.scan([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) }
    }

    /// A source that counts as a file.
    private static func file(_ text: [UInt8]) -> JSONSource {
        .reading { offset, buffer in
            let part = text.dropFirst(offset).prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }
    }

    @Test("Windows of every size read the same")
    func windows() throws {
        let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\n😀",true,null,{"b":[]}],"long ä name":0.1, "skipped":"a\"b"}"#.utf8)
        var memory = JSONReader(.bytes(text))
        let expected = try memory.value()
        #expect(expected["long ä name"] == .number(0.1))
        #expect(expected["a"]?.elements?[2] == .string("xé\n😀"))
        for size in 1...text.count + 1 {
            var reader = JSONReader(Self.file(text), windowSize: size)
            #expect(try reader.value() == expected)
            try reader.end()
            var place = 0
            reader.move(to: 0)
            try reader.object { json, name in
                if name == "a" { place = json.offset }
                try json.skip()
            }
            try reader.end()
            reader.move(to: place)
            #expect(try reader.value() == expected["a"])
        }
        for end in 0..<text.count {
            var reader = JSONReader(Self.file(Array(text[..<end])), windowSize: 7)
            let error = #expect(throws: JSONSyntaxError.self) { try reader.skip() }
            #expect(error?.offset ?? .max <= end)
        }
    }

    @Test("Long numbers and values that don’t fit into memory are errors, in a window as in memory")
    func limits() throws {
        let digits = Array(String(repeating: "9", count: 100_000).utf8)
        for source in [.bytes(digits), Self.file(digits)] {
            var reader = JSONReader(source)
            #expect(throws: JSONSyntaxError.self) { try reader.number() }
        }
        var reader = JSONReader(
            .reading { offset, buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "a"))
                if offset == 0 { buffer[0] = UInt8(ascii: "\"") }
                return buffer.count
            })
        let error = #expect(throws: JSONSyntaxError.self) { try reader.skip() }
        #expect(error?.reason.contains("48 MB") == true)
        let long = Array(
            ("[" + String(repeating: "\"" + String(repeating: "a", count: 1 << 20) + "\",", count: 49) + "1]").utf8)
        var list = JSONReader(Self.file(long))
        #expect(throws: JSONSyntaxError.self) { try list.value() }
        list.move(to: 0)
        try list.skip()
    }

    @Test("A lenient reader replaces invalid text, and numbers out of range")
    func leniency() throws {
        let text: [UInt8] = Array(#"["\ud800\u0041\ud83d\ude00","#.utf8) + [0x22, 0xFF, 0x22] + Array(",-1e999]".utf8)
        var reader = JSONReader(.bytes(text), isLenient: true)
        #expect(
            try reader.value() == .array([.string("\u{FFFD}A😀"), .string("\u{FFFD}"), .number(-.infinity)]))
    }

    @Test("A text that is truncated anywhere, or has any byte changed, throws or is read")
    func damaged() {
        let text = Array(#"{"samples":[{"quantity":1.5e2,"x":"\u00e4é","y":[null,true,{}]}]}"#.utf8)
        for end in 0..<text.count { #expect(throws: JSONSyntaxError.self) { try Self.scan(Array(text[..<end])) } }
        for place in text.indices {
            for byte: UInt8 in [0, 0x22, 0x5C, 0x7B, 0x5D, 0x80, 0xFF] {
                var damaged = text
                damaged[place] = byte
                _ = try? Self.scan(damaged)
            }
        }
    }
}
