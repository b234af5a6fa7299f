import Foundation
import HealthModel

/// The state machine of a workout session. It only decides: the caller performs the actions it returns, in order.
struct WorkoutSessionMachine: Codable, Sendable {
    typealias State = HKWorkoutSessionState

    enum Action: Sendable {
        /// Become the running session of the store.
        case claim
        case changed(to: State, from: State, at: Double)
        case event(WorkoutBody.Event)
        case began(WorkoutBody.Activity)
        case ended(WorkoutBody.Activity)
        case failed(HKError.Code, String)
        /// Stop being the running session of the store.
        case release
    }

    let configuration: HKWorkoutConfiguration.Settings
    private var rawState = State.notStarted.rawValue
    /// Seconds since 2001-01-01 00:00:00 UTC.
    private(set) var start: Double?
    private(set) var end: Double?
    /// The running activity that was begun explicitly.
    private(set) var activity: WorkoutBody.Activity?
    /// The identity of the activity that spans the whole session.
    private var wholeActivity = UUID()

    init(configuration: HKWorkoutConfiguration.Settings) {
        self.configuration = configuration
    }

    /// - Throws: ``HKError/errorInvalidArgument`` if the lap length is not a length.
    init(checking configuration: HKWorkoutConfiguration) throws {
        let settings = configuration.settings
        if let lap = settings.lapLength.flatMap({ HKQuantity($0) }), !lap.is(compatibleWith: .meter()) {
            throw HKError.make(.errorInvalidArgument, "The lap length of a workout must be a length.")
        }
        self.init(configuration: settings)
    }

    private(set) var state: State {
        get { State(rawValue: rawState) ?? .ended }
        set { rawState = newValue.rawValue }
    }

    /// The activity that was begun last, else the one that spans the session.
    var currentActivity: WorkoutBody.Activity {
        activity ?? WorkoutBody.Activity(wholeActivity, configuration, start: start ?? 0, end: end)
    }

    /// A Boolean value that indicates whether the session is the running session of its store.
    var isActive: Bool { state != .notStarted && state != .ended }

    // MARK: Calls

    mutating func prepare(at now: Double) -> [Action] {
        guard state == .notStarted else { return [] }
        return [.claim, pass(to: .prepared, at: now)]
    }

    mutating func startActivity(at instant: Double) -> [Action] {
        switch state {
        case .notStarted:
            start = instant
            return [.claim, pass(to: .running, at: instant)]
        case .prepared:
            start = instant
            return [pass(to: .running, at: instant)]
        case .running, .paused:
            return []
        default:
            return [.failed(.errorInvalidArgument, "A workout session cannot be restarted.")]
        }
    }

    mutating func pause(at now: Double) -> [Action] {
        guard state == .running else { return [] }
        return [pass(to: .paused, at: now), event(.pause, at: now)]
    }

    mutating func resume(at now: Double) -> [Action] {
        guard state == .paused else { return [] }
        return [pass(to: .running, at: now), event(.resume, at: now)]
    }

    mutating func stopActivity(at instant: Double) -> [Action] {
        guard state == .running || state == .paused, let start else { return [] }
        guard instant >= start else {
            return [.failed(.errorInvalidArgument, "A workout session must not stop before it started.")]
        }
        let ended = endActivity(at: instant)
        end = instant
        return ended + [pass(to: .stopped, at: instant)]
    }

    mutating func end(at now: Double) -> [Action] {
        guard state != .ended else { return [] }
        var actions: [Action] = []
        if state == .running || state == .paused {
            let instant = max(now, start ?? now)
            actions = endActivity(at: instant)
            end = instant
        }
        let wasActive = isActive
        actions.append(pass(to: .ended, at: end ?? now))
        return actions + (wasActive ? [.release] : [])
    }

    /// Ends the session because of an error, which is reported first.
    mutating func fail(_ code: HKError.Code, _ reason: String, at now: Double) -> [Action] {
        guard isActive else { return [] }
        return [.failed(code, reason)] + end(at: now)
    }

    mutating func beginActivity(
        _ settings: HKWorkoutConfiguration.Settings, metadata: Metadata, at instant: Double
    ) -> [Action] {
        guard state == .running || state == .paused, let start else {
            return [.failed(.errorInvalidArgument, "An activity requires a running workout session.")]
        }
        guard WorkoutBody.Activity.isAllowed(settings.activityType, in: configuration.activityType) else {
            return [
                .failed(.errorWorkoutActivityNotAllowed, "The workout's activity type does not allow such an activity.")
            ]
        }
        guard instant >= max(start, activity?.start ?? start) else {
            return [.failed(.errorInvalidArgument, "An activity must not begin before the running activity.")]
        }
        let ended = endActivity(at: instant)
        var new = WorkoutBody.Activity(UUID(), settings, start: instant, end: nil)
        new.metadata = metadata
        activity = new
        return ended + [.began(new)]
    }

    mutating func endCurrentActivity(at instant: Double) -> [Action] {
        guard let activity else { return [] }
        guard instant >= activity.start else {
            return [.failed(.errorInvalidArgument, "An activity must not end before it began.")]
        }
        return endActivity(at: instant)
    }

    // MARK: Parts

    private mutating func pass(to next: State, at instant: Double) -> Action {
        defer { state = next }
        return .changed(to: next, from: state, at: instant)
    }

    private func event(_ type: HKWorkoutEventType, at instant: Double) -> Action {
        .event(WorkoutBody.Event(type: type.rawValue, start: instant, end: instant))
    }

    private mutating func endActivity(at instant: Double) -> [Action] {
        guard var ended = activity else { return [] }
        ended.end = max(instant, ended.start)
        activity = nil
        return [.ended(ended)]
    }
}

/// The stored state of a running session, from which it is recovered after a crash.
///
/// Its samples are in the store already: those of the collected types since collection began.
struct WorkoutSessionRecord: Codable, Sendable {
    var machine: WorkoutSessionMachine
    var builder: WorkoutBuilderState.Snapshot?
    /// The store's sequence number when collection began.
    var beginning: Int64?
    /// The identifiers of the types to collect.
    var types: [String]
}
