import Foundation
import HealthModel

/// The values of a part of a document that is an object of its own, such as a lens or a reading.
protocol PartFields {
    /// The part that a store holds; `nil` for an invalid one.
    init?(_ fieldValue: FieldValue)

    /// The part to store.
    var fieldValue: FieldValue { get }
}

/// The archives of parts of documents: the field that a store would hold.
enum FieldValueCoding {
    static func encode(_ fields: some PartFields, with coder: NSCoder) {
        SecureRecord.encode(fields.fieldValue, with: coder)
    }

    /// `nil` for a damaged archive.
    static func fields<Fields: PartFields>(_: Fields.Type, from coder: NSCoder) -> Fields? {
        SecureRecord.decode(FieldValue.self, from: coder).flatMap { Fields($0) }
    }
}

// MARK: - Reading fields

// A field of another kind than expected counts as missing.
extension DocumentBody {
    /// A document of the fields that are not `nil`.
    init(present fields: [String: FieldValue?]) {
        self.init(fields: fields.compactMapValues { $0 })
    }

    func text(_ name: String) -> String? { fields[name]?.text }

    func bytes(_ name: String) -> [UInt8]? {
        if case .data(let bytes) = fields[name] { bytes } else { nil }
    }

    func flag(_ name: String) -> Bool? { fields[name]?.flag }

    func instant(_ name: String) -> Date? {
        guard case .date(let seconds) = fields[name] else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// The texts of a list, without elements of another kind.
    func texts(_ name: String) -> [String] { (fields[name]?.elements ?? []).compactMap(\.text) }
}

extension FieldValue {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var flag: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The field of a record.
    subscript(name: String) -> FieldValue? {
        if case .record(let fields) = self { fields[name] } else { nil }
    }

    /// A record of the fields that are not `nil`.
    static func record(present fields: [String: FieldValue?]) -> FieldValue {
        .record(fields.compactMapValues { $0 })
    }

    // The field of a value; `nil` for `nil`.

    static func text(_ text: String?) -> FieldValue? { text.map { .string($0) } }

    static func bytes(_ bytes: [UInt8]?) -> FieldValue? { bytes.map { .data($0) } }

    static func wholeNumber(_ number: Int?) -> FieldValue? { number.map { .integer(Int64($0)) } }

    /// The field of a date; `nil` for `nil`.
    static func date(_ date: Date?) -> FieldValue? {
        date.map { .date($0.timeIntervalSinceReferenceDate) }
    }

    /// A field of a record with a quantity in units that are compatible with `unit`.
    func quantity(_ name: String, in unit: HKUnit) -> HKQuantity? {
        guard let quantity = self[name]?.quantityObject, quantity.is(compatibleWith: unit) else { return nil }
        return quantity
    }

    /// Whether an optional field of a record, if present, is a quantity compatible with `unit`.
    func hasQuantity(_ name: String, in unit: HKUnit) -> Bool { self[name] == nil || quantity(name, in: unit) != nil }
}
