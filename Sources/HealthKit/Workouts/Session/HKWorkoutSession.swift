import Dispatch
public import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// A workout that is under way: its state, its events, and the builder that gathers what it yields.
///
/// | call | from | to |
/// |---|---|---|
/// | ``prepare()`` | not started | prepared |
/// | ``startActivity(with:)`` | not started, prepared | running |
/// | ``pause()`` | running | paused, with a pause event |
/// | ``resume()`` | paused | running, with a resume event |
/// | ``stopActivity(with:)`` | running, paused | stopped |
/// | ``end()`` | any but ended | ended |
///
/// Other calls have no effect, but starting a session that was stopped or ended fails. The state changes
/// at once; the delegate hears of it on a background queue.
///
/// A store has one session that runs, of whichever application or process. When another one starts, the
/// older one fails with ``HKError/errorAnotherWorkoutSessionStarted`` and ends.
///
/// Sessions are not mirrored to other devices: there is none.
// Unchecked: what changes is in Mutexes; the compiler checks only final classes.
open class HKWorkoutSession: NSObject, @unchecked Sendable {
    private struct Surroundings {
        var delegate = WeakDelegate()
        var builder: HKLiveWorkoutBuilder?
        var observation: CommitObservation?
    }

    private let connection: StoreConnection
    private let machine: Mutex<WorkoutSessionMachine>
    private let surroundings = Mutex(Surroundings())
    private let queue = DispatchQueue(label: "HealthKit.workoutSession")
    private let token = UUID()

    /// A new session.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a configuration whose lap length is no length.
    public convenience init(
        healthStore: HKHealthStore, configuration workoutConfiguration: HKWorkoutConfiguration
    ) throws {
        let settings = workoutConfiguration.settings
        if let lap = settings.lapLength.flatMap({ HKQuantity($0) }), !lap.is(compatibleWith: .meter()) {
            throw HKError.make(.errorInvalidArgument, "The lap length of a workout must be a length.")
        }
        self.init(healthStore.connection, machine: WorkoutSessionMachine(configuration: settings))
    }

    private init(_ connection: StoreConnection, machine: WorkoutSessionMachine) {
        self.connection = connection
        self.machine = Mutex(machine)
        super.init()
    }

    // MARK: What there is

    /// What is done, and where.
    public var workoutConfiguration: HKWorkoutConfiguration {
        HKWorkoutConfiguration(machine.withLock { $0.configuration })
    }

    /// What is done. A part of ``workoutConfiguration``.
    public var activityType: HKWorkoutActivityType { workoutConfiguration.activityType }

    /// Indoors or outdoors. A part of ``workoutConfiguration``.
    public var locationType: HKWorkoutSessionLocationType { workoutConfiguration.locationType }

    /// Always the primary session: none is mirrored here.
    public var type: HKWorkoutSessionType { .primary }

    /// Where the session stands.
    public var state: HKWorkoutSessionState { machine.withLock { $0.state } }

