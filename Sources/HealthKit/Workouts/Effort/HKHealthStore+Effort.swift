import Foundation
import HealthEngine
import HealthModel

extension HKHealthStore {
    /// Lets an effort sample rate a workout, or one activity of it. A sample that was not saved is saved.
    ///
    /// The workout must be stored, and may be of any source. Fails with
    /// ``HKError/errorInvalidArgument`` for a sample of another type than `workoutEffortScore` and
    /// `estimatedWorkoutEffortScore`, and for an activity of another workout.
    @preconcurrency
    public func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, relation(sample, workout, activity)) { completion($0.isSuccess, $0.error) }
    }

    /// Lets an effort sample rate a workout. See ``relateWorkoutEffortSample(_:with:activity:completion:)``.
    ///
    /// - Returns: true.
    @discardableResult
    public func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await connection.perform(.writing, relation(sample, workout, activity))
        return true
    }

    /// Ends the relation of an effort sample to a workout, or to one activity of it. The sample stays.
    /// Fails with ``HKError/errorInvalidArgument`` when there is no such relation.
    @preconcurrency
    public func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, separation(sample, workout, activity)) { completion($0.isSuccess, $0.error) }
    }

    /// Ends the relation of an effort sample to a workout. See
    /// ``unrelateWorkoutEffortSample(_:from:activity:completion:)``.
    ///
    /// - Returns: true.
    @discardableResult
    public func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await connection.perform(.writing, separation(sample, workout, activity))
        return true
    }

    private func relation(
        _ sample: HKSample, _ workout: HKWorkout, _ activity: HKWorkoutActivity?
    ) -> @Sendable (HealthEngine) throws -> Void {
        let caller = connection.caller
        return { engine in
            guard QueryReader.effortTypes.contains(where: { $0 == sample.sampleType }),
                case .sample(var record) = RecordEncoder.item(sample)
            else {
                throw EngineError.invalidArgument("Only workout effort samples can be related to a workout.")
            }
            if let activity, !workout.workoutActivities.contains(activity) {
                throw EngineError.invalidArgument("The activity does not belong to the workout.")
            }
            record.revision = nil
            try engine.relateEffort(record, toWorkout: workout.uuid, activity: activity?.uuid, as: caller)
        }
    }

    private func separation(
        _ sample: HKSample, _ workout: HKWorkout, _ activity: HKWorkoutActivity?
    ) -> @Sendable (HealthEngine) throws -> Void {
        let caller = connection.caller
        return { engine in
            try engine.unrelateEffort(
                sample.uuid, type: sample.sampleType.code, fromWorkout: workout.uuid,
                activity: activity?.uuid, as: caller)
        }
    }
}
