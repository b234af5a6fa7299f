/// The data types known to this version, with their codes, kinds, units and rules.
public enum TypeCatalog {
    /// The places of the types in ``all`` by code; -1 for a code that no type has.
    private static let places: [Int16] = {
        var places: [Int16] = []
        for (place, type) in all.enumerated() {
            let code = Int(type.code.rawValue)
            if code >= places.count { places += [Int16](repeating: -1, count: code + 1 - places.count) }
            places[code] = Int16(place)
        }
        return places
    }()
    private static let byIdentifier = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })

    /// The codes of types that turned out to be another type of the catalog, and the code of that type. An engine
    /// moves their samples when it opens a store.
    public static let formerCodes = [(former: TypeCode(rawValue: 1021), current: TypeCode(rawValue: 1006))]

    /// Identifiers as earlier versions spelled them in archives, and the identifier of the original.
    private static let formerIdentifiers = [
        "HKDataTypeIdentifierStateOfMind": "HKDataTypeStateOfMind",
        "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent": "HKCategoryTypeIdentifierAudioExposureEvent",
    ]

    /// The identifier that a former spelling stands for; any other identifier itself.
    public static func currentIdentifier(of identifier: String) -> String {
        formerIdentifiers[identifier] ?? identifier
    }

    /// The type with a code, or `nil` for a code that was assigned by a store.
    public static func description(for code: TypeCode) -> TypeDescription? {
        current(code) ?? formerCodes.first { $0.former == code }.flatMap { current($0.current) }
    }

    private static func current(_ code: TypeCode) -> TypeDescription? {
        guard code.rawValue < places.count, case let place = places[Int(code.rawValue)], place >= 0 else { return nil }
        return all[Int(place)]
    }

    /// The type with an identifier, or `nil` if it is unknown to this version. Former spellings are known.
    public static func description(for identifier: String) -> TypeDescription? {
        byIdentifier[identifier] ?? formerIdentifiers[identifier].flatMap { byIdentifier[$0] }
    }

    static func quantity(
        _ code: UInt32, _ identifier: String, _ unit: String, _ style: AggregationStyle,
        isShareable: Bool = true
    ) -> TypeDescription {
        TypeDescription(
            code: TypeCode(rawValue: code), identifier: identifier, kind: .quantity,
            canonicalUnit: unit, aggregationStyle: style, isShareable: isShareable)
    }

    static func category(
        _ code: UInt32, _ identifier: String, _ values: ClosedRange<Int>, _ enumeration: String,
        isShareable: Bool = true
    ) -> TypeDescription {
        TypeDescription(
            code: TypeCode(rawValue: code), identifier: identifier, kind: .category,
            categoryValues: values, categoryEnumeration: enumeration, isShareable: isShareable)
    }

    static func other(
        _ code: UInt32, _ identifier: String, _ kind: TypeKind, isShareable: Bool
    ) -> TypeDescription {
        TypeDescription(
            code: TypeCode(rawValue: code), identifier: identifier, kind: kind, isShareable: isShareable)
    }
}

/// The number that represents a data type in a store.
///
/// The codes in ``TypeCatalog`` never change between releases. A type that is only known from an archive gets
/// a code from ``TypeCode/firstUnknown`` upwards, which is recorded in the store's own type table.
public struct TypeCode: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number in pages and tables.
    public let rawValue: UInt32

    /// Creates a code, whether or not a type has it.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The first code assigned to types that are not in the catalog.
    public static let firstUnknown = TypeCode(rawValue: 1_000_000)

    public var description: String { "type \(rawValue)" }

    public static func < (left: TypeCode, right: TypeCode) -> Bool {
        left.rawValue < right.rawValue
    }
}
