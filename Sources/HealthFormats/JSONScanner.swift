import Foundation

/// Reads JSON front to back, without building a tree.
///
/// Use it inside ``JSONScanner/scan(_:_:)``: the bytes must stay where they are.
package struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The place of the next byte.
    package private(set) var place = 0
    private var depth = 0

    /// Deeper nesting is an error, so that hostile input can't exhaust the stack.
    package static let maximumDepth = 64

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The number of bytes that are not read yet.
    package var remainingCount: Int { max(0, bytes.count - place) }

    /// Calls `body` with a scanner of some bytes.
    package static func scan<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout JSONScanner) throws -> Value
    ) throws -> Value {
        var scanner = JSONScanner(bytes)
        return try body(&scanner)
    }

    // MARK: Structure

    /// The kind of the next value.
    package enum Kind: Hashable, Sendable {
        case object, array, string, number, bool, null
    }

    /// Returns the kind of the next value without reading it.
    package mutating func kind() throws -> Kind {
        skipSpace()
        guard place < bytes.count else { throw error("The text ends too early") }
        switch bytes[place] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw error("A value is expected")
        }
    }

    /// Reads an object and calls `member` for each of its names; `member` reads the value.
    package mutating func object(_ member: (inout JSONScanner, String) throws -> Void) throws {
        try expect("{")
        try enter()
        if accept("}") { return leave() }
        repeat {
            skipSpace()
            let name = try string()
            try expect(":")
            try member(&self, name)
        } while accept(",")
        try expect("}")
        leave()
    }

    /// The name of a member: one that the reader knows by its bytes, or any other.
    enum MemberName<Known> {
        case known(Known)
        case other(String)
    }

    /// Reads an object and calls `member` for each of its names; `member` reads the value.
    ///
    /// - Parameter known: Recognizes the bytes of a name, for which no string is made then.
    @inline(__always)
    mutating func object<Known>(
        known: (UnsafeBufferPointer<UInt8>) -> Known?,
        _ member: (inout JSONScanner, MemberName<Known>) throws -> Void
    ) throws {
        try expect("{")
        try enter()
        if accept("}") { return leave() }
        repeat {
            let name: MemberName<Known>
            if let found = try string(known: known) {
                name = .known(found)
            } else {
                var text = try string()
                name = text.withUTF8(known).map { .known($0) } ?? .other(text)
            }
            try expect(":")
            try member(&self, name)
        } while accept(",")
        try expect("}")
        leave()
    }

    /// Reads an array and calls `element` for each element, which it reads.
    package mutating func array(_ element: (inout JSONScanner, Int) throws -> Void) throws {
        try expect("[")
        try enter()
        if accept("]") { return leave() }
        var index = 0
        repeat {
            try element(&self, index)
            index += 1
        } while accept(",")
        try expect("]")
        leave()
    }

    /// Reads and ignores a value.
    package mutating func skip() throws {
        switch try kind() {
        case .object: try object { json, _ in try json.skip() }
        case .array: try array { json, _ in try json.skip() }
        case .string: _ = try stringBytes()
        case .number: _ = try numberText()
        case .bool: _ = try bool()
        case .null: try null()
        }
    }

    /// Whether only white space is left.
    package mutating func isAtEnd() -> Bool {
        skipSpace()
        return place == bytes.count
    }

    /// - Throws: ``JSONSyntaxError`` unless only white space is left.
    package mutating func end() throws {
        guard isAtEnd() else { throw error("The text continues after its value") }
    }

    private mutating func enter() throws {
        depth += 1
        guard depth <= Self.maximumDepth else { throw error("Values are nested too deeply") }
    }

    private mutating func leave() {
        depth -= 1
    }

    @inline(__always)
    private mutating func skipSpace() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            default: return
            }
        }
    }

    @inline(__always)
    private mutating func accept(_ letter: Unicode.Scalar) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: letter) else { return false }
        place += 1
        return true
    }

    @inline(__always)
    private mutating func expect(_ letter: Unicode.Scalar) throws {
        guard accept(letter) else { throw absence(of: letter) }
    }

    @inline(never)
    private func absence(of letter: Unicode.Scalar) -> JSONSyntaxError {
        error("“\(letter)” is expected")
    }

    private func error(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: place, reason: reason)
    }

    // MARK: Values

    /// Reads null if it is next.
    package mutating func acceptNull() throws -> Bool {
        guard try kind() == .null else { return false }
        try null()
        return true
    }

    private mutating func null() throws {
        guard word("null") else { throw error("A value is expected") }
    }

    /// Reads a Boolean value.
    package mutating func bool() throws -> Bool {
        skipSpace()
        if word("true") { return true }
        if word("false") { return false }
        throw error("true or false is expected")
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
        place += count
        return true
    }

    /// Reads a string.
    package mutating func string() throws -> String {
        let (text, hasEscapes) = try stringBytes()
        guard hasEscapes else {
            guard let string = String(validating: text, as: UTF8.self) else { throw error("A string is not UTF-8") }
            return string
        }
        return try unescaped(text)
    }

    /// Reads a string, and passes its bytes if it has no escapes.
    ///
    /// - Returns: What `body` returns; `nil` if there are escapes, and then the string isn't read.
    package mutating func plainString<Value>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Value) throws -> Value? {
        let before = place
        let (text, hasEscapes) = try stringBytes()
        guard !hasEscapes else {
            place = before
            return nil
        }
        return try body(text)
    }

    /// Reads a string that has no escapes and that `known` recognizes.
    ///
    /// - Returns: What `known` returns; if that is `nil` or there are escapes, the string isn't read.
    @inline(__always)
    mutating func string<Value>(known: (UnsafeBufferPointer<UInt8>) throws -> Value?) throws -> Value? {
        let before = place
        let (text, hasEscapes) = try stringBytes()
        if !hasEscapes, let value = try known(text) { return value }
        place = before
        return nil
    }

    /// Reads the bytes between quotes.
    @inline(__always)
    private mutating func stringBytes() throws -> (UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
        try expect("\"")
        let start = place
        skipPlainText()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
            return (try stringRemainder(from: start), true)
        }
        defer { place += 1 }
        return (UnsafeBufferPointer(rebasing: bytes[start..<place]), false)
    }

    /// Reads the rest of a string from its first escape.
    private mutating func stringRemainder(from start: Int) throws -> UnsafeBufferPointer<UInt8> {
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") {
                defer { place += 1 }
                return UnsafeBufferPointer(rebasing: bytes[start..<place])
            }
            if byte < 0x20 { throw error("A string contains a control character") }
            // The byte after a backslash is part of the escape, also if it is a quote.
            place += 2
            skipPlainText()
        }
        place = bytes.count
        throw error("A string does not end")
    }

    /// Goes to the next quote, backslash or control character, eight bytes at a time.
    @inline(__always)
    private mutating func skipPlainText() {
        let raw = UnsafeRawBufferPointer(bytes)
        while place + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            // In each of the three, the lowest byte that is marked is the first that is found.
            let control = (word &- 0x2020_2020_2020_2020) & ~word
            let (quote, backslash) = (word ^ 0x2222_2222_2222_2222, word ^ 0x5C5C_5C5C_5C5C_5C5C)
            let found =
                control | ((quote &- 0x0101_0101_0101_0101) & ~quote)
                | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
            let marks = found & 0x8080_8080_8080_8080
            guard marks == 0 else {
                place += marks.trailingZeroBitCount >> 3
                return
            }
            place += 8
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            place += 1
        }
    }

    private func unescaped(_ text: UnsafeBufferPointer<UInt8>) throws -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        func hexadecimal(at start: Int) throws -> UInt16 {
            guard start + 4 <= text.count else { throw error("An escape is incomplete") }
            var number: UInt16 = 0
            for digit in text[start..<start + 4] {
                guard
                    let value = Unicode.Scalar(digit).properties.isASCIIHexDigit
                        ? Character(Unicode.Scalar(digit)).hexDigitValue : nil
                else { throw error("An escape is not hexadecimal") }
                number = number << 4 | UInt16(value)
            }
            return number
        }
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\") else {
                result.append(text[index])
                index += 1
                continue
            }
            let letter = text[index + 1]
            index += 2
            switch letter {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(letter)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "u"):
                let first = try hexadecimal(at: index)
                index += 4
                var scalar = Unicode.Scalar(first)
                if first & 0xFC00 == 0xD800, index + 6 <= text.count, text[index] == UInt8(ascii: "\\"),
                    text[index + 1] == UInt8(ascii: "u")
                {
                    let second = try hexadecimal(at: index + 2)
                    if second & 0xFC00 == 0xDC00 {
                        index += 6
                        scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
                    }
                }
                guard let scalar else { throw error("An escape is half of a character") }
                result += Array(String(Character(scalar)).utf8)
            default: throw error("An escape is unknown")
            }
        }
        guard let string = String(validating: result, as: UTF8.self) else { throw error("A string is not UTF-8") }
        return string
    }

    // MARK: Numbers

    /// Reads a number.
    package mutating func number() throws -> Double {
        try numberText().value
    }

    /// Reads a number and whether it is written as an integer, without a point or exponent.
    package mutating func integerOrNumber() throws -> (integer: Int64?, number: Double) {
        let found = try numberText()
        return (found.integer, found.value)
    }

    private mutating func numberText() throws -> (value: Double, integer: Int64?) {
        skipSpace()
        let start = place
        let isNegative = place < bytes.count && bytes[place] == UInt8(ascii: "-")
        if isNegative { place += 1 }
        var mantissa: UInt64 = 0
        var isExact = true
        let first = place
        var exponent = 0
        func digit() -> UInt64? {
            guard place < bytes.count, bytes[place] >= 48, bytes[place] <= 57 else { return nil }
            return UInt64(bytes[place] - 48)
        }
        func add(_ digit: UInt64) {
            if mantissa >= 100_000_000_000_000_000 { isExact = false } else { mantissa = mantissa * 10 + digit }
        }
        while let next = digit() {
            add(next)
            place += 1
        }
        guard place > first, place == first + 1 || bytes[first] != 48 else { throw error("A number is expected") }
        var isInteger = true
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            isInteger = false
            place += 1
            let fraction = place
            while let next = digit() {
                add(next)
                exponent -= 1
                place += 1
            }
            guard place > fraction else { throw error("A digit is expected") }
        }
        if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            place += 1
            var isBelow = false
            if place < bytes.count, bytes[place] == UInt8(ascii: "-") || bytes[place] == UInt8(ascii: "+") {
                isBelow = bytes[place] == UInt8(ascii: "-")
                place += 1
            }
            let power = place
            var given = 0
            while let next = digit() {
                given = min(given * 10 + Int(next), 100_000)
                place += 1
            }
            guard place > power else { throw error("A digit is expected") }
            exponent += isBelow ? -given : given
        }
        // Two exact numbers have the nearest quotient or product.
        if isExact, mantissa < 1 << 53, abs(exponent) <= 22 {
            var value = Double(mantissa)
            if exponent < 0 { value /= Self.powers[-exponent] } else if exponent > 0 { value *= Self.powers[exponent] }
            let integer = isInteger ? Int64(mantissa) * (isNegative ? -1 : 1) : nil
            return (isNegative ? -value : value, integer)
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw error("A number is out of range") }
        return (value, isInteger ? Int64(text) : nil)
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]
}

/// The error for a text that is not JSON. The description contains no part of the text.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes before the error.
    package var offset: Int
    /// What is wrong.
    package var reason: String

    /// The reason and the place.
    package var description: String { "\(reason) (at byte \(offset))." }
}
