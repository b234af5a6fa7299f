/// Reads a posted JSON document piece by piece, so that a document of any size needs little memory.
///
/// The reader is strict about JSON's grammar, except that it repairs invalid UTF-8 and unpaired surrogates. No input
/// makes it trap: deep nesting, long numbers and large single values are errors.
struct IngestJSONReader {
    /// The kinds of values that a document can contain.
    enum Kind {
        case object, array, string, number, literal
    }

    private var window: IngestByteWindow
    private var depth = 0
    /// The bytes that the value being read may still take.
    private var allowance = 0

    private static let maximumDepth = 64
    private static let maximumNumberLength = 512
    /// The maximum size of a value that is read as a whole, such as a workout with its route.
    static let maximumValueSize = 48 << 20

    init(_ source: IngestByteSource, windowSize: Int = 256 << 10) {
        window = IngestByteWindow(source, size: windowSize)
    }

    /// The offset of the next byte.
    var offset: Int { window.offset }

    /// Continues at the offset of a value that was read or skipped before.
    mutating func move(to offset: Int) {
        window.move(to: offset)
        depth = 0
    }

    // MARK: Structure

    /// Returns the kind of the next value without consuming it.
    mutating func kind() throws -> Kind {
        guard let byte = try nextSignificant() else { throw failure("The document ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .literal
        default: throw failure("A value is expected")
        }
    }

    /// Reads an object. `body` gets the name of each member and must read or skip its value.
    mutating func forEachMember(_ body: (inout IngestJSONReader, String) throws -> Void) throws {
        try enter("{")
        defer { depth -= 1 }
        if try take("}") { return }
        repeat {
            guard try nextSignificant() == UInt8(ascii: "\"") else { throw failure("The name of a member is expected") }
            allowance = Self.maximumValueSize
            let name = try string()
            guard try take(":") else { throw failure("A colon is expected") }
            try body(&self, name)
        } while try take(",")
        guard try take("}") else { throw failure("A comma or “}” is expected") }
    }

    /// Reads an array. `body` gets the index of each element and must read or skip it.
    mutating func forEachElement(_ body: (inout IngestJSONReader, Int) throws -> Void) throws {
        try enter("[")
        defer { depth -= 1 }
        if try take("]") { return }
        var index = 0
        repeat {
            try body(&self, index)
            index += 1
        } while try take(",")
        guard try take("]") else { throw failure("A comma or “]” is expected") }
    }

    /// Checks that nothing but white space follows.
    mutating func end() throws {
        guard try nextSignificant() == nil else { throw failure("The document continues after its value") }
    }

    // MARK: Values

    /// Reads a value as a whole.
    mutating func value() throws -> IngestValue {
        allowance = Self.maximumValueSize
        return try anyValue()
    }

    /// Skips a value, checking its grammar.
    mutating func skip() throws {
        switch try kind() {
        case .object:
            try enter("{")
            defer { depth -= 1 }
            if try take("}") { return }
            repeat {
                guard try nextSignificant() == UInt8(ascii: "\"") else {
                    throw failure("The name of a member is expected")
                }
                try skipString()
                guard try take(":") else { throw failure("A colon is expected") }
                try skip()
            } while try take(",")
            guard try take("}") else { throw failure("A comma or “}” is expected") }
        case .array: try forEachElement { reader, _ in try reader.skip() }
        case .string: try skipString()
        case .number: _ = try number()
        case .literal: _ = try literal()
        }
    }

    private mutating func anyValue() throws -> IngestValue {
        // Every value counts, so that an array of a million empty arrays is limited, too.
        try spend(16)
        switch try kind() {
        case .object:
            var members = IngestMembers()
            try enter("{")
            defer { depth -= 1 }
            if try take("}") { return .object(members) }
            repeat {
                guard try nextSignificant() == UInt8(ascii: "\"") else {
                    throw failure("The name of a member is expected")
                }
                let name = try string()
                guard try take(":") else { throw failure("A colon is expected") }
                members.append(name, try anyValue())
            } while try take(",")
            guard try take("}") else { throw failure("A comma or “}” is expected") }
            return .object(members)
        case .array:
            var elements: [IngestValue] = []
            try enter("[")
            defer { depth -= 1 }
            if try take("]") { return .array(elements) }
            repeat { elements.append(try anyValue()) } while try take(",")
            guard try take("]") else { throw failure("A comma or “]” is expected") }
            return .array(elements)
        case .string: return .string(try string())
        case .number: return .number(try number())
        case .literal: return try literal()
        }
    }

    // MARK: Tokens

    private mutating func string() throws -> String {
        window.advance()
        // Most strings are in memory as a whole and have no escapes.
        let plain = window.consume { rest -> (Int, String?) in
            let count = IngestByteWindow.plainCount(rest)
            guard count < rest.count, rest[count] == UInt8(ascii: "\"") else { return (0, nil) }
            return (count + 1, String(decoding: rest[..<count], as: UTF8.self))
        }
        if let plain {
            try spend(plain.utf8.count + 1)
            return plain
        }
        return try longString()
    }

    /// Reads a string, of which the quotation mark is read, piece by piece.
    private mutating func longString() throws -> String {
        var bytes: [UInt8] = []
        while true {
            let before = bytes.count
            try window.appendPlainRun(to: &bytes)
            try spend(bytes.count - before + 1)
            guard let byte = try window.peek() else { throw failure("The document ends in a string") }
            window.advance()
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&bytes)
            default: throw failure("A string contains a control character")
            }
        }
    }

    /// Reads a string as ``string()`` does, without keeping it.
    private mutating func skipString() throws {
        window.advance()
        allowance = Self.maximumValueSize
        var unescaped: [UInt8] = []
        while true {
            try spend(try window.skipPlainRun() + 1)
            guard let byte = try window.peek() else { throw failure("The document ends in a string") }
            window.advance()
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"):
                unescaped.removeAll(keepingCapacity: true)
                try escape(&unescaped)
            default: throw failure("A string contains a control character")
            }
        }
    }

    private mutating func escape(_ bytes: inout [UInt8]) throws {
        guard let byte = try window.peek() else { throw failure("The document ends in a string") }
        window.advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try hexadecimal()
            if (0xD800..<0xDC00).contains(unit), try window.peek() == UInt8(ascii: "\\") {
                let place = window.offset
                window.advance()
                if try window.peek() == UInt8(ascii: "u") {
                    window.advance()
                    let low = try hexadecimal()
                    if (0xDC00..<0xE000).contains(low) {
                        unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
                    } else {
                        window.move(to: place)
                    }
                } else {
                    window.move(to: place)
                }
            }
            // An unpaired surrogate is not a character.
            bytes.append(contentsOf: Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8))
        default: throw failure("A string contains an unknown escape sequence")
        }
    }

    private mutating func hexadecimal() throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = try window.peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("Four hexadecimal digits are expected")
            }
            window.advance()
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private mutating func number() throws -> Double {
        if let plain = window.consume({ Self.plainNumber($0) }) { return plain }
        return try longNumber()
    }

    /// The number at the beginning of some bytes and its length, if it is of the usual form: at most 15 digits, perhaps
    /// with a point, and followed by something else.
    @inline(__always)
    private static func plainNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> (Int, Double?) {
        let (none, minus): ((Int, Double?), UInt8) = ((0, nil), UInt8(ascii: "-"))
        var place = !bytes.isEmpty && bytes[0] == minus ? 1 : 0
        let first = place
        var (mantissa, decimals) = (0, 0)
        while place < bytes.count, bytes[place] &- 48 <= 9, place - first < 15 {
            mantissa = mantissa * 10 + Int(bytes[place] - 48)
            place += 1
        }
        var digits = place - first
        guard digits > 0, digits == 1 || bytes[first] != 48, place < bytes.count else { return none }
        if bytes[place] == UInt8(ascii: ".") {
            place += 1
            while place < bytes.count, bytes[place] &- 48 <= 9, digits < 15 {
                mantissa = mantissa * 10 + Int(bytes[place] - 48)
                (digits, decimals, place) = (digits + 1, decimals + 1, place + 1)
            }
            guard decimals > 0, place < bytes.count else { return none }
        }
        switch bytes[place] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: break
        default: return none
        }
        // The quotient of two exact numbers is the nearest one.
        let value = Double(mantissa) / powersOfTen[decimals]
        return (place, first > 0 ? -value : value)
    }

    private mutating func longNumber() throws -> Double {
        var text: [UInt8] = []
        var mantissa = 0
        var decimals = 0
        var isSimple = true
        var hasPoint = false
        loop: while let byte = try window.peek() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if text.count < 16 {
                    mantissa = mantissa * 10 + Int(byte - UInt8(ascii: "0"))
                    if hasPoint { decimals += 1 }
                }
            case UInt8(ascii: "."):
                if hasPoint { isSimple = false }
                hasPoint = true
            case UInt8(ascii: "-"):
                if !text.isEmpty { isSimple = false }
            case UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"): isSimple = false
            default: break loop
            }
            text.append(byte)
            guard text.count <= Self.maximumNumberLength else { throw failure("A number is too long") }
            window.advance()
        }
        guard Self.isNumber(text) else { throw failure("A number is not valid") }
        // Up to 15 digits, the quotient of two exact numbers is the nearest one.
        if isSimple, text.count <= 15 {
            let value = Double(mantissa) / Self.powersOfTen[decimals]
            return text.first == UInt8(ascii: "-") ? -value : value
        }
        guard let value = Double(String(decoding: text, as: UTF8.self)) else { throw failure("A number is not valid") }
        return value
    }

    private static let powersOfTen: [Double] = (0...16).map { power in
        (0..<power).reduce(1) { value, _ in value * 10 }
    }

    /// Whether bytes are a number in JSON's grammar.
    private static func isNumber(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        func digits(_ rest: inout ArraySlice<UInt8>) -> Int {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits(&rest)
        guard whole > 0, !startsWithZero || whole == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits(&rest) > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private mutating func literal() throws -> IngestValue {
        for (word, value) in [("true", IngestValue.bool(true)), ("false", .bool(false)), ("null", .null)]
        where try window.peek() == word.utf8.first {
            for byte in word.utf8 {
                guard try window.peek() == byte else { throw failure("A word is not true, false or null") }
                window.advance()
            }
            return value
        }
        throw failure("A value is expected")
    }

    // MARK: Bytes

    @inline(__always)
    private mutating func nextSignificant() throws -> UInt8? {
        while let byte = try window.peek() {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            window.advance()
        }
        return nil
    }

    @inline(__always)
    private mutating func take(_ scalar: Unicode.Scalar) throws -> Bool {
        guard try nextSignificant() == UInt8(ascii: scalar) else { return false }
        window.advance()
        return true
    }

    private mutating func enter(_ opening: Unicode.Scalar) throws {
        guard try take(opening) else { throw failure("“\(opening)” is expected") }
        depth += 1
        guard depth <= Self.maximumDepth else { throw failure("Values are nested too deeply") }
    }

    private mutating func spend(_ bytes: Int) throws {
        allowance -= bytes
        guard allowance >= 0 else { throw failure("A single value is larger than \(Self.maximumValueSize >> 20) MB") }
    }

    private func failure(_ reason: String) -> IngestJSONError {
        IngestJSONError(offset: window.offset, reason: reason)
    }
}

/// A document that is not JSON, or that exceeds a limit of the reader. The description contains none of its text.
struct IngestJSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes before the error.
    let offset: Int
    /// What is wrong.
    let reason: String

    var description: String { "\(reason) (byte \(offset))." }
}
