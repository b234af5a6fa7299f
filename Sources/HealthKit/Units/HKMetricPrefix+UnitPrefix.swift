import HealthModel

extension HKMetricPrefix {
    /// The prefix as the model knows it; raw values are the same.
    var unitPrefix: UnitPrefix {
        switch self {
        case .none: .none
        case .pico: .pico
        case .nano: .nano
        case .micro: .micro
        case .milli: .milli
        case .centi: .centi
        case .deci: .deci
        case .deca: .deca
        case .hecto: .hecto
        case .kilo: .kilo
        case .mega: .mega
        case .giga: .giga
        case .tera: .tera
        case .femto: .femto
        }
    }
}
