public import Foundation
import HealthEngine
import HealthModel

/// A document in Clinical Document Architecture, such as the summary of a hospital stay.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
    /// The names of the stored document's fields.
    enum Field {
        static let data = "documentData"
        static let title = "title"
        static let patientName = "patientName"
        static let authorName = "authorName"
        static let custodianName = "custodianName"
    }

    final let stored: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        stored = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// A document with its bytes.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for bytes that are no clinical document, with what is wrong
    ///   under ``HKDetailedCDAValidationErrorKey``; for a start after the end and metadata that is not allowed.
    public convenience init(
        data documentData: Data, start startDate: Date, end endDate: Date, metadata: [String: Any]?
    ) throws {
        let type = HKDocumentType(.CDA)
        let document = try Self.document([UInt8](documentData))
        do {
            let record = ObjectRecord(
                uuid: UUID(), type: type.code, start: startDate.timeIntervalSinceReferenceDate,
                end: endDate.timeIntervalSinceReferenceDate, metadata: try Metadata(metadata),
                body: .document(document))
            try RecordValidation.validate(record, description: type.typeDescription)
            self.init(
                identity: record.uuid ?? UUID(), context: ObjectContext(type: type, metadata: record.metadata),
                start: record.start, end: record.end, document: document)
        } catch {
            throw HKError.make(error)
        }
    }

    /// What is stored of a document: its bytes and what its header says.
    static func document(_ bytes: [UInt8]) throws -> DocumentBody {
        let header: CDAHeader
        do {
            header = try CDAHeader(parsing: bytes)
        } catch {
            throw HKError(
                .errorInvalidArgument,
                userInfo: [
                    NSLocalizedDescriptionKey: "The data is not a valid CDA document.",
                    HKDetailedCDAValidationErrorKey: error.description,
                ])
        }
        return DocumentBody(fields: [
            Field.data: .data(bytes), Field.title: .string(header.title),
            Field.patientName: .string(header.patientName), Field.authorName: .string(header.authorName),
            Field.custodianName: .string(header.custodianName),
        ])
    }

    /// The document.
    public var document: HKCDADocument? {
        HKCDADocument(
            CDAHeader(
                title: stored.text(Field.title) ?? "", patientName: stored.text(Field.patientName) ?? "",
                authorName: stored.text(Field.authorName) ?? "",
                custodianName: stored.text(Field.custodianName) ?? ""),
            data: stored.bytes(Field.data).map { Data($0) })
    }

    /// The same sample without the document's bytes.
    var withoutData: HKCDADocumentSample {
        var bare = stored
        bare[Field.data] = nil
        return HKCDADocumentSample(identity: identity, context: context, start: start, end: end, document: bare)
    }

    /// The sample in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type is HKDocumentType,
            item.document.text(Field.title) != nil
        else { return nil }
        stored = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }
}
