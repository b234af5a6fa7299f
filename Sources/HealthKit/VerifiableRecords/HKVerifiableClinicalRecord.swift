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
        var subject: [String: FieldValue] = ["fullName": .string(card.bundle.fullName)]
        subject["birthYear"] = card.bundle.birth?.year.map { .integer(Int64($0)) }
        subject["birthMonth"] = card.bundle.birth?.month.map { .integer(Int64($0)) }
        subject["birthDay"] = card.bundle.birth?.day.map { .integer(Int64($0)) }
        var fields: [String: FieldValue] = [
            Field.jws: .data(Array(card.jws.utf8)),
            Field.sourceType: .string(HKVerifiableClinicalRecordSourceType.smartHealthCard.rawValue),
            Field.issuer: .string(card.issuer), Field.issued: .date(card.issued.timeIntervalSinceReferenceDate),
            Field.relevant: .date(relevant.timeIntervalSinceReferenceDate),
            Field.recordTypes: .list(card.types.map { .string($0) }),
            Field.itemNames: .list(card.bundle.itemNames.map { .string($0) }), Field.subject: .record(subject),
        ]
        fields[Field.expiration] = card.expiration.map { .date($0.timeIntervalSinceReferenceDate) }
        self.init(
            new: Self.type, start: relevant, end: relevant, device: nil, metadata: nil,
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

    /// The record as it was issued: a compact JWS.
    public var dataRepresentation: Data { Data(document.bytes(Field.jws) ?? []) }

    /// The record as a compact JWS. The older name of ``dataRepresentation``.
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
