import Foundation
@testable import HealthKit
import HealthModel
import Testing

@Suite struct HKVisionPrescriptionTests {
    private func quantity(_ value: Double, _ unit: String) -> HKQuantity { ObjectFamilies.quantity(value, unit) }

    @Test func glasses() {
        let sample = ObjectFamilies.glasses()
        #expect(sample.prescriptionType == .glasses)
        #expect(sample.dateIssued == ObjectFamilies.start && sample.startDate == ObjectFamilies.start)
        #expect(sample.expirationDate == ObjectFamilies.start + 86_400 * 365)
        #expect(sample.leftEye == nil)
        let lens = sample.rightEye
        #expect(lens == ObjectFamilies.glassesLens())
        #expect(lens?.sphere == quantity(-2.25, "D"))
        #expect(lens?.cylinder == quantity(-0.5, "D"))
        #expect(lens?.axis == quantity(90, "deg"))
        #expect(lens?.addPower == nil)
        #expect(lens?.vertexDistance == quantity(12, "mm"))
        #expect(lens?.farPupillaryDistance == quantity(31, "mm"))
        #expect(lens?.nearPupillaryDistance == nil)
        #expect(lens?.prism?.verticalBase == .up)
    }

    @Test func contacts() {
        let sample = ObjectFamilies.contacts()
        #expect(sample.prescriptionType == .contacts && sample.brand == "Acme")
        #expect(sample.expirationDate == nil && sample.rightEye == nil)
        #expect(sample.leftEye?.baseCurve == quantity(8.6, "mm"))
        #expect(sample.leftEye?.diameter == quantity(14.2, "mm"))
        #expect(sample.leftEye != nil && sample.leftEye as HKLensSpecification? != ObjectFamilies.glassesLens())
    }

    @Test func bothKindsAreFoundTogether() async throws {
        let store = FreshStore.make()
        let plain = HKVisionPrescription(
            type: .contacts, dateIssued: ObjectFamilies.start, expirationDate: nil, device: nil, metadata: nil)
        let all = [ObjectFamilies.glasses(), ObjectFamilies.contacts(), plain]
        try await store.save(all)
        let found = try await HKSampleQueryDescriptor(predicates: [.visionPrescription()], sortDescriptors: [])
            .result(for: store)
        #expect(found == all)
        #expect(found.map { $0 is HKContactsPrescription } == [false, true, true])
        #expect(found.first is HKGlassesPrescription)
        #expect((found.last as? HKContactsPrescription)?.brand == "")
    }

    @Test(arguments: [
        (2.0, 0.0, HKVisionEye.right, 0.0, HKPrismBase.none, 2.0, HKPrismBase.in),
        (2, 0, .left, 0, .none, 2, .out), (2, 90, .left, 2, .up, 0, .none), (2, 270, .right, 2, .down, 0, .none),
        (2, 180, .right, 0, .none, 2, .out), (2, 180, .left, 0, .none, 2, .in), (0, 45, .left, 0, .none, 0, .none),
        (5, 53.13010235415598, .right, 4, .up, 3, .in), (5, 233.13010235415598, .left, 4, .down, 3, .in),
    ])
    func prisms(
        _ amount: Double, _ degrees: Double, _ eye: HKVisionEye, _ vertical: Double, _ verticalBase: HKPrismBase,
        _ horizontal: Double, _ horizontalBase: HKPrismBase
    ) {
        let prism = HKVisionPrism(amount: quantity(amount, "pD"), angle: quantity(degrees, "deg"), eye: eye)
        #expect(abs(prism.verticalAmount.doubleValue(for: .prismDiopter()) - vertical) < 1e-9)
        #expect(abs(prism.horizontalAmount.doubleValue(for: .prismDiopter()) - horizontal) < 1e-9)
        #expect(prism.verticalBase == verticalBase && prism.horizontalBase == horizontalBase && prism.eye == eye)
        let back = HKVisionPrism(
            verticalAmount: prism.verticalAmount, verticalBase: prism.verticalBase,
            horizontalAmount: prism.horizontalAmount, horizontalBase: prism.horizontalBase, eye: eye)
        #expect(abs(back.amount.doubleValue(for: .prismDiopter()) - amount) < 1e-9)
        if amount > 0 { #expect(abs(back.angle.doubleValue(for: .degreeAngle()) - degrees) < 1e-9) }
    }

    @Test(arguments: [
        (1.0, HKPrismBase.in, 0.0, HKPrismBase.none, "The vertical base of a prism must be none, up or down"),
        (1, .up, 1, .down, "The horizontal base of a prism must be none, in or out"),
        (1, .none, 0, .none, "A prism with an amount requires a base"),
        (0, .none, 1, .none, "A prism with an amount requires a base"),
    ])
    func refusedPrisms(
        _ vertical: Double, _ verticalBase: HKPrismBase, _ horizontal: Double, _ horizontalBase: HKPrismBase,
        _ reason: String
    ) {
        #expect(throws: InvalidObjectError(reason: reason)) {
            _ = try PrismParts(
                vertical: vertical, verticalBase: verticalBase, horizontal: horizontal,
                horizontalBase: horizontalBase)
        }
    }

    @Test(arguments: [
        ("m", "D", "deg", "The sphere of a lens requires unit D, not m"),
        ("D", "deg", "deg", "The cylinder of a lens requires unit D, not deg"),
        ("D", "D", "D", "The axis of a lens requires unit deg, not D"),
    ])
    func refusedLenses(_ sphere: String, _ cylinder: String, _ axis: String, _ reason: String) {
        #expect(throws: InvalidObjectError(reason: reason)) {
            try HKLensSpecification.Fields(
                sphere: quantity(1, sphere), cylinder: quantity(1, cylinder), axis: quantity(1, axis)
            ).validate()
        }
    }

    @Test func noNumberIsRefused() {
        #expect(throws: InvalidObjectError(reason: "The sphere of a lens must be finite")) {
            try HKLensSpecification.Fields(sphere: quantity(.nan, "D")).validate()
        }
    }

    @Test func anExpirationBeforeTheIssueIsRefused() async {
        #expect(
            throws: InvalidObjectError(
                reason: "A vision prescription requires expirationDate to be at or after dateIssued")
        ) {
            try HKVisionPrescription.validate(issued: FreshStore.epoch, expiration: FreshStore.epoch - 1)
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKContactsLensSpecification(
                sphere: HKQuantity(unit: .diopter(), doubleValue: 1), cylinder: nil, axis: nil, addPower: nil,
                baseCurve: HKQuantity(unit: .second(), doubleValue: 1), diameter: nil)
        }
        #expect(result.errorText.contains("The baseCurve of a lens requires unit m, not s"))
    }
}
