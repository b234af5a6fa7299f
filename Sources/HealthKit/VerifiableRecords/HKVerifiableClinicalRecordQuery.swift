public import Foundation

/// Asks once for verifiable records. The person decides, the first time, whether the application may have them.
// Unchecked: every stored property is constant.
public class HKVerifiableClinicalRecordQuery: HKQuery, @unchecked Sendable {
    /// What kinds a record must be of, all of them.
    public let recordTypes: [String]
    /// Of what sources records are wanted.
    public let sourceTypes: [HKVerifiableClinicalRecordSourceType]

    private let resultsHandler:
        @Sendable (HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?) -> Void

    /// Asks for SMART Health Cards. The handler is called exactly once.
    @preconcurrency
    public convenience init(
        recordTypes: [String], predicate: NSPredicate?,
        resultsHandler: @escaping @Sendable (
            HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
        ) -> Void
    ) {
        self.init(
            recordTypes: recordTypes, sourceTypes: [.smartHealthCard], predicate: predicate,
            resultsHandler: resultsHandler)
    }

    /// Asks for records of some sources. The handler is called exactly once.
    @preconcurrency
    public init(
        recordTypes: [String], sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate?,
        resultsHandler: @escaping @Sendable (
            HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
        ) -> Void
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.resultsHandler = resultsHandler
        super.init(objectType: HKVerifiableClinicalRecord.type, predicate: predicate)
    }

    override func makeWork() throws -> QueryWork {
        let reading = try VerifiableRecordReading(
            recordTypes: recordTypes, sourceTypes: sourceTypes, predicate: predicate)
        return QueryWork(
            start: { run in
                let records = try reading.records(run.connection)
                run.deliver { self.resultsHandler(self, records, nil) }
            },
            fail: { self.resultsHandler(self, nil, HKError.make($0)) })
    }
}
