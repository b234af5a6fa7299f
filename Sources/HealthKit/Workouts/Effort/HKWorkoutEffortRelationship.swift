public import Foundation

/// Which effort samples rate a workout, or one activity of it.
// Unchecked: every stored property is constant and Sendable; the compiler checks only final classes.
open class HKWorkoutEffortRelationship: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The workout that is rated.
    public let workout: HKWorkout
    /// The activity that is rated; `nil` for the whole workout.
    public let activity: HKWorkoutActivity?
    /// The samples, in the order they were related; `nil` when none is left or may be read.
    public let samples: [HKSample]?

    init(workout: HKWorkout, activity: HKWorkoutActivity?, samples: [HKSample]) {
        self.workout = workout
        self.activity = activity
        self.samples = samples.isEmpty ? nil : samples
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Coding

    /// Each object as its own record's bytes: nested archives that are damaged are not safe to read.
    private struct Record: Codable {
        var workout: Data
        var activity: Data?
        var samples: [Data]
    }

    open class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
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

    /// A sample, of the class its type asks for.
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
