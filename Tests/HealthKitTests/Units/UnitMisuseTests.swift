import Foundation
import HealthKit
import Testing

/// Units and quantities that end the process. They are apart, because exit tests don't run in a simulator; see Docs/ApplePlatforms.md.
@Suite struct UnitMisuseTests {
    @Test func aStringOutsideTheGrammarEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKUnit(from: "percent")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Unable to parse factorization string percent"))
    }

    @Test func aFormatterUnitThatIsNotThereEndsTheProcess() async {
        await #expect(processExitsWith: .failure) { _ = HKUnit.massFormatterUnit(from: .meter()) }
    }

    @Test func aMolarMassOfNothingEndsTheProcess() async {
        await #expect(processExitsWith: .failure) { _ = HKUnit.moleUnit(withMolarMass: 0) }
    }

    @Test func anIncompatibleUnitEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKQuantity(unit: .decibelAWeightedSoundPressureLevel(), doubleValue: 1).doubleValue(for: .pascal())
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Attempt to convert incompatible units: dBASPL, Pa"))
    }

    @Test func comparingTheIncomparableEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantity(unit: .meter(), doubleValue: 1).compare(HKQuantity(unit: .gram(), doubleValue: 1))
        }
    }

    @Test func validatorThrowsInstead() throws {
        let quantity = HKQuantity(unit: .meter(), doubleValue: 1)
        let error = #expect(throws: IncompatibleUnitsError.self) { try quantity.validatedValue(for: .gram()) }
        #expect(error?.description == "Attempt to convert incompatible units: m, g")
        #expect(try quantity.validatedValue(for: .meterUnit(with: .milli)) == 1000)
    }

    @Test func validatorsThrowInstead() {
        #expect(throws: (any Error).self) { try HKUnit.validated("percent") }
        #expect(HKUnit.parsed("percent") == nil)
        #expect(HKUnit.parsed("km") === HKUnit.meterUnit(with: .kilo))
    }
}
