public import Foundation

/// A document of a person's health records.
// Unchecked: adds no stored property to its superclass.
open class HKDocumentSample: HKSample, @unchecked Sendable {
    /// The type of the document.
    open var documentType: HKDocumentType {
        // Samples of this class have document types only.
        unsafeDowncast(context.type, to: HKDocumentType.self)
    }
}

/// A document in Clinical Document Architecture, such as the summary of a hospital stay.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKCDADocumentSample: HKDocumentSample, DocumentSample, @unchecked Sendable {
    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKCDADocumentSample(base, fields: fields) }

    /// Creates a sample of a document's bytes.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for bytes that are not a clinical document, with the details
    ///   under ``HKDetailedCDAValidationErrorKey``; for a start after the end and metadata that is not allowed.
    public convenience init(
        data documentData: Data, start startDate: Date, end endDate: Date, metadata: [String: Any]?
    ) throws {
        let fields = try Fields(parsing: [UInt8](documentData))
        self.init(
            try SampleBase.validated(new: HKDocumentType(.CDA), start: startDate, end: endDate, metadata: metadata),
            fields: fields)
    }

    /// The document.
    open var document: HKCDADocument? {
        HKCDADocument(
            CDAHeader(
                title: fields.title ?? "", patientName: fields.patientName ?? "", authorName: fields.authorName ?? "",
                custodianName: fields.custodianName ?? ""), data: fields.data.map { Data($0) })
    }

    /// The same sample without the document's bytes.
    var withoutData: HKCDADocumentSample {
        var fields = fields
        fields.data = nil
        return HKCDADocumentSample(
            SampleBase(identity: identity, context: context, start: start, end: end), fields: fields)
    }

    /// The sample in an archive; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder) else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

extension HKCDADocumentSample.Fields {
    /// Reads the header of a document.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for bytes that are not a clinical document.
    init(parsing bytes: [UInt8]) throws {
        do {
            let header = try CDAHeader(parsing: bytes)
            self.init(
                data: bytes, title: header.title, patientName: header.patientName,
                authorName: header.authorName, custodianName: header.custodianName)
        } catch {
            throw HKError(
                .errorInvalidArgument,
                userInfo: [
                    NSLocalizedDescriptionKey: "The data is not a valid CDA document.",
                    HKDetailedCDAValidationErrorKey: error.description,
                ])
        }
    }
}

/// A query that reads documents once, with or without their bytes.
///
/// The results handler is called once for each group of documents, the last time with `true`; here all documents
/// are in one group. With an error it is called once with `nil`.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKDocumentQuery: HKQuery, @unchecked Sendable {
    /// The maximum number of documents, counted after sorting; ``HKObjectQueryNoLimit`` for all.
    open var limit: Int { storedLimit }
    /// The order of the results; `nil` for any order.
    open var sortDescriptors: [NSSortDescriptor]? { storedSortDescriptors }
    /// A Boolean value that indicates whether the documents include their bytes.
    open var includeDocumentData: Bool { storedIncludeDocumentData }

    private let storedLimit: Int
    private let storedSortDescriptors: [NSSortDescriptor]?
    private let storedIncludeDocumentData: Bool

    private let documentType: HKDocumentType
    private let resultsHandler: @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void

    /// Creates a query. Its handler runs on an anonymous background queue.
    @preconcurrency
    public init(
        documentType: HKDocumentType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
        includeDocumentData: Bool,
        resultsHandler: @escaping @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
    ) {
        self.documentType = documentType
        storedLimit = limit
        storedSortDescriptors = sortDescriptors
        storedIncludeDocumentData = includeDocumentData
        self.resultsHandler = resultsHandler
        super.init(objectType: documentType, predicate: predicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: documentType, predicate: predicate)
        let sort = try SortTranslation.translate(sortDescriptors ?? [])
        return QueryWork(
            start: { run in
                let found = try run.connection.reader().samples([part], sort: sort, limit: self.limit)
                    .compactMap { $0 as? HKDocumentSample }
                let samples =
                    self.includeDocumentData ? found : found.map { ($0 as? HKCDADocumentSample)?.withoutData ?? $0 }
                run.deliver { self.resultsHandler(self, samples, true, nil) }
            },
            fail: { self.resultsHandler(self, nil, true, HKError.make($0)) })
    }
}
