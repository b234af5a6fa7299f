import Foundation
import HealthEngine
import Testing

@testable import HealthKit

@Suite struct EnergySplitTests {
    private let store = FreshStore.make()
    private let start = FreshStore.epoch

    private func split(_ total: HKQuantity, _ seconds: TimeInterval) async -> (HKQuantity?, HKQuantity?, (any Error)?) {
        let calls = Calls<(HKQuantity?, HKQuantity?, (any Error)?)>()
        store.splitTotalEnergy(total, start: start, end: start + seconds) { calls.add(($0, $1, $2)) }
        return await calls.next()
    }

    private func describeThePerson() async throws {
        func sample(_ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: String) -> HKQuantitySample {
            HKQuantitySample(
                type: HKQuantityType(type), quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: value),
                start: start - 100, end: start - 100)
        }
        try await store.save([sample(.bodyMass, 80, "kg"), sample(.height, 1.8, "m")])
        try store.connection.engine().profile.update {
            $0.dateOfBirth = Profile.Day(year: 1983, month: 3, day: 1)
            $0.biologicalSex = HKBiologicalSex.male.rawValue
        }
    }

    @Test func theBodyAtRestTakesItsPart() async throws {
        try await describeThePerson()
        // 66 + 13.8 · 80 + 5 · 180 − 6.8 · 40 = 1,798 kcal a day, of which an hour is a 24th.
        let (resting, active, error) = await split(HKQuantity(unit: .kilocalorie(), doubleValue: 500), 3_600)
        #expect(error == nil)
        let rest = try #require(resting?.doubleValue(for: .kilocalorie()))
        #expect(abs(rest - 1_798.0 / 24) < 1e-9)
        #expect(abs((active?.doubleValue(for: .kilocalorie()) ?? 0) - (500 - rest)) < 1e-9)
        let (all, none, _) = await split(HKQuantity(unit: .kilocalorie(), doubleValue: 10), 3_600)
        #expect(all?.doubleValue(for: .kilocalorie()) == 10)
        #expect(none?.doubleValue(for: .kilocalorie()) == 0)
    }

    /// 655 + 9.6 · 70 + 1.8 · 170 − 4.7 · 30 = 1,492 kcal a day.
    @Test(arguments: [true, false]) func defaultsReplaceWhatIsUnknown(isAuthorized: Bool) async throws {
        let store =
            isAuthorized ? store : FreshStore.make(authorization: .handler { _ in .none })
        let calls = Calls<(HKQuantity?, HKQuantity?, (any Error)?)>()
        let energy = HKQuantity(unit: .kilocalorie(), doubleValue: 500)
        store.splitTotalEnergy(energy, start: start, end: start + 3_600) { calls.add(($0, $1, $2)) }
        let (resting, active, error) = await calls.next()
        #expect(error == nil)
        let rest = try #require(resting?.doubleValue(for: .kilocalorie()))
        #expect(abs(rest - 1_492.0 / 24) < 1e-9)
        #expect(abs((active?.doubleValue(for: .kilocalorie()) ?? 0) - (500 - rest)) < 1e-9)
    }

    @Test func invalidEnergyOrPeriodIsRefused() async throws {
        let energy = HKQuantity(unit: .kilocalorie(), doubleValue: 500)
        #expect((await split(energy, -60).2 as? HKError)?.code == .errorInvalidArgument)
        #expect(
            (await split(HKQuantity(unit: .meter(), doubleValue: 1), 60).2 as? HKError)?.code == .errorInvalidArgument)
    }

    @Test func womenHaveTheirOwnCoefficients() {
        let daily = RestingEnergy.kilocaloriesPerDay(kilograms: 60, centimeters: 170, years: 30, isMale: false)
        #expect(abs(daily - (655 + 576 + 306 - 141)) < 1e-9)
    }
}
