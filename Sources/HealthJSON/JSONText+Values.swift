import Foundation
package import HealthModel

// Values as JSON that says what they are, so that they can be read back: quantities and dates are objects, and a whole
// floating-point number has a decimal point. The counterpart is ``ValueJSONReader``.
extension JSONText {
    /// Writes `{"quantity": 82.5, "unit": "kg"}`.
    package mutating func measure(_ value: Double, _ unit: String) {
        object { json in
            json.member("quantity", number: value)
            json.member("unit", text: unit)
        }
    }

    /// Writes a member with a quantity, or nothing without one.
    package mutating func member(_ name: String, measure: QuantityRecord?) {
        guard let measure else { return }
        key(name)
        self.measure(measure.value, measure.unit)
    }

    /// Writes a member with an instant, or nothing without one.
    package mutating func member(_ name: String, instant: Double?, _ instants: InstantWriter) {
        guard let instant else { return }
        member(name, text: instants.text(instant))
    }

    /// Writes metadata as an object. Keys that begin with an underscore are left out, and so is a repeated key.
    package mutating func values(_ metadata: Metadata, _ instants: InstantWriter) {
        var seen: Set<String> = []
        object { json in
            for entry in metadata.entries where !entry.key.hasPrefix("_") && seen.insert(entry.key).inserted {
                json.key(entry.key)
                json.value(entry.value, instants)
            }
        }
    }

    /// The text of metadata as an object; `nil` if there is none to show.
    package static func metadata(_ metadata: Metadata, _ instants: InstantWriter) -> String? {
        guard metadata.hasVisibleEntries else { return nil }
        var json = JSONText()
        json.values(metadata, instants)
        return json.text
    }

    /// Writes a member with metadata, or nothing if there is none to show.
    package mutating func member(_ name: String, metadata: Metadata, _ instants: InstantWriter) {
        guard metadata.hasVisibleEntries else { return }
        key(name)
        values(metadata, instants)
    }

    /// Writes a value of metadata.
    package mutating func value(_ value: MetadataValue, _ instants: InstantWriter) {
        switch value {
        case .string(let text): string(text)
        case .bool(let flag): bool(flag)
        case .integer(let number): integer(number)
        case .double(let number): decimal(number, isExact: true)
        case .date(let instant): tagged("date", instants.text(instant))
        case .quantity(let value, let unit): measure(value, unit)
        }
    }

    /// Writes the fields of a document.
    package mutating func values(_ fields: [String: FieldValue], _ instants: InstantWriter) {
        object { json in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.value(value, instants)
            }
        }
    }

    private mutating func value(_ value: FieldValue, _ instants: InstantWriter) {
        switch value {
        case .bool(let flag): bool(flag)
        case .integer(let number): integer(number)
        case .double(let number): decimal(number, isExact: true)
        case .string(let text): string(text)
        case .date(let instant): tagged("date", instants.text(instant))
        case .uuid(let uuid): tagged("uuid", uuid.uuidString)
        case .data(let bytes): tagged("data", Base64.text(bytes))
        case .quantity(let quantity): measure(quantity.value, quantity.unit)
        case .list(let elements): array { json in for element in elements { json.value(element, instants) } }
        case .record(let fields): values(fields, instants)
        }
    }

    private mutating func tagged(_ name: String, _ text: String) { object([name: text]) }

    /// Writes series of numbers by name.
    package mutating func series(_ series: [String: [Double]]) {
        object { json in
            for (name, column) in series.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.numbers(column)
            }
        }
    }

    /// Writes numbers as a list. NaN is null.
    package mutating func numbers(_ column: [Double]) {
        array { json in
            for number in column {
                if number.isNaN { json.null() } else { json.decimal(number) }
            }
        }
    }
}

extension Metadata {
    /// Whether any entry is shown: keys that begin with an underscore belong to the store.
    package var hasVisibleEntries: Bool { entries.contains { !$0.key.hasPrefix("_") } }
}
