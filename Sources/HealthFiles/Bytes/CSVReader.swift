/// Reads comma-separated values row by row, from bytes that arrive in pieces. Fields aren't copied until they become texts.
///
/// Besides RFC 4180 it reads what spreadsheets write: other separators, a byte order mark, UTF-16, text in the Windows
/// code page, line ends of every system, and a first line that names the separator.
package struct CSVReader: ~Copyable {
    package struct Row: Hashable, Sendable {
        /// The line on which the row begins, from 1.
        package let line: Int
        package let fields: [String]

        package init(line: Int, fields: [String]) { (self.line, self.fields) = (line, fields) }
    }

    /// The fields of a row. They are valid until the next row is read.
    package struct Fields {
        fileprivate typealias Place = (start: Int, end: Int, isQuoted: Bool)

        fileprivate var ranges: [Place] = []
        fileprivate var base: UnsafeMutablePointer<UInt8>

        /// The bytes of a field; none of one that the row lacks.
        @inline(__always)
        package func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
            guard column < ranges.count else { return UnsafeBufferPointer(start: nil, count: 0) }
            return UnsafeBufferPointer(
                start: base + ranges[column].start, count: ranges[column].end - ranges[column].start)
        }

        package func text(_ column: Int?) -> String { column.map { CSVReader.text(bytes($0)) } ?? "" }

        package var texts: [String] { ranges.indices.map { text($0) } }
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
    private var fields: Fields
    private var capacity: Int
    /// The place of the next row, and the number of bytes in memory.
    private var (place, filled) = (0, 0)
    private var line = 1
    private var isAtEnd = false
    /// Whether the last row ended with a carriage return, whose line feed may follow.
    private var endedWithReturn = false

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
        self.separator = given ?? Self.separator(of: head, line: first)
        (capacity, filled) = (max(1 << 17, head.count), head.count)
        fields = Fields(base: .allocate(capacity: capacity))
        head.withUnsafeBufferPointer {
            if let start = $0.baseAddress { fields.base.update(from: start, count: head.count) }
        }
    }

    deinit {
        fields.base.deallocate()
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
        try nextFields().map { Row(line: $0.line, fields: $0.fields.texts) }
    }

    /// Calls `body` with each row but the first, and with what the first one says.
    ///
    /// - Parameter header: Finds the columns by their names, which are in lower case; without a result, nothing is read.
    package consuming func forEachRow<Columns>(
        _ header: ([String]) throws -> Columns?, _ body: (Fields, Columns) throws -> Void
    ) throws {
        guard let first = try nextFields(), let columns = try header(first.fields.texts.map { $0.lowercased() }) else {
            return
        }
        while let row = try nextFields() { try body(row.fields, columns) }
    }

    /// The next row that isn't blank, valid until the next call; `nil` at the end.
    package mutating func nextFields() throws -> (line: Int, fields: Fields)? {
        while true {
            let start = line
            guard try readRow() else { return nil }
            for index in fields.ranges.indices where fields.ranges[index].isQuoted {
                fields.ranges[index] = Self.unquoted(fields.ranges[index], fields.base)
            }
            if fields.ranges.count > 1 || fields.ranges[0].end > fields.ranges[0].start { return (start, fields) }
        }
    }

    /// Finds the fields of the row at ``place``, and moves behind it.
    private mutating func readRow() throws -> Bool {
        if endedWithReturn {
            if place == filled { try refill() }
            if place < filled, fields.base[place] == UInt8(ascii: "\n") { place += 1 }
            endedWithReturn = false
        }
        var index = place
        var (lines, start) = (0, place)
        // Inside quotation marks, and whether the field has some.
        var (isQuoted, hadQuotes) = (false, false)
        fields.ranges.removeAll(keepingCapacity: true)
        // Nothing above these bytes has a meaning.
        let (separator, quote, limit) = (separator, Self.quote, max(separator, Self.quote))
        while true {
            let (base, filled) = (fields.base, filled)
            while index < filled {
                let byte = base[index]
                index += 1
                if byte > limit { continue }
                if byte == quote {
                    // Only spaces are before a mark that opens a field. One directly after another is part of the text.
                    let before = UnsafeBufferPointer(start: base + start, count: index - 1 - start)
                    if isQuoted || (hadQuotes ? before.last == quote : before.allSatisfy { $0 == UInt8(ascii: " ") }) {
                        (isQuoted, hadQuotes) = (!isQuoted, true)
                    }
                } else if isQuoted {
                    if byte == UInt8(ascii: "\n") { lines += 1 }
                } else if byte == separator {
                    fields.ranges.append((start, index - 1, hadQuotes))
                    (start, hadQuotes) = (index, false)
                } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                    fields.ranges.append((start, index - 1, hadQuotes))
                    endedWithReturn = byte == UInt8(ascii: "\r")
                    line += lines + 1
                    place = index
                    return true
                }
            }
            let moved = place
            guard index - place <= Self.maximumSize else { throw Failure.tooLong(line: line) }
            try refill()
            // The rest of the row was moved to the beginning.
            if moved > 0 {
                (index, start) = (index - moved, start - moved)
                for number in fields.ranges.indices {
                    fields.ranges[number].start -= moved
                    fields.ranges[number].end -= moved
                }
            }
            guard index == self.filled else { continue }
            guard index > place else { return false }
            guard !isQuoted else { throw Failure.openQuote(line: line) }
            fields.ranges.append((start, index, hadQuotes))
            place = index
            return true
        }
    }

    /// Removes the quotation marks around a field, and one of each pair inside it, in place.
    private static func unquoted(
        _ range: Fields.Place, _ base: UnsafeMutablePointer<UInt8>
    ) -> Fields.Place {
        var (target, index) = (range.start, range.start)
        while base[index] == UInt8(ascii: " ") { index += 1 }
        var isQuoted = true
        index += 1
        while index < range.end {
            if base[index] == quote, isQuoted || base[index - 1] == quote {
                // A second mark directly after one is part of the text.
                if !isQuoted {
                    base[target] = quote
                    target += 1
                }
                isQuoted.toggle()
            } else {
                base[target] = base[index]
                target += 1
            }
            index += 1
        }
        return (range.start, target, false)
    }

    /// Moves the row at ``place`` to the beginning, and appends the next bytes.
    private mutating func refill() throws {
        let rest = filled - place
        if place > 0 { fields.base.update(from: fields.base + place, count: rest) }
        (place, filled) = (0, rest)
        while !isAtEnd {
            var piece = try source()
            if piece.isEmpty { return isAtEnd = true }
            if wide != nil { piece = wide?.text(piece) ?? [] }
            guard !piece.isEmpty else { continue }
            if filled + piece.count > capacity {
                capacity = max(capacity * 2, filled + piece.count)
                let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
                larger.update(from: fields.base, count: filled)
                fields.base.deallocate()
                fields.base = larger
            }
            piece.withUnsafeBufferPointer {
                fields.base.advanced(by: filled).update(from: $0.baseAddress!, count: piece.count)
            }
            filled += piece.count
            return
        }
    }

    /// Text that isn't UTF-8 is in the Windows code page for western Europe.
    fileprivate static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text: [UInt8] = []
        DeclaredEncoding.decode(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// Text in UTF-16 that becomes UTF-8 piece by piece.
package struct UTF16Transcoder {
    private let isBigEndian: Bool
    private var rest: [UInt8] = []

    /// `nil` for bytes without the byte order mark of UTF-16.
    package init?(_ head: [UInt8]) {
        guard head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) else { return nil }
        isBigEndian = head[0] == 0xFE
    }

    package mutating func text(_ piece: [UInt8]) -> [UInt8] {
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
