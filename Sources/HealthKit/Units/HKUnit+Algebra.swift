import HealthModel

extension HKUnit {
    /// The product of this unit and another.
    public func unitMultiplied(by unit: HKUnit) -> HKUnit {
        HKUnit.make(expression.multiplied(by: unit.expression))
    }

    /// The quotient of this unit and another.
    public func unitDivided(by unit: HKUnit) -> HKUnit {
        HKUnit.make(expression.divided(by: unit.expression))
    }

    /// This unit to a power; power 0 gives the null unit.
    public func unitRaised(toPower power: Int) -> HKUnit {
        HKUnit.make(expression.raised(to: power))
    }

    /// One over this unit.
    public func reciprocal() -> HKUnit {
        HKUnit.make(expression.reciprocal)
    }
}
