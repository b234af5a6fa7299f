public import Foundation

extension HKWorkoutBuilder {
    // MARK: Collection

    /// Begins collection. Only a new builder can.
    @preconcurrency
    public func beginCollection(
        withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, beginning(startDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Begins collection. See ``beginCollection(withStart:completion:)``.
    public func beginCollection(at startDate: Date) async throws {
        try await connection.perform(.writing, beginning(startDate))
    }

    /// Ends collection, and the activity that still runs. The end must not lie before the start, an event
    /// or an activity.
    @preconcurrency
    public func endCollection(
        withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, ending(endDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Ends collection. See ``endCollection(withEnd:completion:)``.
    public func endCollection(at endDate: Date) async throws {
        try await connection.perform(.writing, ending(endDate))
    }

    // MARK: Samples, events, metadata

    /// Saves samples and keeps them for the workout; samples this application has saved are only kept.
    /// They must not start before the workout. Fails as saving does, all or none.
    @preconcurrency
    public func add(
        _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, adding(samples)) { completion($0.isSuccess, $0.error) }
    }

    /// Saves samples and keeps them for the workout. See ``add(_:completion:)``.
    public func addSamples(_ samples: [HKSample]) async throws {
        try await connection.perform(.writing, adding(samples))
    }

    /// Adds events, all or none. The first event of a workout must not be a resume event.
    @preconcurrency
    public func addWorkoutEvents(
        _ workoutEvents: [HKWorkoutEvent], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, adding(workoutEvents)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds events. See ``addWorkoutEvents(_:completion:)``.
    public func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
        try await connection.perform(.writing, adding(workoutEvents))
    }

    /// Lays metadata over what there is, key by key.
    @preconcurrency
    public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, adding(metadata)) { completion($0.isSuccess, $0.error) }
    }

    /// Lays metadata over what there is, key by key.
    public func addMetadata(_ metadata: [String: Any]) async throws {
        try await connection.perform(.writing, adding(metadata))
    }

    // MARK: Activities

    /// Adds an activity. It must lie within the workout, must not overlap another one, and must have the
    /// workout's activity type, or be a sport of a swim-bike-run.
    @preconcurrency
    public func addWorkoutActivity(
        _ workoutActivity: HKWorkoutActivity, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, adding(workoutActivity)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds an activity. See ``addWorkoutActivity(_:completion:)``.
    public func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
        try await connection.perform(.writing, adding(workoutActivity))
    }

    /// Ends the activity with this identity, or moves its end.
    @preconcurrency
    public func updateActivity(
        uuid UUID: UUID, end endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, updating(UUID, end: endDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Ends the activity with this identity, or moves its end.
    public func updateActivity(uuid UUID: UUID, end endDate: Date) async throws {
        try await connection.perform(.writing, updating(UUID, end: endDate))
    }

    /// Lays metadata over that of the activity with this identity.
    @preconcurrency
    public func updateActivity(
        uuid UUID: UUID, adding metadata: [String: Any],
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, updating(UUID, adding: metadata)) { completion($0.isSuccess, $0.error) }
    }

    /// Lays metadata over that of the activity with this identity.
    public func updateActivity(uuid UUID: UUID, adding metadata: [String: Any]) async throws {
        try await connection.perform(.writing, updating(UUID, adding: metadata))
    }

    // MARK: The end

    /// Saves the workout with its samples, events, activities, figures and route, and hands it over.
    ///
    /// The store cannot be locked here as a telephone can, so success always brings the workout.
    @preconcurrency
    public func finishWorkout(completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
        connection.perform(.writing, finishing()) { completion((try? $0.get()) ?? nil, $0.error) }
    }

    /// Saves the workout. See ``finishWorkout(completion:)``.
    @discardableResult
    public func finishWorkout() async throws -> HKWorkout? {
        try await connection.perform(.writing, finishing())
    }
}
