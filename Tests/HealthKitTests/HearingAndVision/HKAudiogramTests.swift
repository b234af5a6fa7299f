import Foundation
@testable import HealthKit
import Testing

@Suite struct HKAudiogramTests {
    private static let range = "The sensitivity of a hearing test is out of range"
    private static let frequency = "The frequency of a sensitivity point is out of range"

    @Test func properties() throws {
        let sample = try ObjectFamilies.audiogram()
        #expect(sample.sensitivityPoints == (try ObjectFamilies.points()))
        let first = sample.sensitivityPoints[0]
        #expect(first.frequency == ObjectFamilies.quantity(1_000, "Hz"))
        #expect(first.leftEarSensitivity == ObjectFamilies.quantity(20, "dBHL"))
        #expect(first.rightEarSensitivity == nil)
        #expect(first.tests.map(\.side) == [.left])
        let test = sample.sensitivityPoints[1].tests[0]
        #expect(test.sensitivity == ObjectFamilies.quantity(-5, "dBHL"))
        #expect(test.masked && test.side == .right && test.type == .air)
        #expect(test.clampingRange?.lowerBound == ObjectFamilies.quantity(-5, "dBHL"))
        #expect(test.clampingRange?.upperBound == ObjectFamilies.quantity(90, "dBHL"))
        #expect(sample.sensitivityPoints[1].rightEarSensitivity == test.sensitivity)
        #expect(first != sample.sensitivityPoints[1])
    }

    @Test(
        arguments: [
            (20.0, "dBHL", nil), (-50, "dBHL", nil), (200, "dBHL", nil), (-50.1, "dBHL", range), (200.1, "dBHL", range),
            (.nan, "dBHL", range), (.infinity, "dBHL", range),
            (20, "Hz", "The sensitivity of a hearing test requires unit dBHL, not Hz"),
            (20, "dBASPL", "The sensitivity of a hearing test requires unit dBHL, not dBASPL"),
        ] as [(Double, String, String?)])
    func sensitivities(_ value: Double, _ unit: String, _ reason: String?) throws {
        let quantity = ObjectFamilies.quantity(value, unit)
        guard let reason else {
            try HKAudiogramSensitivityTest.validate(sensitivity: quantity)
            return
        }
        #expect(throws: InvalidObjectError(reason: reason)) {
            try HKAudiogramSensitivityTest.validate(sensitivity: quantity)
        }
        let error = #expect(throws: HKError.self) {
            _ = try HKAudiogramSensitivityTest(
                sensitivity: quantity, type: .air, masked: false, side: .left, clampingRange: nil)
        }
        #expect(error?.code == .errorInvalidArgument && error?.localizedDescription == reason)
    }

    @Test(
        arguments: [
            (1_000, "Hz", 1, nil), (20, "kHz", 1, nil), (0.001, "Hz", 1, nil), (0, "Hz", 1, frequency),
            (-5, "Hz", 1, frequency), (20_001, "Hz", 1, frequency), (.nan, "Hz", 1, frequency),
            (1, "dBHL", 1, "The frequency of a sensitivity point requires unit Hz, not dBHL"),
            (1_000, "Hz", 0, "A sensitivity point requires a reading"),
        ] as [(Double, String, Int, String?)])
    func frequencies(_ value: Double, _ unit: String, _ count: Int, _ reason: String?) throws {
        let quantity = ObjectFamilies.quantity(value, unit)
        guard let reason else {
            try HKAudiogramSensitivityPoint.validate(frequency: quantity, testCount: count)
            return
        }
        #expect(throws: InvalidObjectError(reason: reason)) {
            try HKAudiogramSensitivityPoint.validate(frequency: quantity, testCount: count)
        }
    }

    @Test(
        arguments: [
            (nil, nil, "A clamping range requires a lower or an upper bound"),
            (5, 5, "The lower bound of a clamping range must be less than its upper bound"),
            (6, 5, "The lower bound of a clamping range must be less than its upper bound"),
            (.nan, 5, "The bounds of a clamping range must be finite"),
            (1, .infinity, "The bounds of a clamping range must be finite"),
            (1, nil, nil), (nil, 1, nil), (-10, 90, nil),
        ] as [(Double?, Double?, String?)])
    func clampingRanges(_ lower: Double?, _ upper: Double?, _ reason: String?) throws {
        let bounds = (lower.map { NSNumber(value: $0) }, upper.map { NSNumber(value: $0) })
        guard let reason else {
            let range = try HKAudiogramSensitivityPointClampingRange(lowerBound: bounds.0, upperBound: bounds.1)
            #expect(range.lowerBound?.doubleValue(for: .decibelHearingLevel()) == lower)
            #expect(range.upperBound?.doubleValue(for: .decibelHearingLevel()) == upper)
            return
        }
        let error = #expect(throws: HKError.self) {
            _ = try HKAudiogramSensitivityPointClampingRange(lowerBound: bounds.0, upperBound: bounds.1)
        }
        #expect(error?.code == .errorInvalidArgument && error?.localizedDescription == reason)
    }

    @Test func howManyPoints() throws {
        let point = try ObjectFamilies.points()[0]
        #expect(throws: InvalidObjectError(reason: "An HKAudiogramSample requires a sensitivity point")) {
            _ = try HKAudiogramSample.fields([])
        }
        _ = try HKAudiogramSample.fields(Array(repeating: point, count: 30))
        #expect(throws: InvalidObjectError(reason: "An HKAudiogramSample has at most 30 sensitivity points, not 31")) {
            _ = try HKAudiogramSample.fields(Array(repeating: point, count: 31))
        }
    }

    @Test func noPointEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKAudiogramSample(sensitivityPoints: [], start: Date(), end: Date(), metadata: nil)
        }
        #expect(result.errorText.contains("An HKAudiogramSample requires a sensitivity point"))
    }
}
