/// The slow reference for `TagScanner`: the same rules over an array, byte by byte, no memchr,
/// no pointers, no reuse.
package struct NaiveScanner {
    package enum Outcome: Equatable {
        case tag(kind: Kind, name: [UInt8], attributes: [Attribute], end: Int)
        case needsMore
        case malformed(resume: Int)
    }

    package enum Kind: Equatable { case open, empty, close, aside }

    package struct Attribute: Equatable {
        package var name: [UInt8]
        package var value: [UInt8]

        package init(name: [UInt8], value: [UInt8]) {
            (self.name, self.value) = (name, value)
        }
    }

    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package func scan(at start: Int) -> Outcome {
        guard start + 1 < bytes.count else { return .needsMore }
        switch bytes[start + 1] {
        case UInt8(ascii: "!"):
            if begins("<!--", start) { return until("-->", from: start + 4) }
            if bytes.count - start < 9 { return .needsMore }
            if begins("<![CDATA[", start) { return until("]]>", from: start + 9) }
            guard begins("<!DOCTYPE", start) else { return .malformed(resume: start + 1) }
            var position = start + 9
            while position < bytes.count {
                if bytes[position] == UInt8(ascii: ">") { return aside(position + 1) }
                if bytes[position] == UInt8(ascii: "[") { return until("]>", from: position + 1) }
                position += 1
            }
            return .needsMore
        case UInt8(ascii: "?"):
            return until("?>", from: start + 2)
        case UInt8(ascii: "/"):
            var position = start + 2
            var name: [UInt8] = []
            while position < bytes.count, !isNameEnd(bytes[position]) {
                name.append(bytes[position])
                position += 1
            }
            while position < bytes.count, isBlank(bytes[position]) { position += 1 }
            guard position < bytes.count else { return .needsMore }
            guard bytes[position] == UInt8(ascii: ">"), !name.isEmpty else { return .malformed(resume: position) }
            return .tag(kind: .close, name: name, attributes: [], end: position + 1)
        default:
            return scanOpen(start)
        }
    }

    private func scanOpen(_ start: Int) -> Outcome {
        var position = start + 1
        let first = bytes[position]
        let isLetter = (65...90).contains(first) || (97...122).contains(first)
        guard isLetter || first == 95 || first == 58 || first >= 128 else { return .malformed(resume: position) }
        var name: [UInt8] = []
        while position < bytes.count, !isNameEnd(bytes[position]) {
            name.append(bytes[position])
            position += 1
        }
        var attributes: [Attribute] = []
        while true {
            while position < bytes.count, isBlank(bytes[position]) { position += 1 }
            guard position < bytes.count else { return .needsMore }
            if bytes[position] == UInt8(ascii: ">") {
                return .tag(kind: .open, name: name, attributes: attributes, end: position + 1)
            }
            if bytes[position] == UInt8(ascii: "/") {
                guard position + 1 < bytes.count else { return .needsMore }
                guard bytes[position + 1] == UInt8(ascii: ">") else { return .malformed(resume: position) }
                return .tag(kind: .empty, name: name, attributes: attributes, end: position + 2)
            }
            var attribute = Attribute(name: [], value: [])
            while position < bytes.count, bytes[position] != UInt8(ascii: "=") {
                if "<>\"'/".utf8.contains(bytes[position]) { return .malformed(resume: position) }
                attribute.name.append(bytes[position])
                position += 1
            }
            guard position < bytes.count else { return .needsMore }
            while let last = attribute.name.last, isBlank(last) { attribute.name.removeLast() }
            if attribute.name.isEmpty { return .malformed(resume: position) }
            position += 1
            while position < bytes.count, isBlank(bytes[position]) { position += 1 }
            guard position < bytes.count else { return .needsMore }
            let quote = bytes[position]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .malformed(resume: position) }
            position += 1
            while position < bytes.count, bytes[position] != quote {
                if bytes[position] == UInt8(ascii: "<") { return .malformed(resume: position) }
                attribute.value.append(bytes[position])
                position += 1
            }
            guard position < bytes.count else { return .needsMore }
            attributes.append(attribute)
            position += 1
        }
    }

    private func until(_ mark: String, from start: Int) -> Outcome {
        let mark = Array(mark.utf8)
        var position = start
        while position + mark.count <= bytes.count {
            if Array(bytes[position..<(position + mark.count)]) == mark { return aside(position + mark.count) }
            position += 1
        }
        return .needsMore
    }

    private func aside(_ end: Int) -> Outcome {
        .tag(kind: .aside, name: [], attributes: [], end: end)
    }

    package func begins(_ text: String, _ start: Int) -> Bool {
        let text = Array(text.utf8)
        return start + text.count <= bytes.count && Array(bytes[start..<(start + text.count)]) == text
    }

    private func isBlank(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }
    private func isNameEnd(_ byte: UInt8) -> Bool { isBlank(byte) || "<>/=\"'".utf8.contains(byte) }
}
