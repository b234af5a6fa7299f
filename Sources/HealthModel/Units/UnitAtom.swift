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

/// A metric prefix. Raw values match the original.
package enum UnitPrefix: UInt8, Hashable, Sendable, CaseIterable {
    /// No prefix: 1.
    case none = 0
    /// 10⁻¹².
    case pico = 1
    /// 10⁻⁹.
    case nano = 2
    /// 10⁻⁶, written `mc`.
    case micro = 3
    /// 10⁻³.
    case milli = 4
    /// 10⁻².
    case centi = 5
    /// 10⁻¹.
    case deci = 6
    /// 10.
    case deca = 7
    /// 10².
    case hecto = 8
    /// 10³.
    case kilo = 9
    /// 10⁶.
    case mega = 10
    /// 10⁹.
    case giga = 11
    /// 10¹².
    case tera = 12
    /// 10⁻¹⁵; last because the original added it last.
    case femto = 13

    /// The prefix in a unit string.
    package var symbol: String { definition.symbol }

    /// The prefix as a power of ten.
    package var powerOfTen: Int { definition.powerOfTen }

    private var definition: (symbol: String, powerOfTen: Int) {
        switch self {
        case .none: ("", 0)
        case .femto: ("f", -15)
        case .pico: ("p", -12)
        case .nano: ("n", -9)
        case .micro: ("mc", -6)
        case .milli: ("m", -3)
        case .centi: ("c", -2)
        case .deci: ("d", -1)
        case .deca: ("da", 1)
        case .hecto: ("h", 2)
        case .kilo: ("k", 3)
        case .mega: ("M", 6)
        case .giga: ("G", 9)
        case .tera: ("T", 12)
        }
    }
}
