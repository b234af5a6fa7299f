/// A unit symbol without a prefix. The order of the cases is the order in which factors are printed.
///
/// This order reproduces all products whose printed form in the original is known (`mL/min·kg`, `min·count`,
/// `degC·m` but `m·degF` …). The original does not publish its order.
public enum UnitKind: UInt8, Hashable, Sendable, CaseIterable, Comparable {
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
    public var symbol: String {
        switch self {
        case .degreeCelsius: "degC"
        case .meter: "m"
        case .degreeFahrenheit: "degF"
        case .gram: "g"
        case .liter: "L"
        case .second: "s"
        case .minute: "min"
        case .hour: "hr"
        case .day: "d"
        case .ounce: "oz"
        case .pound: "lb"
        case .stone: "st"
        case .inch: "in"
        case .foot: "ft"
        case .yard: "yd"
        case .mile: "mi"
        case .fluidOunceUS: "fl_oz_us"
        case .fluidOunceImperial: "fl_oz_imp"
        case .cupUS: "cup_us"
        case .cupImperial: "cup_imp"
        case .pintUS: "pt_us"
        case .pintImperial: "pt_imp"
        case .pascal: "Pa"
        case .millimeterOfMercury: "mmHg"
        case .inchesOfMercury: "inHg"
        case .centimeterOfWater: "cmAq"
        case .atmosphere: "atm"
        case .joule: "J"
        case .kilocalorie: "kcal"
        case .largeCalorie: "Cal"
        case .smallCalorie: "cal"
        case .kelvin: "K"
        case .siemens: "S"
        case .hertz: "Hz"
        case .volt: "V"
        case .watt: "W"
        case .lux: "lx"
        case .radian: "rad"
        case .degreeAngle: "deg"
        case .diopter: "D"
        case .prismDiopter: "pD"
        case .decibelAWeightedSoundPressureLevel: "dBASPL"
        case .decibelHearingLevel: "dBHL"
        case .internationalUnit: "IU"
        case .appleEffortScore: "appleEffortScore"
        case .mole, .molarMass: "mol"
        case .percent: "%"
        case .count: "count"
        }
    }

    /// A Boolean value that indicates whether the unit allows a metric prefix.
    public var allowsPrefix: Bool {
        switch self {
        case .gram, .meter, .liter, .pascal, .second, .joule, .kelvin, .siemens, .mole, .molarMass,
            .hertz, .volt, .watt, .radian, .lux, .internationalUnit:
            true
        default:
            false
        }
    }

    public static func < (left: UnitKind, right: UnitKind) -> Bool { left.rawValue < right.rawValue }
}

extension UnitKind {
    /// The dimension the unit measures and its exponent (a liter is a length cubed), or `nil` for dimensionless
    /// units.
    var dimension: (UnitDimension, power: Int)? {
        switch self {
        case .count, .percent: nil
        case .gram, .ounce, .pound, .stone, .molarMass: (.mass, 1)
        case .meter, .inch, .foot, .yard, .mile: (.length, 1)
        case .liter, .fluidOunceUS, .fluidOunceImperial, .cupUS, .cupImperial, .pintUS, .pintImperial:
            (.length, 3)
        case .second, .minute, .hour, .day: (.time, 1)
        case .hertz: (.time, -1)
        case .pascal, .millimeterOfMercury, .inchesOfMercury, .centimeterOfWater, .atmosphere: (.pressure, 1)
        case .joule, .kilocalorie, .largeCalorie, .smallCalorie: (.energy, 1)
        case .kelvin, .degreeCelsius, .degreeFahrenheit: (.temperature, 1)
        case .siemens: (.conductance, 1)
        case .volt: (.potential, 1)
        case .watt: (.power, 1)
        case .lux: (.illuminance, 1)
        case .radian, .degreeAngle: (.angle, 1)
        case .diopter: (.refraction, 1)
        case .prismDiopter: (.prism, 1)
        case .decibelAWeightedSoundPressureLevel: (.soundPressureLevel, 1)
        case .decibelHearingLevel: (.hearingLevel, 1)
        case .internationalUnit: (.pharmacology, 1)
        case .appleEffortScore: (.effort, 1)
        case .mole: (.amount, 1)
        }
    }

    /// The unit's scale relative to its dimension's base unit (g, m, s, Pa, J, K, rad …). A molar mass is not
    /// included, because it belongs to the atom.
    var scale: UnitScale {
        switch self {
        case .ounce: UnitScale(28_349_523_125, tens: -9)
        case .pound: UnitScale(45_359_237, tens: -5)
        case .stone: UnitScale(635_029_318, tens: -5)
        case .inch: UnitScale(254, tens: -4)
        case .foot: UnitScale(3048, tens: -4)
        case .yard: UnitScale(9144, tens: -4)
        case .mile: UnitScale(1_609_344, tens: -3)
        case .liter: UnitScale(1, tens: -3)
        case .fluidOunceUS: UnitScale(295_735_295_625, tens: -16)
        case .fluidOunceImperial: UnitScale(284_130_625, tens: -13)
        case .cupUS: UnitScale(2_365_882_365, tens: -13)
        case .cupImperial: UnitScale(284_130_625, tens: -12)
        case .pintUS: UnitScale(473_176_473, tens: -12)
        case .pintImperial: UnitScale(56_826_125, tens: -11)
        case .minute: UnitScale(60)
        case .hour: UnitScale(3600)
        case .day: UnitScale(86_400)
        case .millimeterOfMercury: UnitScale(133_322_387_415, tens: -9)
        case .inchesOfMercury: UnitScale(338_638_816, tens: -5)
        case .centimeterOfWater: UnitScale(980_665, tens: -4)
        case .atmosphere: UnitScale(101_325)
        case .kilocalorie, .largeCalorie: UnitScale(4184)
        case .smallCalorie: UnitScale(4184, tens: -3)
        case .degreeFahrenheit: UnitScale(5, over: 9)
        case .degreeAngle: UnitScale(inexact: .pi, over: 180)
        default: .one
        }
    }
}

/// A physical dimension, as distinguished by the original.
///
/// Energy, power and pressure are separate dimensions: the original does not treat W as J/s.
enum UnitDimension: Int, Hashable, CaseIterable {
    case mass, length, time, temperature, pressure, energy, power, conductance, potential, illuminance
    case angle, refraction, prism, soundPressureLevel, hearingLevel, pharmacology, effort, amount
}
