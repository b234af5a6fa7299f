/// A `Record` element to be written.
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
    /// The escaped keys and values of metadata entries.
    var metadata: [(key: String, value: String)] = []
    /// The text of other children.
    var children = ""

    enum Value {
        case number(Int, digits: Int)
        case name(String)
    }

    /// Writes a top-level record, or its replacements in a scenario. Returns whether the record itself was written.
    @discardableResult
    func write(to buffer: inout GeneratorBuffer) -> Bool {
        guard let plan = buffer.plan else {
            writeElement(to: &buffer)
            return true
        }
        guard buffer.keeps(type, source, at: start) else { return false }
        for record in plan.change(self) where record.end <= buffer.clock.exportSecond {
            record.writeElement(to: &buffer)
        }
        return true
    }

    /// Writes the element of a top-level record and counts it.
    func writeElement(to buffer: inout GeneratorBuffer) {
        writeElement(to: &buffer, indent: " ")
        buffer.countRecord(type)
    }

    /// Writes the element with an indentation.
    func writeElement(to buffer: inout GeneratorBuffer, indent: String) {
        buffer.text("\(indent)<Record type=\"\(type)\"")
        buffer.source(source, at: start)
        var (unit, value) = (unit, value)
        if let plain = unit, case .number(let number, let digits) = value {
            let measure = buffer.style.measure(number, digits: digits, unit: plain)
            (unit, value) = (measure.unit, .number(measure.value, digits: measure.digits))
        }
        if let unit { buffer.text(" unit=\"\(unit)\"") }
        // Nothing is later than the export date.
        buffer.creationDate(min(creation, buffer.clock.exportSecond))
        buffer.date("startDate", start)
        buffer.date("endDate", end)
        switch value {
        case .number(let value, let digits):
            buffer.number("value", value, digits: digits)
            if digits == 0, start == end, type == "HKQuantityTypeIdentifierHeartRate" {
                buffer.lastHeartRate = (value, start)
            }
        case .name(let name): buffer.text(" value=\"\(name)\"")
        }
        let areAttributes = buffer.style.dialect?.writesMetadataAsAttributes ?? false
        if buffer.style.dialect?.hasFirstForm ?? false {
            buffer.text(" recordCount=\"1\"")
        } else if areAttributes {
            for entry in metadata { buffer.text(" \(entry.key)=\"\(entry.value)\"") }
        }
        if areAttributes || metadata.isEmpty, children.isEmpty {
            buffer.text("/>\n")
            return
        }
        buffer.text(">\n")
        for entry in metadata where !areAttributes {
            buffer.text("\(indent) <MetadataEntry key=\"\(entry.key)\" value=\"\(entry.value)\"/>\n")
        }
        buffer.text(children)
        buffer.text("\(indent)</Record>\n")
    }
}
