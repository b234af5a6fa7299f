public import Foundation
public import HealthKit

/// Works out the energy balance of a day from a store.
public struct EnergyBalanceReader: Sendable {
    private let store: HKHealthStore
    private let calendar: Calendar

    /// - Parameters:
    ///   - store: Read with the authorization it has; types that may not be read count as empty.
    ///   - calendar: Cuts the day and counts the years.
    public init(store: HKHealthStore, calendar: Calendar = .current) {
        self.store = store
        self.calendar = calendar
    }

    /// The types the balance is made of, for an authorization request.
    public static var typesToRead: Set<HKObjectType> {
        [
            HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.activeEnergyBurned), HKQuantityType(.bodyMass),
            HKQuantityType(.height), HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.biologicalSex),
        ]
    }

    /// The balance from the midnight before `now` until `now`.
    ///
    /// - Throws: `HKError` as the queries give it; absent data is not an error.
    public func balance(now: Date = Date()) async throws -> EnergyBalance {
        let consumed = try await sum(.dietaryEnergyConsumed, now)
        let active = try await sum(.activeEnergyBurned, now)
        let (resting, missing) = try await resting(now)
        return EnergyBalance(consumed: consumed, active: active, resting: resting, missing: missing)
    }

    private func day(of date: Date) -> DateInterval {
        let start = calendar.startOfDay(for: date)
        let end = calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
        return DateInterval(start: start, end: end)
    }

    private func sum(_ identifier: HKQuantityTypeIdentifier, _ now: Date) async throws -> HKQuantity {
        let day = day(of: now)
        let today = HKQuery.predicateForSamples(withStart: day.start, end: day.end, options: .strictStartDate)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(identifier), predicate: today), options: .cumulativeSum)
        let joules = try await unlessThereIsNoData {
            try await descriptor.result(for: store)?.sumQuantity()?.doubleValue(for: .joule())
        }
        return HKQuantity(unit: .joule(), doubleValue: joules ?? 0)
    }

    private func resting(_ now: Date) async throws -> (HKQuantity?, [EnergyBalance.Missing]) {
        let weight = try await mostRecent(.bodyMass, now)?.doubleValue(for: .gramUnit(with: .kilo))
        let height = try await mostRecent(.height, now)?.doubleValue(for: .meterUnit(with: .centi))
        let birth = (try? store.dateOfBirthComponents()).flatMap { calendar.date(from: $0) }
        let age = birth.flatMap { calendar.dateComponents([.year], from: $0, to: now).year }
        let sex = (try? store.biologicalSex())?.biologicalSex ?? .notSet
        var missing: [EnergyBalance.Missing] = []
        if weight == nil { missing.append(.weight) }
        if height == nil { missing.append(.height) }
        if age == nil { missing.append(.dateOfBirth) }
        if sex == .notSet { missing.append(.biologicalSex) }
        guard let weight, let height, let age, sex != .notSet else { return (nil, missing) }
        let rate = BasalMetabolicRate(weight: weight, height: height, age: age, biologicalSex: sex)
        let day = day(of: now)
        let shareGone = now.timeIntervalSince(day.start) / day.duration
        return (HKQuantity(unit: .kilocalorie(), doubleValue: rate.kilocaloriesPerDay * shareGone), missing)
    }

    private func mostRecent(_ identifier: HKQuantityTypeIdentifier, _ now: Date) async throws -> HKQuantity? {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(identifier))],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 1)
        return try await descriptor.result(for: store).first?.quantity
    }

    /// Statistics over no sample are an error of the framework, and no error here.
    private func unlessThereIsNoData<Value>(_ work: () async throws -> Value?) async throws -> Value? {
        do {
            return try await work()
        } catch let error as HKError where error.code == .errorNoData {
            return nil
        }
    }
}
