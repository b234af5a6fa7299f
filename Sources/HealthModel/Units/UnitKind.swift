/// A unit symbol without its prefix. The order of the cases is the order in which factors print.
///
/// The order is a choice that reproduces every product whose printed form is known from the
/// original (`mL/min·kg`, `min·count`, `degC·m` but `m·degF` …); the original's rule is unpublished.
public enum UnitKind: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    /// Temperature, length, mass, volume and time as they are in most factors.
    case degreeCelsius, meter, degreeFahrenheit, gram, liter, second, minute, hour, day
    /// Imperial masses and lengths.
    case ounce, pound, stone, inch, foot, yard, mile
    /// Volumes of the kitchen, American and imperial.
    case fluidOunceUS, fluidOunceImperial, cupUS, cupImperial, pintUS, pintImperial
    /// Pressures.
    case pascal, millimeterOfMercury, inchesOfMercury, centimeterOfWater, atmosphere
    /// Energies, and the absolute temperature. Large calories are kilocalories.
    case joule, kilocalorie, largeCalorie, smallCalorie, kelvin
    /// Conductance, frequency, electric and light units, angles.
    case siemens, hertz, volt, watt, lux, radian, degreeAngle
    /// Lenses and sound levels.
    case diopter, prismDiopter, decibelAWeightedSoundPressureLevel, decibelHearingLevel
    /// Amounts and plain numbers. A molar mass makes grams of moles; per cent is a fraction, 1 for the whole.
    case internationalUnit, appleEffortScore, mole, molarMass, percent, count

    /// How the unit is written. A mole with a molar mass writes the mass behind it.
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

    /// Whether a metric prefix may stand in front.
    public var takesPrefix: Bool {
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
