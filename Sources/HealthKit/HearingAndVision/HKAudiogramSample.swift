public import Foundation

/// A hearing test: the faintest tone that each ear heard, by frequency.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKAudiogramSample: HKSample, DocumentSample, @unchecked Sendable {
    /// The stored values.
    struct Fields: Sendable {
        var points: [HKAudiogramSensitivityPoint]
    }

    /// The maximum number of points in an audiogram.
    static let maximumPointCount = 30

    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKAudiogramSample(base, fields: fields) }

    /// Creates a hearing test. No points, more than 30, or metadata that is not allowed, end the process.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// Creates a hearing test with the device that measured it.
    ///
    /// No points, more than 30, or metadata that is not allowed, end the process.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        let fields = ProgrammerError.checked { () throws(InvalidObjectError) in
            try Self.fields(sensitivityPoints)
        }
        self.init(
            .document(.audiogramSampleType(), start: startDate, end: endDate, device: device, metadata: metadata),
            fields: fields)
    }

    /// The values of an audiogram.
    ///
    /// - Throws: for no points and for too many.
    static func fields(_ points: [HKAudiogramSensitivityPoint]) throws(InvalidObjectError) -> Fields {
        guard !points.isEmpty else {
            throw InvalidObjectError(reason: "An HKAudiogramSample requires a sensitivity point")
        }
        guard points.count <= maximumPointCount else {
            throw InvalidObjectError(
                reason: "An HKAudiogramSample has at most \(maximumPointCount) sensitivity points, not \(points.count)")
        }
        return Fields(points: points)
    }

    /// The results at each frequency, in their original order.
    open var sensitivityPoints: [HKAudiogramSensitivityPoint] { fields.points }

    /// The audiogram in an archive; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder) else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

/// The results of a hearing test at one frequency.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKAudiogramSensitivityPoint: NSObject, _CVarArgObject, NSSecureCoding, @unchecked Sendable {
    /// The stored values.
    struct Fields: Hashable, Sendable {
        var frequency: HKQuantity
        var tests: [HKAudiogramSensitivityTest]
    }

    let fields: Fields

    /// Creates a point with a reading for each ear; one of them may be missing. ``tests`` contains the readings
    /// as unmasked air conduction tests.
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

    /// Creates a point with readings.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a frequency in a wrong unit or out of range, and
    ///   if there are no readings.
    public init(frequency: HKQuantity, tests: [HKAudiogramSensitivityTest]) throws {
        try HKError.checked { () throws(InvalidObjectError) in
            try Self.validate(frequency: frequency, testCount: tests.count)
        }
        fields = Fields(frequency: frequency, tests: tests)
    }

    /// Creates a point from values that have been validated.
    init(_ fields: Fields) {
        self.fields = fields
    }

    /// Checks the unit and range of a frequency, and that there is a reading.
    static func validate(frequency: HKQuantity, testCount: Int) throws(InvalidObjectError) {
        guard let value = try? frequency.validatedValue(for: .hertz()) else {
            throw InvalidObjectError(
                reason: "The frequency of a sensitivity point requires unit Hz, not \(frequency.unit.unitString)")
        }
        guard value > 0, value <= maximumFrequency else {
            throw InvalidObjectError(reason: "The frequency of a sensitivity point is out of range")
        }
        guard testCount > 0 else {
            throw InvalidObjectError(reason: "A sensitivity point requires a reading")
        }
    }

    /// The frequency of the tone.
    open var frequency: HKQuantity { fields.frequency }

    /// The first reading of the left ear; `nil` if there is none.
    open var leftEarSensitivity: HKQuantity? { tests.first { $0.side == .left }?.sensitivity }

    /// The first reading of the right ear; `nil` if there is none.
    open var rightEarSensitivity: HKQuantity? { tests.first { $0.side == .right }?.sensitivity }

    /// The readings, in their original order.
    open var tests: [HKAudiogramSensitivityTest] { fields.tests }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = FieldValueCoding.fields(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    open func encode(with coder: NSCoder) { FieldValueCoding.encode(fields, with: coder) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKAudiogramSensitivityPoint)?.fields == fields
    }

    open override var hash: Int { fields.hashValue }

    open override var description: String { "HKAudiogramSensitivityPoint \(frequency) \(tests)" }
}
