import Foundation

/// One factor's unit: a symbol with its prefix and, for a mole that stands for a mass, the molar mass.
public struct UnitAtom: Hashable, Sendable {
    /// The symbol without its prefix.
    public let kind: UnitKind
    /// The metric prefix, or `.none`.
    public let prefix: UnitPrefix
    /// Grams a mole; 0 for every kind but ``UnitKind/molarMass``.
    public let molarMass: Double

    /// - Precondition: `prefix` is `.none` unless `kind` takes one; `molarMass` is finite and above 0
    ///   for `.molarMass` and 0 for every other kind.
    public init(_ kind: UnitKind, prefix: UnitPrefix = .none, molarMass: Double = 0) {
        precondition(prefix == .none || kind.takesPrefix, "\(kind.symbol) takes no metric prefix")
        precondition(
            kind == .molarMass ? molarMass > 0 && molarMass.isFinite : molarMass == 0,
            "A molar mass is a finite number above 0")
        self.kind = kind
        self.prefix = prefix
        self.molarMass = molarMass
    }

    /// The unit string's piece, such as `mmol<180.1558800000541>`.
    public var symbol: String {
        let bare = prefix.symbol + kind.symbol
        return kind == .molarMass ? "\(bare)<\(Self.print(molarMass))>" : bare
    }

    /// Two moles are the same unit when their masses print alike: a unit that went through its
    /// string, as every stored one does, stays equal to itself.
    public static func == (left: UnitAtom, right: UnitAtom) -> Bool {
        left.kind == right.kind && left.prefix == right.prefix && left.hasMolarMass(of: right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(prefix)
        if kind == .molarMass { hasher.combine(Self.print(molarMass)) }
    }

    func hasMolarMass(of other: UnitAtom) -> Bool {
        molarMass == other.molarMass || Self.print(molarMass) == Self.print(other.molarMass)
    }

    /// Print order: bare symbols before prefixed ones, then by kind, prefix and mass.
    func precedes(_ other: UnitAtom) -> Bool {
        if (prefix == .none) != (other.prefix == .none) { return prefix == .none }
        if kind != other.kind { return kind < other.kind }
        if prefix != other.prefix { return prefix.powerOfTen > other.prefix.powerOfTen }
        return molarMass < other.molarMass
    }

    /// Sixteen significant digits, as the original prints a molar mass.
    private static func print(_ mass: Double) -> String {
        String(format: "%.16g", mass)
    }
}
