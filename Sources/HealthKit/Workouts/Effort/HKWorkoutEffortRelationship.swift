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

    /// Each object as an archive of its own: nested collections of a damaged archive are not safe to read.
    private struct Record: Codable {
        var workout: Data
        var activity: Data?
        var samples: [Data]
    }

    open class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(Record.self, from: coder),
            let workout = Self.object(HKWorkout.self, in: record.workout)
        else { return nil }
        var activity: HKWorkoutActivity?
        if let data = record.activity {
            activity = Self.object(HKWorkoutActivity.self, in: data)
            guard activity != nil else { return nil }
        }
        let samples = record.samples.compactMap { Self.object(HKQuantitySample.self, in: $0) }
        guard samples.count == record.samples.count else { return nil }
        self.workout = workout
        self.activity = activity
        self.samples = samples.isEmpty ? nil : samples
    }

    open func encode(with coder: NSCoder) {
        guard let workout = Self.archive(workout) else { return }
        SecureRecord.encode(
            Record(
                workout: workout, activity: activity.flatMap { Self.archive($0) },
                samples: (samples ?? []).compactMap { Self.archive($0) }),
            with: coder)
    }

    private static func archive(_ object: NSObject) -> Data? {
        try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private static func object<Object: NSObject & NSSecureCoding>(_ type: Object.Type, in data: Data) -> Object? {
        (try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)) ?? nil
    }

    // MARK: Equality

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKWorkoutEffortRelationship else { return false }
        return workout == other.workout && activity == other.activity && samples == other.samples
    }

    open override var hash: Int { workout.hash }
}
