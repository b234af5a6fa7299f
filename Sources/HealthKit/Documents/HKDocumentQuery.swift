public import Foundation

/// Asks once for documents, with or without their bytes.
///
/// The results handler is called once for each group of documents, the last time with `true`; here all come
/// in one call. With an error it is called once with `nil`.
// Unchecked: every stored property is constant.
public class HKDocumentQuery: HKQuery, @unchecked Sendable {
    /// How many documents at most, counted after sorting; ``HKObjectQueryNoLimit`` for all.
    public let limit: Int
    /// The order of the results; `nil` leaves it open.
    public let sortDescriptors: [NSSortDescriptor]?
    /// Whether the documents come with their bytes.
    public let includeDocumentData: Bool

    private let documentType: HKDocumentType
    private let resultsHandler: @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void

    /// Makes a query; its handler runs on an anonymous background queue.
    @preconcurrency
    public init(
        documentType: HKDocumentType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
        includeDocumentData: Bool,
        resultsHandler: @escaping @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
    ) {
        self.documentType = documentType
        self.limit = limit
        self.sortDescriptors = sortDescriptors
        self.includeDocumentData = includeDocumentData
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
                let samples = self.includeDocumentData
                    ? found : found.map { ($0 as? HKCDADocumentSample)?.withoutData ?? $0 }
                run.deliver { self.resultsHandler(self, samples, true, nil) }
            },
            fail: { self.resultsHandler(self, nil, true, HKError.make($0)) })
    }
}
