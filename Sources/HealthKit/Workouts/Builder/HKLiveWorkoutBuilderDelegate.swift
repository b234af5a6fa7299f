public import Foundation

/// Hears what a live builder collects, on an anonymous serial background queue.
///
/// The original's optional methods have an implementation here that does nothing.
public protocol HKLiveWorkoutBuilderDelegate: NSObjectProtocol {
    /// Samples of these types were added; read the builder's statistics.
    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>)

    /// An event was added.
    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder)

    /// An activity began.
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity)

    /// An activity ended.
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity)
}

extension HKLiveWorkoutBuilderDelegate {
    /// Does nothing.
    public func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity
    ) {}

    /// Does nothing.
    public func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity
    ) {}
}
