extension UnitExpression {
    /// The unit of the same dimension made of base units (g, m, s, K, J, Pa …) alone. All compatible units
    /// have the same one.
    public var baseUnit: UnitExpression {
        let factors = dimensions.map { Factor(atom: UnitAtom($0.key.baseKind), exponent: $0.value) }
        return UnitExpression.gather(factors) ?? self
    }
}

extension UnitDimension {
    /// The unit whose scale is 1.
    fileprivate var baseKind: UnitKind {
        switch self {
        case .mass: .gram
        case .length: .meter
        case .time: .second
        case .temperature: .kelvin
        case .pressure: .pascal
        case .energy: .joule
        case .power: .watt
        case .conductance: .siemens
        case .potential: .volt
        case .illuminance: .lux
        case .angle: .radian
        case .refraction: .diopter
        case .prism: .prismDiopter
        case .soundPressureLevel: .decibelAWeightedSoundPressureLevel
        case .hearingLevel: .decibelHearingLevel
        case .pharmacology: .internationalUnit
        case .effort: .appleEffortScore
        case .amount: .mole
        }
    }
}
