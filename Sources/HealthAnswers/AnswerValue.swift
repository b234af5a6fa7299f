package import Foundation
package import HealthJSON
import HealthKit
package import HealthModel

/// A value of an answer: it is written as JSON in one way, wherever it occurs.
package protocol AnswerValue: SendableMetatype {
    /// The schema of the JSON.
    static var schema: AnswerSchema { get }
    /// Whether an object can be without the value.
    static var isOptional: Bool { get }
    /// Whether there is no value, so that its member is left out.
    var isAbsent: Bool { get }

    func write(to json: inout JSONText, _ instants: InstantWriter)
}

extension AnswerValue {
    package static var isOptional: Bool { false }
    package var isAbsent: Bool { false }
}

/// An object of an answer: members that are declared once, with their names, for JSON and for its schema.
package protocol AnswerObject: AnswerValue {
    /// The members, in the order in which they are written.
    static var fields: [AnswerField<Self>] { get }
}

extension AnswerObject {
    /// The name of the schema in the OpenAPI document: that of the type, such as `StatisticsSummary` for the summary in a
    /// `StatisticsAnswer`.
    package static var schemaName: String {
        String(reflecting: Self.self).split(separator: ".").dropFirst().map {
            $0.hasSuffix("Answer") ? $0.dropLast("Answer".count) : $0
        }.joined()
    }

    package static var schema: AnswerSchema {
        var json = JSONText()
        var components: [String: String] = [:]
        var units: [AnswerSchema.Unit] = []
        json.object { json in
            json.member("type", text: "object")
            json.member("required", texts: fields.filter(\.isRequired).map(\.name))
            json.object("properties") { json in
                for field in fields {
                    let schema = field.schema
                    json.member(field.name, raw: schema.json)
                    components.merge(schema.components) { first, _ in first }
                    units += schema.units.map { AnswerSchema.Unit(path: [field.name] + $0.path, unit: $0.unit) }
                }
            }
        }
        components[schemaName] = json.text
        return AnswerSchema(reference: schemaName, components: components, units: units)
    }

    package func write(to json: inout JSONText, _ instants: InstantWriter) {
        json.object { json in for field in Self.fields { field.write(self, &json, instants) } }
    }

    /// The answer as JSON, with the offsets of a time zone.
    package func json(timeZone: TimeZone) -> [UInt8] {
        var json = JSONText(reserving: 1 << 10)
        write(to: &json, InstantWriter(timeZone: timeZone))
        return json.bytes
    }
}

/// A member of an object.
package struct AnswerField<Object>: Sendable {
    package let name: String
    fileprivate let isRequired: Bool
    fileprivate let write: @Sendable (Object, inout JSONText, InstantWriter) -> Void
    private let makeSchema: @Sendable () -> AnswerSchema

    fileprivate var schema: AnswerSchema { makeSchema() }

    /// Creates a member with a value of an object.
    ///
    /// - Parameter unit: The unit of a number, if neither it nor its object has one in the answer.
    package init<Value: AnswerValue>(
        _ name: String, unit: String? = nil, _ value: @escaping @Sendable (Object) -> Value
    ) {
        self.name = name
        isRequired = !Value.isOptional
        makeSchema = { unit.map { Value.schema.measured(in: $0) } ?? Value.schema }
        write = { object, json, instants in
            let value = value(object)
            guard !value.isAbsent else { return }
            json.key(name)
            value.write(to: &json, instants)
        }
    }

    /// Takes over the members of another object.
    package static func members<Other: AnswerObject>(of other: @escaping @Sendable (Object) -> Other) -> [Self] {
        Other.fields.map { field in Self(field) { other($0) } }
    }

    private init<Other>(_ field: AnswerField<Other>, _ other: @escaping @Sendable (Object) -> Other) {
        (name, isRequired, makeSchema) = (field.name, field.isRequired, field.makeSchema)
        write = { field.write(other($0), &$1, $2) }
    }
}

