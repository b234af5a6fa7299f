public import Foundation
import HealthModel

/// Something that happened in a workout: a pause, a lap, a marker.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkoutEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    final let record: WorkoutBody.Event
    private let dictionary: MetadataDictionary?

    init(_ record: WorkoutBody.Event) {
        self.record = record
        dictionary = record.metadata.isEmpty ? nil : MetadataDictionary(record.metadata)
    }

    /// An event of one instant.
    public convenience init(type: HKWorkoutEventType, date: Date) {
        self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
    }

    /// An event of one instant, with metadata.
    public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
        self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
    }

    /// An event that may last. Only laps and segments do; for another type a duration ends the process.
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

    /// What happened; a marker for a type this version does not know.
    open var type: HKWorkoutEventType { HKWorkoutEventType(rawValue: record.type) ?? .marker }

    /// When it began.
    open var date: Date { Date(timeIntervalSinceReferenceDate: record.start) }

    /// From when to when it lasted.
    open var dateInterval: DateInterval {
        DateInterval(start: date, duration: max(0, record.end - record.start))
    }

    /// Extra facts by key; `nil` when there are none.
    open var metadata: [String: Any]? { dictionary?.values }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(WorkoutBody.Event.self, from: coder),
            record.start <= record.end, HKWorkoutEventType(rawValue: record.type) != nil
        else { return nil }
        self.record = record
        dictionary = record.metadata.isEmpty ? nil : MetadataDictionary(record.metadata)
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutEvent)?.record == record
    }

    open override var hash: Int { record.hashValue }

    open override var description: String {
        "HKWorkoutEventType \(record.type) (\(dateInterval.start) - \(dateInterval.end))"
    }
}
