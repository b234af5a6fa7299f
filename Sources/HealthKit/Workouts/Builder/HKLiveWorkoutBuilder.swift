import Dispatch
public import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// A workout builder that belongs to a session: it takes the session's events, and collects samples that
/// any program saves to the store during the session.
///
/// It comes from ``HKWorkoutSession/associatedWorkoutBuilder()``. Where an iPhone or a watch measures,
/// here the samples of other programs, or of this one, are what is collected.
// Unchecked: what changes is in Mutexes; the compiler checks only final classes.
open class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
    private struct Live {
        weak var session: HKWorkoutSession?
        var delegate = WeakDelegate()
        var dataSource: HKLiveWorkoutDataSource?
        var collectsEvents = true
        var collection: LiveCollection?
        var observation: CommitObservation?
    }

    private let live = Mutex(Live())
    /// The delegate's queue, which is the session's too, so that their calls keep one order.
    private let queue: DispatchQueue

    init(
        _ connection: StoreConnection, state: WorkoutBuilderState, session: HKWorkoutSession,
        queue: DispatchQueue
    ) {
        self.queue = queue
        super.init(connection, state: state, device: .local())
        live.withLock { $0.session = session }
    }

    // MARK: Settings

    /// Hears what is collected, on an anonymous serial background queue. Not kept.
    public var delegate: (any HKLiveWorkoutBuilderDelegate)? {
        get { live.withLock { $0.delegate }.object as? any HKLiveWorkoutBuilderDelegate }
        set {
            let box = WeakDelegate(object: newValue)
            live.withLock { $0.delegate = box }
        }
    }

    /// What is collected; `nil` collects nothing.
    public var dataSource: HKLiveWorkoutDataSource? {
        get { live.withLock { $0.dataSource } }
        set { live.withLock { $0.dataSource = newValue } }
    }

    /// Whether the session's events are added by themselves: yes at first. Set it before collection begins.
    public var shouldCollectWorkoutEvents: Bool {
        get { live.withLock { $0.collectsEvents } }
        set { live.withLock { $0.collectsEvents = newValue } }
    }

    /// The session the builder came from, while somebody keeps it.
    public var workoutSession: HKWorkoutSession? { live.withLock { $0.session } }

    /// Seconds of collection until now, pauses left out.
    public var elapsedTime: TimeInterval { elapsedTime(at: connection.clock.now()) }

    /// The activity that runs: the one begun last, else the session's own. `nil` before collection.
    public var currentWorkoutActivity: HKWorkoutActivity? {
        guard state.withLock({ $0.phase }) == .collecting else { return nil }
        return workoutActivities.last { $0.endDate == nil } ?? workoutSession?.currentActivity
    }

    // MARK: Collection

    override func didBegin(_ engine: HealthEngine) throws {
        begin(LiveCollection(beginning: try engine.lastSequence()), in: engine)
    }

    /// Goes on where a builder that crashed began.
    func recover(_ collection: LiveCollection, in engine: HealthEngine) {
        begin(collection, in: engine)
        collect(in: engine)
    }

    /// Where collection began in the store's sequence.
    var beginning: Int64? { live.withLock { $0.collection?.beginning } }

    private func begin(_ collection: LiveCollection, in engine: HealthEngine) {
        let queue = queue
        let observation = engine.observeCommits { [weak self, weak engine] commit in
            guard !commit.types.isEmpty else { return }
            guard let self, let engine else { return }
            queue.async { self.collect(in: engine) }
        }
        live.withLock { live in
            live.collection = collection
            live.observation = observation
        }
    }

    override func willEnd(_ engine: HealthEngine) {
        collect(in: engine)
    }

    override func didEnd(at instant: Double) {
        // What was collected beyond the end is no part of the workout after all. Nothing is collected any
        // more by now, and what another thread collected just before is among what was found.
        guard let found = live.withLock({ $0.collection })?.found else { return }
        state.withLock { $0.drop(after: instant, at: found) }
    }

    /// Reads what came, and tells the delegate.
    private func collect(in engine: HealthEngine) {
        guard state.withLock({ $0.phase == .collecting }), let start = state.withLock({ $0.start }),
            let parts = dataSource?.parts, !parts.isEmpty
        else { return }
        let caller = connection.caller
        // Read outside the lock; two readings at a time find the same, and the second is passed over.
        guard var collection = live.withLock({ $0.collection }) else { return }
        let found = collection.advance(parts, in: engine, as: caller, from: start)
        live.withLock { $0.collection?.merge(collection) }
        guard !found.isEmpty else { return }
        let types = state.withLock { state in
            guard state.phase == .collecting else { return Set<TypeCode>() }
            return state.take(found.map(\.sample), at: found.map(\.place))
        }
        didTake(types)
    }

    override func didTake(_ types: Set<TypeCode>) {
        let collected = Set(
            types.compactMap { code in
                TypeCatalog.description(for: code).flatMap { HKSampleType.described(by: $0) }
            })
        guard !collected.isEmpty else { return }
        tell { $1.workoutBuilder($0, didCollectDataOf: collected) }
    }

    override func didAddEvents(_ count: Int) {
        for _ in 0..<count { tell { $1.workoutBuilderDidCollectEvent($0) } }
    }

    override func changed() {
        let (observation, session) = live.withLock { live in
            let isOver = state.withLock { $0.phase != .collecting && $0.phase != .fresh }
            defer { if isOver { live.observation = nil } }
            return (isOver ? live.observation : nil, live.session)
        }
        observation?.cancel()
        session?.keepRecord()
    }

    private func tell(_ call: @escaping @Sendable (HKLiveWorkoutBuilder, any HKLiveWorkoutBuilderDelegate) -> Void) {
        queue.async {
            guard let delegate = self.delegate else { return }
            call(self, delegate)
        }
    }

    // MARK: From the session

    /// Takes an event that the session made.
    func take(_ event: WorkoutBody.Event) {
        guard live.withLock({ $0.collectsEvents }) else { return }
        // Events before collection belong to no workout.
        guard (try? state.withLock({ try $0.add([event]) })) != nil else { return }
        didAddEvents(1)
    }

    /// Takes an activity that the session began.
    func begin(_ activity: WorkoutBody.Activity) {
        guard (try? state.withLock({ try $0.add(activity) })) != nil else { return }
        tell { $1.workoutBuilder($0, didBegin: HKWorkoutActivity(activity)) }
    }

    /// Ends an activity that the session began.
    func end(_ activity: WorkoutBody.Activity, at instant: Double) {
        guard (try? state.withLock({ try $0.update(activity.uuid, end: instant) })) != nil,
            let ended = workoutActivities.first(where: { $0.uuid == activity.uuid })
        else { return }
        tell { $1.workoutBuilder($0, didEnd: ended) }
    }
}
