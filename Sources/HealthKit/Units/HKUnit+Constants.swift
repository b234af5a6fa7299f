import HealthModel

// Units with metric prefixes. Each call returns the identical object.
extension HKUnit {
    /// Grams, `g`.
    public class func gram() -> Self { atom(.gram) as! Self }

    /// Grams with a metric prefix.
    public class func gramUnit(with prefix: HKMetricPrefix) -> Self { atom(.gram, prefix) as! Self }

    /// Meters, `m`.
    public class func meter() -> Self { atom(.meter) as! Self }

    /// Meters with a metric prefix.
    public class func meterUnit(with prefix: HKMetricPrefix) -> Self { atom(.meter, prefix) as! Self }

    /// Liters, `L`.
    public class func liter() -> Self { atom(.liter) as! Self }

    /// Liters with a metric prefix.
    public class func literUnit(with prefix: HKMetricPrefix) -> Self { atom(.liter, prefix) as! Self }

    /// Pascals, `Pa`.
    public class func pascal() -> Self { atom(.pascal) as! Self }

    /// Pascals with a metric prefix.
    public class func pascalUnit(with prefix: HKMetricPrefix) -> Self { atom(.pascal, prefix) as! Self }

    /// Seconds, `s`.
    public class func second() -> Self { atom(.second) as! Self }

    /// Seconds with a metric prefix.
    public class func secondUnit(with prefix: HKMetricPrefix) -> Self { atom(.second, prefix) as! Self }

    /// Joules, `J`.
    public class func joule() -> Self { atom(.joule) as! Self }

    /// Joules with a metric prefix.
    public class func jouleUnit(with prefix: HKMetricPrefix) -> Self { atom(.joule, prefix) as! Self }

    /// Siemens, `S`.
    public class func siemen() -> Self { atom(.siemens) as! Self }

    /// Siemens with a metric prefix.
    public class func siemenUnit(with prefix: HKMetricPrefix) -> Self { atom(.siemens, prefix) as! Self }

    /// Hertz, `Hz`.
    public class func hertz() -> Self { atom(.hertz) as! Self }

    /// Hertz with a metric prefix.
    public class func hertzUnit(with prefix: HKMetricPrefix) -> Self { atom(.hertz, prefix) as! Self }

    /// Volts, `V`.
    public class func volt() -> Self { atom(.volt) as! Self }

    /// Volts with a metric prefix.
    public class func voltUnit(with prefix: HKMetricPrefix) -> Self { atom(.volt, prefix) as! Self }

    /// Watts, `W`.
    public class func watt() -> Self { atom(.watt) as! Self }

    /// Watts with a metric prefix.
    public class func wattUnit(with prefix: HKMetricPrefix) -> Self { atom(.watt, prefix) as! Self }

    /// Radians, `rad`.
    public class func radianAngle() -> Self { atom(.radian) as! Self }

    /// Radians with a metric prefix.
    public class func radianAngleUnit(with prefix: HKMetricPrefix) -> Self { atom(.radian, prefix) as! Self }

    /// Lux, `lx`.
    public class func lux() -> Self { atom(.lux) as! Self }

    /// Lux with a metric prefix.
    public class func luxUnit(with prefix: HKMetricPrefix) -> Self { atom(.lux, prefix) as! Self }

    /// Moles of a substance with a molar mass in grams per mole; compatible with mass.
    ///
    /// A molar mass that is not a finite number above 0 ends the process.
    public class func moleUnit(withMolarMass gramsPerMole: Double) -> Self {
        moleUnit(with: .none, molarMass: gramsPerMole)
    }

    /// Moles with a metric prefix, of a substance with a molar mass in grams per mole.
    ///
    /// A molar mass that is not a finite number above 0 ends the process.
    public class func moleUnit(with prefix: HKMetricPrefix, molarMass gramsPerMole: Double) -> Self {
        atom(.molarMass, prefix, molarMass: gramsPerMole) as! Self
    }
}

// Units without metric prefixes. Each call returns the identical object.
extension HKUnit {
    /// Ounces, `oz`: 28.349523125 g.
    public class func ounce() -> Self { atom(.ounce) as! Self }

    /// Pounds, `lb`: 453.59237 g.
    public class func pound() -> Self { atom(.pound) as! Self }

    /// Stones, `st`: 6350.29318 g.
    public class func stone() -> Self { atom(.stone) as! Self }

    /// Inches, `in`: 0.0254 m.
    public class func inch() -> Self { atom(.inch) as! Self }

