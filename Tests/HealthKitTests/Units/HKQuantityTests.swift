import Foundation
import HealthKit
import Testing

@Suite struct HKQuantityTests {
    @Test func values() {
        let weight = HKQuantity(unit: .pound(), doubleValue: 150)
        #expect(weight.doubleValue(for: .pound()) == 150)
        // Multiplied by 453.59237, then divided by 1000, as in the original.
        #expect(weight.doubleValue(for: .gramUnit(with: .kilo)) == 68.0388555.nextUp)
        #expect(HKQuantity(unit: .degreeFahrenheit(), doubleValue: 98.6).doubleValue(for: .degreeCelsius()) == 37)
        #expect(HKQuantity(unit: .percent(), doubleValue: 0.5).doubleValue(for: .count()) == 0.5)
        #expect(
            HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 60).doubleValue(for: HKUnit(from: "count/s")) == 1)
        // The original gives 6.999999999999999 here; a value in its own unit stays as it is (ours).
        #expect(HKQuantity(unit: .foot(), doubleValue: 7).doubleValue(for: .foot()) == 7)
    }

    /// One unit converted alternately to several others: the cached conversion must not be used for a different one.
    @Test func conversionsAreNotMixedUp() {
        let distance = HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 1)
        for _ in 0..<3 {
            #expect(distance.doubleValue(for: .meter()) == 1000)
            #expect(distance.doubleValue(for: .meterUnit(with: .centi)) == 100_000)
            #expect(distance.doubleValue(for: HKUnit(from: "m^2/m")) == 1000)
            #expect(distance.doubleValue(for: .meterUnit(with: .kilo)) == 1)
        }
    }

    @Test(arguments: [
        ("J", "kcal", true), ("W", "J/s", false), ("%", "count", true), ("count", "m", false), ("g", "mol<18>", true),
        ("()", "count", false), ("()", "%", false), ("()", "m/m", true),
    ])
    func compatibility(left: String, right: String, expected: Bool) {
        #expect(
            HKQuantity(unit: HKUnit(from: left), doubleValue: 1).is(compatibleWith: HKUnit(from: right)) == expected)
    }

    @Test func comparing() {
        let metre = HKQuantity(unit: .meter(), doubleValue: 1)
        #expect(metre.compare(HKQuantity(unit: .meterUnit(with: .centi), doubleValue: 100)) == .orderedSame)
        #expect(metre.compare(HKQuantity(unit: .foot(), doubleValue: 4)) == .orderedAscending)
        #expect(metre.compare(HKQuantity(unit: .foot(), doubleValue: 3)) == .orderedDescending)
    }

    @Test func equalityAcrossUnits() {
        let metre = HKQuantity(unit: .meter(), doubleValue: 1)
        let centimetres = HKQuantity(unit: .meterUnit(with: .centi), doubleValue: 100)
        #expect(metre == centimetres)
        #expect(metre.hash == centimetres.hash)
        #expect(Set([metre, centimetres, HKQuantity(unit: .meter(), doubleValue: 1)]).count == 1)
        #expect(HKQuantity(unit: .mile(), doubleValue: 1) == HKQuantity(unit: .foot(), doubleValue: 5280))
        #expect(metre != HKQuantity(unit: .meter(), doubleValue: 1.0000001))
        #expect(metre != HKQuantity(unit: .gram(), doubleValue: 1))
        #expect(HKQuantity(unit: .meter(), doubleValue: .nan) == HKQuantity(unit: .meter(), doubleValue: .nan))
        #expect(HKQuantity(unit: .count(), doubleValue: 0) == HKQuantity(unit: .percent(), doubleValue: -0.0))
        #expect(HKQuantity(unit: .count(), doubleValue: 0).hash == HKQuantity(unit: .percent(), doubleValue: -0.0).hash)
    }

    @Test(arguments: [
        (1100, "m", "1100 m"), (0.5, "%", "0.5 %"), (98.6, "degF", "98.6 degF"), (-3, "count", "-3 count"),
        (5.5, "mmol<180.1558800000541>/L", "5.5 mmol<180.1558800000541>/L"),
        (.infinity, "m", "inf m"), (.nan, "m", "nan m"), (1e300, "m", "1e+300 m"),
    ])
    func descriptions(value: Double, unit: String, expected: String) {
        #expect(HKQuantity(unit: HKUnit(from: unit), doubleValue: value).description == expected)
    }

    @Test(arguments: [0, -0.0, 1.1, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func comesBackFromAnArchive(value: Double) throws {
        let quantity = HKQuantity(unit: HKUnit(from: "mg/dL"), doubleValue: value)
        let data = try NSKeyedArchiver.archivedData(withRootObject: quantity, requiringSecureCoding: true)
        let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantity.self, from: data))
        #expect(again.doubleValue(for: HKUnit(from: "mg/dL")).bitPattern == value.bitPattern)
        #expect(again == quantity)
        #expect(quantity.copy() as? HKQuantity === quantity)
    }
}
