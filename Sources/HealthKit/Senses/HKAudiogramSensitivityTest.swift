public import Foundation
import HealthModel

/// One reading of a hearing test: the faintest tone one ear heard.
public final class HKAudiogramSensitivityTest: NSObject, NSSecureCoding, NSCopying, FieldValueCoding, Sendable {
    private typealias Field = AudiogramDocument.Test

    let fieldValue: FieldValue

    /// A reading.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a sensitivity in a unit other than decibels of hearing
    ///   level, or out of range.
    public init(
        sensitivity: HKQuantity, type: HKAudiogramConductionType, masked: Bool,
        side: HKAudiogramSensitivityTestSide, clampingRange: HKAudiogramSensitivityPointClampingRange?
    ) throws {
        try HKError.checked { () throws(ObjectRefusal) in try Self.validate(sensitivity: sensitivity) }
        fieldValue = .present([
            Field.sensitivity: .quantity(sensitivity.record),
            Field.type: .integer(Int64(type.rawValue)),
            Field.masked: .bool(masked),
            Field.side: .integer(Int64(side.rawValue)),
            Field.clampingRange: clampingRange?.fieldValue,
        ])
        super.init()
    }

    private init(checked fieldValue: FieldValue) {
        self.fieldValue = fieldValue
        super.init()
    }

    convenience init?(_ fieldValue: FieldValue) {
        guard let sensitivity = fieldValue[Field.sensitivity]?.quantityObject,
            (try? Self.validate(sensitivity: sensitivity)) != nil,
            let type = fieldValue[Field.type]?.wholeNumber, HKAudiogramConductionType(rawValue: type) != nil,
            let side = fieldValue[Field.side]?.wholeNumber, HKAudiogramSensitivityTestSide(rawValue: side) != nil,
            case .bool = fieldValue[Field.masked]
        else { return nil }
        if let range = fieldValue[Field.clampingRange] {
            guard HKAudiogramSensitivityPointClampingRange(range) != nil else { return nil }
        }
        self.init(checked: fieldValue)
    }

    /// Checks the unit and the range of a sensitivity.
    static func validate(sensitivity: HKQuantity) throws(ObjectRefusal) {
        let unit = HKUnit.decibelHearingLevel()
        guard let value = try? sensitivity.validatedValue(for: unit) else {
            throw ObjectRefusal(
                reason: "The sensitivity of a hearing test requires unit dBHL, not \(sensitivity.unit.unitString)")
        }
        guard AudiogramDocument.sensitivities.contains(value) else {
            throw ObjectRefusal(reason: "The sensitivity of a hearing test is out of range")
        }
    }

    /// The faintest tone heard, in decibels above the baseline: the more, the poorer the hearing.
    public var sensitivity: HKQuantity {
        // Checked when the reading was made.
        fieldValue[Field.sensitivity]?.quantityObject ?? HKQuantity(unit: .decibelHearingLevel(), doubleValue: 0)
    }

    /// How the tone reached the ear.
    public var type: HKAudiogramConductionType {
        fieldValue[Field.type]?.wholeNumber.flatMap(HKAudiogramConductionType.init(rawValue:)) ?? .air
    }

    /// Whether the other ear was kept busy with noise.
    public var masked: Bool { fieldValue[Field.masked] == .bool(true) }

    /// The ear.
    public var side: HKAudiogramSensitivityTestSide {
        fieldValue[Field.side]?.wholeNumber.flatMap(HKAudiogramSensitivityTestSide.init(rawValue:)) ?? .left
    }

    /// The range the reading was cut to; `nil` where it was not.
    public var clampingRange: HKAudiogramSensitivityPointClampingRange? {
        fieldValue[Field.clampingRange].flatMap { HKAudiogramSensitivityPointClampingRange($0) }
    }

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let value = Self.decode(from: coder) else { return nil }
        self.init(checked: value)
    }

    public func encode(with coder: NSCoder) { SecureRecord.encode(fieldValue, with: coder) }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKAudiogramSensitivityTest)?.fieldValue == fieldValue
    }

    public override var hash: Int { fieldValue.hashValue }

    public override var description: String {
        "HKAudiogramSensitivityTest \(side == .left ? "left" : "right") \(sensitivity)\(masked ? " masked" : "")"
    }
}
