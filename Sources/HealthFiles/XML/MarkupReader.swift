/// Reads an XML file element by element with the archive's tag scanner. Names are without their namespace's prefix.
package struct MarkupReader: ~Copyable {
    /// The beginning or the end of an element.
    package enum Event {
        /// An element begins; ``MarkupReader/attribute(_:)`` has its attributes until the next event.
        case start(String)
        /// An element ends, with the text after the last tag inside it.
        case end(String, text: String)
    }

    /// Why nothing more can be read, worded as the end of a sentence about the file.
    package struct Failure: Error, Hashable {
        /// The byte at which reading ended.
        package let offset: Int
        package let reason: String
    }

    private static let maximumDepth = 100
    private static let maximumTextLength = 1 << 20

    private var window: ScanWindow
    private var attributes = TagAttributes()
    /// The names of the elements around the next event, from the root on.
    package private(set) var path: [String] = []
    /// The byte at which the tag of the last event begins.
    package private(set) var offset = 0
    private var text = ""
    private var isEmptyElement = false

    package init(_ bytes: [UInt8]) {
        window = ScanWindow(source: DecodingByteSource(MemoryByteSource(bytes)), chunkSize: 1 << 16)
    }

    /// The value of an attribute of the element that has just begun.
    package func attribute(_ name: String) -> String? {
        for index in 0..<attributes.count {
            let attribute = attributes[index]
            if attribute.name.bytes(in: window.base).elementsEqual(name.utf8) {
                return AttributeText.decode(attribute.value.bytes(in: window.base))
            }
        }
        return nil
    }

    /// Returns the next event; `nil` after the root element.
    package mutating func next() throws(Failure) -> Event? {
        if isEmptyElement {
            isEmptyElement = false
            return .end(path.removeLast(), text: "")
        }
        while true {
            let start = TagScanner.find(UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            var outcome = TagOutcome.needsMore
            if start < window.count {
                outcome = TagScanner.scan(window.base, at: start, end: window.count, into: &attributes)
            }
            switch outcome {
            case .needsMore:
                if try refill() { continue }
                guard path.isEmpty else { throw failure(at: window.position, "it ends before its last element does") }
                return nil
            case .malformed(let resume):
                throw failure(at: resume, "a tag is malformed")
            case .tag(let tag):
                if !path.isEmpty, text.utf8.count < Self.maximumTextLength {
                    let between = ByteRange(start: window.position, end: start)
                    text += AttributeText.decodeText(between.bytes(in: window.base))
                    if tag.kind == .aside, TagScanner.hasPrefix("<![CDATA[", window.base, at: start, end: tag.end) {
                        let section = ByteRange(start: start + 9, end: max(start + 9, tag.end - 3))
                        text += String(decoding: section.bytes(in: window.base), as: UTF8.self)
                    }
                }
                offset = window.bytesBefore + start
                window.position = tag.end
                if let event = try event(of: tag) { return event }
            }
        }
    }

    private mutating func event(of tag: ScannedTag) throws(Failure) -> Event? {
        let full = tag.name.bytes(in: window.base)
        let name = String(decoding: full[((full.lastIndex(of: UInt8(ascii: ":")) ?? -1) + 1)...], as: UTF8.self)
        switch tag.kind {
        case .aside: return nil
        case .open, .empty:
            guard path.count < Self.maximumDepth else {
                throw Failure(offset: offset, reason: "its elements are nested too deeply")
            }
            path.append(name)
            text = ""
            isEmptyElement = tag.kind == .empty
            return .start(name)
        case .close:
            guard path.last == name else { throw Failure(offset: offset, reason: "an end tag has no start tag") }
            path.removeLast()
            defer { text = "" }
            return .end(name, text: Self.trimmed(text))
        }
    }

    private mutating func refill() throws(Failure) -> Bool {
        do { return try window.refill() } catch { throw failure(at: window.position, "an element is too large") }
    }

    private func failure(at position: Int, _ reason: String) -> Failure {
        Failure(offset: window.bytesBefore + position, reason: reason)
    }

    private static func trimmed(_ text: String) -> String {
        guard let first = text.utf8.first(where: { !TagScanner.isBlank($0) }) else { return "" }
        guard text.utf8.first != first || text.utf8.last.map(TagScanner.isBlank) == true else { return text }
        let start = text.utf8.firstIndex { !TagScanner.isBlank($0) } ?? text.startIndex
        let end = text.utf8.lastIndex { !TagScanner.isBlank($0) } ?? text.startIndex
        return String(text[start...end])
    }
}

/// Bytes in memory, as a stream.
private final class MemoryByteSource: ByteSource {
    let name = ""
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var byteCount: Int? { bytes.count }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, bytes.count - position)
        buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}
