/// One `Record` element before it is written.
struct GeneratorRecord {
    var type: String
    var source: GeneratorSource
    /// `nil` for categories.
    var unit: String?
    /// Seconds since 2001.
    var start: Int
    var end: Int
    var creation: Int
    var value: Value
    /// Key and text of each metadata entry, escaped.
    var metadata: [(key: String, value: String)] = []
    /// Children that are not metadata, as they are.
    var children = ""

    enum Value {
        case number(Int, digits: Int)
        case name(String)
    }

    /// Writes the element at a depth of one blank a level.
    func write(to buffer: inout GeneratorBuffer, indent: String = " ") {
        buffer.text("\(indent)<Record type=\"\(type)\"")
        buffer.source(source)
        if let unit { buffer.text(" unit=\"\(unit)\"") }
        // Nothing is made after the export.
        buffer.date("creationDate", min(creation, buffer.clock.exportSecond))
        buffer.date("startDate", start)
        buffer.date("endDate", end)
        switch value {
        case .number(let value, let digits): buffer.number("value", value, digits: digits)
        case .name(let name): buffer.text(" value=\"\(name)\"")
        }
        if metadata.isEmpty, children.isEmpty {
            buffer.text("/>\n")
            return
        }
        buffer.text(">\n")
        for entry in metadata {
            buffer.text("\(indent) <MetadataEntry key=\"\(entry.key)\" value=\"\(entry.value)\"/>\n")
        }
        buffer.text(children)
        buffer.text("\(indent)</Record>\n")
    }
}
