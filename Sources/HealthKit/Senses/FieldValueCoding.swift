import Foundation
import HealthModel

/// A part of a document that applications see as an object of its own, archived as the value it is kept as.
protocol FieldValueCoding {
    /// The part as the store keeps it.
    var fieldValue: FieldValue { get }

    /// The part the store holds; `nil` for one that makes no sense.
    init?(_ fieldValue: FieldValue)
}

extension FieldValueCoding {
    /// The part in an archive; `nil` for a damaged one.
    static func decode(from coder: NSCoder) -> FieldValue? {
        guard let value = SecureRecord.decode(FieldValue.self, from: coder), Self(value) != nil else { return nil }
        return value
    }
}

extension FieldValue {
    /// The value under a name of a record.
    subscript(name: String) -> FieldValue? {
        if case .record(let fields) = self { fields[name] } else { nil }
    }

    /// A record of what is there.
    static func present(_ fields: [String: FieldValue?]) -> FieldValue {
        .record(fields.compactMapValues { $0 })
    }

    /// Whether there is no value of this name, or a quantity that can be told in `unit`.
    func hasQuantity(_ name: String, in unit: HKUnit, isRequired: Bool = false) -> Bool {
        guard let value = self[name] else { return !isRequired }
        return value.quantityObject?.is(compatibleWith: unit) ?? false
    }
}