    /// When it started; `nil` before.
    public var startDate: Date? {
        machine.withLock { $0.start }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// When it stopped, or ended without being stopped first; `nil` before.
    public var endDate: Date? {
        machine.withLock { $0.end }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The activity begun last, else the one that spans the whole session.
    public var currentActivity: HKWorkoutActivity {
        HKWorkoutActivity(machine.withLock { $0.currentActivity })
    }

    /// Hears what becomes of the session, on an anonymous serial background queue. Not kept.
    public var delegate: (any HKWorkoutSessionDelegate)? {
        get { surroundings.withLock { $0.delegate }.object as? any HKWorkoutSessionDelegate }
        set {
            let box = WeakDelegate(object: newValue)
            surroundings.withLock { $0.delegate = box }
        }
    }

    /// The builder of this session, the same each time. The session keeps it.
    public func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
        let settings = machine.withLock { $0.configuration }
        let new = HKLiveWorkoutBuilder(
            connection, state: WorkoutBuilderState(configuration: settings), session: self, queue: queue)
        return surroundings.withLock { surroundings in
            let builder = surroundings.builder ?? new
            surroundings.builder = builder
            return builder
        }
    }

    // MARK: Calls

    /// Gets ready; the session then counts as the store's one session.
    public func prepare() {
        drive { machine, now in machine.prepare(at: now) }
    }

    /// Starts, at a date or now.
    public func startActivity(with date: Date?) {
        let given = date?.timeIntervalSinceReferenceDate
        drive { machine, now in machine.startActivity(at: given ?? now) }
    }

    /// Stops, at a date or now. The session cannot be started again; its builder still takes data.
    public func stopActivity(with date: Date?) {
        let given = date?.timeIntervalSinceReferenceDate
        drive { machine, now in machine.stopActivity(at: given ?? now) }
    }

    /// Ends the session.
    public func end() {
        drive { machine, now in machine.end(at: now) }
    }

    /// Pauses, and makes a pause event.
    public func pause() {
        drive { machine, now in machine.pause(at: now) }
    }

    /// Goes on, and makes a resume event.
    public func resume() {
        drive { machine, now in machine.resume(at: now) }
    }

    /// Begins an activity within the session, and ends the one before.
    ///
    /// Fails with ``HKError/errorWorkoutActivityNotAllowed`` for an activity that the session's own does
    /// not allow, and with ``HKError/errorInvalidArgument`` unless the session runs. Metadata that is
    /// not allowed ends the process.
    public func beginNewActivity(
        configuration workoutConfiguration: HKWorkoutConfiguration, date: Date, metadata: [String: Any]?
    ) {
        let settings = workoutConfiguration.settings
        let checked = ProgrammerError.checkedMetadata(metadata)
        let instant = date.timeIntervalSinceReferenceDate
        drive { machine, _ in machine.beginActivity(settings, metadata: checked, at: instant) }
    }

    /// Ends the activity begun last. No effect when there is none.
    public func endCurrentActivity(on date: Date) {
        let instant = date.timeIntervalSinceReferenceDate
        drive { machine, _ in machine.endCurrentActivity(at: instant) }
    }

    /// Sends data to the session on another device. Always fails with ``HKError/errorInvalidArgument``:
    /// sessions are not mirrored here.
    @preconcurrency
    public func sendToRemoteWorkoutSession(
        data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.reading, Self.refuseMirroring) { completion($0.isSuccess, $0.error) }
    }

    /// Sends data to the session on another device. Always fails with ``HKError/errorInvalidArgument``:
    /// sessions are not mirrored here.
    public func sendToRemoteWorkoutSession(data: Data) async throws {
        try await connection.perform(.reading, Self.refuseMirroring)
    }

    static let refuseMirroring: @Sendable (HealthEngine) throws -> Void = { _ in
        throw EngineError.invalidArgument("Workout sessions are not mirrored: there is no other device.")
    }

    // MARK: Carrying out

    /// Lets the machine decide, and queues what follows. The queue keeps the order of decisions.
    private func drive(_ decide: (inout WorkoutSessionMachine, Double) -> [WorkoutSessionMachine.Action]) {
        let now = connection.clock.now().timeIntervalSinceReferenceDate
        machine.withLock { machine in
            let actions = decide(&machine, now)
            guard !actions.isEmpty else { return }
            // Queued under the lock, which keeps the order; carried out elsewhere.
            queue.async {
                for action in actions { self.carryOut(action) }
            }
            // At once, so that a builder whose collection ends right after a pause has the pause.
            if let builder = surroundings.withLock({ $0.builder }) {
                for action in actions { Self.hand(action, to: builder) }
            }
            queue.async { self.keepRecord() }
        }
    }

    private static func hand(_ action: WorkoutSessionMachine.Action, to builder: HKLiveWorkoutBuilder) {
        switch action {
        case .event(let event): builder.take(event)
        case .began(let activity): builder.begin(activity)
        case .ended(let activity): builder.end(activity, at: activity.end ?? activity.start)
        default: break
        }
    }

    private func carryOut(_ action: WorkoutSessionMachine.Action) {
        switch action {
        case .claim: claim()
        case .changed(let next, let last, let instant):
            tell { $1.workoutSession($0, didChangeTo: next, from: last, date: Date(timeIntervalSinceReferenceDate: instant)) }
        case .event(let event):
            tell { $1.workoutSession($0, didGenerate: HKWorkoutEvent(event)) }
        case .began(let activity):
            tell {
                $1.workoutSession(
                    $0, didBeginActivityWith: HKWorkoutActivity(activity).workoutConfiguration,
                    date: Date(timeIntervalSinceReferenceDate: activity.start))
            }
        case .ended(let activity):
            let instant = activity.end ?? activity.start
            tell {
                $1.workoutSession(
                    $0, didEndActivityWith: HKWorkoutActivity(activity).workoutConfiguration,
                    date: Date(timeIntervalSinceReferenceDate: instant))
            }
        case .failed(let code, let reason):
            let error = HKError.make(code, reason)
            tell { $1.workoutSession($0, didFailWithError: error) }
        case .release: release()
        }
    }

