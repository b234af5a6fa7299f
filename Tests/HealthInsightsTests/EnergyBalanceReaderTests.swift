import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Energy balance reader")
struct EnergyBalanceReaderTests {
    private let store = HKHealthStore(configuration: .inMemory)

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/New_York")!
        return calendar
    }()

    private func date(_ day: Int, _ hour: Double, month: Int = 11) -> Date {
        Self.calendar.date(from: DateComponents(year: 2025, month: month, day: day))!.addingTimeInterval(hour * 3_600)
    }

    private func sample(
        _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, at start: Date, lasting: TimeInterval = 0
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
            end: start.addingTimeInterval(lasting))
    }

    private func balance(_ now: Date) async throws -> EnergyBalance {
        try await EnergyBalanceReader(store: store, calendar: Self.calendar).balance(now: now)
    }

    @Test("Without data, sums are zero, the rest is missing, and nothing is thrown")
    func empty() async throws {
        let balance = try await balance(date(10, 12))
        #expect(balance.consumed.doubleValue(for: .joule()) == 0)
        #expect(balance.active.doubleValue(for: .joule()) == 0)
        #expect(balance.resting == nil)
        #expect(balance.net == nil && !balance.isConsumptionKnown)
        #expect(balance.missing == [.weight, .height, .dateOfBirth, .biologicalSex])
    }

    @Test("Reports only what is missing")
    func partly() async throws {
        try await store.save(sample(.bodyMass, 80, .gramUnit(with: .kilo), at: date(1, 8)))
        #expect(try await balance(date(10, 12)).missing == [.height, .dateOfBirth, .biologicalSex])
        try await store.save(sample(.height, 180, .meterUnit(with: .centi), at: date(1, 8)))
        #expect(try await balance(date(10, 12)).missing == [.dateOfBirth, .biologicalSex])
    }

    @Test("Without the data for the formula, resting energy is what a device has recorded on the day")
    func recorded() async throws {
        try await store.save([
            sample(.basalEnergyBurned, 600, .kilocalorie(), at: date(10, 0), lasting: 36_000),
            sample(.basalEnergyBurned, 70, .kilocalorie(), at: date(10, 10), lasting: 3_600),
            sample(.basalEnergyBurned, 900, .kilocalorie(), at: date(9, 0), lasting: 36_000),
        ])
        let balance = try await balance(date(10, 12))
        #expect(balance.missing.isEmpty)
        #expect(abs((balance.resting?.doubleValue(for: .kilocalorie()) ?? 0) - 670) < 1e-9)
        // Also if a part of the data is known.
        try await store.save(sample(.bodyMass, 80, .gramUnit(with: .kilo), at: date(1, 8)))
        #expect(try await self.balance(date(10, 12)).missing.isEmpty)
    }

    @Test("Sums what is on the day, with the share of samples that cross midnight")
    func sums() async throws {
        try await store.save([
            sample(.dietaryEnergyConsumed, 500, .kilocalorie(), at: date(10, 8)),
            sample(.dietaryEnergyConsumed, 1_000, .joule(), at: date(10, 0)),
            sample(.dietaryEnergyConsumed, 700, .kilocalorie(), at: date(9, 23.5)),
            sample(.dietaryEnergyConsumed, 700, .kilocalorie(), at: date(11, 0)),
            sample(.activeEnergyBurned, 100, .jouleUnit(with: .kilo), at: date(10, 9), lasting: 600),
            sample(.activeEnergyBurned, 100, .jouleUnit(with: .kilo), at: date(9, 23.9), lasting: 900),
        ])
        let balance = try await balance(date(10, 12))
        #expect(abs(balance.consumed.doubleValue(for: .joule()) - (500 * 4_184 + 1_000)) < 1e-6)
        // Nine of the fifteen minutes are on the day.
        #expect(abs(balance.active.doubleValue(for: .joule()) - 160_000) < 1e-6)
    }

    @Test("Resting energy is that of the weight at the time, or of the first one after it")
    func weight() async throws {
        let health = TestHealthStore()
        try await health.store.save([
            sample(.bodyMass, 90, .gramUnit(with: .kilo), at: date(5, 8)),
            sample(.bodyMass, 70, .gramUnit(with: .kilo), at: date(20, 8)),
            sample(.height, 180, .meterUnit(with: .centi), at: date(12, 8)),
        ])
        try health.setCharacteristics(
            TestCharacteristics(dateOfBirth: DateComponents(year: 1985, month: 1, day: 31), biologicalSex: .male))
        let reader = EnergyBalanceReader(store: health.store, calendar: Self.calendar)
        for (day, weight) in [(1, 90.0), (10, 90), (25, 70)] {
            let rate = BasalMetabolicRate(weight: weight, height: 180, age: 40, biologicalSex: .male)
            let resting = try #require(try await reader.balance(now: date(day, 12)).resting)
            #expect(abs(resting.doubleValue(for: .kilocalorie()) - rate.kilocaloriesPerDay * 12 / 24) < 1e-6)
        }
    }

    @Test("A storage failure is thrown, wherever it occurs, and never reported as missing data")
    func failures() async throws {
        let health = TestHealthStore()
        try await health.store.save([
            sample(.bodyMass, 80, .gramUnit(with: .kilo), at: date(1, 8)),
            sample(.height, 180, .meterUnit(with: .centi), at: date(1, 8)),
        ])
        try health.setCharacteristics(
            TestCharacteristics(
                dateOfBirth: DateComponents(year: 1985, month: 1, day: 31), biologicalSex: .female))
        let reader = EnergyBalanceReader(store: health.store, calendar: Self.calendar)
        #expect(try await reader.balance(now: date(10, 12)).missing.isEmpty)
        health.inject(nil)
        _ = try await reader.balance(now: date(10, 12))
        let reads = health.calls(at: .read)
        #expect(reads > 0)
        for read in 0..<reads {
            health.inject(Fault(at: .read, after: read))
            await #expect(throws: HKError.self, "read \(read) of \(reads)") {
                try await reader.balance(now: date(10, 12))
            }
        }
        health.inject(nil)
        #expect(try await reader.balance(now: date(10, 12)).missing.isEmpty)
    }

    @Test("Net energy is consumed minus active minus resting energy, and nil without resting energy")
    func net() {
        func joules(_ value: Double) -> HKQuantity { HKQuantity(unit: .joule(), doubleValue: value) }
        let whole = EnergyBalance(consumed: joules(1_000), active: joules(300), resting: joules(500))
        #expect(whole.net?.doubleValue(for: .joule()) == 200)
        let part = EnergyBalance(consumed: joules(1_000), active: joules(300), resting: nil, missing: [.height])
        #expect(part.net == nil)
        let hungry = EnergyBalance(
            consumed: joules(0), isConsumptionKnown: false, active: joules(300), resting: joules(500))
        #expect(hungry.net == nil && hungry.burned?.doubleValue(for: .joule()) == 800)
    }
}
