import Testing

import HealthFiles

@Suite("Reading comma-separated values")
struct CSVReaderTests {
    /// The rows of a text that arrives in pieces of a size.
    static func rows(
        _ bytes: [UInt8], separator: UInt8? = nil, headerLine: Int = 1, pieces size: Int = 1 << 16
    ) throws -> [CSVReader.Row] {
        var place = 0
        var reader = try CSVReader(separator: separator, headerLine: headerLine) {
            let end = min(place + size, bytes.count)
            defer { place = end }
            return Array(bytes[place..<end])
        }
        var rows: [CSVReader.Row] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    @Test(
        "Quotation marks, line ends of every system, blank lines and pieces of every size",
        arguments: ["\n", "\r\n", "\r"],
        [1, 3, 1 << 16])
    func quotes(end: String, size: Int) throws {
        let text = ["a,b,c", "\"x, \"\"y\"\"\",  \"z\" ,", "", "1,\"two\nlines\",3"].joined(separator: end)
        let rows = try Self.rows(Array(text.utf8), pieces: size)
        #expect(rows.map(\.fields) == [["a", "b", "c"], ["x, \"y\"", "z ", ""], ["1", "two\nlines", "3"]])
        #expect(rows.map(\.line) == [1, 2, 4])
    }

    @Test("The separator is that of the header, unless it is given or named in the first line")
    func separators() throws {
        #expect(try Self.rows(Array("a;b;c\n1,5;2;3".utf8))[1].fields == ["1,5", "2", "3"])
        #expect(try Self.rows(Array("a\tb\n1\t2".utf8))[1].fields == ["1", "2"])
        #expect(try Self.rows(Array("sep=|\na|b,c".utf8))[0].fields == ["a", "b,c"])
        #expect(try Self.rows(Array("title, one\na;b".utf8), headerLine: 2)[1].fields == ["a", "b"])
        #expect(try Self.rows(Array("a,b".utf8), separator: UInt8(ascii: ";"))[0].fields == ["a,b"])
    }

    @Test("A byte order mark, UTF-16 of both orders, and the Windows code page", arguments: [1, 5, 1 << 16])
    func encodings(size: Int) throws {
        let text = "Größe;𝒳\n5;€"
        let expected = [["Größe", "𝒳"], ["5", "€"]]
        var (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE], [0xFE, 0xFF])
        for unit in text.utf16 {
            little += [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
            big += [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
        }
        let plain = Array(text.utf8)
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + plain
        for bytes in [plain, marked, little, big] {
            #expect(try Self.rows(bytes, pieces: size).map(\.fields) == expected)
        }
        #expect(try Self.rows([0x47, 0x72, 0xF6, 0xDF, 0x65, 0x2C, 0x80, 0x9E])[0].fields == ["Größe", "€ž"])
    }

    @Test("A quotation mark without its counterpart ends the file with its line")
    func open() throws {
        #expect(throws: CSVReader.Failure.openQuote(line: 3)) { try Self.rows(Array("a\n1\n\"2\n3\n".utf8)) }
        #expect(try Self.rows([]) == [])
    }
}
