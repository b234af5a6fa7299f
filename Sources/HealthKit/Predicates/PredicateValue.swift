import Foundation
import HealthModel

/// A constant in a predicate.
indirect enum PredicateValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case date(Date)
    case uuid(UUID)
    case quantity(QuantityRecord)
    /// A source, by its bundle identifier.
    case source(String)
    /// The application of the store that executes the query.
    case ownSource
    case sourceRevision(RevisionPattern)
    case device(DeviceRecord)
    /// An object, by its UUID.
    case object(UUID)
    /// A day, as year · 10000 + month · 100 + day.
    case day(Int)
    case list([PredicateValue])

    /// Wraps the argument of `%@`; `nil` for a kind that predicates cannot contain.
    init?(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        if let optional = value as? any OptionalValue {
            guard let inner = optional.wrapped else {
                self = .null
                return
            }
            self.init(inner)
            return
        }
        switch value {
        case is NSNull: self = .null
        case let value as Bool where type(of: value) == Bool.self: self = .bool(value)
        case let value as String: self = .string(value)
        case let value as Date: self = .date(value)
        case let value as NSDate:
            self = .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
        case let value as UUID: self = .uuid(value)
        case let value as NSUUID: self = .uuid(value as UUID)
        case let value as NSString: self = .string(value.description)
        case let value as HKQuantity: self = .quantity(value.record)
        case let value as HKSource: self = value.isDefault ? .ownSource : .source(value.bundleIdentifier)
        case let value as HKSourceRevision: self = .sourceRevision(value.pattern)
        case let value as HKDevice: self = .device(value.record)
        case let value as HKObject: self = .object(value.uuid)
        case let value as HKHealthConceptIdentifier: self = .string(value.token)
        case let value as DateComponents: self = .day(value.dayNumber)
        case let value as NSDateComponents: self = .day((value as DateComponents).dayNumber)
        case let value as NSNumber: self = .number(value.doubleValue)
        case let value as any BinaryInteger: self = .number(Double(value))
        case let value as Double: self = .number(value)
        case let value as Float: self = .number(Double(value))
        case let value as any RawRepresentable: self.init(value.rawValue)
        case let value as [Any]: self.init(elements: value)
        case let value as NSArray: self.init(elements: value.map { $0 })
        case let value as NSSet: self.init(elements: value.map { $0 })
        case let value as any Sequence: self.init(elements: value.map { $0 as Any })
        default: return nil
        }
    }

    private init?(elements: [Any]) {
        let values = elements.map { PredicateValue($0) }
        guard !values.contains(nil) else { return nil }
        self = .list(values.compactMap { $0 })
    }

    /// The values of a list, or the value itself as a list of one.
    var elements: [PredicateValue] {
        if case .list(let values) = self { values } else { [self] }
    }

    /// The value as metadata contains it; `nil` for kinds that metadata cannot contain.
    var metadataValue: MetadataValue? {
        switch self {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .number(let number): .double(number)
        case .date(let date): .date(date.timeIntervalSinceReferenceDate)
        case .quantity(let quantity): .quantity(quantity.value, unit: quantity.unit)
        case .null, .uuid, .source, .ownSource, .sourceRevision, .device, .object, .day, .list: nil
        }
    }

    /// The value as comparators of sort descriptors get it; `NSNull` for none.
    var constant: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let value): value
        case .string(let value): value
        case .date(let value): value
        case .uuid(let value), .object(let value): value
        case .quantity(let value): HKQuantity(record: value)
        case .source(let value): HKSource(SourceRecord(bundleIdentifier: value, name: value))
        case .ownSource: HKSource.default()
        case .sourceRevision(let value): value.bundleIdentifier
        case .device(let value): HKDevice(value)
        case .day(let value): value
        case .list(let values): values.map(\.constant)
        }
    }

    /// The number of a number or Boolean.
    var asNumber: Double? {
        switch self {
        case .number(let value): value
        case .bool(let value): value ? 1 : 0
        default: nil
        }
    }
}

extension DateComponents {
    /// Year · 10000 + month · 100 + day.
    var dayNumber: Int { (year ?? 0) * 10_000 + (month ?? 0) * 100 + (day ?? 0) }
}

/// Unwraps an optional in an `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { map { $0 as Any } }
}
