import Dispatch
public import Foundation
import HealthModel
import Synchronization

/// The workout builder of a session. It adds the session's events and activities, and collects samples that any
/// program saves to the store during the session.
///
/// Get one from ``HKWorkoutSession/associatedWorkoutBuilder()``. An iPhone or a watch records samples itself;
/// here the samples of other programs, or of this one, are collected.
// Unchecked: all mutable state is in Mutexes; the compiler checks only final classes.
open class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
    private struct Live {
        weak var session: HKWorkoutSession?
        var delegate = WeakDelegate()
        var dataSource: HKLiveWorkoutDataSource?
        var collectsEvents = true
        var collection: LiveCollection?
        var subscription: CommitSubscription?
    }

    private let live = Mutex(Live())
    /// The queue of the delegate's calls. It is the session's queue, so that all calls are in order.
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

    /// The delegate, which is called on an anonymous serial background queue. Not retained.
    open var delegate: (any HKLiveWorkoutBuilderDelegate)? {
        get { live.withLock { $0.delegate }.object as? any HKLiveWorkoutBuilderDelegate }
        set {
            let box = WeakDelegate(object: newValue)
            live.withLock { $0.delegate = box }
        }
    }

    /// The types to collect; `nil` collects nothing.
    open var dataSource: HKLiveWorkoutDataSource? {
        get { live.withLock { $0.dataSource } }
        set { live.withLock { $0.dataSource = newValue } }
    }

    /// A Boolean value that indicates whether the session's events are added automatically; true by default. Set it
    /// before collection begins.
    open var shouldCollectWorkoutEvents: Bool {
        get { live.withLock { $0.collectsEvents } }
        set { live.withLock { $0.collectsEvents = newValue } }
    }

    /// The builder's session, as long as the session exists.
    open var workoutSession: HKWorkoutSession? { live.withLock { $0.session } }

    /// The seconds since the start of collection, without pauses.
    open var elapsedTime: TimeInterval { elapsedTime(at: connection.clock.now()) }

    /// The running activity: the one begun last, else the session's own; `nil` unless collecting.
    open var currentWorkoutActivity: HKWorkoutActivity? {
        guard state.withLock({ $0.phase }) == .collecting else { return nil }
        return workoutActivities.last { $0.endDate == nil } ?? workoutSession?.currentActivity
    }

    // MARK: Collection

    override func didBegin() throws {
        let reader = try connection.reader()
        begin(LiveCollection(beginning: try reader.lastSequence()), reader)
        // What was saved before it observed commits.
        collect(reader)
    }

    /// Continues the collection of a builder whose process crashed.
    func recover(_ collection: LiveCollection) throws {
        let reader = try connection.reader()
        begin(collection, reader)
        collect(reader)
    }

    /// The store's sequence number when collection began.
    var beginning: Int64? { live.withLock { $0.collection?.beginning } }

    private func begin(_ collection: LiveCollection, _ reader: QueryReader) {
        let queue = queue
        let subscription = reader.observeCommits { [weak self] commit in
            guard commit.touchesSamples, let self else { return }
            queue.async {
                guard let reader = try? self.connection.reader() else { return }
                self.collect(reader)
            }
        }
        live.withLock { live in
            live.collection = collection
            live.subscription = subscription
        }
    }

    override func willEnd() {
        if let reader = try? connection.reader() { collect(reader) }
    }

    override func didEnd(at instant: Double) {
        // Samples after the end do not belong to the workout. Nothing is collected any more by now, and what
        // another thread has just collected is among what was found.
        guard let found = live.withLock({ $0.collection })?.found else { return }
        state.withLock { $0.removeSamples(after: instant, in: found) }
    }

    /// Adds new samples and notifies the delegate.
    private func collect(_ reader: QueryReader) {
        guard state.withLock({ $0.phase == .collecting }), let start = state.withLock({ $0.start }),
            let parts = dataSource?.parts, !parts.isEmpty
        else { return }
        // Read outside the lock; two simultaneous reads find the same samples, and the second ones are ignored.
        guard var collection = live.withLock({ $0.collection }) else { return }
        let found = collection.advance(parts, reader, from: start)
        live.withLock { $0.collection?.merge(collection) }
        guard !found.isEmpty else { return }
        let types = state.withLock { state in
            state.phase == .collecting ? state.append(found) : []
        }
        didAddSamples(of: types)
    }

    override func didAddSamples(of types: Set<HKSampleType>) {
        guard !types.isEmpty else { return }
        notify { $1.workoutBuilder($0, didCollectDataOf: types) }
        for type in types where WorkoutZoneRecord.types.contains(type.identifier) {
            notify { builder, delegate in
                let state = builder.state.withLock { $0 }
                guard let zones = state.zones(of: type.identifier),
                    let progress = state.zoneProgress(of: type.identifier)
                else { return }
                delegate.workoutBuilder(builder, didUpdateWorkoutZone: HKLiveWorkoutZoneUpdate(progress, in: zones))
            }
        }
    }

    override func didAddEvents(_ count: Int) {
        for _ in 0..<count { notify { $1.workoutBuilderDidCollectEvent($0) } }
    }

    override func didChange() {
        let (subscription, session) = live.withLock { live in
            let isOver = state.withLock { $0.phase != .collecting && $0.phase != .fresh }
            defer { if isOver { live.subscription = nil } }
            return (isOver ? live.subscription : nil, live.session)
        }
        subscription?.cancel()
        session?.storeRecord()
    }

    private func notify(_ call: @escaping @Sendable (HKLiveWorkoutBuilder, any HKLiveWorkoutBuilderDelegate) -> Void) {
        queue.async {
            guard let delegate = self.delegate else { return }
            call(self, delegate)
        }
    }

    // MARK: From the session

    /// Adds an event of the session.
    func append(_ event: WorkoutBody.Event) {
        guard live.withLock({ $0.collectsEvents }) else { return }
        // Events before collection do not belong to the workout.
        guard (try? state.withLock({ try $0.add([event]) })) != nil else { return }
        didAddEvents(1)
    }

    /// Adds an activity that the session began.
    func begin(_ activity: WorkoutBody.Activity) {
        guard (try? state.withLock({ try $0.add(activity) })) != nil else { return }
        notify { $1.workoutBuilder($0, didBegin: HKWorkoutActivity(activity)) }
    }

    /// Ends an activity that the session began.
    func end(_ activity: WorkoutBody.Activity, at instant: Double) {
        guard (try? state.withLock({ try $0.update(activity.uuid, end: instant) })) != nil,
            let ended = workoutActivities.first(where: { $0.uuid == activity.uuid })
        else { return }
        notify { $1.workoutBuilder($0, didEnd: ended) }
    }
}
