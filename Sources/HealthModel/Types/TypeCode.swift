/// The number a data type has inside one store.
///
/// Types known to ``TypeCatalog`` have a code that never changes between releases; a type that
/// only an archive knows gets a code from ``TypeCode/firstUnknown`` upwards, kept in that store's
/// own type table.
public struct TypeCode: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number as it stands in pages and tables.
    public let rawValue: UInt32

    /// Makes the code with this number, whether or not any type has it.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The first code given to types outside the catalog.
    public static let firstUnknown = TypeCode(rawValue: 1_000_000)

    public var description: String { "type \(rawValue)" }

    public static func < (left: TypeCode, right: TypeCode) -> Bool {
        left.rawValue < right.rawValue
    }
}
