/// A unit of measure: a product of powers of unit symbols, such as `mg/dL` or `kcal/hr·kg`.
///
/// Equal symbols are gathered (`m·m` is `m^2`, `m/m` is the null unit); different symbols are kept as
/// they are, so `dL/L` is not the null unit although it has no dimension.
public struct UnitExpression: Hashable, Sendable, CustomStringConvertible {
    /// One symbol with its power, which is never 0.
    public struct Factor: Hashable, Sendable {
        /// The unit.
        public let atom: UnitAtom
        /// Its power; never 0, negative below the fraction bar.
        public let exponent: Int
    }

    /// The factors in print order, each symbol once. Empty for the null unit.
    public let factors: [Factor]

    /// The unit without a factor.
    public static let null = UnitExpression(gathered: [])

    /// A unit of one symbol.
    public init(_ atom: UnitAtom) {
        factors = [Factor(atom: atom, exponent: 1)]
    }

    /// Whether there is no factor at all. `dL/L` and `count` have factors.
    public var isNull: Bool { factors.isEmpty }

    /// The same as ``string``.
    public var description: String { string }

    /// Factors in print order, each atom once, no exponent 0.
    init(gathered: [Factor]) {
        factors = gathered
    }
}
