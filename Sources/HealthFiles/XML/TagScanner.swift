import Foundation

/// Splits bytes into tags. Its only state is the attributes of the last tag.
///
/// It accepts more than XML allows: control characters, attribute names with spaces (archives of iOS 8), and any
/// document type (that of iOS 16 is malformed). It rejects a `<` inside a tag, because there a damaged tag ends and the
/// next one begins.
package enum TagScanner {
    /// Scans the markup that begins with the `<` at `start`. `end` is the number of bytes in the window.
    package static func scan(
        _ base: UnsafePointer<UInt8>, at start: Int, end: Int, into attributes: inout TagAttributes
    ) -> TagOutcome {
        attributes.removeAll()
        guard start + 1 < end else { return .needsMore }
        switch base[start + 1] {
        case UInt8(ascii: "!"): return scanDeclaration(base, at: start, end: end)
        case UInt8(ascii: "?"): return scanAside(base, from: start + 2, to: "?>", end: end)
        case UInt8(ascii: "/"): return scanClose(base, at: start, end: end)
        default: return scanOpen(base, at: start, end: end, into: &attributes)
        }
    }

    private static func scanOpen(
        _ base: UnsafePointer<UInt8>, at start: Int, end: Int, into attributes: inout TagAttributes
    ) -> TagOutcome {
        var position = start + 1
        guard isNameStart(base[position]) else { return .malformed(resume: position) }
        while position < end, !endsName(base[position]) { position += 1 }
        let name = ByteRange(start: start + 1, end: position)
        while true {
            while position < end, isBlank(base[position]) { position += 1 }
            guard position < end else { return .needsMore }
            switch base[position] {
            case UInt8(ascii: ">"):
                return .tag(ScannedTag(kind: .open, name: name, end: position + 1))
            case UInt8(ascii: "/"):
                guard position + 1 < end else { return .needsMore }
                guard base[position + 1] == UInt8(ascii: ">") else { return .malformed(resume: position) }
                return .tag(ScannedTag(kind: .empty, name: name, end: position + 2))
            default:
                break
            }
            let nameStart = position
            while position < end, base[position] != UInt8(ascii: "=") {
                guard !endsAttributeName(base[position]) else { return .malformed(resume: position) }
                position += 1
            }
            var nameEnd = position
            while nameEnd > nameStart, isBlank(base[nameEnd - 1]) { nameEnd -= 1 }
            guard position < end else { return .needsMore }
            guard nameEnd > nameStart else { return .malformed(resume: position) }
            position += 1
            while position < end, isBlank(base[position]) { position += 1 }
            guard position < end else { return .needsMore }
            let quote = base[position]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return .malformed(resume: position)
            }
            let valueStart = position + 1
            position = find(quote, base, from: valueStart, end: end)
            guard position < end else {
                // Without this, a missing closing quote would consume the rest: the next `<` ends the tag.
                let broken = find(UInt8(ascii: "<"), base, from: valueStart, end: end)
                return broken < end ? .malformed(resume: broken) : .needsMore
            }
            let broken = find(UInt8(ascii: "<"), base, from: valueStart, end: position)
            guard broken == position else { return .malformed(resume: broken) }
            attributes.append(
                .init(
                    name: ByteRange(start: nameStart, end: nameEnd),
                    value: ByteRange(start: valueStart, end: position)))
            position += 1
        }
    }

    private static func scanClose(_ base: UnsafePointer<UInt8>, at start: Int, end: Int) -> TagOutcome {
        var position = start + 2
        while position < end, !endsName(base[position]) { position += 1 }
        let name = ByteRange(start: start + 2, end: position)
        while position < end, isBlank(base[position]) { position += 1 }
        guard position < end else { return .needsMore }
        guard base[position] == UInt8(ascii: ">"), name.count > 0 else { return .malformed(resume: position) }
        return .tag(ScannedTag(kind: .close, name: name, end: position + 1))
    }

    private static func scanDeclaration(_ base: UnsafePointer<UInt8>, at start: Int, end: Int) -> TagOutcome {
        if end - start < 9, !hasPrefix("<!--", base, at: start, end: end) { return .needsMore }
        if hasPrefix("<!--", base, at: start, end: end) {
            return scanAside(base, from: start + 4, to: "-->", end: end)
        }
        if hasPrefix("<![CDATA[", base, at: start, end: end) {
            return scanAside(base, from: start + 9, to: "]]>", end: end)
        }
        guard hasPrefix("<!DOCTYPE", base, at: start, end: end) else { return .malformed(resume: start + 1) }
        // The internal subset is never parsed: iOS 16 wrote an invalid one. It ends with `]>`.
        var position = start + 9
        while position < end {
            switch base[position] {
            case UInt8(ascii: ">"): return .tag(ScannedTag(kind: .aside, name: .none, end: position + 1))
            case UInt8(ascii: "["): return scanAside(base, from: position + 1, to: "]>", end: end)
            default: position += 1
            }
        }
        return .needsMore
    }

    /// Skips everything up to and including `mark`.
    private static func scanAside(
        _ base: UnsafePointer<UInt8>, from first: Int, to mark: StaticString, end: Int
    ) -> TagOutcome {
        let length = mark.utf8CodeUnitCount
        var position = first
        while true {
            position = find(mark.utf8Start[0], base, from: position, end: end)
            guard position + length <= end else { return .needsMore }
            if memcmp(base + position, mark.utf8Start, length) == 0 {
                return .tag(ScannedTag(kind: .aside, name: .none, end: position + length))
            }
            position += 1
        }
    }

    /// The offset of the next `byte`, or `end`.
    @inlinable @inline(__always)
    package static func find(_ byte: UInt8, _ base: UnsafePointer<UInt8>, from start: Int, end: Int) -> Int {
        guard start < end else { return end }
        guard let found = memchr(base + start, Int32(byte), end - start) else { return end }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether the window contains `text` at `start`.
    @inlinable @inline(__always)
    package static func hasPrefix(_ text: StaticString, _ base: UnsafePointer<UInt8>, at start: Int, end: Int) -> Bool {
        end - start >= text.utf8CodeUnitCount
            && memcmp(base + start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    @inlinable @inline(__always)
    package static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    @inlinable
    package static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
    }

    @inline(__always)
    private static func endsName(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    @inline(__always)
    private static func endsAttributeName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
            || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "/")
    }
}

