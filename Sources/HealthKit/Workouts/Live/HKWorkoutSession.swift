import Dispatch
public import Foundation
import HealthModel
import Synchronization

/// A running workout: its state, its events, and the builder that collects its data.
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
/// Other calls have no effect, except that starting a stopped or ended session fails. The state changes at once;
/// the delegate is notified on a background queue.
///
/// A store has at most one running session, of any application and process. When another session starts, the
/// previous one fails with ``HKError/errorAnotherWorkoutSessionStarted`` and ends.
///
/// A session can be mirrored to a companion device: ``startMirroringToCompanionDevice(completion:)``. Calls of the mirrored
/// session act on the primary one, which the mirrored session follows. Only a test has a companion device.
// Unchecked: all mutable state is in Mutexes; the compiler checks only final classes.
open class HKWorkoutSession: NSObject, _CVarArgObject, @unchecked Sendable {
    private struct Connections {
        var delegate = WeakDelegate()
        var builder: HKLiveWorkoutBuilder?
        var subscription: CommitSubscription?
        /// `nil` before ``HKHealthStore/start(_:)`` for a session that was created without a store.
        var store: StoreConnection?
        /// The session on the other device, while they are connected. Neither retains the other.
        weak var remote: HKWorkoutSession?
        var type = HKWorkoutSessionType.primary
    }

    /// Sessions claim a store in the order of the calls, in all threads of the process: the last one is the running session.
    private static let claims = DispatchQueue(label: "HealthKit.workoutSession.claims")

    private let machine: Mutex<WorkoutSessionMachine>
    private let connections: Mutex<Connections>
    private let queue = DispatchQueue(label: "HealthKit.workoutSession")
    private let token = UUID()

    /// Creates a session.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` if the lap length is not a length.
    public init(
        healthStore: HKHealthStore, configuration workoutConfiguration: HKWorkoutConfiguration
    ) throws {
        machine = Mutex(try WorkoutSessionMachine(checking: workoutConfiguration))
        connections = Mutex(Connections(store: healthStore.connection))
    }

    /// Creates a session to start with ``HKHealthStore/start(_:)``. It has no builder.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` if the lap length is not a length.
    @available(*, deprecated, renamed: "init(healthStore:configuration:)")
    public init(configuration workoutConfiguration: HKWorkoutConfiguration) throws {
        machine = Mutex(try WorkoutSessionMachine(checking: workoutConfiguration))
        connections = Mutex(Connections())
    }

