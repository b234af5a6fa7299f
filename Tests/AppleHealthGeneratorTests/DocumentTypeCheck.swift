@testable import AppleHealthExport
import HealthFiles
import HealthModel

/// Validates a document against its own document type: finds undeclared children and attributes, and missing
/// attributes. Independent of the generator.
struct DocumentTypeCheck {
    /// `child in parent`, `attribute of element`, `element without attribute`; each once, sorted.
    private(set) var breaks: [String] = []

    private struct Declared {
        var children: Set<String> = []
        var attributes: [String: Bool] = [:]
    }

    init(_ text: String) {
        let end = text.firstRange(of: "]>")!.lowerBound
        let declared = Self.declarations(text[..<end])
        var found: Set<String> = []
        var open: [String] = []
        let bytes = Array(text[end...].utf8) + [UInt8](repeating: 0, count: ScanWindow.padding)
        let count = bytes.count - ScanWindow.padding
        var attributes = TagAttributes()
        bytes.withUnsafeBufferPointer { buffer in
            let base = buffer.baseAddress!
            var position = 0
            while true {
                position = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: count)
                guard position < count,
                    case .tag(let tag) = TagScanner.scan(base, at: position, end: count, into: &attributes)
                else { return }
                position = tag.end
                if tag.kind == .close { open.removeLast() }
                guard tag.kind == .open || tag.kind == .empty else { continue }
                let element = ElementReader.element(base, tag, attributes)
                let type = declared[element.name] ?? Declared()
                if let parent = open.last, declared[parent]?.children.contains(element.name) != true {
                    found.insert("\(element.name) in \(parent)")
                }
                for attribute in element.attributes where type.attributes[attribute.name] == nil {
                    found.insert("\(attribute.name) of \(element.name)")
                }
                for (name, isRequired) in type.attributes where isRequired && element[name] == nil {
                    found.insert("\(element.name) without \(name)")
                }
                if tag.kind == .open { open.append(element.name) }
            }
        }
        breaks = found.sorted()
    }

    /// Reads declarations line by line; malformed ones are read as far as possible.
    private static func declarations(_ text: Substring) -> [String: Declared] {
        var declared: [String: Declared] = [:]
        var list: String?
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { " ()|*,>".contains($0) }).map(String.init)
            if line.hasPrefix("<!ELEMENT") {
                declared[words[1], default: Declared()].children.formUnion(words.dropFirst(2))
                list = nil
            } else if line.hasPrefix("<!ATTLIST") {
                list = words[1]
            } else if line.hasPrefix("  "), words.count == 3, let name = list {
                declared[name, default: Declared()].attributes[words[0]] = words[2] == "#REQUIRED"
            } else if line == ">" {
                list = nil
            }
        }
        return declared
    }
}
