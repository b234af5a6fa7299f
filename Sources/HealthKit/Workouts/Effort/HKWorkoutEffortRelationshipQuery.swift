public import Foundation

/// Asks which effort samples rate which workouts, and goes on telling until it is stopped.
///
/// The handler is called once at first, also when there is nothing yet, and after each change with the
/// relationships that changed since. A relationship whose last sample was taken away is told without
/// samples.
// Unchecked: every stored property is constant.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
    private typealias Handler = @Sendable (
        HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?, (any Error)?
    ) -> Void

    private let anchor: HKQueryAnchor?
    private let options: HKWorkoutEffortRelationshipQueryOptions
    private let resultsHandler: Handler

    /// A query over the workouts that satisfy a predicate. A predicate of effort samples that are related
    /// to a workout asks for that workout. `anchor` `nil` is the beginning.
    @preconcurrency
    public init(
        predicate: NSPredicate?, anchor: HKQueryAnchor?, options: HKWorkoutEffortRelationshipQueryOptions,
        resultsHandler: @escaping @Sendable (
            HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?, (any Error)?
        ) -> Void
    ) {
        self.anchor = anchor
        self.options = options
        self.resultsHandler = resultsHandler
        super.init(objectType: HKObjectType.workoutType(), predicate: predicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: .workoutType(), predicate: predicate)
        let seen = Latest<HKQueryAnchor>()
        return QueryWork(
            start: { run in
                let changes = try run.connection.reader().efforts(part, after: self.anchor, options: self.options)
                seen.set(changes.anchor)
                run.deliver { self.resultsHandler(self, changes.relationships, changes.anchor, nil) }
            },
            update: { run, _ in
                let changes = try run.connection.reader().efforts(part, after: seen.value, options: self.options)
                seen.set(changes.anchor)
                guard !changes.relationships.isEmpty else { return }
                run.deliver { self.resultsHandler(self, changes.relationships, changes.anchor, nil) }
            },
            fail: { self.resultsHandler(self, nil, nil, HKError.make($0)) })
    }
}
