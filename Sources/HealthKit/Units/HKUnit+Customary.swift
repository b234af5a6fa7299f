import HealthModel

// Units that take no metric prefix. Each is the identical object at every call.
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

    /// Millimetres of mercury, `mmHg`: 133.322387415 Pa.
    public class func millimeterOfMercury() -> Self { atom(.millimeterOfMercury) as! Self }

    /// Inches of mercury, `inHg`: 3386.38816 Pa.
    public class func inchesOfMercury() -> Self { atom(.inchesOfMercury) as! Self }

    /// Centimetres of water, `cmAq`: 98.0665 Pa.
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

    /// Small calories, `cal`; the older name of ``smallCalorie()``.
    public class func calorie() -> Self { atom(.smallCalorie) as! Self }

    /// Degrees Celsius, `degC`.
    public class func degreeCelsius() -> Self { atom(.degreeCelsius) as! Self }

    /// Degrees Fahrenheit, `degF`.
    public class func degreeFahrenheit() -> Self { atom(.degreeFahrenheit) as! Self }

    /// Kelvins, `K`.
    public class func kelvin() -> Self { atom(.kelvin) as! Self }

    /// Degrees of an angle, `deg`.
    public class func degreeAngle() -> Self { atom(.degreeAngle) as! Self }

    /// Dioptres, `D`.
    public class func diopter() -> Self { atom(.diopter) as! Self }

    /// Prism dioptres, `pD`.
    public class func prismDiopter() -> Self { atom(.prismDiopter) as! Self }

    /// A-weighted sound pressure level in decibels, `dBASPL`.
    public class func decibelAWeightedSoundPressureLevel() -> Self { atom(.decibelAWeightedSoundPressureLevel) as! Self }

    /// Hearing level in decibels, `dBHL`.
    public class func decibelHearingLevel() -> Self { atom(.decibelHearingLevel) as! Self }

    /// A number of things, `count`.
    public class func count() -> Self { atom(.count) as! Self }

    /// Per cent, `%`, told as a fraction: 0.5 is fifty per cent.
    public class func percent() -> Self { atom(.percent) as! Self }

    /// International units of pharmacology, `IU`.
    public class func internationalUnit() -> Self { atom(.internationalUnit) as! Self }

    /// Apple's workout effort score, `appleEffortScore`.
    public class func appleEffortScore() -> Self { atom(.appleEffortScore) as! Self }
}
