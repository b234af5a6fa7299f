public import Foundation
import HealthModel

/// What a hearing test found at one frequency.
public final class HKAudiogramSensitivityPoint: NSObject, NSSecureCoding, FieldValueCoding, Sendable {
    private typealias Field = AudiogramDocument.Point

    let fieldValue: FieldValue

    /// A point with a reading for each ear; one of them may be missing. The readings stand in ``tests``
    /// as unmasked ones through the air.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a wrong unit, a value out of range, or no reading.
    public convenience init(
        frequency: HKQuantity, leftEarSensitivity: HKQuantity?, rightEarSensitivity: HKQuantity?
    ) throws {
        var tests: [HKAudiogramSensitivityTest] = []
        if let leftEarSensitivity {
            tests.append(
                try HKAudiogramSensitivityTest(
                    sensitivity: leftEarSensitivity, type: .air, masked: false, side: .left, clampingRange: nil))
        }
        if let rightEarSensitivity {
            tests.append(
                try HKAudiogramSensitivityTest(
                    sensitivity: rightEarSensitivity, type: .air, masked: false, side: .right, clampingRange: nil))
        }
        try self.init(frequency: frequency, tests: tests)
    }

    /// A point with readings.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a frequency in a wrong unit or out of range, and
    ///   without a reading.
    public convenience init(frequency: HKQuantity, tests: [HKAudiogramSensitivityTest]) throws {
        try HKError.checked { () throws(ObjectRefusal) in
            try Self.validate(frequency: frequency, testCount: tests.count)
        }
        self.init(
            checked: .record([
                Field.frequency: .quantity(frequency.record),
                Field.tests: .list(tests.map(\.fieldValue)),
            ]))
    }

    private init(checked fieldValue: FieldValue) {
        self.fieldValue = fieldValue
        super.init()
    }

    convenience init?(_ fieldValue: FieldValue) {
        guard let frequency = fieldValue[Field.frequency]?.quantityObject,
            case .list(let tests) = fieldValue[Field.tests],
            (try? Self.validate(frequency: frequency, testCount: tests.count)) != nil,
            tests.allSatisfy({ HKAudiogramSensitivityTest($0) != nil })
        else { return nil }
        self.init(checked: fieldValue)
    }

    /// Checks the unit and range of a frequency, and that there is a reading.
    static func validate(frequency: HKQuantity, testCount: Int) throws(ObjectRefusal) {
        guard let value = try? frequency.validatedValue(for: .hertz()) else {
            throw ObjectRefusal(
                reason: "The frequency of a sensitivity point requires unit Hz, not \(frequency.unit.unitString)")
        }
        guard value > 0, value <= AudiogramDocument.greatestFrequency else {
            throw ObjectRefusal(reason: "The frequency of a sensitivity point is out of range")
        }
        guard testCount > 0 else {
            throw ObjectRefusal(reason: "A sensitivity point requires a reading")
        }
    }

    /// The frequency of the tone.
    public var frequency: HKQuantity {
        // Checked when the point was made.
        fieldValue[Field.frequency]?.quantityObject ?? HKQuantity(unit: .hertz(), doubleValue: 0)
    }

    /// The first reading of the left ear; `nil` where there is none.
    public var leftEarSensitivity: HKQuantity? { tests.first { $0.side == .left }?.sensitivity }

    /// The first reading of the right ear; `nil` where there is none.
    public var rightEarSensitivity: HKQuantity? { tests.first { $0.side == .right }?.sensitivity }

    /// The readings, in the order given.
    public var tests: [HKAudiogramSensitivityTest] {
        (fieldValue[Field.tests]?.elements ?? []).compactMap { HKAudiogramSensitivityTest($0) }
    }

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let value = Self.decode(from: coder) else { return nil }
        self.init(checked: value)
    }

    public func encode(with coder: NSCoder) { SecureRecord.encode(fieldValue, with: coder) }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKAudiogramSensitivityPoint)?.fieldValue == fieldValue
    }

    public override var hash: Int { fieldValue.hashValue }

    public override var description: String { "HKAudiogramSensitivityPoint \(frequency) \(tests)" }
}
