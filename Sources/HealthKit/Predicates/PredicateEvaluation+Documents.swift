import Foundation
import HealthModel

extension PredicateEvaluation {
    /// Whether an object's document satisfies a filter of its fields; `nil` for another filter.
    static func holdsForDocument(_ filter: SampleFilter, _ object: Any?) -> Bool? {
        guard let document = document(of: object) else { return nil }
        switch filter {
        case .field(let name, let operation, let wanted):
            guard let value = document[name].flatMap({ PredicateValue($0) }) else { return operation == .notEqual }
            guard let wanted = PredicateValue(wanted) else { return false }
            return operation.holds(order(value, wanted))
        case .fieldContains(let name, let wanted):
            return document[name]?.elements.contains(wanted) ?? false
        default:
            return nil
        }
    }

    /// The value a key path has on an electrocardiogram; `nil` for another path or object.
    static func documentProperty(_ name: String, of object: HKObject) -> PredicateValue? {
        guard let electrocardiogram = object as? HKElectrocardiogram else { return nil }
        switch name {
        case HKPredicateKeyPathECGClassification:
            return .number(Double(electrocardiogram.classification.rawValue))
        case HKPredicateKeyPathECGSymptomsStatus:
            return .number(Double(electrocardiogram.symptomsStatus.rawValue))
        case HKPredicateKeyPathAverageHeartRate:
            return electrocardiogram.averageHeartRate.map { .quantity($0) } ?? .null
        default:
            return nil
        }
    }
}

extension PredicateValue {
    /// A document's value as a predicate holds it; `nil` for kinds that do not compare.
    fileprivate init?(_ value: FieldValue) {
        switch value {
        case .bool(let truth): self = .bool(truth)
        case .integer(let number): self = .number(Double(number))
        case .double(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .uuid(let uuid): self = .uuid(uuid)
        case .quantity(let record): self = .quantity(HKQuantity(record: record))
        case .data, .list, .record: return nil
        }
    }
}
