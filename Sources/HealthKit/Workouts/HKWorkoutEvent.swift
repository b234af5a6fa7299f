public import Foundation
import HealthModel

/// Something that happened in a workout: a pause, a lap, a marker.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkoutEvent: _ValueObject, @unchecked Sendable {
    final let record: WorkoutBody.Event

    init(_ record: WorkoutBody.Event) {
        self.record = record
    }

    /// Creates an event at an instant.
    public convenience init(type: HKWorkoutEventType, date: Date) {
        self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
    }

    /// Creates an event at an instant, with metadata.
    public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
        self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
    }

    /// Creates an event. Only laps and segments may have a duration; a duration of another type ends the process.
    public convenience init(
        type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?
    ) {
        if dateInterval.duration > 0, type != .lap, type != .segment {
            ProgrammerError.refuse("Only lap and segment workout events may have a duration")
        }
        self.init(
            WorkoutBody.Event(
                type: type.rawValue, start: dateInterval.start.timeIntervalSinceReferenceDate,
                end: dateInterval.end.timeIntervalSinceReferenceDate,
                metadata: ProgrammerError.checkedMetadata(metadata)))
    }

    /// The type of event; a marker if this version does not know it.
    open var type: HKWorkoutEventType { HKWorkoutEventType(rawValue: record.type) ?? .marker }

    /// The start of the event.
    open var date: Date { Date(timeIntervalSinceReferenceDate: record.start) }

    /// The period of the event.
    open var dateInterval: DateInterval {
        DateInterval(start: date, duration: max(0, record.end - record.start))
    }

    /// The metadata; `nil` if there is none.
    open var metadata: [String: Any]? { MetadataDictionary(record.metadata).valuesOrNil }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(WorkoutBody.Event.self, from: coder),
            record.start <= record.end, HKWorkoutEventType(rawValue: record.type) != nil
        else { return nil }
        self.record = record
    }

    override var archivedRecord: any Codable & Hashable { record }

    open override var description: String {
        "HKWorkoutEventType \(record.type) (\(dateInterval.start) - \(dateInterval.end))"
    }
}

/// Computes durations without pauses.
enum WorkoutPauses {
    /// Returns the seconds from `start` to `end` without pauses.
    ///
    /// A manual pause and one detected by the motion sensors may overlap; time counts while there is neither. A
    /// pause while paused has no effect, nor has a resume while running. A pause that is never resumed lasts to
    /// the end.
    ///
    /// - Parameter events: In ascending order.
    static func duration(from start: Double, to end: Double, events: [WorkoutBody.Event]) -> Double {
        var isPaused = false
        var isMotionPaused = false
        var pausedSince: Double?
        var paused = 0.0
        for event in events {
            switch HKWorkoutEventType(rawValue: event.type) {
            case .pause: isPaused = true
            case .resume: isPaused = false
            case .motionPaused: isMotionPaused = true
            case .motionResumed: isMotionPaused = false
            default: continue
            }
            let instant = min(max(event.start, start), end)
            if isPaused || isMotionPaused {
                pausedSince = pausedSince ?? instant
            } else if let since = pausedSince {
                paused += instant - since
                pausedSince = nil
            }
        }
        if let since = pausedSince { paused += end - since }
        return end - start - paused
    }
}
