/// What is known of one data type, before any sample of it exists.
public struct TypeDescription: Hashable, Sendable {
    /// The type's number in pages and tables.
    public let code: TypeCode
    /// The identifier as archives and applications spell it, such as `HKQuantityTypeIdentifierStepCount`.
    public let identifier: String
    /// The family.
    public let kind: TypeKind
    /// The unit string statistics are kept in; `nil` for other families and for unknown types.
    public let canonicalUnit: String?
    /// How quantities combine; `nil` for other families.
    public let aggregationStyle: AggregationStyle?
    /// Allowed raw values of a category type, ends included; `nil` for other families and unknown types.
    public let categoryValues: ClosedRange<Int>?
    /// Name of the enumeration a category value belongs to, such as `HKCategoryValueSleepAnalysis`.
    public let categoryEnumeration: String?
    /// Whether an application may ask to write samples of the type.
    public let isShareable: Bool

    /// Makes a description. Those of the catalog are made once; a store makes those it met in archives.
    public init(
        code: TypeCode, identifier: String, kind: TypeKind, canonicalUnit: String? = nil,
        aggregationStyle: AggregationStyle? = nil, categoryValues: ClosedRange<Int>? = nil,
        categoryEnumeration: String? = nil, isShareable: Bool = true
    ) {
        self.code = code
        self.identifier = identifier
        self.kind = kind
        self.canonicalUnit = canonicalUnit
        self.aggregationStyle = aggregationStyle
        self.categoryValues = categoryValues
        self.categoryEnumeration = categoryEnumeration
        self.isShareable = isShareable
    }
}
