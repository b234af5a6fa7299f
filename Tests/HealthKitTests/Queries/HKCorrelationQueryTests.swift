import Foundation
import HealthKit
import Testing

@Suite struct HKCorrelationQueryTests {
    private let store = FreshStore.make()
    private let pressure = HKCorrelationType(.bloodPressure)

    private func uppers(
        _ predicate: NSPredicate? = nil, _ samplePredicates: [HKSampleType: NSPredicate]? = nil
    ) async throws -> [Double] {
        try await store.save([
            FreshStore.pressure(120, 80), FreshStore.pressure(150, 95, at: 60),
            FreshStore.pressure(130, 99, at: 120),
        ])
        let calls = Calls<[HKCorrelation]?>()
        let query = HKCorrelationQuery(
            type: pressure, predicate: predicate, samplePredicates: samplePredicates
        ) { calls.add($2 == nil ? $1 : nil) }
        #expect(query.correlationType == pressure)
        store.execute(query)
        let systolic = HKQuantityType(.bloodPressureSystolic)
        return try #require(await calls.next()).compactMap {
            #expect($0.objects.count == 2)
            return ($0.objects(for: systolic).first as? HKQuantitySample)?
                .quantity.doubleValue(for: .millimeterOfMercury())
        }
    }

    private func above(_ value: Double) -> NSPredicate {
        HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value))
    }

    @Test func allOfThem() async throws {
        #expect(try await uppers() == [120, 150, 130])
    }

    @Test func thePredicateIsAskedOfTheCorrelation() async throws {
        let later = HKQuery.predicateForSamples(withStart: FreshStore.epoch + 60, end: nil)
        #expect(try await uppers(later) == [150, 130])
    }

    @Test func memberPredicatesMustHoldForEachType() async throws {
        let systolic = HKQuantityType(.bloodPressureSystolic)
        let diastolic = HKQuantityType(.bloodPressureDiastolic)
        #expect(try await uppers(nil, [diastolic: above(90)]) == [150, 130])
        let again = Self()
        #expect(try await again.uppers(nil, [diastolic: above(90), systolic: above(140)]) == [150])
    }
}
