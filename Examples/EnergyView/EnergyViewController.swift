import Foundation
import HealthKit

/// Shows the energy balance of today and keeps it fresh.
final class EnergyViewController {
    private let healthStore: HKHealthStore
    private let refreshQueue = DispatchQueue(label: "refresh")

    private var activeEnergyBurned = 0.0
    private var restingEnergyBurned: Double?
    private var energyConsumed = 0.0

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    static let typesToRead: Set<HKObjectType> = [
        HKObjectType.quantityType(forIdentifier: .dietaryEnergyConsumed)!,
        HKObjectType.quantityType(forIdentifier: .activeEnergyBurned)!,
        HKObjectType.quantityType(forIdentifier: .height)!,
        HKObjectType.quantityType(forIdentifier: .bodyMass)!,
        HKObjectType.characteristicType(forIdentifier: .dateOfBirth)!,
        HKObjectType.characteristicType(forIdentifier: .biologicalSex)!,
    ]

    // MARK: Reading the store

    func refreshStatistics(completion: @escaping () -> Void) {
        let energyConsumedType = HKQuantityType.quantityType(forIdentifier: .dietaryEnergyConsumed)!
        let activeEnergyBurnType = HKQuantityType.quantityType(forIdentifier: .activeEnergyBurned)!

        // First, fetch the sum of energy consumed samples from HealthKit. Populate this by creating food
        // entries with this program or another one.
        fetchSumOfSamplesToday(for: energyConsumedType, unit: .joule()) { totalJoulesConsumed, _ in
            // Next, fetch the sum of active energy burned.
            self.fetchSumOfSamplesToday(for: activeEnergyBurnType, unit: .joule()) { activeEnergyBurned, _ in
                // Last, calculate the user's basal energy burn so far today.
                self.fetchTotalBasalBurn { basalEnergyBurn, problem in
                    self.refreshQueue.async {
                        self.activeEnergyBurned = activeEnergyBurned
                        self.energyConsumed = totalJoulesConsumed
                        self.restingEnergyBurned = basalEnergyBurn?.doubleValue(for: .joule())
                        self.show(problem: problem)
                        completion()
                    }
                }
            }
        }
    }

    private func fetchSumOfSamplesToday(
        for quantityType: HKQuantityType, unit: HKUnit, completion: @escaping (Double, Error?) -> Void
    ) {
        let predicate = predicateForSamplesToday()
        let query = HKStatisticsQuery(
            quantityType: quantityType, quantitySamplePredicate: predicate, options: .cumulativeSum
        ) { _, result, error in
            let sum = result?.sumQuantity()
            completion(sum?.doubleValue(for: unit) ?? 0, error)
        }
        healthStore.execute(query)
    }

    private func predicateForSamplesToday() -> NSPredicate {
        let calendar = Calendar.current
        let startDate = calendar.startOfDay(for: Date())
        let endDate = calendar.date(byAdding: .day, value: 1, to: startDate)
        return HKQuery.predicateForSamples(withStart: startDate, end: endDate, options: .strictStartDate)
    }

    /// Calculates the basal burn from the most recent weight and height, the date of birth and the sex.
    private func fetchTotalBasalBurn(completion: @escaping (HKQuantity?, String?) -> Void) {
        let todayPredicate = predicateForTimeBeforeNow()
        let weightType = HKQuantityType.quantityType(forIdentifier: .bodyMass)!
        let heightType = HKQuantityType.quantityType(forIdentifier: .height)!

        healthStore.aapl_mostRecentQuantitySample(ofType: weightType, predicate: todayPredicate) { weight, _ in
            guard let weight = weight else {
                completion(nil, "no weight has been entered")
                return
            }
            self.healthStore.aapl_mostRecentQuantitySample(ofType: heightType, predicate: todayPredicate) { height, _ in
                guard let height = height else {
                    completion(nil, "no height has been entered")
                    return
                }
                guard let dateOfBirth = (try? self.healthStore.dateOfBirthComponents()).flatMap({ Calendar.current.date(from: $0) })
                else {
                    completion(nil, "the date of birth is not known")
                    return
                }
                guard let sex = try? self.healthStore.biologicalSex().biologicalSex, sex != .notSet else {
                    completion(nil, "the biological sex is not known")
                    return
                }
                completion(
                    self.calculateBasalBurnToday(weight: weight, height: height, dateOfBirth: dateOfBirth, biologicalSex: sex), nil)
            }
        }
    }

    private func predicateForTimeBeforeNow() -> NSPredicate {
        NSPredicate(format: "%K <= %@", HKPredicateKeyPathStartDate, Date() as NSDate)
    }

    private func calculateBasalBurnToday(
        weight: HKQuantity, height: HKQuantity, dateOfBirth: Date, biologicalSex: HKBiologicalSex
    ) -> HKQuantity {
        let heightInCentimeters = height.doubleValue(for: HKUnit(from: "cm"))
        let weightInKilograms = weight.doubleValue(for: .gramUnit(with: .kilo))

        let now = Date()
        let ageInYears = Double(Calendar.current.dateComponents([.year], from: dateOfBirth, to: now).year!)
        let bmr = calculateBMR(
            weight: weightInKilograms, height: heightInCentimeters, age: ageInYears, biologicalSex: biologicalSex)

        // Use the part of the day that is gone.
        let startOfToday = Calendar.current.startOfDay(for: now)
        let endOfToday = Calendar.current.date(byAdding: .day, value: 1, to: startOfToday)!
        let share = now.timeIntervalSince(startOfToday) / endOfToday.timeIntervalSince(startOfToday)
        return HKQuantity(unit: .kilocalorie(), doubleValue: bmr * share)
    }

    /// Kilocalories a day.
    private func calculateBMR(weight: Double, height: Double, age: Double, biologicalSex: HKBiologicalSex) -> Double {
        if biologicalSex == .male {
            return 66.0 + 13.8 * weight + 5 * height - 6.8 * age
        }
        return 655.0 + 9.6 * weight + 1.8 * height - 4.7 * age
    }

    // MARK: Watching

    func observeChanges() {
        for case let type as HKSampleType in EnergyViewController.typesToRead {
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completionHandler, error in
                if error == nil {
                    self.refreshStatistics {}
                }
                completionHandler()
            }
            healthStore.execute(query)
        }
        refreshStatistics {}
    }

    // MARK: Showing

    private lazy var energyFormatter: EnergyFormatter = {
        let formatter = EnergyFormatter()
        formatter.unitStyle = .long
        formatter.isForFoodEnergyUse = true
        formatter.numberFormatter.maximumFractionDigits = 2
        return formatter
    }()

    private func show(problem: String?) {
        print("Consumed: \(energyFormatter.string(fromJoules: energyConsumed))")
        print("Active:   \(energyFormatter.string(fromJoules: activeEnergyBurned))")
        if let restingEnergyBurned = restingEnergyBurned {
            let netEnergy = energyConsumed - activeEnergyBurned - restingEnergyBurned
            print("Resting:  \(energyFormatter.string(fromJoules: restingEnergyBurned))")
            print("Net:      \(energyFormatter.string(fromJoules: netEnergy))")
        } else {
            print("Resting:  unknown, because \(problem ?? "of an error")")
            print("Net:      unknown")
        }
        fflush(stdout)
    }
}
