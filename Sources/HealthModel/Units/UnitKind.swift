// The order of the cases in `units.tsv` reproduces all products whose printed form in the original is known (`mL/min·kg`,
// `min·count`, `degC·m` but `m·degF` …). The original does not publish its order.
extension UnitKind {
    /// The symbol in a unit string. A mole with a molar mass is followed by its mass.
    package var symbol: String { Self.definitions[Int(rawValue)].symbol }

    /// A Boolean value that indicates whether the unit allows a metric prefix.
    package var allowsPrefix: Bool { Self.definitions[Int(rawValue)].allowsPrefix }

    package static func < (left: UnitKind, right: UnitKind) -> Bool { left.rawValue < right.rawValue }

    /// The dimension the unit measures and its exponent (a liter is a length cubed), or `nil` for dimensionless
    /// units.
    var dimension: (UnitDimension, power: Int)? {
        let definition = Self.definitions[Int(rawValue)]
        return definition.dimension.map { ($0, definition.power) }
    }

    /// The unit's scale relative to its dimension's base unit (g, m, s, Pa, J, K, rad …). A molar mass is not
    /// included, because it belongs to the atom.
    var scale: UnitScale { Self.definitions[Int(rawValue)].scale }

    private static let definitions = allCases.map(\.definition)
}

/// The definition of a unit symbol.
struct UnitDefinition {
    let symbol: String
    let dimension: UnitDimension?
    var power = 1
    var scale = UnitScale.one
    var allowsPrefix = false
}
