import Foundation
import HealthJSON
import HealthModel

/// The error for a sample that is not of the expected form.
///
/// The description contains no value, only the names of members and types.
package struct SampleReadingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the sample in its batch, from 0.
    package var index: Int?
    /// The member with the error, such as `unit` or `objects.quantity`.
    package var member: String?
    /// The reason, without the value.
    package var reason: String

    package init(index: Int? = nil, member: String?, reason: String) {
        self.index = index
        self.member = member
        self.reason = reason
    }

    /// The place and the reason.
    package var description: String {
        let place = [index.map { "sample \($0)" }, member.map { "“\($0)”" }].compactMap { $0 }.joined(separator: ", ")
        return place.isEmpty ? reason : "\(place.prefix(1).uppercased() + place.dropFirst()): \(reason)"
    }
}

extension Optional {
    /// The value that a member must have, or ``SampleReadingError`` with the reason.
    func required(_ member: @autoclosure () -> String, _ reason: String) throws -> Wrapped {
        guard let value = self else { throw SampleReadingError(member: member(), reason: reason) }
        return value
    }
}

/// Reads values of JSON. Each method names the member in its errors. The counterpart is ``JSONText`` with its `member`
/// methods.
struct ValueJSONReader {
    let instants: LocalClock
    /// Unit strings as HealthKit prints them, by their text.
    private var units: [String: String] = [:]
    private static let maximumUnits = 1_000

    init(instants: LocalClock) {
        self.instants = instants
    }

    func check(_ json: inout JSONReader, is kind: JSONReader.Kind, _ member: String, _ wanted: String) throws {
        guard try json.kind() == kind else {
            throw SampleReadingError(member: member, reason: "\(wanted) is expected.")
        }
    }

    func string(_ json: inout JSONReader, _ member: String) throws -> String {
        try check(&json, is: .string, member, "A string")
        return try json.string()
    }

    func bool(_ json: inout JSONReader, _ member: String) throws -> Bool {
        try check(&json, is: .bool, member, "true or false")
        return try json.bool()
    }

    func uuid(_ json: inout JSONReader, _ member: String) throws -> UUID {
        try check(&json, is: .string, member, "A string")
        return try UUID(uuidString: string(&json, member)).required(member, "A UUID is expected.")
    }

    func instant(_ json: inout JSONReader, _ member: String) throws -> Double {
        try check(&json, is: .string, member, "A date as a string")
        return try instants.instant(of: json.string()).required(
            member, "This is not a date. Use a form like 2025-05-01T08:00:00+02:00.")
    }

    /// A number, or one of the strings for those that JSON doesn't have.
    func number(_ json: inout JSONReader, _ member: String) throws -> Double {
        if try json.kind() == .string {
            return try Self.number(.string(json.string())).required(member, "A number is expected.")
        }
        try check(&json, is: .number, member, "A number")
        return try json.number()
    }

    func integer(_ json: inout JSONReader, _ member: String) throws -> Int {
        try check(&json, is: .number, member, "An integer")
        return try Int(exactly: json.number()).required(member, "An integer is expected.")
    }

    /// A raw value, or the name of one.
    func choice(_ json: inout JSONReader, _ member: String, _ names: (String) -> Int?) throws -> Int {
        guard try json.kind() == .string else { return try integer(&json, member) }
        let value = names(try json.string())
        return try value.required(member, "The name is unknown. Use a raw value or a name of HealthKit.")
    }

    /// A unit string in the form that HealthKit prints, also from what people write.
    mutating func unit(_ json: inout JSONReader, _ member: String) throws -> String {
        try check(&json, is: .string, member, "A string")
        let text = try json.string()
        if let known = units[text] { return known }
        let parsed = try? UnitExpression(words: text)
        let unit = try parsed.required(member, "This is not a unit string of HealthKit.")
        if units.count >= Self.maximumUnits { units.removeAll() }
        units[text] = unit.string
        return unit.string
    }

    mutating func measure(_ json: inout JSONReader, _ member: String) throws -> QuantityRecord {
        try check(&json, is: .object, member, "A quantity as an object with “quantity” and “unit”")
        var (value, unit) = (Double?.none, String?.none)
        try json.object { json, name in
            switch name {
            case "quantity": value = try number(&json, member + ".quantity")
            case "unit": unit = try self.unit(&json, member + ".unit")
            default: try json.skip()
            }
        }
        guard let value, let unit else {
            throw SampleReadingError(
                member: member, reason: "A quantity as an object with “quantity” and “unit” is expected.")
        }
        return QuantityRecord(value, unit: unit)
    }

