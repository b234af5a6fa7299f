import Foundation

/// A unit symbol with its prefix and, for a mole converted to mass, its molar mass.
package struct UnitAtom: Hashable, Sendable {
    /// The symbol without its prefix.
    package let kind: UnitKind
    /// The metric prefix, or `.none`.
    package let prefix: UnitPrefix
    /// Grams per mole; 0 for every kind but ``UnitKind/molarMass``.
    package let molarMass: Double

    /// - Precondition: `prefix` is `.none` unless `kind` allows one; `molarMass` is finite and positive for
    ///   `.molarMass` and 0 for every other kind.
    package init(_ kind: UnitKind, prefix: UnitPrefix = .none, molarMass: Double = 0) {
        precondition(prefix == .none || kind.allowsPrefix, "\(kind.symbol) does not allow a metric prefix")
        precondition(
            kind == .molarMass ? molarMass > 0 && molarMass.isFinite : molarMass == 0,
            "A molar mass must be finite and positive")
        self.kind = kind
        self.prefix = prefix
        self.molarMass = molarMass
    }

    /// The atom in a unit string, such as `mmol<180.1558800000541>`.
    package var symbol: String {
        let bare = prefix.symbol + kind.symbol
        return kind == .molarMass ? "\(bare)<\(Self.print(molarMass))>" : bare
    }

    /// Molar masses that print alike are equal, so that a unit remains equal to itself after it was stored as a
    /// string.
    package static func == (left: UnitAtom, right: UnitAtom) -> Bool {
        left.kind == right.kind && left.prefix == right.prefix && left.hasMolarMass(of: right)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(prefix)
        if kind == .molarMass { hasher.combine(Self.print(molarMass)) }
    }

    func hasMolarMass(of other: UnitAtom) -> Bool {
        molarMass == other.molarMass || Self.print(molarMass) == Self.print(other.molarMass)
    }

    /// Whether the atom is printed first: symbols without a prefix before others, then by kind, prefix and mass.
    func precedes(_ other: UnitAtom) -> Bool {
        if (prefix == .none) != (other.prefix == .none) { return prefix == .none }
        if kind != other.kind { return kind < other.kind }
        if prefix != other.prefix { return prefix.powerOfTen > other.prefix.powerOfTen }
        return molarMass < other.molarMass
    }

    /// Prints a molar mass with 16 significant digits, as the original does.
    private static func print(_ mass: Double) -> String {
        String(format: "%.16g", mass)
    }
}

extension UnitPrefix {
    /// The prefix in a unit string.
    package var symbol: String { definition.symbol }

    /// The prefix as a power of ten.
    package var powerOfTen: Int { definition.powerOfTen }
}
