public import Foundation

/// Asks once for the person's medications.
///
/// The results handler is called once for each medication, then a last time without one and with `true`.
/// With an error it is called once.
// Unchecked: every stored property is constant.
public class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    private let limit: Int
    private let resultsHandler:
        @Sendable (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

    /// At most `limit` medications; ``HKObjectQueryNoLimit`` for all.
    @preconcurrency
    public init(
        predicate: NSPredicate?, limit: Int,
        resultsHandler: @escaping @Sendable (
            HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
        ) -> Void
    ) {
        self.limit = limit
        self.resultsHandler = resultsHandler
        super.init(objectType: .userAnnotatedMedicationType(), predicate: predicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: .userAnnotatedMedicationType(), predicate: predicate)
        return QueryWork(
            start: { run in
                for medication in try run.connection.reader().medications(part, limit: self.limit) {
                    run.deliver { self.resultsHandler(self, medication, false, nil) }
                }
                run.deliver { self.resultsHandler(self, nil, true, nil) }
            },
            fail: { self.resultsHandler(self, nil, true, HKError.make($0)) })
    }
}
