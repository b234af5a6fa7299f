import Foundation
import Testing

@testable import HealthKit

@Suite struct HKCorrelationTests {
    private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    @Test func objectsAreFoundByType() throws {
        let systolic = HKQuantityType(.bloodPressureSystolic)
        let diastolic = HKQuantityType(.bloodPressureDiastolic)
        let unit = HKUnit(from: "mmHg")
        let upper = HKQuantitySample(
            type: systolic, quantity: HKQuantity(unit: unit, doubleValue: 120), start: start, end: start)
        let lower = HKQuantitySample(
            type: diastolic, quantity: HKQuantity(unit: unit, doubleValue: 80), start: start, end: start)
        let type = try #require(HKObjectType.correlationType(forIdentifier: .bloodPressure))
        let correlation = HKCorrelation(
            type: type, start: start, end: start, objects: [upper, lower], metadata: ["note": "left arm"])
        #expect(correlation.correlationType == type)
        #expect(correlation.objects == [upper, lower])
        #expect(correlation.objects(for: systolic) == [upper])
        #expect(correlation.objects(for: diastolic) == [lower])
        #expect(correlation.objects(for: HKQuantityType(.stepCount)).isEmpty)
        #expect(correlation.metadata?["note"] as? String == "left arm")
        #expect("\(correlation)".contains("of 2 objects"))
    }

    @available(*, deprecated)
    @Test func theOlderLabelsMakeTheSame() throws {
        let type = try #require(HKObjectType.correlationType(forIdentifier: .food))
        let sample = HKQuantitySample(
            type: HKQuantityType(.dietaryWater),
            quantity: HKQuantity(unit: HKUnit(from: "mL"), doubleValue: 200), start: start, end: start)
        let correlations = [
            HKCorrelation(type: type, startDate: start, endDate: start, objects: [sample]),
            HKCorrelation(type: type, startDate: start, endDate: start, objects: [sample], metadata: nil),
            HKCorrelation(
                type: type, startDate: start, endDate: start, objects: [sample], device: nil,
                metadata: nil),
        ]
        #expect(correlations.allSatisfy { $0.objects == [sample] })
    }
}
