import Foundation

/// A constant in a predicate.
enum PredicateValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case date(Date)
    case uuid(UUID)
    case quantity(HKQuantity)
    case source(HKSource)
    case sourceRevision(HKSourceRevision)
    case device(HKDevice)
    case object(HKObject)
    case day(DateComponents)
    case list([PredicateValue])

    /// The value as a property returns it; `NSNull` for none.
    var constant: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let value): value
        case .string(let value): value
        case .date(let value): value
        case .uuid(let value): value
        case .quantity(let value): value
        case .source(let value): value
        case .sourceRevision(let value): value
        case .device(let value): value
        case .object(let value): value
        case .day(let value): value
        case .list(let values): values.map(\.constant)
        }
    }

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
        case let value as HKQuantity: self = .quantity(value)
        case let value as HKSource: self = .source(value)
        case let value as HKSourceRevision: self = .sourceRevision(value)
        case let value as HKDevice: self = .device(value)
        case let value as HKObject: self = .object(value)
        case let value as HKHealthConceptIdentifier: self = .string(value.token)
        case let value as DateComponents: self = .day(value)
        case let value as NSDateComponents: self = .day(value as DateComponents)
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

    /// A Boolean value that indicates whether metadata can contain the value.
    var isMetadataValue: Bool {
        switch self {
        case .string, .bool, .number, .date, .quantity: true
        case .null, .uuid, .source, .sourceRevision, .device, .object, .day, .list: false
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

/// Unwraps an optional in an `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { map { $0 as Any } }
}
