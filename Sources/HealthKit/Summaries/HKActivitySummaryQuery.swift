public import Foundation
import Synchronization

/// Asks for the activity summaries of some days, and goes on telling of changes when it has an update
/// handler.
// Unchecked: the update handler is in a Mutex, all else is constant.
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
    private typealias Handler = @Sendable (
        HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?
    ) -> Void

    private let resultsHandler: Handler
    private let update = Mutex<Handler?>(nil)

    /// Asks for the days a predicate selects (``HKQuery/predicateForActivitySummary(with:)`` and its
    /// kin), or for all. The handler is called once: with the summaries of days that have data, in order
    /// of time, or `nil` and an error.
    @preconcurrency
    public init(
        predicate: NSPredicate?,
        resultsHandler handler: @escaping @Sendable (
            HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?
        ) -> Void
    ) {
        resultsHandler = handler
        super.init(objectType: HKObjectType.activitySummaryType(), predicate: predicate)
    }

    /// Keeps the query running, and is called with all its summaries when one has changed. Set it before
    /// the query is executed.
    @preconcurrency
    public var updateHandler:
        (@Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void)?
    {
        get { update.withLock { $0 } }
        set {
            requireUnexecuted("updateHandler")
            update.withLock { $0 = newValue }
        }
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: .activitySummaryType(), predicate: predicate)
        let update = update.withLock { $0 }
        let known = Latest<[HKActivitySummary]>()
        var work = QueryWork(
            start: { run in
                let summaries = try run.connection.reader().activitySummaries(part)
                known.set(summaries)
                run.deliver { self.resultsHandler(self, summaries, nil) }
            },
            fail: { error in
                let handler = known.value == nil ? self.resultsHandler : update
                handler?(self, nil, HKError.make(error))
            })
        if let update {
            work.update = { run, digest in
                let reader = try run.connection.reader()
                guard try reader.touchesSummaries(digest) else { return }
                let summaries = try reader.activitySummaries(part)
                guard summaries != known.value else { return }
                known.set(summaries)
                run.deliver { update(self, summaries, nil) }
            }
        }
        return work
    }
}
