/// A metric prefix. Raw values are those of the original's enumeration.
public enum UnitPrefix: UInt8, Hashable, Sendable, CaseIterable {
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
    /// 10⁻¹⁵, numbered last because the original added it last.
    case femto = 13

    /// The letters in front of a unit's symbol.
    public var symbol: String {
        switch self {
        case .none: ""
        case .femto: "f"
        case .pico: "p"
        case .nano: "n"
        case .micro: "mc"
        case .milli: "m"
        case .centi: "c"
        case .deci: "d"
        case .deca: "da"
        case .hecto: "h"
        case .kilo: "k"
        case .mega: "M"
        case .giga: "G"
        case .tera: "T"
        }
    }

    /// The power of ten the prefix stands for.
    public var powerOfTen: Int {
        switch self {
        case .none: 0
        case .femto: -15
        case .pico: -12
        case .nano: -9
        case .micro: -6
        case .milli: -3
        case .centi: -2
        case .deci: -1
        case .deca: 1
        case .hecto: 2
        case .kilo: 3
        case .mega: 6
        case .giga: 9
        case .tera: 12
        }
    }
}
