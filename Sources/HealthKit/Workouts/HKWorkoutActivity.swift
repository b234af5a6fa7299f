public import Foundation
import HealthModel

/// A part of a workout with a configuration of its own, such as the swim of a triathlon.
///
/// Two activities are equal when their identities are.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkoutActivity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private struct Record: Codable {
        var body: WorkoutBody.Activity
        var members: [SampleRecord]
    }

    final let body: WorkoutBody.Activity
    /// The samples of the whole workout, for an activity read from a store.
    final let members: [SampleRecord]
    private let dictionary: MetadataDictionary?

    init(_ body: WorkoutBody.Activity, members: [SampleRecord] = []) {
        self.body = body
        self.members = members
        dictionary = body.metadata.isEmpty ? nil : MetadataDictionary(body.metadata)
    }

    /// An activity to add to a workout; without an end it still runs.
    ///
    /// A start after the end, or metadata that is not allowed, ends the process.
    public convenience init(
        workoutConfiguration: HKWorkoutConfiguration, start startDate: Date, end endDate: Date?,
        metadata: [String: Any]?
    ) {
        let settings = workoutConfiguration.settings
        let start = startDate.timeIntervalSinceReferenceDate
        let end = endDate?.timeIntervalSinceReferenceDate
        if let end, end < start {
            ProgrammerError.refuse("HKWorkoutActivity requires startDate to be at or before endDate")
        }
        self.init(
            WorkoutBody.Activity(
                uuid: UUID(), activityType: settings.activityType, locationType: settings.locationType,
                swimmingLocationType: settings.swimmingLocationType, lapLength: settings.lapLength,
                start: start, end: end, duration: (end ?? start) - start,
                metadata: ProgrammerError.checkedMetadata(metadata)))
    }

    /// The activity's identity.
    open var uuid: UUID { body.uuid }

    /// What was done, and where.
    open var workoutConfiguration: HKWorkoutConfiguration {
        HKWorkoutConfiguration(
            .init(
                activityType: body.activityType, locationType: body.locationType,
                swimmingLocationType: body.swimmingLocationType, lapLength: body.lapLength))
    }

    /// When it began.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: body.start) }

    /// When it ended; `nil` while it runs.
    open var endDate: Date? { body.end.map { Date(timeIntervalSinceReferenceDate: $0) } }

    /// Seconds, pauses left out.
    open var duration: TimeInterval { body.duration }

    /// The workout's events that overlap the activity, even in part.
    open var workoutEvents: [HKWorkoutEvent] { body.events.map { HKWorkoutEvent($0) } }

    /// Extra facts by key; `nil` when there are none.
    open var metadata: [String: Any]? { dictionary?.values }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(Record.self, from: coder),
            record.body.start <= record.body.end ?? record.body.start
        else { return nil }
        body = record.body
        members = record.members
        dictionary = body.metadata.isEmpty ? nil : MetadataDictionary(body.metadata)
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(Record(body: body, members: members), with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutActivity)?.body.uuid == body.uuid
    }

    open override var hash: Int { body.uuid.hashValue }

    open override var description: String {
        "HKWorkoutActivity \(uuid) \(body.activityType) (\(startDate) - \(endDate.map { "\($0)" } ?? "running"))"
    }
}
