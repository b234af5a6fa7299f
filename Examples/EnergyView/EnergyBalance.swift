import Foundation
import HealthKit

/// The energy of one day: eaten, burned by activity, and burned at rest.
struct EnergyBalance {
    var consumed: HKQuantity
    var active: HKQuantity
    /// The resting energy since midnight, or the reason why it can't be calculated.
    var resting: Result<HKQuantity, MissingFact>

    /// What is left of the consumed energy, in joules.
    var netJoules: Double? {
        guard case .success(let resting) = resting else { return nil }
        return [active, resting].reduce(consumed.doubleValue(for: .joule())) { $0 - $1.doubleValue(for: .joule()) }
    }
}

/// A fact about the person that the calculation of resting energy needs.
enum MissingFact: String, Error {
    case weight = "no weight has been entered"
    case height = "no height has been entered"
    case dateOfBirth = "the date of birth is not known"
    case sex = "the biological sex is not known"
}

/// Calculates today's energy balance from the samples and characteristics in the health store.
struct EnergyBalanceCalculator {
    let healthStore: HKHealthStore
    var calendar = Calendar.current

    static let typesToRead: Set<HKObjectType> = [
        HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.activeEnergyBurned), HKQuantityType(.bodyMass),
        HKQuantityType(.height), HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.biologicalSex),
    ]

    func balance(at now: Date = Date()) async throws -> EnergyBalance {
        guard let today = calendar.dateInterval(of: .day, for: now) else { throw CocoaError(.formatting) }
        return EnergyBalance(
            consumed: try await total(of: .dietaryEnergyConsumed, startingIn: today),
            active: try await total(of: .activeEnergyBurned, startingIn: today),
            resting: try await restingEnergy(from: today, until: now))
    }

    private func total(of identifier: HKQuantityTypeIdentifier, startingIn day: DateInterval) async throws -> HKQuantity
    {
        let predicate = HKQuery.predicateForSamples(withStart: day.start, end: day.end, options: .strictStartDate)
        let query = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(identifier), predicate: predicate), options: .cumulativeSum)
        let none = HKQuantity(unit: .joule(), doubleValue: 0)
        do {
            return try await query.result(for: healthStore)?.sumQuantity() ?? none
        } catch let error as HKError where error.code == .errorNoData {
            return none
        }
    }

    /// The share of the basal metabolic rate that belongs to the part of the day that has passed.
    private func restingEnergy(from day: DateInterval, until now: Date) async throws -> Result<HKQuantity, MissingFact>
    {
        guard let weight = try await latest(.bodyMass, before: now) else { return .failure(.weight) }
        guard let height = try await latest(.height, before: now) else { return .failure(.height) }
        guard let components = try? healthStore.dateOfBirthComponents(), let birth = calendar.date(from: components),
            let age = calendar.dateComponents([.year], from: birth, to: now).year
        else { return .failure(.dateOfBirth) }
        guard let sex = try? healthStore.biologicalSex().biologicalSex, sex != .notSet else { return .failure(.sex) }
        let rate = BasalMetabolicRate(
            kilograms: weight.doubleValue(for: .gramUnit(with: .kilo)),
            centimeters: height.doubleValue(for: .meterUnit(with: .centi)), years: Double(age), isMale: sex == .male)
        let share = now.timeIntervalSince(day.start) / day.duration
        return .success(HKQuantity(unit: .kilocalorie(), doubleValue: rate.kilocaloriesPerDay * share))
    }

    private func latest(_ identifier: HKQuantityTypeIdentifier, before now: Date) async throws -> HKQuantity? {
        let query = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(identifier),
                    predicate: NSPredicate(format: "%K <= %@", HKPredicateKeyPathStartDate, now as NSDate))
            ], sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 1)
        return try await query.result(for: healthStore).first?.quantity
    }
}

/// The Harris–Benedict equation, with rounded coefficients.
struct BasalMetabolicRate {
    var kilograms: Double
    var centimeters: Double
    var years: Double
    var isMale: Bool

    var kilocaloriesPerDay: Double {
        isMale
            ? 66 + 13.8 * kilograms + 5 * centimeters - 6.8 * years
            : 655 + 9.6 * kilograms + 1.8 * centimeters - 4.7 * years
    }
}