/// A JSON schema, and those that it refers to by their names in the OpenAPI document.
package struct AnswerSchema: Sendable {
    /// The unit of numbers that are written without one.
    package struct Unit: Sendable {
        /// The names of the members that lead to them.
        package var path: [String]
        package var unit: String

        /// Creates the unit of the numbers that a path leads to.
        package init(path: [String], unit: String) {
            (self.path, self.unit) = (path, unit)
        }
    }

    package var json: String
    package var components: [String: String] = [:]
    package var units: [Unit] = []

    /// Creates a schema from JSON.
    package init(_ json: String) { self.json = json }

    /// Creates a reference to a named schema.
    package init(reference name: String, components: [String: String] = [:], units: [Unit] = []) {
        (json, self.components) = (##"{"$ref":"#/components/schemas/\##(name)"}"##, components)
        self.units = units
    }

    /// Returns the same for numbers in a unit.
    fileprivate func measured(in unit: String) -> AnswerSchema {
        var schema = self
        schema.json = json.dropLast() + #","description":"In \#(unit)."}"#
        schema.units = [Unit(path: [], unit: unit)]
        return schema
    }

    /// Returns the same within other JSON.
    fileprivate func within(_ beginning: String, _ end: String) -> AnswerSchema {
        var schema = self
        schema.json = beginning + json + end
        return schema
    }
}

// MARK: - Values

extension Optional: AnswerValue where Wrapped: AnswerValue {
    package static var schema: AnswerSchema { Wrapped.schema }
    package static var isOptional: Bool { true }
    package var isAbsent: Bool { self?.isAbsent ?? true }
    package func write(to json: inout JSONText, _ instants: InstantWriter) { self?.write(to: &json, instants) }
}

extension Array: AnswerValue where Element: AnswerValue {
    package static var schema: AnswerSchema { Element.schema.within(#"{"type":"array","items":"#, "}") }
    package func write(to json: inout JSONText, _ instants: InstantWriter) {
        json.array { json in for element in self { element.write(to: &json, instants) } }
    }
}

extension Double: AnswerValue {
    package static var schema: AnswerSchema { AnswerSchema(reference: "Number") }
    package func write(to json: inout JSONText, _ instants: InstantWriter) { json.decimal(figure) }

    /// The number of up to twelve digits that it is apart from its last bits, as 124 for 123.99999999999999 after a
    /// conversion from beats per second; itself if there is none.
    fileprivate var figure: Double {
        // Beyond, powers of ten or whole numbers aren't exact.
        guard (1e-9..<1e11).contains(magnitude) else { return self }
        let scale = pow(10, 11 - log10(magnitude).rounded(.down))
        let rounded = (self * scale).rounded() / scale
        return abs(rounded - self) <= 4 * ulp ? rounded : self
    }
}

extension Int: AnswerValue {
    package static var schema: AnswerSchema { AnswerSchema(#"{"type":"integer"}"#) }
    package func write(to json: inout JSONText, _ instants: InstantWriter) { json.integer(Int64(self)) }
}

extension Bool: AnswerValue {
    package static var schema: AnswerSchema { AnswerSchema(#"{"type":"boolean"}"#) }
    package func write(to json: inout JSONText, _ instants: InstantWriter) { json.bool(self) }
}

extension String: AnswerValue {
    package static var schema: AnswerSchema { AnswerSchema(#"{"type":"string"}"#) }
    package func write(to json: inout JSONText, _ instants: InstantWriter) { json.string(self) }
}

extension UUID: AnswerValue {
    package static var schema: AnswerSchema { AnswerSchema(#"{"type":"string","format":"uuid"}"#) }
    package func write(to json: inout JSONText, _ instants: InstantWriter) { json.string(uuidString) }
}

extension Date: AnswerValue {
    package static var schema: AnswerSchema { AnswerSchema(reference: "Instant") }
    package func write(to json: inout JSONText, _ instants: InstantWriter) {
        json.string(instants.text(timeIntervalSinceReferenceDate))
    }
}

extension QuantityRecord: AnswerValue {
    package static var schema: AnswerSchema { AnswerSchema(reference: "Quantity") }
    package func write(to json: inout JSONText, _ instants: InstantWriter) { json.measure(value.figure, unit) }
}

/// A day without a time, such as `2024-01-31`.
package struct AnswerDay: AnswerValue {
    package let text: String

    /// Creates the day with a number, where day 0 is 2001-01-01.
    init(number: Int) { text = LocalClock.dayText(number: number) }

    /// Creates the day of a date.
    init(of date: Date, _ calendar: Calendar) {
        self.init(calendar.dateComponents([.year, .month, .day], from: date))
    }

    /// Creates the day of Gregorian components.
    package init(_ day: DateComponents) {
        text = LocalClock.dayText(
            number: CivilDate.dayNumber(year: day.year ?? 1, month: day.month ?? 1, day: day.day ?? 1))
    }

    package static var schema: AnswerSchema { AnswerSchema(reference: "Day") }
    package func write(to json: inout JSONText, _ instants: InstantWriter) { json.string(text) }
}

/// Numbers by name, such as seconds by stage of sleep.
package struct AnswerNumbers: AnswerValue {
    let entries: [(name: String, value: Double?)]

    init(entries: [(name: String, value: Double?)]) {
        self.entries = entries
    }

    /// Creates the numbers of the cases of an enumeration.
    init<Key: CaseIterable>(_ keys: Key.Type, _ value: (Key) -> Double?) {
        entries = keys.allCases.map { ("\($0)", value($0)) }
    }

    package static var schema: AnswerSchema { Double.schema.within(#"{"type":"object","additionalProperties":"#, "}") }
    package func write(to json: inout JSONText, _ instants: InstantWriter) {
        json.object { json in for (name, value) in entries { json.member(name, number: value?.figure) } }
    }
}

extension HKQuantity {
    /// The value in a unit, with the unit.
    func record(in unit: HKUnit) -> QuantityRecord {
        QuantityRecord(doubleValue(for: unit), unit: unit.unitString)
    }
}
