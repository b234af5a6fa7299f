public import HealthKit

/// Energy taken in and spent since midnight.
public struct EnergyBalance: Sendable {
    /// What the resting energy cannot be worked out without.
    public enum Missing: String, Hashable, Sendable, CaseIterable {
        /// The most recent body mass and height, and two characteristics of the person.
        case weight, height, dateOfBirth, biologicalSex
    }

    /// Food energy, joules; 0 where nothing was entered.
    public var consumed: HKQuantity
    /// Active energy burned, joules.
    public var active: HKQuantity
    /// Resting energy burned so far today, joules; `nil` where something is missing.
    public var resting: HKQuantity?
    /// What is missing, in the order of the enumeration.
    public var missing: [Missing]

    /// Makes a balance; energies may be in any unit of energy.
    public init(consumed: HKQuantity, active: HKQuantity, resting: HKQuantity?, missing: [Missing] = []) {
        self.consumed = consumed
        self.active = active
        self.resting = resting
        self.missing = missing
    }

    /// Consumed less active less resting energy, joules; `nil` where the resting energy is unknown.
    public var net: HKQuantity? {
        resting.map {
            HKQuantity(
                unit: .joule(),
                doubleValue: consumed.doubleValue(for: .joule()) - active.doubleValue(for: .joule())
                    - $0.doubleValue(for: .joule()))
        }
    }
}
