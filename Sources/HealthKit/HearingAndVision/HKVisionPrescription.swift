public import Foundation

/// A prescription of glasses or contacts. The person permits reading for each prescription.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKVisionPrescription: HKSample, DocumentSample, @unchecked Sendable {
    /// The stored values of prescriptions of both kinds.
    struct Fields: Sendable {
        /// The raw value of the kind of prescription.
        var type: Int?
        var expiration: Date?
        /// Of the class that belongs to the kind of prescription.
        var rightEye: HKLensSpecification?
        /// Of the class that belongs to the kind of prescription.
        var leftEye: HKLensSpecification?
        var brand: String?
    }

    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKVisionPrescription(base, fields: fields) }

    /// Creates a prescription without lenses.
    ///
    /// An expiration before the date of issue, or metadata that is not allowed, ends the process.
    public convenience init(
        type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        self.init(
            Fields(type: Int(type.rawValue), expiration: expirationDate), issued: dateIssued, device: device,
            metadata: metadata)
    }

    /// Creates a prescription of the values of its kind.
    convenience init(_ fields: Fields, issued: Date, device: HKDevice?, metadata: [String: Any]?) {
        ProgrammerError.checked { () throws(InvalidObjectError) in
            try Self.validate(issued: issued, expiration: fields.expiration)
        }
        self.init(
            .document(.visionPrescriptionType(), start: issued, end: issued, device: device, metadata: metadata),
            fields: fields)
    }

    /// - Throws: for an expiration before the date of issue.
    static func validate(issued: Date, expiration: Date?) throws(InvalidObjectError) {
        if let expiration {
            guard expiration >= issued else {
                throw InvalidObjectError(
                    reason: "A vision prescription requires expirationDate to be at or after dateIssued")
            }
        }
    }

    /// The kind of prescription: glasses or contacts.
    open var prescriptionType: HKVisionPrescriptionType {
        fields.type.flatMap { HKVisionPrescriptionType(rawValue: UInt(bitPattern: $0)) } ?? .glasses
    }

    /// The date of issue, which is the sample's start and end.
    open var dateIssued: Date { startDate }

    /// The date when the prescription expires; `nil` if it does not.
    open var expirationDate: Date? { fields.expiration }

    /// The prescription in an archive; `nil` for a damaged archive and for one of another kind of prescription.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder),
            Self.self == HKVisionPrescription.self || Self.self == Self.prescriptionClass(ofType: archived.fields.type)
        else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }

    /// The class for a kind of prescription, by its raw value.
    static func prescriptionClass(ofType type: Int?) -> HKVisionPrescription.Type {
        switch type {
        case Int(HKVisionPrescriptionType.glasses.rawValue): HKGlassesPrescription.self
        case Int(HKVisionPrescriptionType.contacts.rawValue): HKContactsPrescription.self
        default: HKVisionPrescription.self
        }
    }
}

/// A prescription of glasses.
// Unchecked: adds no stored property to its superclass.
open class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
    /// Creates a prescription with a lens for each eye; one may be missing.
    ///
    /// An expiration before the date of issue, or metadata that is not allowed, ends the process.
    public convenience init(
        rightEyeSpecification: HKGlassesLensSpecification?, leftEyeSpecification: HKGlassesLensSpecification?,
        dateIssued: Date, expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            Fields(
                type: Int(HKVisionPrescriptionType.glasses.rawValue), expiration: expirationDate,
                rightEye: rightEyeSpecification, leftEye: leftEyeSpecification),
            issued: dateIssued, device: device, metadata: metadata)
    }

    /// The lens for the right eye.
    open var rightEye: HKGlassesLensSpecification? { fields.rightEye as? HKGlassesLensSpecification }

    /// The lens for the left eye.
    open var leftEye: HKGlassesLensSpecification? { fields.leftEye as? HKGlassesLensSpecification }

    override class func stored(_ base: SampleBase, fields: Fields) -> HKSample {
        HKGlassesPrescription(base, fields: fields)
    }
}

/// A prescription of contact lenses.
// Unchecked: adds no stored property to its superclass.
open class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
    /// Creates a prescription with the brand and a lens for each eye, one of which may be missing.
    ///
    /// An expiration before the date of issue, or metadata that is not allowed, ends the process.
    public convenience init(
        rightEyeSpecification: HKContactsLensSpecification?, leftEyeSpecification: HKContactsLensSpecification?,
        brand: String, dateIssued: Date, expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            Fields(
                type: Int(HKVisionPrescriptionType.contacts.rawValue), expiration: expirationDate,
                rightEye: rightEyeSpecification, leftEye: leftEyeSpecification, brand: brand),
            issued: dateIssued, device: device, metadata: metadata)
    }

    /// The lens for the right eye.
    open var rightEye: HKContactsLensSpecification? { fields.rightEye as? HKContactsLensSpecification }

    /// The lens for the left eye.
    open var leftEye: HKContactsLensSpecification? { fields.leftEye as? HKContactsLensSpecification }

    /// The brand of the lenses; empty if unknown.
    open var brand: String { fields.brand ?? "" }

    override class func stored(_ base: SampleBase, fields: Fields) -> HKSample {
        HKContactsPrescription(base, fields: fields)
    }
}

extension HKSamplePredicate {
    /// A predicate for hearing tests.
    public static func audiogram(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKAudiogramSample> {
        HKSamplePredicate<HKAudiogramSample>(type: .audiogramSampleType(), predicate: predicate)
    }

    /// A predicate for prescriptions for glasses and contacts.
    public static func visionPrescription(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKVisionPrescription> {
        HKSamplePredicate<HKVisionPrescription>(type: .visionPrescriptionType(), predicate: predicate)
    }
}
