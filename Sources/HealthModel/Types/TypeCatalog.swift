/// Every data type this version knows, with its code, family, unit and rules.
public enum TypeCatalog {
    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
    private static let byIdentifier = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })

    /// The type with this code, or `nil` for a code given by a store.
    public static func description(for code: TypeCode) -> TypeDescription? {
        byCode[code]
    }

    /// The type with this identifier, or `nil` for one this version does not know.
    public static func description(for identifier: String) -> TypeDescription? {
        byIdentifier[identifier]
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
