import Foundation
import Testing

@testable import HealthKit

@Suite struct HKQuantitySampleTests {
    private static let steps = HKQuantityType(.stepCount)
    private static let heartRate = HKQuantityType(.heartRate)
    private static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private func steps(_ value: Double, metadata: [String: Any]? = nil) -> HKQuantitySample {
        HKQuantitySample(
            type: Self.steps, quantity: HKQuantity(unit: .count(), doubleValue: value),
            start: Self.start, end: Self.start + 60, metadata: metadata)
    }

    @Test func aCumulativeTypeMakesACumulativeSample() throws {
        let sample = steps(12)
        #expect(sample is HKCumulativeQuantitySample)
        #expect((sample as? HKDiscreteQuantitySample) == nil)
        let cumulative = try #require(sample as? HKCumulativeQuantitySample)
        #expect(cumulative.sumQuantity == HKQuantity(unit: .count(), doubleValue: 12))
    }

    @Test func aDiscreteTypeMakesADiscreteSample() throws {
        let beats = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 72)
        let sample = HKQuantitySample(
            type: Self.heartRate, quantity: beats, start: Self.start, end: Self.start + 5)
        let discrete = try #require(sample as? HKDiscreteQuantitySample)
        #expect(discrete.averageQuantity == beats)
        #expect(discrete.minimumQuantity == beats)
        #expect(discrete.maximumQuantity == beats)
        #expect(discrete.mostRecentQuantity == beats)
        #expect(discrete.mostRecentQuantityDateInterval == DateInterval(start: Self.start, duration: 5))
    }

    @Test func theSubclassesMakeTheirOwn() {
        let sample = HKCumulativeQuantitySample(
            type: Self.steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
            start: Self.start, end: Self.start)
        #expect(sample.sumQuantity.doubleValue(for: .count()) == 1)
    }

    /// The original returns an object of the class that was asked for, whatever the type's aggregation style is.
    @Test func theSubclassesTakeTypesOfTheOtherStyle() {
        let beats = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 72)
        let sum = HKCumulativeQuantitySample(type: Self.heartRate, quantity: beats, start: Self.start, end: Self.start)
        #expect(sum.quantityType == Self.heartRate)
        #expect(sum.sumQuantity == beats)
        let mean = HKDiscreteQuantitySample(
            type: Self.steps, quantity: HKQuantity(unit: .count(), doubleValue: 5), start: Self.start, end: Self.start)
        #expect(mean.averageQuantity.doubleValue(for: .count()) == 5)
    }

    @Test func propertiesAreThoseGiven() {
        let device = HKDevice(
            name: "strap", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
            softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
        let sample = HKQuantitySample(
            type: Self.steps, quantity: HKQuantity(unit: .count(), doubleValue: 3),
            start: Self.start, end: Self.start + 60, device: device, metadata: ["note": "x"])
        #expect(sample.quantityType == Self.steps)
        #expect(sample.sampleType == Self.steps)
        #expect(sample.startDate == Self.start)
        #expect(sample.endDate == Self.start + 60)
        #expect(sample.count == 1)
        #expect(sample.device == device)
        #expect(sample.metadata?["note"] as? String == "x")
        #expect(!sample.hasUndeterminedDuration)
        // A saved object has the application; see the tests of sources.
        #expect(sample.source.bundleIdentifier == "" && sample.source.name == "")
        #expect(sample.sourceRevision.version == nil && sample.sourceRevision.productType == nil)
        #expect(steps(1).metadata == nil)
        #expect(steps(1, metadata: [:]).metadata == nil)
    }

    @Test func theUnitStaysTheOneGiven() {
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: HKQuantity(unit: HKUnit(from: "lb"), doubleValue: 150.1), start: Self.start,
            end: Self.start)
        #expect("\(sample.quantity)" == "150.1 lb")
    }

    @Test func objectsAreEqualByIdentity() {
        let sample = steps(1)
        let other = steps(1)
        #expect(sample == sample)
        #expect(sample != other)
        #expect(sample.uuid != other.uuid)
        #expect(Set([sample, sample, other]).count == 2)
        #expect(sample.hash == sample.hash)
    }

    @Test(arguments: [Double.nan, .infinity, -5]) func strangeValuesAreKept(_ value: Double) {
        let kept = steps(value).quantity.doubleValue(for: .count())
        #expect(kept.bitPattern == value.bitPattern)
    }

    @Test func theDescriptionNamesValueIdentityAndDates() {
        let sample = steps(46)
        #expect("\(sample)".hasPrefix("46 count \(sample.uuid) "))
        #expect("\(sample)".hasSuffix("(\(sample.startDate) - \(sample.endDate))"))
    }

    /// As published outputs of the original are: `60 count/min … (8.1) "Apple Watch" metadata: {…} (… - …)`.
    @Test func theDescriptionHasDeviceAndMetadata() {
        let metadata: [String: Any] = [
            HKMetadataKeyWasUserEntered: true, "Note": "a \"b\"",
            "Ünit": HKQuantity(unit: .degreeCelsius(), doubleValue: 2),
        ]
        let band = HKDevice(
            name: "Band 2", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
            softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
        let sample = HKQuantitySample(
            type: Self.steps, quantity: HKQuantity(unit: .count(), doubleValue: 2), start: Self.start, end: Self.start,
            device: band, metadata: metadata)
        let text = """
             "Band 2" metadata: {
                HKWasUserEntered = 1;
                Note = "a \\"b\\"";
                "Ünit" = "2 degC";
            } (\(sample.startDate) - \(sample.endDate))
            """
        #expect("\(sample)".hasSuffix(text))
        #expect(!"\(steps(1))".contains("metadata"))
    }

    @available(*, deprecated)
    @Test func theOlderLabelsMakeTheSame() {
        let quantity = HKQuantity(unit: .count(), doubleValue: 2)
        let end = Self.start + 1
        let samples = [
            HKQuantitySample(type: Self.steps, quantity: quantity, startDate: Self.start, endDate: end),
            HKQuantitySample(
                type: Self.steps, quantity: quantity, startDate: Self.start, endDate: end, metadata: nil),
            HKQuantitySample(
                type: Self.steps, quantity: quantity, startDate: Self.start, endDate: end, device: nil,
                metadata: nil),
        ]
        #expect(samples.allSatisfy { $0 is HKCumulativeQuantitySample && $0.endDate == end })
    }

}