    /// Calls the delegate; on the queue only.
    private func tell(_ call: (HKWorkoutSession, any HKWorkoutSessionDelegate) -> Void) {
        if let delegate { call(self, delegate) }
    }

    /// Becomes the store's session, and listens for another that takes its place. A store that cannot be
    /// written fails the session.
    private func claim() {
        do {
            let engine = try connection.engine()
            LiveSessions.shared.add(self, token: token)
            let observation = engine.observeCommits { [weak self] commit in
                guard commit.settingsChanged, let self else { return }
                self.queue.async { self.checkClaim() }
            }
            surroundings.withLock { $0.observation = observation }
            try engine.beginWorkoutSession(activeSession)
        } catch {
            let made = HKError.make(error) as? HKError
            let (code, reason) = (made?.code ?? .unknownError, made?.localizedDescription ?? "")
            drive { machine, now in machine.fail(code, reason, at: now) }
        }
    }

    private func checkClaim() {
        guard let active = try? connection.engine().activeWorkoutSession(), active.token != token else {
            return
        }
        drive { machine, now in
            machine.fail(.errorAnotherWorkoutSessionStarted, "Another workout session has started.", at: now)
        }
    }

    private func release() {
        let observation = surroundings.withLock { surroundings in
            defer { surroundings.observation = nil }
            return surroundings.observation
        }
        observation?.cancel()
        // The store first: a session that is in the store and not among the live ones counts as crashed.
        try? connection.engine().endWorkoutSession(token)
        LiveSessions.shared.remove(token)
    }

    // MARK: After a crash

    private func activeSession() throws -> ActiveWorkoutSession {
        let builder = surroundings.withLock { $0.builder }
        let record = WorkoutSessionRecord(
            machine: machine.withLock { $0 }, builder: builder?.state.withLock { $0.snapshot },
            beginning: builder?.beginning, types: builder?.dataSource?.parts.map(\.identifier) ?? [])
        return ActiveWorkoutSession(
            token: token, bundleIdentifier: connection.caller.bundleIdentifier,
            contents: try JSONEncoder().encode(record))
    }

    /// Brings the store's record up to date. A store that cannot be written now is written at the next
    /// change. Called by the session's queue and by the builder's calls, in whatever order they come: what
    /// is kept is looked up within the transaction, so the last one writes the latest.
    func keepRecord() {
        guard machine.withLock({ $0.isActive }) else { return }
        try? connection.engine().updateWorkoutSession(activeSession)
    }

    /// The session of this application that runs, or ran when its process ended; `nil` when there is none.
    static func recovered(_ store: HKHealthStore, in engine: HealthEngine) throws -> HKWorkoutSession? {
        let connection = store.connection
        guard let active = try engine.activeWorkoutSession(),
            active.bundleIdentifier == connection.caller.bundleIdentifier
        else { return nil }
        if let session = LiveSessions.shared.session(active.token) {
            // One that has ended is about to leave the store.
            return session.machine.withLock { $0.isActive } ? session : nil
        }
        guard let record = try? JSONDecoder().decode(WorkoutSessionRecord.self, from: active.contents) else {
            throw EngineError.invalidArgument("The record of the running workout session cannot be read.")
        }
        let session = HKWorkoutSession(connection, machine: record.machine)
        if let snapshot = record.builder {
            session.recoverBuilder(snapshot, record, store, in: engine)
        }
        session.claim()
        return session
    }

    private func recoverBuilder(
        _ snapshot: WorkoutBuilderState.Snapshot, _ record: WorkoutSessionRecord, _ store: HKHealthStore,
        in engine: HealthEngine
    ) {
        let state = WorkoutBuilderState(snapshot, configuration: record.machine.configuration)
        let builder = HKLiveWorkoutBuilder(connection, state: state, session: self, queue: queue)
        surroundings.withLock { $0.builder = builder }
        let source = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
        for identifier in record.types {
            if let type = HKObjectType.quantityType(forIdentifier: .init(rawValue: identifier)) {
                source.enableCollection(for: type, predicate: nil)
            }
        }
        builder.dataSource = source
        guard let beginning = record.beginning else { return }
        builder.recover(LiveCollection(beginning: beginning), in: engine)
    }
}
