import Foundation

/// How an object of a list is written: the bytes around its values, which a program repeats in every object.
///
/// Objects of one form are read by comparing the bytes around their values instead of reading them.
package struct JSONForm: Sendable {
    /// The names of the values in order. A value of an object within the object has the names of both: `value.bpm`.
    package fileprivate(set) var names: [String] = []
    /// Whether each value is a text; else it is a number.
    fileprivate var areTexts: [Bool] = []
    /// The bytes before each value, with the quotation mark of a text, and after the last one, concatenated.
    fileprivate var pieces: [UInt8] = []
    /// Where each of them ends in ``pieces``.
    fileprivate var ends: [Int] = []

    /// Creates the form of an object without a form, which no object has.
    fileprivate init() {}

    /// The place of the value with a name among the values.
    package func place(of name: String) -> Int? { names.firstIndex(of: name) }
}

/// Objects of one form that follow each other, as the bytes of their values. They are valid until the reader reads on.
package struct JSONRows {
    /// The place of a value in ``bytes``: the digits of a number, or the text between quotation marks, which has no
    /// escapes and may be malformed UTF-8.
    package struct Span: Sendable {
        package fileprivate(set) var start = 0
        package fileprivate(set) var count = 0
    }

    package fileprivate(set) var form = JSONForm()
    /// The number of objects.
    package fileprivate(set) var count = 0
    /// The bytes in memory.
    package fileprivate(set) var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The places of all values, object by object; there is room for more of them.
    fileprivate var spans: [Span] = []

    package init() {}

    /// The number of values of an object.
    package var width: Int { form.names.count }

    /// Calls `body` with the places of all values, object by object.
    package func withSpans(_ body: (UnsafeBufferPointer<Span>) throws -> Void) rethrows {
        try spans.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[..<(count * width)])) }
    }
}

extension JSONReader {
    /// Longer objects have no form.
    private static let longestRow = 4_096
    /// The number of values that are in memory at once.
    private static let mostValues = 16_384

    /// Reads the object that is next in an array, and those that follow and are written alike, as far as they are in
    /// memory.
    ///
    /// - Parameter rows: The form that the last call found is tried first.
    /// - Returns: Whether the object has a form. It has none if it is long, has no values or texts with escapes; then
    ///   nothing is read.
    package mutating func read(_ rows: inout JSONRows) throws -> Bool {
        rows.count = 0
        try skipSpace()
        try require(2 * Self.longestRow)
        rows.bytes = bytes
        var end = place
        if rows.width > 0 { end = readAlike(into: &rows, from: place) }
        if rows.count == 0 {
            guard let (form, spans, after) = learn() else { return false }
            rows.form = form
            rows.spans = spans + Array(repeating: .init(), count: max(0, Self.mostValues - spans.count))
            rows.count = 1
            end = after
            if let next = Self.separator(in: bytes, from: end) {
                let last = readAlike(into: &rows, from: next)
                if rows.count > 1 { end = last }
            }
        }
        place = end
        return true
    }

    /// Adds the objects of the same form from a place on. Returns the place after the last one.
    private func readAlike(into rows: inout JSONRows, from start: Int) -> Int {
        let (bytes, form, width) = (bytes, rows.form, rows.width)
        var (end, count) = (start, rows.count)
        form.pieces.withUnsafeBufferPointer { pieces in
            form.ends.withUnsafeBufferPointer { ends in
                form.areTexts.withUnsafeBufferPointer { areTexts in
                    rows.spans.withUnsafeMutableBufferPointer { spans in
                        var place = start
                        while (count + 1) * width <= spans.count {
                            var (piece, value) = (0, 0)
                            while value < width, Self.accept(pieces, piece..<ends[value], in: bytes, at: &place) {
                                piece = ends[value]
                                let first = place
                                if areTexts[value] {
                                    Self.skipText(in: bytes, at: &place)
                                } else {
                                    Self.skipNumber(in: bytes, at: &place)
                                    if place == first { break }
                                }
                                spans[count * width + value] = .init(start: first, count: place - first)
                                value += 1
                            }
                            guard value == width, Self.accept(pieces, piece..<ends[width], in: bytes, at: &place) else {
                                break
                            }
                            count += 1
                            end = place
                            guard let next = Self.separator(in: bytes, from: place) else { break }
                            place = next
                        }
                    }
                }
            }
        }
        rows.count = count
        return end
    }

