import Foundation

/// Splits bytes into tags. It knows nothing of health and keeps no state but the last tag's attributes.
///
/// It takes more than XML allows: control characters, attribute names with blanks (archives of iOS 8),
/// any document type (that of iOS 16 is torn). It refuses a `<` inside a tag, because that is where a
/// damaged tag ends and the next one begins.
enum TagScanner {
    /// Scans the markup that begins with the `<` at `start`. `end` is the window's count.
    static func scan(
        _ base: UnsafePointer<UInt8>, at start: Int, end: Int, into attributes: inout TagAttributes
    ) -> TagOutcome {
        attributes.removeAll()
        guard start + 1 < end else { return .needsMore }
        switch base[start + 1] {
        case UInt8(ascii: "!"): return scanDeclaration(base, at: start, end: end)
        case UInt8(ascii: "?"): return scanAside(base, at: start, from: start + 2, to: "?>", end: end)
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
                // A quote that never closes would swallow everything: the next `<` ends it.
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
            return scanAside(base, at: start, from: start + 4, to: "-->", end: end)
        }
        if hasPrefix("<![CDATA[", base, at: start, end: end) {
            return scanAside(base, at: start, from: start + 9, to: "]]>", end: end)
        }
        guard hasPrefix("<!DOCTYPE", base, at: start, end: end) else { return .malformed(resume: start + 1) }
        // The internal subset is never parsed: iOS 16 wrote one that is no DTD. It ends with `]>`.
        var position = start + 9
        while position < end {
            switch base[position] {
            case UInt8(ascii: ">"): return .tag(ScannedTag(kind: .aside, name: .none, end: position + 1))
            case UInt8(ascii: "["): return scanAside(base, at: start, from: position + 1, to: "]>", end: end)
            default: position += 1
            }
        }
        return .needsMore
    }

    /// Steps over everything up to and including `mark`.
    private static func scanAside(
        _ base: UnsafePointer<UInt8>, at start: Int, from first: Int, to mark: StaticString, end: Int
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
    @inline(__always)
    static func find(_ byte: UInt8, _ base: UnsafePointer<UInt8>, from start: Int, end: Int) -> Int {
        guard start < end else { return end }
        guard let found = memchr(base + start, Int32(byte), end - start) else { return end }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether `text` stands at `start`, as far as the window reaches.
    @inline(__always)
    static func hasPrefix(_ text: StaticString, _ base: UnsafePointer<UInt8>, at start: Int, end: Int) -> Bool {
        end - start >= text.utf8CodeUnitCount
            && memcmp(base + start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    static func isLetter(_ byte: UInt8) -> Bool {
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
