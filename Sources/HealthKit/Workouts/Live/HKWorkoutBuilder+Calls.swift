public import Foundation

extension HKWorkoutBuilder {
    // MARK: Collection

    /// Begins collection. Allowed once.
    @preconcurrency
    public func beginCollection(
        withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(beginning(startDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Begins collection. See ``beginCollection(withStart:completion:)``.
    public func beginCollection(at startDate: Date) async throws {
        try await connection.perform(beginning(startDate))
    }

    /// Ends collection, and the activity that is still running. The end date must not be before the start date,
    /// an event or an activity.
    @preconcurrency
    public func endCollection(
        withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(ending(endDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Ends collection. See ``endCollection(withEnd:completion:)``.
    public func endCollection(at endDate: Date) async throws {
        try await connection.perform(ending(endDate))
    }

    // MARK: Samples, events, metadata

    /// Saves samples and adds them to the workout; samples this application has saved before are only added. They
    /// must not start before the workout. All or none are saved.
    @preconcurrency
    public func add(
        _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(adding(samples)) { completion($0.isSuccess, $0.error) }
    }

    /// Saves samples and adds them to the workout. See ``add(_:completion:)``.
    public func addSamples(_ samples: [HKSample]) async throws {
        try await connection.perform(adding(samples))
    }

    /// Adds events, all or none. The first event of a workout must not be a resume event.
    @preconcurrency
    public func addWorkoutEvents(
        _ workoutEvents: [HKWorkoutEvent], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(adding(workoutEvents)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds events. See ``addWorkoutEvents(_:completion:)``.
    public func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
        try await connection.perform(adding(workoutEvents))
    }

    /// Adds metadata; values replace those of the same key.
    @preconcurrency
    public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(adding(metadata)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds metadata; values replace those of the same key.
    public func addMetadata(_ metadata: [String: Any]) async throws {
        try await connection.perform(adding(metadata))
    }

    // MARK: Activities

    /// Adds an activity. It must be within the workout, must not overlap another one, and must have the workout's
    /// activity type or be a part of a swim-bike-run.
    @preconcurrency
    public func addWorkoutActivity(
        _ workoutActivity: HKWorkoutActivity, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(adding(workoutActivity)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds an activity. See ``addWorkoutActivity(_:completion:)``.
    public func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
        try await connection.perform(adding(workoutActivity))
    }

    /// Sets the end date of an activity.
    @preconcurrency
    public func updateActivity(
        uuid UUID: UUID, end endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(updating(UUID, end: endDate)) { completion($0.isSuccess, $0.error) }
    }

    /// Sets the end date of an activity.
    public func updateActivity(uuid UUID: UUID, end endDate: Date) async throws {
        try await connection.perform(updating(UUID, end: endDate))
    }

    /// Adds metadata to an activity; values replace those of the same key.
    @preconcurrency
    public func updateActivity(
        uuid UUID: UUID, adding metadata: [String: Any],
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(updating(UUID, adding: metadata)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds metadata to an activity; values replace those of the same key.
    public func updateActivity(uuid UUID: UUID, adding metadata: [String: Any]) async throws {
        try await connection.perform(updating(UUID, adding: metadata))
    }

    // MARK: Finishing

    /// Saves the workout with its samples, events, activities, statistics and series.
    ///
    /// On a phone the workout is `nil` while the device is locked; here success always returns it.
    @preconcurrency
    public func finishWorkout(completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
        connection.perform(finishing()) { completion((try? $0.get()) ?? nil, $0.error) }
    }

    /// Saves the workout. See ``finishWorkout(completion:)``.
    @discardableResult
    public func finishWorkout() async throws -> HKWorkout? {
        try await connection.perform(finishing())
    }
}
