extension UnitKind {
    /// What the unit measures, with the power in which it does: a litre is a length cubed.
    /// `nil` for numbers without a dimension.
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

    /// How many of the dimension's base unit (g, m, s, Pa, J, K, rad …) one of these is.
    /// A molar mass is not in it: that belongs to the atom.
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
