import HealthModel

/// A data type as one archive uses it.
struct ArchiveType {
    let description: TypeDescription
    /// The unit its values convert to, for types of the catalog that have one.
    let unit: UnitExpression?
    /// Where samples of a paged type are gathered.
    let builder: UnsafeMutablePointer<ColumnBuilder>?
    /// Whether a unit, by its number, fits; asked once a unit.
    var fittingUnits: [UInt32: Bool] = [:]

    var code: TypeCode { description.code }
    var kind: TypeKind { description.kind }
}
