/// Reads comma-separated values row by row, from bytes that arrive in pieces.
///
/// Besides RFC 4180 it reads what spreadsheets write: other separators, a byte order mark, UTF-16, text in the Windows
/// code page, line ends of every system, and a first line that names the separator.
package struct CSVReader {
    package struct Row: Hashable, Sendable {
        /// The line on which the row begins, from 1.
        package let line: Int
        package let fields: [String]
    }

    /// Why the rest of the text can't be read.
    package enum Failure: Error, Hashable {
        /// A quotation mark opens a field that never ends.
        case openQuote(line: Int)
        /// A row is larger than ``maximumSize``.
        case tooLong(line: Int)

        package var line: Int {
            switch self {
            case .openQuote(let line), .tooLong(let line): line
            }
        }

        /// The end of a sentence about the file.
        package var reason: String {
            switch self {
            case .openQuote: "a quotation mark begins a field here that has no end; what is before was read"
            case .tooLong: "a row is too long; what is before was read"
            }
        }
    }

    /// The maximum number of bytes in a row.
    static let maximumSize = 1 << 24

    package let separator: UInt8
    private let source: () throws -> [UInt8]
    private var wide: UTF16Transcoder?
    private var piece: [UInt8] = []
    private var place = 0
    private var line = 1
    private var isAtEnd = false

    private static let quote = UInt8(ascii: "\"")
    private static let separators: [UInt8] = [",", ";", "\t", "|"].map { (byte: Unicode.Scalar) in UInt8(ascii: byte) }

    /// - Parameters:
    ///   - separator: The separator of fields; that of the header if `nil`.
    ///   - headerLine: The line of the header, from 1.
    ///   - source: Returns the next bytes; none at the end.
    package init(
        separator: UInt8? = nil, headerLine: Int = 1, _ source: @escaping () throws -> [UInt8]
    ) throws {
        self.source = source
        var head = try source()
        while head.count < 4_096 {
            let next = try source()
            if next.isEmpty { break }
            head += next
        }
        if var wide = UTF16Transcoder(head) {
            head = wide.text(head)
            self.wide = wide
        }
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { head.removeFirst(3) }
        var first = headerLine
        var given = separator
        // Excel's own way to name the separator.
        let opening = head.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        if opening.count == 5, opening.starts(with: Array("sep=".utf8)) {
            given = given ?? opening[4]
            (first, place) = (max(2, headerLine), 5)
        }
        piece = head
        self.separator = given ?? Self.separator(of: head, line: first)
    }

    /// The separator that occurs most often in a line, outside of quotation marks.
    private static func separator(of head: [UInt8], line wanted: Int) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var (line, isQuoted) = (1, false)
        for byte in head {
            if byte == quote { isQuoted.toggle() }
            if byte == UInt8(ascii: "\n"), !isQuoted {
                if line >= wanted, !counts.isEmpty { break }
                line += 1
            } else if line >= wanted, !isQuoted, separators.contains(byte) {
                counts[byte, default: 0] += 1
            }
        }
        return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? UInt8(ascii: ",")
    }

    /// The next row that isn't blank; `nil` at the end.
    package mutating func next() throws -> Row? {
        while true {
            let start = line
            guard let fields = try fields(from: start) else { return nil }
            if fields.count > 1 || !fields[0].isEmpty { return Row(line: start, fields: fields) }
        }
    }

    private mutating func fields(from start: Int) throws -> [String]? {
        guard try peek() != nil else { return nil }
        var fields: [String] = []
        var field: [UInt8] = []
        var (size, isQuoted, wasQuoted) = (0, false, false)
        while let byte = try peek() {
            place += 1
            size += 1
            guard size <= Self.maximumSize else { throw Failure.tooLong(line: start) }
            if isQuoted {
                if byte == Self.quote {
                    isQuoted = try peek() == Self.quote
                    if isQuoted {
                        place += 1
                        field.append(byte)
                    }
                } else {
                    if byte == UInt8(ascii: "\n") { line += 1 }
                    field.append(byte)
                }
                continue
            }
            switch byte {
            case separator:
                fields.append(Self.text(field))
                field.removeAll(keepingCapacity: true)
                wasQuoted = false
            case Self.quote where !wasQuoted && field.allSatisfy { $0 == UInt8(ascii: " ") }:
                field.removeAll(keepingCapacity: true)
                (isQuoted, wasQuoted) = (true, true)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if byte == UInt8(ascii: "\r"), try peek() == UInt8(ascii: "\n") { place += 1 }
                line += 1
                return fields + [Self.text(field)]
            default: field.append(byte)
            }
        }
        guard !isQuoted else { throw Failure.openQuote(line: start) }
        return fields + [Self.text(field)]
    }

    private mutating func peek() throws -> UInt8? {
        while place >= piece.count {
            if isAtEnd { return nil }
            piece = try source()
            place = 0
            isAtEnd = piece.isEmpty
            if !isAtEnd, var wide {
                piece = wide.text(piece)
                self.wide = wide
            }
        }
        return piece[place]
    }

    /// Text that isn't UTF-8 is in the Windows code page for western Europe.
    private static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { codePage[$0] ?? Unicode.Scalar($0) }))
    }

    /// The characters of the Windows code page that aren't those of Latin-1.
    private static let codePage: [UInt8: Unicode.Scalar] = Dictionary(
        uniqueKeysWithValues: zip(
            [
                0x80, 0x82, 0x83, 0x84, 0x85, 0x8A, 0x8C, 0x8E, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9A,
                0x9C,
            ],
            "€‚ƒ„…ŠŒŽ‘’“”•–—™šœ".unicodeScalars))
}

/// Text in UTF-16 that becomes UTF-8 piece by piece.
private struct UTF16Transcoder {
    private let isBigEndian: Bool
    private var rest: [UInt8] = []

    /// `nil` for bytes without the byte order mark of UTF-16.
    init?(_ head: [UInt8]) {
        guard head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) else { return nil }
        isBigEndian = head[0] == 0xFE
    }

    mutating func text(_ piece: [UInt8]) -> [UInt8] {
        let bytes = rest + piece
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        rest = bytes.count % 2 == 1 ? [bytes[bytes.count - 1]] : []
        // The first half of a character waits for the second one.
        if let last = units.last, (0xD800..<0xDC00).contains(last), piece.count > 1 {
            units.removeLast()
            rest = Array(bytes.suffix(2 + rest.count))
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
