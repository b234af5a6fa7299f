/// The data types known to this version, with their codes, kinds, units and rules.
public enum TypeCatalog {
    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
    private static let byIdentifier = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })

    /// The type with a code, or `nil` for a code that was assigned by a store.
    package static func description(for code: TypeCode) -> TypeDescription? {
        byCode[code]
    }

    /// The type with an identifier, or `nil` if it is unknown to this version.
    public static func description(for identifier: String) -> TypeDescription? {
        byIdentifier[identifier]
    }

    /// The lines of a generated table: a type's identifier and its value.
    package static func values(_ table: String) -> [(identifier: String, value: Substring)] {
        table.split(separator: "\n").compactMap { line in
            line.firstIndex(of: ":").map { (String(line[..<$0]), line[$0...].dropFirst(2)) }
        }
    }

    static func quantity(
        _ code: UInt32, _ identifier: String, _ unit: String, _ style: AggregationStyle, customary: [String] = [],
        isShareable: Bool = true
    ) -> TypeDescription {
        TypeDescription(
            code: TypeCode(rawValue: code), identifier: identifier, kind: .quantity,
            canonicalUnit: unit, customaryUnits: customary, aggregationStyle: style, isShareable: isShareable)
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
package struct TypeCode: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number in pages and tables.
    package let rawValue: UInt32

    /// Creates a code, whether or not a type has it.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The first code assigned to types that are not in the catalog.
    package static let firstUnknown = TypeCode(rawValue: 1_000_000)

    package var description: String { "type \(rawValue)" }

    package static func < (left: TypeCode, right: TypeCode) -> Bool {
        left.rawValue < right.rawValue
    }
}
