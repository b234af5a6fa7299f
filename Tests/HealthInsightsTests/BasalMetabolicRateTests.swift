import HealthInsights
import HealthKit
import Testing

@Suite("Basal metabolic rate")
struct BasalMetabolicRateTests {
    @Test(
        "Uses one formula for men and the other for everyone else",
        arguments: [
            (HKBiologicalSex.male, 1_798.0), (HKBiologicalSex.female, 1_559.0), (HKBiologicalSex.other, 1_559.0),
        ] as [(HKBiologicalSex, Double)])
    func formula(sex: HKBiologicalSex, expected: Double) {
        let rate = BasalMetabolicRate(weight: 80, height: 180, age: 40, biologicalSex: sex)
        // 66 + 13.8·80 + 5·180 − 6.8·40 and 655 + 9.6·80 + 1.8·180 − 4.7·40, calculated by hand.
        #expect(abs(rate.kilocaloriesPerDay - expected) < 1e-9)
    }
}
