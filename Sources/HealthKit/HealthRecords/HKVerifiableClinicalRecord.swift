public import Foundation

/// A health record signed by its issuer: a SMART Health Card or an EU Digital COVID Certificate.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKVerifiableClinicalRecord: HKSample, DocumentSample, @unchecked Sendable {
    /// The type of all verifiable records; applications have no name for it.
    static let type: HKSampleType = HKObjectType.required(VerifiableRecordType.identifier)

    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample {
        HKVerifiableClinicalRecord(base, fields: fields)
    }

    /// Creates a record from the values its issuer states.
    ///
    /// - Parameter dataRepresentation: The record as it was issued: a compact JWS, or the text of a certificate's code.
    package convenience init(
        sourceType: HKVerifiableClinicalRecordSourceType, dataRepresentation: Data, issuerIdentifier: String,
        issuedDate: Date, expirationDate: Date?, relevantDate: Date, recordTypes: [String], itemNames: [String],
        subject: HKVerifiableClinicalRecordSubject
    ) {
        self.init(
            .document(Self.type, start: relevantDate, end: relevantDate, device: nil, metadata: nil),
            fields: Fields(
                representation: [UInt8](dataRepresentation), sourceType: sourceType.rawValue,
                issuer: issuerIdentifier, issued: issuedDate, expiration: expirationDate, relevant: relevantDate,
                recordTypes: recordTypes, itemNames: itemNames, subject: subject.fields))
    }

    /// The types of the record: values of ``HKVerifiableClinicalRecordCredentialType`` and others.
    open var recordTypes: [String] { fields.recordTypes }

    /// The identifier of the issuer.
    open var issuerIdentifier: String { fields.issuer ?? "" }

    /// The person whom the record is about.
    open var subject: HKVerifiableClinicalRecordSubject { HKVerifiableClinicalRecordSubject(fields.subject) }

    /// The date of issue.
    open var issuedDate: Date { fields.issued ?? startDate }

    /// The date of the most recent item; the date of issue if the record does not state one.
    open var relevantDate: Date { fields.relevant ?? startDate }

    /// The date when the record expires; `nil` if it does not.
    open var expirationDate: Date? { fields.expiration }

    /// The names of the vaccines or tests.
    open var itemNames: [String] { fields.itemNames }

    /// The kind of signed record.
    open var sourceType: HKVerifiableClinicalRecordSourceType? {
        fields.sourceType.map { HKVerifiableClinicalRecordSourceType(rawValue: $0) }
    }

    /// The record as it was issued: a compact JWS, or the text of a certificate's code.
    open var dataRepresentation: Data { Data(fields.representation ?? []) }

    /// The older name of ``dataRepresentation``, from when records were compact JWS only.
    open var jwsRepresentation: Data { dataRepresentation }

    /// The record in an archive; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder) else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

/// The person whom a verifiable record is about.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKVerifiableClinicalRecordSubject: _ValueObject, @unchecked Sendable {
    /// The stored values, as archives contain them.
    struct Fields: Hashable, Sendable, Codable {
        var fullName: String
        var birthYear: Int?
        var birthMonth: Int?
        var birthDay: Int?
    }

    final let fields: Fields

    init(_ fields: Fields) {
        self.fields = fields
    }

    /// - Parameter birth: The year, month and day, as far as they are known.
    package convenience init(fullName: String, birth: DateComponents?) {
        self.init(Fields(fullName: fullName, birthYear: birth?.year, birthMonth: birth?.month, birthDay: birth?.day))
    }

    /// The full name.
    open var fullName: String { fields.fullName }

    /// The date of birth, as far as the record states it.
    open var dateOfBirthComponents: DateComponents? {
        guard let year = fields.birthYear else { return nil }
        return DateComponents(
            calendar: Calendar(identifier: .gregorian), year: year, month: fields.birthMonth, day: fields.birthDay)
    }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    override var archivedRecord: any Codable & Hashable { fields }
}
