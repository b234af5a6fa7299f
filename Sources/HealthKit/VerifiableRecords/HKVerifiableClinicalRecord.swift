public import Foundation
import HealthModel

/// A health record signed by who issued it: a SMART Health Card. EU digital certificates are not read here.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKVerifiableClinicalRecord: HKSample, DocumentBacked, @unchecked Sendable {
    /// The names of the document's fields.
    enum Field {
        static let jws = "jws"
        static let sourceType = "sourceType"
        static let issuer = "issuer"
        static let issued = "issuedDate"
        static let expiration = "expirationDate"
        static let relevant = "relevantDate"
        static let recordTypes = "recordTypes"
        static let itemNames = "itemNames"
        static let subject = "subject"
    }

    /// The type of all verifiable records; applications have no name for it.
    static let type: HKSampleType = HKObjectType.required(VerifiableRecordType.identifier)

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// The record of a SMART Health Card, which may be given as a compact JWS or as the text of its code
    /// (`shc:/…`), and which must be signed with one of an issuer's keys.
    ///
    /// - Parameter keys: the issuer's JWK set, in JSON; `nil` takes the card unchecked.
    /// - Throws: ``HKError/errorInvalidArgument`` for a card that cannot be read or trusted.
    package convenience init(smartHealthCard text: String, keys: Data?) throws {
        let card: SMARTHealthCard
        do {
            card = try SMARTHealthCard(text)
            if let keys { try card.verify(with: JSONWebKeys(keys)) }
        } catch {
            throw HKError.make(.errorInvalidArgument, "\(error)")
        }
        let relevant = card.bundle.relevantDate ?? card.issued
        let birth = [card.bundle.birth?.year, card.bundle.birth?.month, card.bundle.birth?.day]
        self.init(
            Issued(
                representation: card.jws, sourceType: .smartHealthCard, issuer: card.issuer, issued: card.issued,
                expiration: card.expiration, relevant: relevant, types: card.types, itemNames: card.bundle.itemNames,
                fullName: card.bundle.fullName, birth: birth.prefix { $0 != nil }.compactMap { $0 }))
    }

    /// The record of an EU Digital COVID Certificate, given as the text of its code (`HC1:…`), which must be
    /// signed with one of an issuer's keys.
    ///
    /// - Parameter keys: the issuers' keys as a JWK set, in JSON, each under its identifier in base64; `nil`
    ///   takes the certificate unchecked.
    /// - Throws: ``HKError/errorInvalidArgument`` for a certificate that cannot be read or trusted.
    package convenience init(euDigitalCOVIDCertificate text: String, keys: Data?) throws {
        let certificate: EUDigitalCOVIDCertificate
        do {
            certificate = try EUDigitalCOVIDCertificate(text)
            if let keys { try certificate.verify(with: JSONWebKeys(keys)) }
        } catch {
            throw HKError.make(.errorInvalidArgument, "\(error)")
        }
        self.init(
            Issued(
                representation: certificate.text, sourceType: .euDigitalCOVIDCertificate, issuer: certificate.issuer,
                issued: certificate.issued, expiration: certificate.expiration,
                relevant: certificate.relevantDate ?? certificate.issued, types: certificate.types,
                itemNames: certificate.itemNames, fullName: certificate.fullName, birth: certificate.birth))
    }

    /// What a record was issued with.
    private struct Issued {
        var representation: String
        var sourceType: HKVerifiableClinicalRecordSourceType
        var issuer: String
        var issued: Date
        var expiration: Date?
        var relevant: Date
        var types: [String]
        var itemNames: [String]
        var fullName: String
        /// Year, month and day, as far as given.
        var birth: [Int]
    }

    private convenience init(_ issued: Issued) {
        var subject: [String: FieldValue] = ["fullName": .string(issued.fullName)]
        for (name, number) in zip(["birthYear", "birthMonth", "birthDay"], issued.birth) {
            subject[name] = .integer(Int64(number))
        }
        var fields: [String: FieldValue] = [
            Field.jws: .data(Array(issued.representation.utf8)),
            Field.sourceType: .string(issued.sourceType.rawValue),
            Field.issuer: .string(issued.issuer), Field.issued: .date(issued.issued.timeIntervalSinceReferenceDate),
            Field.relevant: .date(issued.relevant.timeIntervalSinceReferenceDate),
            Field.recordTypes: .list(issued.types.map { .string($0) }),
            Field.itemNames: .list(issued.itemNames.map { .string($0) }), Field.subject: .record(subject),
        ]
        fields[Field.expiration] = issued.expiration.map { .date($0.timeIntervalSinceReferenceDate) }
        self.init(
            new: Self.type, start: issued.relevant, end: issued.relevant, device: nil, metadata: nil,
            document: DocumentBody(fields: fields))
    }

    /// What kinds of record it is, as the card says: an ``HKVerifiableClinicalRecordCredentialType`` and others.
    public var recordTypes: [String] { texts(Field.recordTypes) }

    /// Who issued it, as a URL.
    public var issuerIdentifier: String { document.text(Field.issuer) ?? "" }

    /// Whom it is about.
    public var subject: HKVerifiableClinicalRecordSubject {
        let fields = document.record(Field.subject) ?? [:]
        return HKVerifiableClinicalRecordSubject(
            VerifiableSubjectRecord(
                fullName: fields["fullName"]?.text ?? "", birthYear: fields["birthYear"]?.wholeNumber,
                birthMonth: fields["birthMonth"]?.wholeNumber, birthDay: fields["birthDay"]?.wholeNumber))
    }

    /// When it was issued.
    public var issuedDate: Date { document.instant(Field.issued) ?? startDate }

    /// When the last of what it says happened; when it was issued, where it does not say.
    public var relevantDate: Date { document.instant(Field.relevant) ?? startDate }

    /// When it ceases to be valid; `nil` for never.
    public var expirationDate: Date? { document.instant(Field.expiration) }

    /// Names of the vaccines or tests.
    public var itemNames: [String] { texts(Field.itemNames) }

    /// What kind of signed record it is.
    public var sourceType: HKVerifiableClinicalRecordSourceType? {
        document.text(Field.sourceType).map { HKVerifiableClinicalRecordSourceType(rawValue: $0) }
    }

    /// The record as it was issued: a compact JWS, or the text of a certificate's code.
    public var dataRepresentation: Data { Data(document.bytes(Field.jws) ?? []) }

    /// The older name of ``dataRepresentation``, from when there were only compact JWS.
    public var jwsRepresentation: Data { dataRepresentation }

    private func texts(_ name: String) -> [String] { (document[name]?.elements ?? []).compactMap(\.text) }

    /// The record in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type == Self.type,
            item.document.bytes(Field.jws) != nil
        else { return nil }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }
}
