public import Foundation

/// One reading of a hearing test: the faintest tone that one ear heard.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKAudiogramSensitivityTest: _ValueObject, @unchecked Sendable {
    /// The stored values.
    struct Fields: Hashable, Sendable {
        var sensitivity: HKQuantity
        var type: HKAudiogramConductionType
        var isMasked: Bool
        var side: HKAudiogramSensitivityTestSide
        var clampingRange: HKAudiogramSensitivityPointClampingRange?
    }

    let fields: Fields

    /// Creates a reading.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a sensitivity in a unit other than decibels of hearing
    ///   level, or out of range.
    public init(
        sensitivity: HKQuantity, type: HKAudiogramConductionType, masked: Bool,
        side: HKAudiogramSensitivityTestSide, clampingRange: HKAudiogramSensitivityPointClampingRange?
    ) throws {
        try HKError.checked { () throws(InvalidObjectError) in try Self.validate(sensitivity: sensitivity) }
        fields = Fields(
            sensitivity: sensitivity, type: type, isMasked: masked, side: side, clampingRange: clampingRange)
    }

    /// Creates a reading from values that have been validated.
    init(_ fields: Fields) {
        self.fields = fields
    }

    /// Checks the unit and the range of a sensitivity.
    static func validate(sensitivity: HKQuantity) throws(InvalidObjectError) {
        let unit = HKUnit.decibelHearingLevel()
        guard let value = try? sensitivity.validatedValue(for: unit) else {
            throw InvalidObjectError(
                reason: "The sensitivity of a hearing test requires unit dBHL, not \(sensitivity.unit.unitString)")
        }
        guard sensitivities.contains(value) else {
            throw InvalidObjectError(reason: "The sensitivity of a hearing test is out of range")
        }
    }

    /// The faintest tone heard, in decibels above the baseline. Greater values mean poorer hearing.
    open var sensitivity: HKQuantity { fields.sensitivity }

    /// The way in which the tone reached the ear.
    open var type: HKAudiogramConductionType { fields.type }

    /// A Boolean value that indicates whether noise masked the other ear.
    open var masked: Bool { fields.isMasked }

    /// The ear.
    open var side: HKAudiogramSensitivityTestSide { fields.side }

    /// The range that the reading was clamped to; `nil` if it was not clamped.
    open var clampingRange: HKAudiogramSensitivityPointClampingRange? { fields.clampingRange }

    public required init?(coder: NSCoder) {
        guard let fields = FieldValueCoding.fields(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    override var archivedRecord: any Codable & Hashable { fields.fieldValue }

    override var equatableValues: any Hashable { fields }

    open override var description: String {
        "HKAudiogramSensitivityTest \(side == .left ? "left" : "right") \(sensitivity)\(masked ? " masked" : "")"
    }
}

/// The range to which readings of a hearing test were clamped.
open class HKAudiogramSensitivityPointClampingRange: _ValueObject,
    // Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
    @unchecked Sendable
{
    /// The bounds, in decibels of hearing level.
    struct Fields: Hashable, Sendable {
        let lower: Double?
        let upper: Double?

        /// - Throws: if there is no bound, for one that is not finite, and for a lower bound that is not below the
        ///   upper one.
        init(lower: Double?, upper: Double?) throws(InvalidObjectError) {
            guard lower != nil || upper != nil else {
                throw InvalidObjectError(reason: "A clamping range requires a lower or an upper bound")
            }
            for bound in [lower, upper] {
                guard bound?.isFinite ?? true else {
                    throw InvalidObjectError(reason: "The bounds of a clamping range must be finite")
                }
            }
            if let lower, let upper, lower >= upper {
                throw InvalidObjectError(
                    reason: "The lower bound of a clamping range must be less than its upper bound")
            }
            self.lower = lower
            self.upper = upper
        }
    }

    let fields: Fields

    /// Creates a range in decibels of hearing level. At least one bound is required.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` if there is no bound, and for a lower bound that is not below
    ///   the upper one.
    public init(lowerBound: NSNumber?, upperBound: NSNumber?) throws {
        fields = try HKError.checked { () throws(InvalidObjectError) in
            try Fields(lower: lowerBound?.doubleValue, upper: upperBound?.doubleValue)
        }
    }

    init(_ fields: Fields) {
        self.fields = fields
    }

    /// The minimum reading, in decibels of hearing level.
    open var lowerBound: HKQuantity? { quantity(fields.lower) }

    /// The maximum reading, in decibels of hearing level.
    open var upperBound: HKQuantity? { quantity(fields.upper) }

    private func quantity(_ bound: Double?) -> HKQuantity? {
        bound.map { HKQuantity(unit: .decibelHearingLevel(), doubleValue: $0) }
    }

    public required init?(coder: NSCoder) {
        guard let fields = FieldValueCoding.fields(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    override var archivedRecord: any Codable & Hashable { fields.fieldValue }

    override var equatableValues: any Hashable { fields }

    open override var description: String {
        "HKAudiogramSensitivityPointClampingRange \(lowerBound?.description ?? "…") - \(upperBound?.description ?? "…")"
    }
}
