import HealthModel

// Units that take a metric prefix. Each is the identical object at every call.
extension HKUnit {
    /// Grams, `g`.
    public class func gram() -> Self { atom(.gram) as! Self }

    /// Grams with a metric prefix.
    public class func gramUnit(with prefix: HKMetricPrefix) -> Self { atom(.gram, prefix) as! Self }

    /// Metres, `m`.
    public class func meter() -> Self { atom(.meter) as! Self }

    /// Metres with a metric prefix.
    public class func meterUnit(with prefix: HKMetricPrefix) -> Self { atom(.meter, prefix) as! Self }

    /// Litres, `L`.
    public class func liter() -> Self { atom(.liter) as! Self }

    /// Litres with a metric prefix.
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

    /// Moles of a substance that weighs `gramsPerMole` grams a mole: compatible with mass.
    ///
    /// A molar mass that is not a finite number above 0 ends the process.
    public class func moleUnit(withMolarMass gramsPerMole: Double) -> Self {
        moleUnit(with: .none, molarMass: gramsPerMole)
    }

    /// Moles with a metric prefix, of a substance that weighs `gramsPerMole` grams a mole.
    ///
    /// A molar mass that is not a finite number above 0 ends the process.
    public class func moleUnit(with prefix: HKMetricPrefix, molarMass gramsPerMole: Double) -> Self {
        atom(.molarMass, prefix, molarMass: gramsPerMole) as! Self
    }
}
