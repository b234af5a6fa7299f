/// Reads XML in UTF-8, token by token. Attributes, comments and instructions are skipped; nothing is ever
/// fetched or expanded, and any bytes either scan or throw.
struct XMLScanner {
    enum Token: Equatable {
        /// The start of an element, with its name without a prefix. An empty element also has an end.
        case start(String)
        case end
        /// Text with its references resolved. A run of text may be split into several tokens.
        case text(String)
    }

    static let maximumDepth = 200

    private let bytes: [UInt8]
    private var position: Int
    /// Names of open elements as written, prefixes included.
    private var open: [ArraySlice<UInt8>] = []
    /// Whether the end of an empty element is still to be returned.
    private var hasPendingEnd = false
    private var isRootSeen = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark has no meaning in UTF-8.
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next token; `nil` at the end of a complete document.
    mutating func next() throws(XMLScanError) -> Token? {
        if hasPendingEnd {
            hasPendingEnd = false
            open.removeLast()
            return .end
        }
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                if let text = try scanText() { return .text(text) }
            } else if has("<!--") {
                try skip(past: "-->", from: position + 4)
            } else if has("<![CDATA[") {
                guard !open.isEmpty else { throw malformed }
                let start = position + 9
                try skip(past: "]]>", from: start)
                return .text(try string(bytes[start..<(position - 3)]))
            } else if has("<?") {
                try skip(past: "?>", from: position + 2)
            } else if has("<!") {
                throw .declaration(offset: position)
            } else if has("</") {
                return try scanEnd()
            } else {
                return try scanStart()
            }
        }
        guard open.isEmpty, isRootSeen else { throw malformed }
        return nil
    }

    // MARK: Parts

    private mutating func scanText() throws(XMLScanError) -> String? {
        let start = position
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let raw = bytes[start..<end]
        guard !open.isEmpty else {
            // Only white space is allowed outside the root.
            guard raw.allSatisfy(Self.isSpace) else { throw malformed }
            position = end
            return nil
        }
        let text = raw.contains(UInt8(ascii: "&")) ? try resolved(raw) : try string(raw)
        position = end
        return text
    }

    private mutating func scanStart() throws(XMLScanError) -> Token {
        guard !open.isEmpty || !isRootSeen else { throw malformed }
        guard open.count < Self.maximumDepth else { throw .tooDeep(offset: position) }
        let name = try scanName(from: position + 1)
        var index = name.endIndex
        // To the end of the tag. Quoted values may contain “>”.
        var quote: UInt8?
        while true {
            guard index < bytes.count else { throw malformed }
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            } else if byte == UInt8(ascii: "<") {
                throw malformed
            }
            index += 1
        }
        hasPendingEnd = index > name.endIndex && bytes[index - 1] == UInt8(ascii: "/")
        position = index + 1
        isRootSeen = true
        open.append(name)
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return .start(try string(local))
    }

    private mutating func scanEnd() throws(XMLScanError) -> Token {
        let name = try scanName(from: position + 2)
        var index = name.endIndex
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ">"), let last = open.last, last == name else {
            throw malformed
        }
        open.removeLast()
        position = index + 1
        return .end
    }

    private func scanName(from start: Int) throws(XMLScanError) -> ArraySlice<UInt8> {
        var end = start
        while end < bytes.count, !Self.isSpace(bytes[end]), bytes[end] != UInt8(ascii: ">"),
            bytes[end] != UInt8(ascii: "/")
        {
            guard bytes[end] != UInt8(ascii: "<"), bytes[end] != UInt8(ascii: "\"") else { throw malformed }
            end += 1
        }
        guard end > start else { throw malformed }
        return bytes[start..<end]
    }

    /// Text with `&amp;`, `&#65;` and their like resolved; any other entity throws.
    private func resolved(_ raw: ArraySlice<UInt8>) throws(XMLScanError) -> String {
        var result: [UInt8] = []
        var index = raw.startIndex
        while index < raw.endIndex {
            guard raw[index] == UInt8(ascii: "&") else {
                result.append(raw[index])
                index += 1
                continue
            }
            guard let end = raw[index...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw malformed }
            let name = try string(raw[(index + 1)..<end])
            guard let scalar = Self.scalar(name) else { throw malformed }
            result += Array(String(Character(scalar)).utf8)
            index = end + 1
        }
        return try string(result[...])
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case _ where name.hasPrefix("#x"): return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case _ where name.hasPrefix("#"): return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }

    // MARK: Bytes

    private var malformed: XMLScanError { .malformed(offset: position) }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private func has(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func skip(past text: StaticString, from start: Int) throws(XMLScanError) {
        let wanted = text.withUTF8Buffer { Array($0) }
        var index = start
        while index + wanted.count <= bytes.count {
            if bytes[index..<(index + wanted.count)].elementsEqual(wanted) {
                position = index + wanted.count
                return
            }
            index += 1
        }
        throw malformed
    }

    private func string(_ slice: ArraySlice<UInt8>) throws(XMLScanError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else { throw malformed }
        return text
    }
}

/// The reason why bytes are not the expected document. Contains no text of the document.
enum XMLScanError: Error, Hashable, CustomStringConvertible {
    /// The bytes at this offset are not well-formed XML in UTF-8.
    case malformed(offset: Int)
    /// A document type declaration at this offset: its expansion is not bounded.
    case declaration(offset: Int)
    /// Elements nested deeper than any clinical document.
    case tooDeep(offset: Int)
    /// Well-formed, but the root is not `ClinicalDocument`.
    case notAClinicalDocument

    var description: String {
        switch self {
        case .malformed(let offset): "The document is not well-formed XML in UTF-8 at byte \(offset)."
        case .declaration(let offset): "The document has a document type declaration at byte \(offset)."
        case .tooDeep(let offset): "The document nests its elements too deeply at byte \(offset)."
        case .notAClinicalDocument: "The root of the document is not ClinicalDocument."
        }
    }
}
