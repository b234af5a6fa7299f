/// A unit symbol without a prefix. The order of the cases is the order in which factors are printed.
///
/// This order reproduces all products whose printed form in the original is known (`mL/min·kg`, `min·count`,
/// `degC·m` but `m·degF` …). The original does not publish its order.
package enum UnitKind: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    /// Temperature, length, mass, volume and time.
    case degreeCelsius, meter, degreeFahrenheit, gram, liter, second, minute, hour, day
    /// Imperial masses and lengths.
    case ounce, pound, stone, inch, foot, yard, mile
    /// Kitchen volumes, US and imperial.
    case fluidOunceUS, fluidOunceImperial, cupUS, cupImperial, pintUS, pintImperial
    /// Pressure.
    case pascal, millimeterOfMercury, inchesOfMercury, centimeterOfWater, atmosphere
    /// Energy, and absolute temperature. Large calories are kilocalories.
    case joule, kilocalorie, largeCalorie, smallCalorie, kelvin
    /// Conductance, frequency, electricity, light and angle.
    case siemens, hertz, volt, watt, lux, radian, degreeAngle
    /// Optics and sound levels.
    case diopter, prismDiopter, decibelAWeightedSoundPressureLevel, decibelHearingLevel
    /// Amounts and numbers. A molar mass converts moles to grams; a percentage is a fraction, 1 for the whole.
    case internationalUnit, appleEffortScore, mole, molarMass, percent, count

    /// The symbol in a unit string. A mole with a molar mass is followed by its mass.
    package var symbol: String { Self.definitions[Int(rawValue)].symbol }

    /// A Boolean value that indicates whether the unit allows a metric prefix.
    package var allowsPrefix: Bool { Self.definitions[Int(rawValue)].allowsPrefix }

    package static func < (left: UnitKind, right: UnitKind) -> Bool { left.rawValue < right.rawValue }
}

extension UnitKind {
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

    private var definition: UnitDefinition {
        switch self {
        case .degreeCelsius: UnitDefinition("degC", .temperature)
        case .meter: UnitDefinition("m", .length, allowsPrefix: true)
        case .degreeFahrenheit: UnitDefinition("degF", .temperature, UnitScale(5, over: 9))
        case .gram: UnitDefinition("g", .mass, allowsPrefix: true)
        case .liter: UnitDefinition("L", .length, power: 3, UnitScale(1, tens: -3), allowsPrefix: true)
        case .second: UnitDefinition("s", .time, allowsPrefix: true)
        case .minute: UnitDefinition("min", .time, UnitScale(60))
        case .hour: UnitDefinition("hr", .time, UnitScale(3600))
        case .day: UnitDefinition("d", .time, UnitScale(86_400))
        case .ounce: UnitDefinition("oz", .mass, UnitScale(28_349_523_125, tens: -9))
        case .pound: UnitDefinition("lb", .mass, UnitScale(45_359_237, tens: -5))
        case .stone: UnitDefinition("st", .mass, UnitScale(635_029_318, tens: -5))
        case .inch: UnitDefinition("in", .length, UnitScale(254, tens: -4))
        case .foot: UnitDefinition("ft", .length, UnitScale(3048, tens: -4))
        case .yard: UnitDefinition("yd", .length, UnitScale(9144, tens: -4))
        case .mile: UnitDefinition("mi", .length, UnitScale(1_609_344, tens: -3))
        case .fluidOunceUS: UnitDefinition("fl_oz_us", .length, power: 3, UnitScale(295_735_295_625, tens: -16))
        case .fluidOunceImperial: UnitDefinition("fl_oz_imp", .length, power: 3, UnitScale(284_130_625, tens: -13))
        case .cupUS: UnitDefinition("cup_us", .length, power: 3, UnitScale(2_365_882_365, tens: -13))
        case .cupImperial: UnitDefinition("cup_imp", .length, power: 3, UnitScale(284_130_625, tens: -12))
        case .pintUS: UnitDefinition("pt_us", .length, power: 3, UnitScale(473_176_473, tens: -12))
        case .pintImperial: UnitDefinition("pt_imp", .length, power: 3, UnitScale(56_826_125, tens: -11))
        case .pascal: UnitDefinition("Pa", .pressure, allowsPrefix: true)
        case .millimeterOfMercury: UnitDefinition("mmHg", .pressure, UnitScale(133_322_387_415, tens: -9))
        case .inchesOfMercury: UnitDefinition("inHg", .pressure, UnitScale(338_638_816, tens: -5))
        case .centimeterOfWater: UnitDefinition("cmAq", .pressure, UnitScale(980_665, tens: -4))
        case .atmosphere: UnitDefinition("atm", .pressure, UnitScale(101_325))
        case .joule: UnitDefinition("J", .energy, allowsPrefix: true)
        case .kilocalorie: UnitDefinition("kcal", .energy, UnitScale(4184))
        case .largeCalorie: UnitDefinition("Cal", .energy, UnitScale(4184))
        case .smallCalorie: UnitDefinition("cal", .energy, UnitScale(4184, tens: -3))
        case .kelvin: UnitDefinition("K", .temperature, allowsPrefix: true)
        case .siemens: UnitDefinition("S", .conductance, allowsPrefix: true)
        case .hertz: UnitDefinition("Hz", .time, power: -1, allowsPrefix: true)
        case .volt: UnitDefinition("V", .potential, allowsPrefix: true)
        case .watt: UnitDefinition("W", .power, allowsPrefix: true)
        case .lux: UnitDefinition("lx", .illuminance, allowsPrefix: true)
        case .radian: UnitDefinition("rad", .angle, allowsPrefix: true)
        case .degreeAngle: UnitDefinition("deg", .angle, UnitScale(inexact: .pi, over: 180))
        case .diopter: UnitDefinition("D", .refraction)
        case .prismDiopter: UnitDefinition("pD", .prism)
        case .decibelAWeightedSoundPressureLevel: UnitDefinition("dBASPL", .soundPressureLevel)
        case .decibelHearingLevel: UnitDefinition("dBHL", .hearingLevel)
        case .internationalUnit: UnitDefinition("IU", .pharmacology, allowsPrefix: true)
        case .appleEffortScore: UnitDefinition("appleEffortScore", .effort)
        case .mole: UnitDefinition("mol", .amount, allowsPrefix: true)
        case .molarMass: UnitDefinition("mol", .mass, allowsPrefix: true)
        case .percent: UnitDefinition("%", nil)
        case .count: UnitDefinition("count", nil)
        }
    }
}

/// What is known of a unit symbol.
private struct UnitDefinition {
    let symbol: String
    let dimension: UnitDimension?
    let power: Int
    let scale: UnitScale
    let allowsPrefix: Bool

    init(
        _ symbol: String, _ dimension: UnitDimension?, power: Int = 1, _ scale: UnitScale = .one,
        allowsPrefix: Bool = false
    ) {
        self.symbol = symbol
        self.dimension = dimension
        self.power = power
        self.scale = scale
        self.allowsPrefix = allowsPrefix
    }
}

/// A physical dimension, as distinguished by the original.
///
/// Energy, power and pressure are separate dimensions: the original does not treat W as J/s.
enum UnitDimension: Int, Hashable, CaseIterable {
    case mass, length, time, temperature, pressure, energy, power, conductance, potential, illuminance
    case angle, refraction, prism, soundPressureLevel, hearingLevel, pharmacology, effort, amount
}
