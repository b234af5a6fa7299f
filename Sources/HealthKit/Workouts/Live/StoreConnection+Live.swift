import Foundation
import HealthEngine
import HealthModel

// Writes of workouts that are being built, and of sessions. Those that are not work are called within work, in its order.
extension StoreConnection {
    // MARK: Workout builders

    /// Saves samples of a workout that is being built; samples this application has saved before stay as they are.
    func saveMembers(_ samples: [HKSample]) throws -> StoredSamples {
        let records = try memberRecords(samples)
        return StoredSamples(records: records, identities: try engine().saveMembers(records, as: caller))
    }

    /// Saves the workout of a builder, with the statistics of its samples and with its series.
    func save(_ state: WorkoutBuilderState, device: HKDevice?, parts: [HKSample]) throws -> HKWorkout {
        let engine = try engine()
        let members = state.members
        let series = try engine.quantitySeries(at: members.seriesIdentities)
        let (start, end, body) = state.workout(activity: UUID()) { start, end, isActivity in
            members.statistics(from: start, to: end, isActivity: isActivity, series: series)
        }
        let workout = HKWorkout(
            SampleBase.built(
                by: caller.revision, type: .workoutType(), start: start, end: end, device: device,
                metadata: state.metadata),
            body: body, members: members.records)
        try engine.save(
            try objects([workout])[0], owning: members.identities, parts: try objects(parts), as: caller)
        return workout
    }

    // MARK: Sessions

    /// Makes a session the store's running session.
    ///
    /// - Parameter record: Called within the transaction, so that a later call never stores an older state.
    func beginWorkoutSession(_ token: UUID, _ record: () throws -> WorkoutSessionRecord) throws {
        try engine().workoutSession.begin { try activeSession(token, record()) }
    }

    /// Updates the record of the running session; does nothing if another session is running.
    ///
    /// - Parameter record: Called within the transaction, so that a later call never stores an older state.
    func updateWorkoutSession(_ token: UUID, _ record: () throws -> WorkoutSessionRecord) throws {
        try engine().workoutSession.update { try activeSession(token, record()) }
    }

    /// Removes the record of a session if it is the running one.
    func endWorkoutSession(_ token: UUID) throws {
        try engine().workoutSession.end(token)
    }

    /// Returns the identity of the running session, of any application; `nil` if there is none.
    func runningWorkoutSession() throws -> UUID? {
        try engine().workoutSession.active()?.token
    }

    /// Returns the running session of this application; `nil` if there is none. The record is read on demand.
    func ownWorkoutSession() throws -> (token: UUID, record: () throws -> WorkoutSessionRecord)? {
        guard let active = try engine().workoutSession.active(), active.bundleIdentifier == caller.bundleIdentifier
        else { return nil }
        return (
            active.token,
            {
                guard let record = try? JSONDecoder().decode(WorkoutSessionRecord.self, from: active.contents)
                else {
                    throw HKError.make(
                        .errorInvalidArgument, "The record of the running workout session cannot be read.")
                }
                return record
            }
        )
    }

    private func activeSession(_ token: UUID, _ record: WorkoutSessionRecord) throws -> ActiveWorkoutSession {
        ActiveWorkoutSession(
            token: token, bundleIdentifier: caller.bundleIdentifier, contents: try JSONEncoder().encode(record))
    }
}