    /// The place of the object after the comma that is next; `nil` if neither is in memory.
    private static func separator(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var (place, hasComma) = (start, false)
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: ",") where !hasComma: hasComma = true
            case UInt8(ascii: "{") where hasComma: return place
            default: return nil
            }
            place += 1
        }
        return nil
    }

    /// Goes past a piece if it is next. Words are compared instead of calling a function for some twenty bytes.
    @inline(__always)
    private static func accept(
        _ pieces: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>,
        at place: inout Int
    ) -> Bool {
        let (piece, text) = (UnsafeRawBufferPointer(pieces), UnsafeRawBufferPointer(bytes))
        var (offset, count) = (range.lowerBound, range.count)
        guard place + count <= text.count else { return false }
        while count >= 8 {
            guard word(text, place) == word(piece, offset) else { return false }
            (place, offset, count) = (place + 8, offset + 8, count - 8)
        }
        while count > 0 {
            guard text[place] == piece[offset] else { return false }
            (place, offset, count) = (place + 1, offset + 1, count - 1)
        }
        return true
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    /// Skips a number as JSON writes it, except an exponent, which then differs from what should follow.
    @inline(__always)
    private static func skipNumber(in bytes: UnsafeBufferPointer<UInt8>, at place: inout Int) {
        let start = place
        func skipDigits() -> Int {
            let first = place
            while place < bytes.count, bytes[place] &- 48 <= 9 { place += 1 }
            return place - first
        }
        if place < bytes.count, bytes[place] == UInt8(ascii: "-") { place += 1 }
        let first = place
        let digits = skipDigits()
        guard digits == 1 || digits > 1 && bytes[first] != 48 else { return place = start }
        guard place < bytes.count, bytes[place] == UInt8(ascii: ".") else { return }
        place += 1
        if skipDigits() == 0 { place = start }
    }

    // MARK: - Learning a form

    /// The form of the object that is next and in memory, the places of its values and the place after it.
    private func learn() -> (form: JSONForm, spans: [JSONRows.Span], after: Int)? {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "{"), let after = endOfObject() else { return nil }
        // The grammar is checked once, so that what is learned need not care about it.
        let text = UnsafeBufferPointer(rebasing: bytes[place..<after])
        guard (try? JSONReader.scan(text, { try $0.skip() })) != nil else { return nil }
        var form = JSONForm()
        var spans: [JSONRows.Span] = []
        /// The names down to the present object or list, and whether a name is next.
        var path: [(name: String, isObject: Bool)] = []
        var (position, first, wantsName, name) = (place, place, false, "")
        func add(isText: Bool, from start: Int, to end: Int) {
            let names = path.dropFirst().map(\.name).filter { !$0.isEmpty } + (name.isEmpty ? [] : [name])
            form.names.append(names.joined(separator: "."))
            form.areTexts.append(isText)
            form.pieces += bytes[first..<start]
            form.ends.append(form.pieces.count)
            spans.append(.init(start: start, count: end - start))
            first = end
        }
        while position < after {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                path.append((name, byte == UInt8(ascii: "{")))
                (wantsName, name) = (byte == UInt8(ascii: "{"), "")
            case UInt8(ascii: "}"), UInt8(ascii: "]"): name = path.removeLast().name
            case UInt8(ascii: ","): if path.last?.isObject ?? false { (wantsName, name) = (true, "") }
            case UInt8(ascii: ":"): wantsName = false
            case UInt8(ascii: "\""):
                var end = position + 1
                Self.skipText(in: bytes, at: &end)
                guard end < after, bytes[end] == UInt8(ascii: "\"") else { return nil }
                if wantsName {
                    name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
                } else {
                    add(isText: true, from: position + 1, to: end)
                }
                position = end
            case UInt8(ascii: "-"), 48...57:
                var end = position
                while end < after, [43, 45, 46, 69, 101].contains(bytes[end]) || bytes[end] &- 48 <= 9 { end += 1 }
                add(isText: false, from: position, to: end)
                position = end - 1
            default: break
            }
            position += 1
        }
        form.pieces += bytes[first..<after]
        form.ends.append(form.pieces.count)
        return spans.isEmpty ? nil : (form, spans, after)
    }

    /// The place after the object that is next, if it is in memory and not long.
    private func endOfObject() -> Int? {
        var (depth, isText, position) = (0, false, place)
        let limit = min(bytes.count, place + Self.longestRow)
        while position < limit {
            switch bytes[position] {
            case UInt8(ascii: "\""): isText.toggle()
            // No object with escapes has a form.
            case UInt8(ascii: "\\"): return nil
            case UInt8(ascii: "{") where !isText: depth += 1
            case UInt8(ascii: "}") where !isText:
                depth -= 1
                if depth == 0 { return position + 1 }
            default: break
            }
            position += 1
        }
        return nil
    }
}
