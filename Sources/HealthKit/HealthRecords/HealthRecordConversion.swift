import Foundation
import HealthEngine
import HealthModel

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

extension VerifiableRecordType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        HKVerifiableClinicalRecord.stored(base, record)
    }
}