    /// Feet, `ft`: 0.3048 m.
    public class func foot() -> Self { atom(.foot) as! Self }

    /// Yards, `yd`: 0.9144 m.
    public class func yard() -> Self { atom(.yard) as! Self }

    /// Miles, `mi`: 1609.344 m.
    public class func mile() -> Self { atom(.mile) as! Self }

    /// US fluid ounces, `fl_oz_us`: 29.5735295625 mL.
    public class func fluidOunceUS() -> Self { atom(.fluidOunceUS) as! Self }

    /// Imperial fluid ounces, `fl_oz_imp`: 28.4130625 mL.
    public class func fluidOunceImperial() -> Self { atom(.fluidOunceImperial) as! Self }

    /// US cups, `cup_us`: 236.5882365 mL.
    public class func cupUS() -> Self { atom(.cupUS) as! Self }

    /// Imperial cups, `cup_imp`: 284.130625 mL.
    public class func cupImperial() -> Self { atom(.cupImperial) as! Self }

    /// US pints, `pt_us`: 473.176473 mL.
    public class func pintUS() -> Self { atom(.pintUS) as! Self }

    /// Imperial pints, `pt_imp`: 568.26125 mL.
    public class func pintImperial() -> Self { atom(.pintImperial) as! Self }

    /// Millimeters of mercury, `mmHg`: 133.322387415 Pa.
    public class func millimeterOfMercury() -> Self { atom(.millimeterOfMercury) as! Self }

    /// Inches of mercury, `inHg`: 3386.38816 Pa.
    public class func inchesOfMercury() -> Self { atom(.inchesOfMercury) as! Self }

    /// Centimeters of water, `cmAq`: 98.0665 Pa.
    public class func centimeterOfWater() -> Self { atom(.centimeterOfWater) as! Self }

    /// Atmospheres, `atm`: 101325 Pa.
    public class func atmosphere() -> Self { atom(.atmosphere) as! Self }

    /// Minutes, `min`: 60 s.
    public class func minute() -> Self { atom(.minute) as! Self }

    /// Hours, `hr`: 3600 s.
    public class func hour() -> Self { atom(.hour) as! Self }

    /// Days, `d`: 86400 s.
    public class func day() -> Self { atom(.day) as! Self }

    /// Kilocalories, `kcal`: 4184 J.
    public class func kilocalorie() -> Self { atom(.kilocalorie) as! Self }

    /// Large calories, `Cal`: 4184 J.
    public class func largeCalorie() -> Self { atom(.largeCalorie) as! Self }

    /// Small calories, `cal`: 4.184 J.
    public class func smallCalorie() -> Self { atom(.smallCalorie) as! Self }

    /// Small calories, `cal`; the previous name of ``smallCalorie()``.
    public class func calorie() -> Self { atom(.smallCalorie) as! Self }

    /// Degrees Celsius, `degC`.
    public class func degreeCelsius() -> Self { atom(.degreeCelsius) as! Self }

    /// Degrees Fahrenheit, `degF`.
    public class func degreeFahrenheit() -> Self { atom(.degreeFahrenheit) as! Self }

    /// Kelvins, `K`.
    public class func kelvin() -> Self { atom(.kelvin) as! Self }

    /// Degrees of an angle, `deg`.
    public class func degreeAngle() -> Self { atom(.degreeAngle) as! Self }

    /// Diopters, `D`.
    public class func diopter() -> Self { atom(.diopter) as! Self }

    /// Prism diopters, `pD`.
    public class func prismDiopter() -> Self { atom(.prismDiopter) as! Self }

    /// A-weighted sound pressure level in decibels, `dBASPL`.
    public class func decibelAWeightedSoundPressureLevel() -> Self {
        atom(.decibelAWeightedSoundPressureLevel) as! Self
    }

    /// Hearing level in decibels, `dBHL`.
    public class func decibelHearingLevel() -> Self { atom(.decibelHearingLevel) as! Self }

    /// A dimensionless count, `count`.
    public class func count() -> Self { atom(.count) as! Self }

    /// Percent, `%`, as a fraction: 0.5 is fifty percent.
    public class func percent() -> Self { atom(.percent) as! Self }

    /// International units of pharmacology, `IU`.
    public class func internationalUnit() -> Self { atom(.internationalUnit) as! Self }

    /// Apple's workout effort score, `appleEffortScore`.
    public class func appleEffortScore() -> Self { atom(.appleEffortScore) as! Self }
}

extension HKMetricPrefix {
    /// The prefix of the unit model, which has the same raw values.
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
