/// Reads JSON front to back, without building a tree, from bytes in memory or through a window over a document that is
/// larger than memory.
///
/// The reader is strict about JSON's grammar. No input makes it trap: deep nesting, long numbers and single values that
/// are too large to be in memory are errors.
package struct JSONReader: ~Copyable {
    /// The bytes that are in memory.
    @usableFromInline var bytes: UnsafeBufferPointer<UInt8>
    /// The place of the next byte in `bytes`.
    @usableFromInline var place = 0
    /// The place of the last string's opening quotation mark in `bytes`.
    @usableFromInline var mark = 0
    /// The offset of `bytes` in the document.
    private var base = 0
    private var depth = 0
    private let window: JSONWindow?
    @usableFromInline let isLenient: Bool

    /// Deeper nesting is an error, so that hostile input can't exhaust the stack.
    package static let maximumDepth = 64
    private static let maximumNumberLength = 512
    /// The maximum size of a value that is read as a whole, such as a workout with its route.
    package static let maximumValueSize = 48 << 20

    /// Creates a reader at the start of a document.
    ///
    /// - Parameters:
    ///   - windowSize: The number of bytes that are in memory at a time.
    ///   - isLenient: Whether invalid UTF-8 and unpaired surrogates are replaced by U+FFFD, numbers out of range by
    ///     infinity, and `NaN` by null, and a byte order mark is skipped, instead of being errors.
    package init(_ source: JSONSource, windowSize: Int = 256 << 10, isLenient: Bool = false) {
        let window = JSONWindow(source, size: windowSize)
        bytes = window.start
        self.window = window
        self.isLenient = isLenient
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, isLenient: Bool) {
        self.bytes = bytes
        (window, self.isLenient) = (nil, isLenient)
    }

    /// Calls `body` with a reader of bytes that stay where they are during the call.
    package static func scan<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>, isLenient: Bool = false, _ body: (inout JSONReader) throws -> Value
    ) throws -> Value {
        var reader = JSONReader(bytes, isLenient: isLenient)
        return try body(&reader)
    }

    /// The offset of the next byte in the document.
    package var offset: Int { base + place }

    /// Continues at the offset of a value that was read or skipped before.
    package mutating func move(to offset: Int) {
        depth = 0
        if offset >= base, offset <= base + bytes.count {
            place = offset - base
        } else {
            (base, place) = (offset, 0)
            bytes = UnsafeBufferPointer(rebasing: bytes[..<0])
        }
    }

    /// Moves the window forward, so that it begins at a place of the present one and has further bytes.
    ///
    /// - Returns: Whether there are further bytes.
    @inline(never) @usableFromInline
    mutating func refill(from start: Int) throws -> Bool {
        guard let window, window.isMovable else { return false }
        let kept = UnsafeBufferPointer(rebasing: bytes[start...])
        guard kept.count <= Self.maximumValueSize else { throw tooLarge }
        bytes = try window.move(keeping: kept, followedBy: base + bytes.count)
        base += start
        place -= start
        return bytes.count > kept.count
    }

    /// Moves the window so that a number of bytes is in memory, if the document has as many.
    mutating func require(_ count: Int) throws {
        while bytes.count - place < count, try refill(from: place) {}
    }

    // MARK: Structure

    /// The kind of the next value.
    package enum Kind: Hashable, Sendable {
        case object, array, string, number, bool, null
    }

    /// Returns the kind of the next value without reading it.
    @inlinable
    package mutating func kind() throws -> Kind {
        try skipSpace()
        guard place < bytes.count else { throw error("The text ends too early") }
        switch bytes[place] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "N") where isLenient: return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case 0xEF where isLenient && place == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]):
            place = 3
            return try kind()
        default: throw error("A value is expected")
        }
    }

    /// Reads an object and calls `member` for each of its names; `member` reads or skips the value.
    @inlinable
    package mutating func object(_ member: (inout JSONReader, String) throws -> Void) throws {
        try expect("{")
        try enter()
        if try accept("}") { return leave() }
        repeat {
            let name = try string()
            try expect(":")
            try member(&self, name)
        } while try accept(",")
        try expect("}")
        leave()
    }

    /// Reads an array and calls `element` with the index of each element, which it reads or skips.
    @inlinable
    package mutating func array(_ element: (inout JSONReader, Int) throws -> Void) throws {
        try expect("[")
        try enter()
        if try accept("]") { return leave() }
        var index = 0
        repeat {
            try element(&self, index)
            index += 1
        } while try accept(",")
        try expect("]")
        leave()
    }

    /// Reads and ignores a value.
    package mutating func skip() throws {
        switch try kind() {
        case .object: try object { json, _ in try json.skip() }
        case .array: try array { json, _ in try json.skip() }
        case .string:
            let (text, hasEscapes) = try stringBytes()
            if hasEscapes { _ = try unescaped(text) }
        case .number: _ = try number()
        case .bool: _ = try bool()
        case .null: try null()
        }
    }

    /// Reads a value as a whole.
    package mutating func value() throws -> JSONValue {
        var allowance = Self.maximumValueSize
        return try value(&allowance)
    }

    /// - Parameter allowance: The bytes that the value may still take.
    private mutating func value(_ allowance: inout Int) throws -> JSONValue {
        // Every value counts, so that an array of a million empty arrays is limited, too.
        try spend(16, of: &allowance)
        switch try kind() {
        case .object:
            var members = JSONMembers()
            try object { json, name in
                try json.spend(name.utf8.count, of: &allowance)
                members.append(name, try json.value(&allowance))
            }
            return .object(members)
        case .array:
            var elements: [JSONValue] = []
            try array { json, _ in elements.append(try json.value(&allowance)) }
            return .array(elements)
        case .string:
            let text = try string()
            try spend(text.utf8.count, of: &allowance)
            return .string(text)
        case .number: return .number(try number())
        case .bool: return .bool(try bool())
        case .null:
            try null()
            return .null
        }
    }

    private func spend(_ bytes: Int, of allowance: inout Int) throws {
        allowance -= bytes
        guard allowance >= 0 else { throw tooLarge }
    }

    /// Whether only white space is left.
    package mutating func isAtEnd() throws -> Bool {
        try skipSpace()
        return place == bytes.count
    }

    /// - Throws: ``JSONSyntaxError`` unless only white space is left.
    package mutating func end() throws {
        guard try isAtEnd() else { throw error("The text continues after its value") }
    }

    @usableFromInline
    mutating func enter() throws {
        depth += 1
        guard depth <= Self.maximumDepth else { throw error("Values are nested too deeply") }
    }

    @usableFromInline
    mutating func leave() {
        depth -= 1
    }

    @inlinable @inline(__always)
    mutating func skipSpace() throws {
        repeat {
            while place < bytes.count {
                switch bytes[place] {
                case 0x20, 0x09, 0x0A, 0x0D: place += 1
                default: return
                }
            }
        } while try refill(from: place)
    }

    @inlinable @inline(__always)
    mutating func accept(_ letter: Unicode.Scalar) throws -> Bool {
        try skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: letter) else { return false }
        place += 1
        return true
    }

    @inlinable @inline(__always)
    mutating func expect(_ letter: Unicode.Scalar) throws {
        guard try accept(letter) else { throw error("“\(letter)” is expected") }
    }

    @inline(never) @usableFromInline
    func error(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: offset, reason: reason)
    }

    private var tooLarge: JSONSyntaxError {
        error("A single value is larger than \(Self.maximumValueSize >> 20) MB")
    }

    // MARK: Words

    /// Reads null if it is next.
    @inlinable
    package mutating func acceptNull() throws -> Bool {
        guard try kind() == .null else { return false }
        try null()
        return true
    }

    @usableFromInline
    mutating func null() throws {
        guard try word(place < bytes.count && bytes[place] == UInt8(ascii: "N") ? "NaN" : "null") else {
            throw error("A value is expected")
        }
    }

    package mutating func bool() throws -> Bool {
        try skipSpace()
        if try word("true") { return true }
        if try word("false") { return false }
        throw error("true or false is expected")
    }

    private mutating func word(_ word: StaticString) throws -> Bool {
        let count = word.utf8CodeUnitCount
        try require(count)
        guard place + count <= bytes.count else { return false }
        for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
        place += count
        return true
    }

    // MARK: Strings

    package mutating func string() throws -> String {
        let (text, hasEscapes) = try stringBytes()
        return try string(text, hasEscapes: hasEscapes)
    }

    @usableFromInline
    func string(_ text: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) throws -> String {
        hasEscapes ? try unescaped(text) : try decoded(text)
    }

    /// Reads the bytes between quotation marks, which are in memory until the next call.
    @inlinable @inline(__always)
    mutating func stringBytes() throws -> (UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
        try expect("\"")
        mark = place - 1
        skipPlainText()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return try stringRemainder() }
        defer { place += 1 }
        return (UnsafeBufferPointer(rebasing: bytes[mark + 1..<place]), false)
    }

    /// Reads the rest of a string from its first escape, or from the end of the window.
    @usableFromInline
    mutating func stringRemainder() throws -> (UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
        var hasEscapes = false
        while true {
            skipPlainText()
            guard place < bytes.count else {
                guard try refill(from: mark) else {
                    place = bytes.count
                    throw error("A string does not end")
                }
                mark = 0
                continue
            }
            switch bytes[place] {
            case UInt8(ascii: "\""):
                defer { place += 1 }
                return (UnsafeBufferPointer(rebasing: bytes[mark + 1..<place]), hasEscapes)
            case UInt8(ascii: "\\"):
                // The byte after a backslash is part of the escape, also if it is a quotation mark.
                hasEscapes = true
                place += 2
            default: throw error("A string contains a control character")
            }
        }
    }

    /// Goes to the next quotation mark, backslash or control character in memory, eight bytes at a time.
    @inlinable @inline(__always)
    mutating func skipPlainText() { Self.skipText(in: bytes, at: &place) }

    @inlinable @inline(__always)
    static func skipText(in bytes: UnsafeBufferPointer<UInt8>, at place: inout Int) {
        let raw = UnsafeRawBufferPointer(bytes)
        while place + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let marks = Self.marks(word)
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

    /// The highest bits of the bytes of a word that are quotation marks, backslashes or control characters: the lowest of
    /// them is right, others may follow by mistake.
    @inlinable @inline(__always)
    static func marks(_ word: UInt64) -> UInt64 {
        // In each of the three, the lowest byte that is marked is the first that is found.
        let control = (word &- 0x2020_2020_2020_2020) & ~word
        let (quote, backslash) = (word ^ 0x2222_2222_2222_2222, word ^ 0x5C5C_5C5C_5C5C_5C5C)
        let found =
            control | ((quote &- 0x0101_0101_0101_0101) & ~quote)
            | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
        return found & 0x8080_8080_8080_8080
    }

    private func decoded(_ text: some Collection<UInt8>) throws -> String {
        if let string = String(validating: text, as: UTF8.self) { return string }
        guard isLenient else { throw error("A string is not UTF-8") }
        return String(decoding: text, as: UTF8.self)
    }

    private func unescaped(_ text: UnsafeBufferPointer<UInt8>) throws -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        func codeUnit(at start: Int) throws -> UInt16 {
            guard start + 4 <= text.count else { throw error("An escape is incomplete") }
            var number: UInt16 = 0
            for digit in text[start..<start + 4] {
                guard digit < 0x80, let value = Character(Unicode.Scalar(digit)).hexDigitValue else {
                    throw error("An escape is not hexadecimal")
                }
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
                let first = try codeUnit(at: index)
                index += 4
                var scalar = Unicode.Scalar(first)
                if first & 0xFC00 == 0xD800, index + 6 <= text.count, text[index] == UInt8(ascii: "\\"),
                    text[index + 1] == UInt8(ascii: "u")
                {
                    let second = try codeUnit(at: index + 2)
                    if second & 0xFC00 == 0xDC00 {
                        index += 6
                        scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
                    }
                }
                guard let scalar = scalar ?? (isLenient ? "\u{FFFD}" : nil) else {
                    throw error("An escape is half of a character")
                }
                result += Array(String(Character(scalar)).utf8)
            default: throw error("An escape is unknown")
            }
        }
        return try decoded(result)
    }

    // MARK: Numbers

    package mutating func number() throws -> Double {
        try integerOrNumber().number
    }

    /// Reads a number, and the integer if it is written as one, without a point or exponent.
    package mutating func integerOrNumber() throws -> (integer: Int64?, number: Double) {
        try skipSpace()
        try require(Self.maximumNumberLength + 1)
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
        guard place - start <= Self.maximumNumberLength else { throw error("A number is too long") }
        // Two exact numbers have the nearest quotient or product.
        if isExact, mantissa < 1 << 53, abs(exponent) <= 22 {
            var value = Double(mantissa)
            if exponent < 0 { value /= Self.powers[-exponent] } else if exponent > 0 { value *= Self.powers[exponent] }
            let integer = isInteger ? Int64(mantissa) * (isNegative ? -1 : 1) : nil
            return (integer, isNegative ? -value : value)
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard let value = Double(text), value.isFinite || isLenient else { throw error("A number is out of range") }
        return (isInteger ? Int64(text) : nil, value)
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}

/// The error for a text that is not JSON, or that exceeds a limit of the reader. The description contains no part of the
/// text.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes before the error.
    package var offset: Int
    /// The reason, without the value.
    package var reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// The reason and the place.
    package var description: String { "\(reason) (at byte \(offset))." }
}
