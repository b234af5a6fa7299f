public import Foundation

/// Receives the events of a session, on an anonymous serial background queue.
///
/// The methods that are optional in the original have a default implementation that does nothing.
public protocol HKWorkoutSessionDelegate: NSObjectProtocol {
    /// The session changed its state.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date)

    /// An error occurred. If it ends the session, this call comes before that of the change. An error of the store
    /// that does not end the session means that it may not be recoverable after a crash.
    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)

    /// The session generated an event.
    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent)

    /// An activity began.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date)

    /// An activity ended.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)

    /// Data arrived from the session on the other device, in this order.
    func workoutSession(_ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data])

    /// The session is no longer connected to the one on the other device; the error is `nil` if mirroring was stopped or the
    /// primary session ended. A mirrored session can't be used afterwards.
    func workoutSession(_ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?)
}

extension HKWorkoutSessionDelegate {
    /// Does nothing.
    public func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {}

    /// Does nothing.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {}

    /// Does nothing.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) {}

    /// Does nothing.
    public func workoutSession(_ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data])
    {}

    /// Does nothing.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {}
}

/// Receives what a live builder collects, on an anonymous serial background queue.
///
/// The methods that are optional in the original have a default implementation that does nothing.
public protocol HKLiveWorkoutBuilderDelegate: NSObjectProtocol {
    /// Samples of these types were added; the builder's statistics have changed.
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>)

    /// An event was added.
    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder)

    /// An activity began.
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity)

    /// An activity ended.
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity)

    /// Samples of a type with zones were added; the time in the zones has changed.
    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate)
}

extension HKLiveWorkoutBuilderDelegate {
    /// Does nothing.
    public func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate
    ) {}

    /// Does nothing.
    public func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity) {}

    /// Does nothing.
    public func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity) {}
}

/// A weak reference to a delegate.
// Unchecked: the reference is passed on as the application set it; the delegate is responsible for what it does
// on the background queue, as with the original.
struct WeakDelegate: @unchecked Sendable {
    weak var object: AnyObject?
}
