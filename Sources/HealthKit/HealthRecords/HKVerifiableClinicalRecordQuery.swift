public import Foundation
import HealthModel

/// A query that reads verifiable records once. The person decides, the first time, whether the application may
/// read them.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKVerifiableClinicalRecordQuery: HKQuery, @unchecked Sendable {
    /// The types that a record must have, all of them.
    open var recordTypes: [String] { storedRecordTypes }
    /// The sources of the records to read.
    open var sourceTypes: [HKVerifiableClinicalRecordSourceType] { storedSourceTypes }

    private let storedRecordTypes: [String]
    private let storedSourceTypes: [HKVerifiableClinicalRecordSourceType]

    private let resultsHandler:
        @Sendable (HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?) -> Void

    /// Creates a query for SMART Health Cards. The handler is called exactly once.
    @preconcurrency
    public init(
        recordTypes: [String], predicate: NSPredicate?,
        resultsHandler:
            @escaping @Sendable (
                HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
            ) -> Void
    ) {
        storedRecordTypes = recordTypes
        storedSourceTypes = [.smartHealthCard]
        self.resultsHandler = resultsHandler
        super.init(objectType: HKVerifiableClinicalRecord.type, predicate: predicate)
    }

    /// Creates a query for records of some sources. The handler is called exactly once.
    @preconcurrency
    public init(
        recordTypes: [String], sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate?,
        resultsHandler:
            @escaping @Sendable (
                HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
            ) -> Void
    ) {
        storedRecordTypes = recordTypes
        storedSourceTypes = sourceTypes
        self.resultsHandler = resultsHandler
        super.init(objectType: HKVerifiableClinicalRecord.type, predicate: predicate)
    }

    override func makeWork() throws -> QueryWork {
        let request = try VerifiableRecordRequest(
            recordTypes: recordTypes, sourceTypes: sourceTypes, predicate: predicate)
        return QueryWork(
            start: { run in
                let records = try request.records(run.connection)
                run.deliver { self.resultsHandler(self, records, nil) }
            },
            fail: { self.resultsHandler(self, nil, HKError.make($0)) })
    }
}

/// An asynchronous query for verifiable records.
// Unchecked: predicates are immutable, which Foundation does not declare.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    public typealias Output = [HKVerifiableClinicalRecord]

    /// The types that a record must have, all of them.
    public var recordTypes: [HKVerifiableClinicalRecordCredentialType]
    /// The sources of the records to read.
    public var sourceTypes: [HKVerifiableClinicalRecordSourceType]
    /// The predicate that records match; `nil` for all records.
    public var predicate: NSPredicate?

    /// Creates a query for records of all these types and one of these sources.
    public init(
        recordTypes: [HKVerifiableClinicalRecordCredentialType], sourceTypes: [HKVerifiableClinicalRecordSourceType],
        predicate: NSPredicate? = nil
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.predicate = predicate
    }

    /// The matching records; empty if the person refuses.
    public func result(for healthStore: HKHealthStore) async throws -> [HKVerifiableClinicalRecord] {
        let request = QueryValidation.checked {
            try VerifiableRecordRequest(
                recordTypes: recordTypes.map(\.rawValue), sourceTypes: sourceTypes, predicate: predicate)
        }
        let connection = healthStore.connection
        return try await connection.perform(StoreWork(.asking) { try request.records(connection) })
    }
}

/// A request for verifiable records.
struct VerifiableRecordRequest: Sendable {
    private let part: QueryPart

    /// Creates a request for records of all the types and one of the sources.
    ///
    /// - Throws: for a predicate that does not fit the type.
    init(
        recordTypes: [String], sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate?
    ) throws {
        let given = try QueryPart(type: HKVerifiableClinicalRecord.type, predicate: predicate)
        let types = recordTypes.map {
            SampleFilter.fieldContains(HKVerifiableClinicalRecord.Field.recordTypes, .string($0))
        }
        let sources = sourceTypes.map {
            SampleFilter.field(HKVerifiableClinicalRecord.Field.sourceType, .equal, .string($0.rawValue))
        }
        part = QueryPart(
            identifier: given.identifier, filter: .and(types + [.or(sources), given.filter]), residual: given.residual)
    }

    /// Reads the records. The person is asked first, once: applications cannot request authorization for the type.
    func records(_ connection: StoreConnection) throws -> [HKVerifiableClinicalRecord] {
        try AuthorizationResolver(connection: connection).decide(share: [], read: [HKVerifiableClinicalRecord.type])
        return try connection.reader().samples([part]).compactMap { $0 as? HKVerifiableClinicalRecord }
    }
}

// MARK: - Predicates

extension HKQuery {
    /// Matches verifiable records whose relevant date is in an interval, including its ends.
    public class func predicateForVerifiableClinicalRecords(
        withRelevantDateWithin dateInterval: DateInterval
    ) -> NSPredicate {
        let field = HKVerifiableClinicalRecord.Field.relevant
        return predicate(
            .and([
                .field(field, .greaterThanOrEqual, .date(dateInterval.start.timeIntervalSinceReferenceDate)),
                .field(field, .lessThanOrEqual, .date(dateInterval.end.timeIntervalSinceReferenceDate)),
            ]),
            printed: "relevantDate BETWEEN interval")
    }
}
