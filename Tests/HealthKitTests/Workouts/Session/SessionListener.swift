import Foundation
import HealthKit

/// Writes down, in one word each, what a session and its builder tell, for a test to await.
final class SessionListener: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate, @unchecked Sendable {
    let words = Calls<String>()

    /// Waits until a word comes, and gives all words up to it.
    func until(_ last: String) async -> [String] {
        var heard: [String] = []
        while heard.last != last { heard.append(await words.next()) }
        return heard
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        words.add("\(fromState.rawValue)>\(toState.rawValue)")
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        words.add("failed\((error as? HKError)?.code.rawValue ?? -1)")
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        words.add("event\(event.type.rawValue)")
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {
        words.add("began\(workoutConfiguration.activityType.rawValue)")
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {
        words.add("ended\(workoutConfiguration.activityType.rawValue)")
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        words.add("collected " + collectedTypes.map { String($0.identifier.dropFirst(24)) }.sorted().joined(separator: ","))
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
        words.add("builder event")
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity) {
        words.add("builder began")
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity) {
        words.add("builder ended")
    }
}