    /// A list of numbers, in which null is NaN.
    func numbers(_ json: inout JSONReader, _ member: String) throws -> [Double] {
        try check(&json, is: .array, member, "A list of numbers")
        var numbers: [Double] = []
        try json.array { json, _ in numbers.append(try json.acceptNull() ? .nan : try number(&json, member)) }
        return numbers
    }

    /// Calls `element` for each element of a list.
    func list(
        _ json: inout JSONReader, _ member: String, _ element: (inout JSONReader, Int) throws -> Void
    ) throws {
        try check(&json, is: .array, member, "A list")
        try json.array(element)
    }

    /// Calls `read` for each member of an object that is not null.
    func object(
        _ json: inout JSONReader, _ member: String, _ read: (inout JSONReader, String) throws -> Void
    ) throws {
        try check(&json, is: .object, member, "An object")
        try json.object { json, name in
            if try json.acceptNull() { return }
            try read(&json, name)
        }
    }

    // MARK: Metadata and fields

    /// Metadata. Keys of the store are ignored.
    mutating func metadata(_ json: inout JSONReader, _ member: String) throws -> Metadata {
        var entries: [Metadata.Entry] = []
        try object(&json, member) { json, key in
            guard !key.hasPrefix("_") else { return try json.skip() }
            guard !key.isEmpty else { throw SampleReadingError(member: member, reason: "A key must not be empty.") }
            entries.append(Metadata.Entry(key: key, value: try metadataValue(&json, "\(member).\(key)")))
        }
        // The order of keys is that of applications that save.
        return Metadata(entries.sorted { $0.key < $1.key })
    }

    private mutating func metadataValue(_ json: inout JSONReader, _ member: String) throws -> MetadataValue {
        switch try field(&json, member) {
        case .string(let text): return .string(text)
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .integer(number)
        case .double(let number): return .double(number)
        case .date(let instant): return .date(instant)
        case .quantity(let quantity): return .quantity(quantity.value, unit: quantity.unit)
        case .uuid, .data, .list, .record:
            throw SampleReadingError(
                member: member, reason: "A metadata value is a string, a number, true or false, a quantity or a date.")
        }
    }

    /// The fields of a document.
    mutating func fields(_ json: inout JSONReader, _ member: String) throws -> [String: FieldValue] {
        var fields: [String: FieldValue] = [:]
        try object(&json, member) { json, name in fields[name] = try field(&json, "\(member).\(name)") }
        return fields
    }

    private mutating func field(_ json: inout JSONReader, _ member: String) throws -> FieldValue {
        switch try json.kind() {
        case .string: return .string(try json.string())
        case .bool: return .bool(try json.bool())
        case .number:
            let found = try json.integerOrNumber()
            return found.integer.map { .integer($0) } ?? .double(found.number)
        case .array:
            var elements: [FieldValue] = []
            try json.array { json, _ in elements.append(try field(&json, member)) }
            return .list(elements)
        case .null: throw SampleReadingError(member: member, reason: "A value is expected.")
        case .object: return try taggedField(&json, member)
        }
    }

    /// An object is a quantity, a date, an identity or bytes if its members say so, otherwise a record.
    private mutating func taggedField(_ json: inout JSONReader, _ member: String) throws -> FieldValue {
        let record = try fields(&json, member)
        if record.count == 2, let number = record["quantity"], case .string(let text)? = record["unit"] {
            guard let value = Self.number(number), let unit = try? UnitExpression(parsing: text) else {
                throw SampleReadingError(
                    member: member, reason: "A quantity with a number and a unit string is expected.")
            }
            return .quantity(QuantityRecord(value, unit: unit.string))
        }
        guard record.count == 1, let (name, value) = record.first, case .string(let text) = value else {
            return .record(record)
        }
        switch name {
        case "date":
            return .date(try instants.instant(of: text).required(member, "This is not a date."))
        case "uuid":
            return .uuid(try UUID(uuidString: text).required(member, "This is not a UUID."))
        case "data":
            return .data([UInt8](try Data(base64Encoded: text).required(member, "This is not Base64.")))
        default: return .record(record)
        }
    }

    private static func number(_ value: FieldValue) -> Double? {
        switch value {
        case .integer, .double: return value.number
        case .string("NaN"): return .nan
        case .string("Infinity"): return .infinity
        case .string("-Infinity"): return -.infinity
        default: return nil
        }
    }
}
