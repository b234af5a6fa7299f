public import Foundation

/// A value of metadata, or of a property that depends on a sample's type.
///
/// As JSON, a string, Boolean or number is written as such, a quantity as `{"quantity": 5, "unit": "kcal"}`, a date as
/// `{"date": "…"}`, bytes as `{"data": "base64"}`, and a `Double` without a fraction as `{"double": 5}`, so that it
/// remains distinct from an integer.
public indirect enum SyncValue: Codable, Hashable, Sendable {
    /// A string.
    case string(String)
    /// A Boolean value.
    case bool(Bool)
    /// A whole number, such as the raw value of an enumeration.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// An instant.
    case date(SyncDate)
    /// Opaque bytes.
    case data(Data)
    /// A number with its unit.
    case quantity(SyncQuantity)
    /// Several values in order.
    case list([SyncValue])
    /// Values by name, for parts with their own properties.
    case record([String: SyncValue])

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        static let date = Key("date")
        static let data = Key("data")
        static let double = Key("double")
    }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = try Self.object(container, decoder)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [SyncValue] = []
            while !container.isAtEnd { values.append(try container.decode(SyncValue.self)) }
            self = .list(values)
        } else {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .string(text)
            } else if let flag = try? container.decode(Bool.self) {
                self = .bool(flag)
            } else if let number = try? container.decode(Int64.self) {
                self = .integer(number)
            } else {
                self = .double(try container.decode(Double.self))
            }
        }
    }

    private static func object(_ container: KeyedDecodingContainer<Key>, _ decoder: any Decoder) throws -> SyncValue {
        switch Set(container.allKeys.map(\.stringValue)) {
        case ["quantity", "unit"]: return .quantity(try SyncQuantity(from: decoder))
        case ["date"]: return .date(try container.decode(SyncDate.self, forKey: .date))
        case ["data"]: return .data(try container.decode(Data.self, forKey: .data))
        case ["double"]: return .double(try container.decode(Double.self, forKey: .double))
        case let names:
            var values: [String: SyncValue] = [:]
            for name in names { values[name] = try container.decode(SyncValue.self, forKey: Key(name)) }
            return .record(values)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        func encode(_ value: some Encodable, as key: Key) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(value, forKey: key)
        }
        func encode(_ value: some Encodable) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
        switch self {
        case .string(let text): try encode(text)
        case .bool(let flag): try encode(flag)
        case .integer(let number): try encode(number)
        case .double(let number) where !number.isFinite || number == number.rounded(): try encode(number, as: .double)
        case .double(let number): try encode(number)
        case .date(let date): try encode(date, as: .date)
        case .data(let data): try encode(data, as: .data)
        case .quantity(let quantity): try quantity.encode(to: encoder)
        case .list(let values): try encode(values)
        case .record(let values): try encode(values)
        }
    }

    /// A record of the values that are not `nil`.
    static func record(present values: [String: SyncValue?]) -> SyncValue {
        .record(values.compactMapValues { $0 })
    }
}

/// A number with its unit string.
public struct SyncQuantity: Codable, Hashable, Sendable {
    /// The number, in ``unit``.
    public var quantity: Double
    /// A HealthKit unit string, such as `count/min`.
    public var unit: String

    /// Creates a quantity. Nothing is checked.
    public init(_ quantity: Double, unit: String) {
        self.quantity = quantity
        self.unit = unit
    }
}

/// A column of numbers in a sample: voltages, coordinates, offsets. As JSON, a missing number (NaN) is `null`.
public struct SyncColumn: Codable, Hashable, Sendable {
    /// The numbers.
    public var numbers: [Double]

    /// Creates a column.
    public init(_ numbers: [Double]) {
        self.numbers = numbers
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        numbers = try container.decode([Double?].self).map { $0 ?? .nan }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(numbers.map { $0.isNaN ? nil : $0 })
    }
}
