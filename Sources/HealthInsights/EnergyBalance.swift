public import Foundation
public import HealthKit

/// The energy consumed and burned since midnight.
public struct EnergyBalance: Sendable {
    /// Data required to calculate the resting energy.
    public enum Missing: String, Hashable, Sendable, CaseIterable {
        /// The body mass and height at the time, and two characteristics of the person.
        case weight, height, dateOfBirth, biologicalSex
    }

    /// Dietary energy in joules; 0 if there are no samples.
    public var consumed: HKQuantity
    /// Whether there are samples of dietary energy. Without any, the consumption is unknown rather than zero.
    public var isConsumptionKnown: Bool
    /// Active energy burned, in joules.
    public var active: HKQuantity
    /// Resting energy burned so far today, in joules: calculated from the person's data, else what devices have recorded;
    /// `nil` if there is neither.
    public var resting: HKQuantity?
    /// The missing data, in the order of the enumeration; none if the resting energy is known.
    public var missing: [Missing]

    /// Creates a balance from quantities in any unit of energy.
    public init(
        consumed: HKQuantity, isConsumptionKnown: Bool = true, active: HKQuantity, resting: HKQuantity?,
        missing: [Missing] = []
    ) {
        self.consumed = consumed
        self.isConsumptionKnown = isConsumptionKnown
        self.active = active
        self.resting = resting
        self.missing = missing
    }

    /// Active and resting energy, in joules; `nil` if the resting energy is unknown.
    public var burned: HKQuantity? {
        resting.map { HKQuantity(unit: .joule(), doubleValue: $0.joules + active.joules) }
    }

    /// Consumed minus burned energy, in joules; `nil` if the resting energy or the consumption is unknown.
    public var net: HKQuantity? {
        guard isConsumptionKnown else { return nil }
        return burned.map { HKQuantity(unit: .joule(), doubleValue: consumed.joules - $0.joules) }
    }
}

extension HKQuantity {
    fileprivate var joules: Double { doubleValue(for: .joule()) }
}

/// Calculates the energy balance of a day from a store.
public struct EnergyBalanceReader: Sendable {
    private let store: HKHealthStore
    private let calendar: Calendar

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The store to read. Types that may not be read count as empty.
    ///   - calendar: The calendar that determines the day and the person's age.
    public init(store: HKHealthStore, calendar: Calendar = .current) {
        self.store = store
        self.calendar = calendar
    }

    /// The types to request authorization for.
    public static var typesToRead: Set<HKObjectType> {
        [
            HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.activeEnergyBurned), HKQuantityType(.bodyMass),
            HKQuantityType(.height), HKQuantityType(.basalEnergyBurned), HKCharacteristicType(.dateOfBirth),
            HKCharacteristicType(.biologicalSex),
        ]
    }

    /// Returns the balance from the midnight before `now` until `now`.
    ///
    /// - Throws: `HKError` if reading fails. Missing data is not an error.
    public func balance(now: Date = Date()) async throws -> EnergyBalance {
        let zero = HKQuantity(unit: .joule(), doubleValue: 0)
        let consumed = try await sum(.dietaryEnergyConsumed, now)
        let active = try await sum(.activeEnergyBurned, now) ?? zero
        let (resting, missing) = try await resting(now)
        return EnergyBalance(
            consumed: consumed ?? zero, isConsumptionKnown: consumed != nil, active: active, resting: resting,
            missing: missing)
    }

    private func day(of date: Date) -> DateInterval {
        DateInterval(start: calendar.startOfDay(for: date), end: calendar.startOfDay(1, after: date))
    }

    /// The sum of the day, which has its share of samples that cross midnight, as in the activity rings.
    private func sum(_ identifier: HKQuantityTypeIdentifier, _ now: Date) async throws -> HKQuantity? {
        let figures = try await TrendReader(store: store, calendar: calendar).figures(
            of: HKQuantityType(identifier), in: day(of: now), unit: .joule())
        return figures.total.map { HKQuantity(unit: .joule(), doubleValue: $0) }
    }

    private func resting(_ now: Date) async throws -> (HKQuantity?, [EnergyBalance.Missing]) {
        let weight = try await value(.bodyMass, now)?.doubleValue(for: .gramUnit(with: .kilo))
        let height = try await value(.height, now)?.doubleValue(for: .meterUnit(with: .centi))
        let age = try store.age(on: now, calendar)
        let sex = try HKHealthStore.available { try store.biologicalSex() }?.biologicalSex ?? .notSet
        var missing: [EnergyBalance.Missing] = []
        if weight == nil { missing.append(.weight) }
        if height == nil { missing.append(.height) }
        if age == nil { missing.append(.dateOfBirth) }
        if sex == .notSet { missing.append(.biologicalSex) }
        guard let weight, let height, let age, sex != .notSet else {
            let recorded = try await sum(.basalEnergyBurned, now)
            return (recorded, recorded == nil ? missing : [])
        }
        let rate = BasalMetabolicRate(weight: weight, height: height, age: age, biologicalSex: sex)
        let day = day(of: now)
        let elapsed = now.timeIntervalSince(day.start) / day.duration
        return (HKQuantity(unit: .kilocalorie(), doubleValue: rate.kilocaloriesPerDay * elapsed), missing)
    }

    /// The latest value at the time, or else the first one after it.
    private func value(_ identifier: HKQuantityTypeIdentifier, _ now: Date) async throws -> HKQuantity? {
        func first(from start: Date?, to end: Date?, _ order: SortOrder) async throws -> HKQuantity? {
            let descriptor = HKSampleQueryDescriptor(
                predicates: [
                    .quantitySample(
                        type: HKQuantityType(identifier),
                        predicate: HKQuery.predicateForSamples(withStart: start, end: end))
                ], sortDescriptors: [SortDescriptor(\.endDate, order: order)], limit: 1)
            return try await descriptor.result(for: store).first?.quantity
        }
        guard let latest = try await first(from: nil, to: now, .reverse) else {
            return try await first(from: now, to: nil, .forward)
        }
        return latest
    }
}

extension HKHealthStore {
    /// The person's age in years on a date; `nil` if the date of birth is not set or may not be read.
    func age(on date: Date, _ calendar: Calendar) throws -> Int? {
        let birth = try Self.available { try dateOfBirthComponents() }.flatMap { calendar.date(from: $0) }
        return birth.flatMap { calendar.dateComponents([.year], from: $0, to: date).year }
    }
}

/// The energy a body burns at rest, after the equations of Harris and Benedict (1919), with coefficients rounded as is
/// common in fitness applications.
public struct BasalMetabolicRate: Hashable, Sendable {
    /// Kilograms.
    public var weight: Double
    /// Centimeters.
    public var height: Double
    /// Whole years.
    public var age: Int
    /// The biological sex, which selects the formula: the one for men if male, otherwise the one for women.
    public var biologicalSex: HKBiologicalSex

    /// Creates the figures of one person: weight in kilograms, height in centimeters, age in years.
    public init(weight: Double, height: Double, age: Int, biologicalSex: HKBiologicalSex) {
        self.weight = weight
        self.height = height
        self.age = age
        self.biologicalSex = biologicalSex
    }

    /// Kilocalories per day: 66.0 + 13.8·kg + 5·cm − 6.8·years for men, otherwise
    /// 655.0 + 9.6·kg + 1.8·cm − 4.7·years.
    public var kilocaloriesPerDay: Double {
        let years = Double(age)
        return biologicalSex == .male
            ? 66.0 + 13.8 * weight + 5 * height - 6.8 * years : 655.0 + 9.6 * weight + 1.8 * height - 4.7 * years
    }
}
