public import Foundation
import HealthModel

/// The range to which readings of a hearing test were cut.
public final class HKAudiogramSensitivityPointClampingRange: NSObject, NSSecureCoding, NSCopying,
    FieldValueCoding, Sendable
{
    private typealias Field = AudiogramDocument.ClampingRange

    let fieldValue: FieldValue

    /// A range in decibels of hearing level. At least one bound must be given.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` without a bound, and for a lower bound that is not below
    ///   the upper one.
    public convenience init(lowerBound: NSNumber?, upperBound: NSNumber?) throws {
        let value = try HKError.checked { () throws(ObjectRefusal) in
            try Self.fieldValue(lower: lowerBound?.doubleValue, upper: upperBound?.doubleValue)
        }
        self.init(checked: value)
    }

    private init(checked fieldValue: FieldValue) {
        self.fieldValue = fieldValue
        super.init()
    }

    convenience init?(_ fieldValue: FieldValue) {
        let (lower, upper) = (fieldValue[Field.lower], fieldValue[Field.upper])
        guard (lower == nil) == (lower?.number == nil), (upper == nil) == (upper?.number == nil),
            (try? Self.fieldValue(lower: lower?.number, upper: upper?.number)) != nil
        else { return nil }
        self.init(checked: fieldValue)
    }

    /// The range as it is kept.
    ///
    /// - Throws: as ``init(lowerBound:upperBound:)``.
    static func fieldValue(lower: Double?, upper: Double?) throws(ObjectRefusal) -> FieldValue {
        guard lower != nil || upper != nil else {
            throw ObjectRefusal(reason: "A clamping range requires a lower or an upper bound")
        }
        for bound in [lower, upper] {
            guard bound?.isFinite ?? true else {
                throw ObjectRefusal(reason: "The bounds of a clamping range must be finite")
            }
        }
        if let lower, let upper, lower >= upper {
            throw ObjectRefusal(reason: "The lower bound of a clamping range must be less than its upper bound")
        }
        return .present([Field.lower: lower.map { .double($0) }, Field.upper: upper.map { .double($0) }])
    }

    /// The least reading, in decibels of hearing level.
    public var lowerBound: HKQuantity? { bound(Field.lower) }

    /// The greatest reading, in decibels of hearing level.
    public var upperBound: HKQuantity? { bound(Field.upper) }

    private func bound(_ name: String) -> HKQuantity? {
        fieldValue[name]?.number.map { HKQuantity(unit: .decibelHearingLevel(), doubleValue: $0) }
    }

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let value = Self.decode(from: coder) else { return nil }
        self.init(checked: value)
    }

    public func encode(with coder: NSCoder) { SecureRecord.encode(fieldValue, with: coder) }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKAudiogramSensitivityPointClampingRange)?.fieldValue == fieldValue
    }

    public override var hash: Int { fieldValue.hashValue }

    public override var description: String {
        "HKAudiogramSensitivityPointClampingRange \(lowerBound?.description ?? "…") - \(upperBound?.description ?? "…")"
    }
}
