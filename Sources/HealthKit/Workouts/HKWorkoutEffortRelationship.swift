public import Foundation

/// The effort samples that rate a workout or one of its activities.
// Unchecked: every stored property is constant and Sendable; the compiler checks only final classes.
open class HKWorkoutEffortRelationship: _ValueObject, @unchecked Sendable {
    /// The rated workout.
    open var workout: HKWorkout { storedWorkout }
    /// The rated activity; `nil` for the whole workout.
    open var activity: HKWorkoutActivity? { storedActivity }
    /// The samples, in the order they were related; `nil` if there are none or they may not be read.
    open var samples: [HKSample]? { storedSamples }

    private let storedWorkout: HKWorkout
    private let storedActivity: HKWorkoutActivity?
    private let storedSamples: [HKSample]?

    init(workout: HKWorkout, activity: HKWorkoutActivity?, samples: [HKSample]) {
        storedWorkout = workout
        storedActivity = activity
        storedSamples = samples.isEmpty ? nil : samples
    }

    // MARK: Coding

    /// Each object as the bytes of its own record: damaged nested archives are not safe to read.
    private struct Record: Codable, Hashable {
        var workout: Data
        var activity: Data?
        var samples: [Data]
    }

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
        storedWorkout = workout
        storedActivity = activity
        storedSamples = samples.isEmpty ? nil : samples
    }

    override var archivedRecord: any Codable & Hashable {
        Record(
            workout: RecordBytesCoder.bytes(of: workout), activity: activity.map { RecordBytesCoder.bytes(of: $0) },
            samples: (samples ?? []).map { RecordBytesCoder.bytes(of: $0) })
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
