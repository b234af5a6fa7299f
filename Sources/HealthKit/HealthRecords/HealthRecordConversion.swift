import Foundation
import HealthEngine
import HealthModel

// MARK: - Clinical records

extension HKClinicalRecord {
    /// The names of the document's fields that predicates use.
    enum Field {
        static let resourceType = ClinicalRecordDocument.resourceType
        static let identifier = ClinicalRecordDocument.identifier
    }
}

extension HKClinicalRecord.Fields: DocumentFields {
    typealias SampleType = HKClinicalType
    private typealias Field = ClinicalRecordDocument

    init(_ document: DocumentBody) {
        self.init(
            displayName: document.text(Field.displayName), version: document.text(Field.version),
            resourceType: document.text(Field.resourceType), identifier: document.text(Field.identifier),
            data: document.bytes(Field.data), sourceURL: document.text(Field.sourceURL))
    }

    var document: DocumentBody {
        DocumentBody(present: [
            Field.displayName: .text(displayName), Field.version: .text(version),
            Field.resourceType: .text(resourceType), Field.identifier: .text(identifier), Field.data: .bytes(data),
            Field.sourceURL: .text(sourceURL),
        ])
    }

    static func isComplete(_ document: DocumentBody) -> Bool { document.text(Field.displayName) != nil }
}

// MARK: - Clinical documents

extension HKCDADocumentSample {
    /// The names of the stored document's fields.
    enum Field {
        static let data = "documentData"
        static let title = "title"
        static let patientName = "patientName"
        static let authorName = "authorName"
        static let custodianName = "custodianName"
    }
}

extension HKCDADocumentSample.Fields: DocumentFields {
    typealias SampleType = HKDocumentType
    private typealias Field = HKCDADocumentSample.Field

    init(_ document: DocumentBody) {
        self.init(
            data: document.bytes(Field.data), title: document.text(Field.title),
            patientName: document.text(Field.patientName), authorName: document.text(Field.authorName),
            custodianName: document.text(Field.custodianName))
    }

    var document: DocumentBody {
        DocumentBody(present: [
            Field.data: .bytes(data), Field.title: .text(title), Field.patientName: .text(patientName),
            Field.authorName: .text(authorName), Field.custodianName: .text(custodianName),
        ])
    }

    static func isComplete(_ document: DocumentBody) -> Bool { document.text(Field.title) != nil }
}

extension SampleBase {
    /// The base of a new sample without a device, with its own identity.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a start after the end and metadata that is not allowed.
    static func validated(
        new type: HKSampleType, start: Date, end: Date, metadata: [String: Any]?
    ) throws -> SampleBase {
        let identity = UUID()
        do {
            let record = ObjectRecord(
                uuid: identity, type: type.code, start: start.timeIntervalSinceReferenceDate,
                end: end.timeIntervalSinceReferenceDate, metadata: try MetadataDictionary.record(of: metadata))
            try RecordValidation.validate(record, description: type.typeDescription)
            return SampleBase(
                identity: identity, context: ObjectContext(type: type, metadata: record.metadata),
                start: record.start, end: record.end)
        } catch {
            throw HKError.make(error)
        }
    }
}

// MARK: - Verifiable records

extension HKVerifiableClinicalRecord {
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
}

extension HKVerifiableClinicalRecord.Fields: DocumentFields {
    typealias SampleType = VerifiableRecordType
    private typealias Field = HKVerifiableClinicalRecord.Field

    init(_ document: DocumentBody) {
        self.init(
            representation: document.bytes(Field.jws), sourceType: document.text(Field.sourceType),
            issuer: document.text(Field.issuer), issued: document.instant(Field.issued),
            expiration: document.instant(Field.expiration), relevant: document.instant(Field.relevant),
            recordTypes: document.texts(Field.recordTypes), itemNames: document.texts(Field.itemNames),
            subject: HKVerifiableClinicalRecordSubject.Fields(document[Field.subject]))
    }

    var document: DocumentBody {
        DocumentBody(present: [
            Field.jws: .bytes(representation), Field.sourceType: .text(sourceType), Field.issuer: .text(issuer),
            Field.issued: .date(issued), Field.expiration: .date(expiration), Field.relevant: .date(relevant),
            Field.recordTypes: .list(recordTypes.map { .string($0) }),
            Field.itemNames: .list(itemNames.map { .string($0) }), Field.subject: subject.fieldValue,
        ])
    }

    static func isComplete(_ document: DocumentBody) -> Bool { document.bytes(Field.jws) != nil }
}

extension HKVerifiableClinicalRecordSubject.Fields {
    /// The person in a stored record; without a name if it is missing.
    init(_ fieldValue: FieldValue?) {
        self.init(
            fullName: fieldValue?["fullName"]?.text ?? "", birthYear: fieldValue?["birthYear"]?.wholeNumber,
            birthMonth: fieldValue?["birthMonth"]?.wholeNumber, birthDay: fieldValue?["birthDay"]?.wholeNumber)
    }

    var fieldValue: FieldValue {
        .record(present: [
            "fullName": .string(fullName), "birthYear": .wholeNumber(birthYear), "birthMonth": .wholeNumber(birthMonth),
            "birthDay": .wholeNumber(birthDay),
        ])
    }
}

extension HKClinicalType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        HKClinicalRecord.stored(base, record)
    }
}

extension VerifiableRecordType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        HKVerifiableClinicalRecord.stored(base, record)
    }
}

extension HKDocumentType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        HKCDADocumentSample.stored(base, record)
    }
}