/// The result of scanning one piece of markup.
package enum TagOutcome {
    case tag(ScannedTag)
    /// The window ends within it.
    case needsMore
    /// The markup is malformed; scanning may resume at `resume`.
    case malformed(resume: Int)
}

/// One piece of markup, from `<` to `>`. Names and values are offsets into the window.
package struct ScannedTag {
    package enum Kind: Equatable {
        /// `<name …>`
        case open
        /// `<name …/>`
        case empty
        /// `</name>`
        case close
        /// A comment, processing instruction, CDATA section or document type.
        case aside
    }

    package var kind: Kind
    package var name: ByteRange
    /// The offset just past the `>`.
    package var end: Int
}

/// The attributes of the last tag, in order. The storage is reused for every tag.
package struct TagAttributes: ~Copyable {
    package struct Attribute {
        package var name: ByteRange
        /// The bytes between the quotes, with entities not decoded.
        package var value: ByteRange
    }

    /// The maximum number of attributes of a tag.
    package static let maximumCount = 4_096

    @usableFromInline var storage: UnsafeMutablePointer<Attribute>
    private var capacity = 32
    package private(set) var count = 0
    /// Whether the tag has more than ``maximumCount`` attributes.
    package private(set) var hasOverflowed = false

    package init() {
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    @inlinable package subscript(index: Int) -> Attribute { storage[index] }

    package mutating func removeAll() {
        count = 0
        hasOverflowed = false
    }

    package mutating func append(_ attribute: Attribute) {
        guard count < Self.maximumCount else {
            hasOverflowed = true
            return
        }
        if count == capacity {
            let larger = UnsafeMutablePointer<Attribute>.allocate(capacity: capacity * 2)
            larger.update(from: storage, count: count)
            storage.deallocate()
            storage = larger
            capacity *= 2
        }
        storage[count] = attribute
        count += 1
    }
}

/// A range of bytes in the window.
package struct ByteRange: Equatable {
    package var start: Int
    package var end: Int

    @inlinable package static var none: ByteRange { ByteRange(start: -1, end: -1) }

    @inlinable
    package init(start: Int, end: Int) {
        (self.start, self.end) = (start, end)
    }

    /// Whether this is a range, which may be empty, and not ``none``.
    @inlinable package var exists: Bool { start >= 0 }
    @inlinable package var count: Int { end - start }

    /// The bytes in the range, valid until the window moves.
    @inlinable
    package func bytes(in base: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + start, count: end - start)
    }
}
