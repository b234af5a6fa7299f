import Foundation
package import HealthModel

// What the store holds, as JSON. Dates are ISO 8601, quantities objects of value and unit; what a store keeps
// for itself (keys with an underscore in front) is left out.
extension JSONText {
    /// The metadata as a JSON object; `nil` where there is nothing to tell.
    package static func metadata(_ metadata: Metadata, _ clock: LocalClock) -> String? {
        let shown = metadata.entries.filter { !$0.key.hasPrefix("_") }
        guard !shown.isEmpty else { return nil }
        var json = JSONText()
        json.metadata(shown, clock)
        return json.text
    }

    /// An archive may repeat a key; JSON keeps the first.
    package mutating func metadata(_ entries: [Metadata.Entry], _ clock: LocalClock) {
        var seen: Set<String> = []
        object { json in
            for entry in entries where !entry.key.hasPrefix("_") && seen.insert(entry.key).inserted {
                json.key(entry.key)
                switch entry.value {
                case .string(let text): json.string(text)
                case .bool(let flag): json.bool(flag)
                case .integer(let number): json.integer(number)
                case .double(let number): json.number(number)
                case .date(let instant): json.string(clock.text(instant))
                case .quantity(let value, let unit): json.quantity(value, unit)
                }
            }
        }
    }

    package mutating func quantity(_ value: Double, _ unit: String) {
        object { json in
            json.key("value")
            json.number(value)
            json.key("unit")
            json.string(unit)
        }
    }

    /// A document's short facts.
    package mutating func fields(_ fields: [String: FieldValue], _ clock: LocalClock) {
        object { json in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.field(value, clock)
            }
        }
    }

    package mutating func field(_ value: FieldValue, _ clock: LocalClock) {
        switch value {
        case .bool(let flag): bool(flag)
        case .integer(let number): integer(number)
        case .double(let value): number(value)
        case .string(let text): string(text)
        case .date(let instant): string(clock.text(instant))
        case .uuid(let uuid): string(uuid.uuidString)
        case .data(let bytes): data(bytes)
        case .quantity(let quantity): self.quantity(quantity.value, quantity.unit)
        case .list(let elements): array { json in for element in elements { json.field(element, clock) } }
        case .record(let fields): self.fields(fields, clock)
        }
    }

    /// Bytes that are text as text, others in base 64.
    private mutating func data(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            string(text)
        } else {
            string(Base64.text(bytes))
        }
    }

    /// A document's long columns.
    package mutating func series(_ series: [String: [Double]]) {
        object { json in
            for (name, column) in series.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.array { json in for number in column { json.number(number) } }
            }
        }
    }

    /// An element an archive had and this version has no place for.
    package mutating func element(_ element: ArchivedElement) {
        object { json in
            json.key("element")
            json.string(element.name)
            for attribute in element.attributes {
                json.key("@" + attribute.name)
                json.string(attribute.value)
            }
            guard !element.children.isEmpty else { return }
            json.key("children")
            json.array { json in for child in element.children { json.element(child) } }
        }
    }
}
