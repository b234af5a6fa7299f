import Foundation
import Testing

@testable import HealthKit

@Suite struct ClassificationQuantityTests {
    @Test func walkingSteadinessIsClassedWithoutAGap() throws {
        typealias Class = HKAppleWalkingSteadinessClassification
        for one in Class.allCases {
            #expect(try Class(for: one.minimum) == one)
            #expect(try Class(for: one.maximum) == one)
        }
        #expect(Class.veryLow.minimum == HKQuantity(unit: .percent(), doubleValue: 0))
        #expect(Class.ok.maximum == HKQuantity(unit: .percent(), doubleValue: 1))
        #expect(try Class(for: HKQuantity(unit: .percent(), doubleValue: 0.9)) == .ok)
    }

    @Test(arguments: [
        (-0.01, "%", "A walking steadiness must be between 0 % and 100 %"),
        (1.01, "%", "A walking steadiness must be between 0 % and 100 %"),
        (.nan, "%", "A walking steadiness must be between 0 % and 100 %"),
        (0.5, "m", "A walking steadiness requires unit %, not m"),
    ])
    func refusedSteadiness(_ value: Double, _ unit: String, _ reason: String) {
        let error = #expect(throws: HKError.self) {
            _ = try HKAppleWalkingSteadinessClassification(for: ObjectFamilies.quantity(value, unit))
        }
        #expect(error?.localizedDescription == reason && error?.code == .errorInvalidArgument)
    }

    @Test func breathingDisturbances() {
        typealias Class = HKAppleSleepingBreathingDisturbancesClassification
        for one in Class.allCases { #expect(Class(classifying: one.minimum) == one) }
        #expect(Class(classifying: ObjectFamilies.quantity(-1, "count")) == nil)
        #expect(Class(classifying: ObjectFamilies.quantity(.nan, "count")) == nil)
        #expect(Class(classifying: ObjectFamilies.quantity(1, "m")) == nil)
    }
}