    /// Creates a session to start with ``HKHealthStore/start(_:)``. It has no builder.
    @available(*, deprecated, renamed: "init(healthStore:configuration:)")
    public init(activityType: HKWorkoutActivityType, locationType: HKWorkoutSessionLocationType) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activityType
        configuration.locationType = locationType
        machine = Mutex(WorkoutSessionMachine(configuration: configuration.settings))
        connections = Mutex(Connections())
    }

    private init(_ connection: StoreConnection, machine: WorkoutSessionMachine) {
        self.machine = Mutex(machine)
        connections = Mutex(Connections(store: connection))
    }

    /// The store; the default one if the session was created without a store and isn't started by one.
    private var connection: StoreConnection { adopt { StoreConnection(HKHealthStore.Configuration()) } }

    /// Makes a store the session's own if it has none, and returns the session's store.
    @discardableResult
    func adopt(_ store: () -> StoreConnection) -> StoreConnection {
        connections.withLock { connections in
            let own = connections.store ?? store()
            connections.store = own
            return own
        }
    }

    // MARK: Properties

    /// The type of activity and its location.
    open var workoutConfiguration: HKWorkoutConfiguration {
        HKWorkoutConfiguration(machine.withLock { $0.configuration })
    }

    /// The type of activity of ``workoutConfiguration``.
    open var activityType: HKWorkoutActivityType { workoutConfiguration.activityType }

    /// The location type of ``workoutConfiguration``.
    open var locationType: HKWorkoutSessionLocationType { workoutConfiguration.locationType }

    /// The type: `.mirrored` for what the companion device receives, else `.primary`.
    open var type: HKWorkoutSessionType { connections.withLock { $0.type } }

    /// The state of the session.
    open var state: HKWorkoutSessionState { machine.withLock { $0.state } }

    /// The date the session started; `nil` before.
    open var startDate: Date? {
        machine.withLock { $0.start }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The date the session stopped, or ended without being stopped first; `nil` before.
    open var endDate: Date? {
        machine.withLock { $0.end }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The running activity that was begun last, else the one that spans the whole session.
    open var currentActivity: HKWorkoutActivity {
        HKWorkoutActivity(machine.withLock { $0.currentActivity })
    }

    /// The delegate, which is called on an anonymous serial background queue. Not retained.
    open var delegate: (any HKWorkoutSessionDelegate)? {
        get { connections.withLock { $0.delegate }.object as? any HKWorkoutSessionDelegate }
        set {
            let box = WeakDelegate(object: newValue)
            connections.withLock { $0.delegate = box }
        }
    }

    /// Returns the builder of this session, always the same. The session retains it. For a session that was created
    /// without a store, this ends the process.
    open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
        guard let connection = connections.withLock({ $0.store }) else {
            ProgrammerError.raise("A workout session without a health store has no associated workout builder")
        }
        let settings = machine.withLock { $0.configuration }
        let new = HKLiveWorkoutBuilder(
            connection, state: WorkoutBuilderState(configuration: settings), session: self, queue: queue)
        return connections.withLock { connections in
            let builder = connections.builder ?? new
            connections.builder = builder
            return builder
        }
    }

    // MARK: Calls

    /// Prepares the session, which becomes the running session of the store.
    open func prepare() {
        drive { machine, now in machine.prepare(at: now) }
    }

    /// Starts the session at a date, by default now.
    open func startActivity(with date: Date?) {
        let given = date?.timeIntervalSinceReferenceDate
        drive { machine, now in machine.startActivity(at: given ?? now) }
    }

    /// Stops the session at a date, by default now. It cannot be restarted; its builder still accepts data.
    open func stopActivity(with date: Date?) {
        let given = date?.timeIntervalSinceReferenceDate
        drive { machine, now in machine.stopActivity(at: given ?? now) }
    }

    /// Ends the session.
    open func end() {
        drive { machine, now in machine.end(at: now) }
    }

    /// Pauses the session and generates a pause event.
    open func pause() {
        drive { machine, now in machine.pause(at: now) }
    }

    /// Resumes the session and generates a resume event.
    open func resume() {
        drive { machine, now in machine.resume(at: now) }
    }

    /// Begins an activity within the session and ends the previous one.
    ///
    /// Fails with ``HKError/errorWorkoutActivityNotAllowed`` for an activity that the session's activity type does
    /// not allow, and with ``HKError/errorInvalidArgument`` unless the session is running. Invalid metadata ends
    /// the process.
    open func beginNewActivity(
        configuration workoutConfiguration: HKWorkoutConfiguration, date: Date, metadata: [String: Any]?
    ) {
        let settings = workoutConfiguration.settings
        let checked = ProgrammerError.checkedMetadata(metadata)
        let instant = date.timeIntervalSinceReferenceDate
        drive { machine, _ in machine.beginActivity(settings, metadata: checked, at: instant) }
    }

    /// Ends the activity that was begun last. Has no effect if there is none.
    open func endCurrentActivity(on date: Date) {
        let instant = date.timeIntervalSinceReferenceDate
        drive { machine, _ in machine.endCurrentActivity(at: instant) }
    }

    // MARK: Mirroring

    private var remote: HKWorkoutSession? { connections.withLock { $0.remote } }

    /// Mirrors the session to the companion device, whose ``HKHealthStore/workoutSessionMirroringStartHandler`` is called
    /// first. Fails with ``HKError/errorInvalidArgument`` without a companion device or such a handler, and for a session
    /// that has ended or is a mirrored one itself.
    @preconcurrency
    open func startMirroringToCompanionDevice(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        let mirroring = StoreWork<Void>(.writing) { [self] in
            guard type == .primary, state != .ended else {
                throw HKError.make(
                    .errorInvalidArgument, "Only a primary workout session that has not ended can be mirrored.")
            }
            guard let companion = connection.configuration.openEngine?.availability.companion.withLock({ $0 }),
                let handler = companion.mirroring.handler
            else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "Mirroring requires a companion device whose app handles mirrored workout sessions.")
            }
            guard remote == nil else { return }
            let mirrored = mirrored(on: companion.connection)
            handler(mirrored)
            mirrored.queue.resume()
        }
        connection.perform(mirroring) { completion($0.isSuccess, $0.error) }
    }

    /// Mirrors the session to the companion device. See ``startMirroringToCompanionDevice(completion:)``.
    open func startMirroringToCompanionDevice() async throws {
        try await succeeding { startMirroringToCompanionDevice(completion: $0) }
    }

    /// Stops mirroring: the delegates of both sessions are notified that they are disconnected, without an error. Fails
    /// with ``HKError/errorInvalidArgument`` if this session isn't mirrored.
    @preconcurrency
    open func stopMirroringToCompanionDevice(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        let mirrored = type == .primary ? remote : nil
        if mirrored != nil { loseConnection(nil) }
        connection.perform(Self.requiring(mirrored)) { completion($0.isSuccess, $0.error) }
    }

    /// Stops mirroring. See ``stopMirroringToCompanionDevice(completion:)``.
    open func stopMirroringToCompanionDevice() async throws {
        try await succeeding { stopMirroringToCompanionDevice(completion: $0) }
    }

    /// Sends data to the delegate of the session on the other device. Fails with ``HKError/errorInvalidArgument`` if the
    /// sessions aren't connected.
    @preconcurrency
    open func sendToRemoteWorkoutSession(
        data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let remote = remote
        remote?.enqueue { $1.workoutSession($0, didReceiveDataFromRemoteWorkoutSession: [data]) }
        connection.perform(Self.requiring(remote)) { completion($0.isSuccess, $0.error) }
    }

    /// Sends data to the session on the other device. See ``sendToRemoteWorkoutSession(data:completion:)``.
    open func sendToRemoteWorkoutSession(data: Data) async throws {
        try await succeeding { sendToRemoteWorkoutSession(data: data, completion: $0) }
    }

    private static func requiring(_ remote: HKWorkoutSession?) -> StoreWork<Void> {
        let isConnected = remote != nil
        return StoreWork(.reading) {
            guard isConnected else {
                throw HKError.make(
                    .errorInvalidArgument, "The workout session is not connected to one on another device.")
            }
        }
    }

    /// A session on the companion device that follows this one. Its delegate is called once its queue is resumed.
    private func mirrored(on companion: StoreConnection) -> HKWorkoutSession {
        machine.withLock { machine in
            let mirrored = HKWorkoutSession(companion, machine: machine)
            mirrored.queue.suspend()
            mirrored.connections.withLock { ($0.remote, $0.type) = (self, .mirrored) }
            connections.withLock { $0.remote = mirrored }
            return mirrored
        }
    }

    /// Takes the state of the primary session, and notifies the delegate of a mirrored session of the actions.
    private func follow(_ primary: WorkoutSessionMachine, _ actions: [WorkoutSessionMachine.Action]) {
        machine.withLock { $0 = primary }
        queue.async {
            for action in actions {
                switch action {
                case .claim: break
                case .release: self.disconnect(nil)
                default: self.perform(action)
                }
            }
        }
    }

    /// Separates this session from the one on the other device, and notifies the delegate.
    private func disconnect(_ error: (any Error)?) {
        for session in [remote, self] { session?.connections.withLock { $0.remote = nil } }
        enqueue { $1.workoutSession($0, didDisconnectFromRemoteDeviceWithError: error) }
    }

    /// Loses the connection: the delegates of both sessions are notified.
    package func loseConnection(_ error: (any Error)?) {
        for session in [remote, self] { session?.disconnect(error) }
    }

    // MARK: Actions

    /// Lets the machine decide and enqueues its actions, in the order of the decisions.
    private func drive(_ decide: (inout WorkoutSessionMachine, Double) -> [WorkoutSessionMachine.Action]) {
        guard type == .primary else { return remote?.drive(decide) ?? () }
        let now = connection.clock.now().timeIntervalSinceReferenceDate
        machine.withLock { machine in
            let actions = decide(&machine, now)
            guard !actions.isEmpty else { return }
            // Enqueued under the lock, which keeps the order; performed elsewhere.
            if case .claim? = actions.first { Self.claims.async { self.claim() } }
            queue.async {
                for action in actions { self.perform(action) }
            }
            remote?.follow(machine, actions)
            // Immediately, so that a builder whose collection ends right after a pause has the pause.
            if let builder = connections.withLock({ $0.builder }) {
                for action in actions { Self.pass(action, to: builder) }
            }
            queue.async { self.storeRecord() }
        }
    }

    private static func pass(_ action: WorkoutSessionMachine.Action, to builder: HKLiveWorkoutBuilder) {
        switch action {
        case .event(let event): builder.append(event)
        case .began(let activity): builder.begin(activity)
        case .ended(let activity): builder.end(activity, at: activity.end ?? activity.start)
        default: break
        }
    }

    private func perform(_ action: WorkoutSessionMachine.Action) {
        switch action {
        case .claim: Self.claims.sync {}  // Waits for it: the delegate is notified afterwards.
        case .changed(let next, let last, let instant):
            notify {
                $1.workoutSession(
                    $0, didChangeTo: next, from: last, date: Date(timeIntervalSinceReferenceDate: instant))
            }
        case .event(let event):
            notify { $1.workoutSession($0, didGenerate: HKWorkoutEvent(event)) }
        case .began(let activity):
            notify {
                $1.workoutSession(
                    $0, didBeginActivityWith: HKWorkoutConfiguration(activity.configuration),
                    date: Date(timeIntervalSinceReferenceDate: activity.start))
            }
        case .ended(let activity):
            let instant = activity.end ?? activity.start
            notify {
                $1.workoutSession(
                    $0, didEndActivityWith: HKWorkoutConfiguration(activity.configuration),
                    date: Date(timeIntervalSinceReferenceDate: instant))
            }
        case .failed(let code, let reason):
            let error = HKError.make(code, reason)
            notify { $1.workoutSession($0, didFailWithError: error) }
        case .release: release()
        }
    }

    /// Calls the delegate; on the queue only.
    private func notify(_ call: (HKWorkoutSession, any HKWorkoutSessionDelegate) -> Void) {
        if let delegate { call(self, delegate) }
    }

    /// Calls the delegate, after what is enqueued.
    private func enqueue(_ call: @escaping @Sendable (HKWorkoutSession, any HKWorkoutSessionDelegate) -> Void) {
        queue.async { self.notify(call) }
    }

    /// Reports an error that does not end the session, on any thread.
    private func report(_ error: any Error) {
        let error = HKError.make(error)
        enqueue { $1.workoutSession($0, didFailWithError: error) }
    }

    // MARK: The running session of the store

    /// Becomes the running session of the store and observes whether another one replaces it. If the store cannot
    /// be written, the session fails.
    private func claim() {
        do {
            let reader = try connection.reader()
            LiveSessions.shared.add(self, token: token)
            let subscription = reader.observeCommits { [weak self] commit in
                guard commit.settingsChanged, let self else { return }
                self.queue.async { self.checkClaim() }
            }
            connections.withLock { $0.subscription = subscription }
            try connection.beginWorkoutSession(token) { record }
        } catch {
            let made = HKError.make(error) as? HKError
            let (code, reason) = (made?.code ?? .unknownError, made?.localizedDescription ?? "")
            drive { machine, now in machine.fail(code, reason, at: now) }
        }
    }

    private func checkClaim() {
        do {
            guard let running = try connection.runningWorkoutSession(), running != token else { return }
        } catch {
            return report(error)
        }
        drive { machine, now in
            machine.fail(.errorAnotherWorkoutSessionStarted, "Another workout session has started.", at: now)
        }
    }

    private func release() {
        let subscription = connections.withLock { connections in
            defer { connections.subscription = nil }
            return connections.subscription
        }
        subscription?.cancel()
        do {
            // Before it leaves the live sessions: one that is only in the store counts as crashed.
            try connection.endWorkoutSession(token)
        } catch {
            report(error)
        }
        LiveSessions.shared.remove(token)
    }

    // MARK: Recovery after a crash

    private var record: WorkoutSessionRecord {
        let builder = connections.withLock { $0.builder }
        return WorkoutSessionRecord(
            machine: machine.withLock { $0 }, builder: builder?.state.withLock { $0.snapshot },
            beginning: builder?.beginning, types: builder?.dataSource?.parts.map(\.identifier) ?? [])
    }

    /// Updates the session's record in the store. The session's queue and the builder's calls may call this in
    /// any order: the record is made within the transaction, so the last call stores the latest state. An error is
    /// reported to the delegate; the next change stores the record again.
    func storeRecord() {
        guard machine.withLock({ $0.isActive }) else { return }
        do {
            try connection.updateWorkoutSession(token) { record }
        } catch {
            report(error)
        }
    }

    /// Returns the running session of this application, also if its process crashed; `nil` if there is none.
    static func recovered(_ store: HKHealthStore) throws -> HKWorkoutSession? {
        let connection = store.connection
        guard let running = try connection.ownWorkoutSession() else { return nil }
        if let session = LiveSessions.shared.session(running.token) {
            // A session that has ended is about to leave the store.
            return session.machine.withLock { $0.isActive } ? session : nil
        }
        let record = try running.record()
        let session = HKWorkoutSession(connection, machine: record.machine)
        if let snapshot = record.builder {
            try session.recoverBuilder(snapshot, record, store)
        }
        Self.claims.sync { session.claim() }
        return session
    }

    private func recoverBuilder(
        _ snapshot: WorkoutBuilderState.Snapshot, _ record: WorkoutSessionRecord, _ store: HKHealthStore
    ) throws {
        let state = WorkoutBuilderState(snapshot, configuration: record.machine.configuration)
        let builder = HKLiveWorkoutBuilder(connection, state: state, session: self, queue: queue)
        connections.withLock { $0.builder = builder }
        let source = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
        for identifier in record.types {
            if let type = HKObjectType.quantityType(forIdentifier: .init(rawValue: identifier)) {
                source.enableCollection(for: type, predicate: nil)
            }
        }
        builder.dataSource = source
        guard let beginning = record.beginning else { return }
        try builder.recover(LiveCollection(beginning: beginning))
    }
}
