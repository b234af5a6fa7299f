public import Foundation

/// The effort samples that rate a workout or one of its activities.
// Unchecked: every stored property is constant and Sendable; the compiler checks only final classes.
open class HKWorkoutEffortRelationship: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The rated workout.
    public let workout: HKWorkout
    /// The rated activity; `nil` for the whole workout.
    public let activity: HKWorkoutActivity?
    /// The samples, in the order they were related; `nil` if there are none or they may not be read.
    public let samples: [HKSample]?

    init(workout: HKWorkout, activity: HKWorkoutActivity?, samples: [HKSample]) {
        self.workout = workout
        self.activity = activity
        self.samples = samples.isEmpty ? nil : samples
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Coding

    /// Each object as the bytes of its own record: damaged nested archives are not safe to read.
    private struct Record: Codable {
        var workout: Data
        var activity: Data?
        var samples: [Data]
    }

    open class var supportsSecureCoding: Bool { true }

    /// Returns `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(Record.self, from: coder),
            let workout = RecordBytesCoder.object(HKWorkout.self, in: record.workout)
        else { return nil }
        var activity: HKWorkoutActivity?
        if let data = record.activity {
            activity = RecordBytesCoder.object(HKWorkoutActivity.self, in: data)
            guard activity != nil else { return nil }
        }
        let samples = record.samples.compactMap { Self.sample(in: $0) }
        guard samples.count == record.samples.count else { return nil }
        self.workout = workout
        self.activity = activity
        self.samples = samples.isEmpty ? nil : samples
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(
            Record(
                workout: RecordBytesCoder.bytes(of: workout), activity: activity.map { RecordBytesCoder.bytes(of: $0) },
                samples: (samples ?? []).map { RecordBytesCoder.bytes(of: $0) }),
            with: coder)
    }

    /// Returns a sample of its type's class.
    private static func sample(in data: Data) -> HKQuantitySample? {
        guard let sample = RecordBytesCoder.object(HKQuantitySample.self, in: data) else { return nil }
        return RecordBytesCoder.object(HKQuantitySample.sampleClass(for: sample.quantityType), in: data)
    }

    // MARK: Equality

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKWorkoutEffortRelationship else { return false }
        return workout == other.workout && activity == other.activity && samples == other.samples
    }

    open override var hash: Int { workout.hash }
}

extension HKHealthStore {
    /// Relates an effort sample to a workout or to one of its activities, and saves the sample if necessary.
    ///
    /// The workout must be stored; it may be of any source. Fails with ``HKError/errorInvalidArgument`` unless the
    /// sample is of the type `workoutEffortScore` or `estimatedWorkoutEffortScore`, and for an activity of another
    /// workout.
    @preconcurrency
    public func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.relating(sample, to: workout, activity)) { completion($0.isSuccess, $0.error) }
    }

    /// Relates an effort sample to a workout. See ``relateWorkoutEffortSample(_:with:activity:completion:)``.
    ///
    /// - Returns: `true`.
    @discardableResult
    public func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await connection.perform(connection.relating(sample, to: workout, activity))
        return true
    }

    /// Removes the relationship of an effort sample to a workout or to one of its activities. The sample remains.
    /// Fails with ``HKError/errorInvalidArgument`` if there is no such relationship.
    @preconcurrency
    public func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.unrelating(sample, from: workout, activity)) { completion($0.isSuccess, $0.error) }
    }

    /// Removes the relationship of an effort sample to a workout. See
    /// ``unrelateWorkoutEffortSample(_:from:activity:completion:)``.
    ///
    /// - Returns: `true`.
    @discardableResult
    public func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await connection.perform(connection.unrelating(sample, from: workout, activity))
        return true
    }
}
