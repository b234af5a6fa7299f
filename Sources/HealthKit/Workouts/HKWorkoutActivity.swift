public import Foundation
import HealthEngine
import HealthModel

/// A part of a workout with its own configuration, such as the swim of a triathlon.
///
/// Two activities are equal if their identities are.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkoutActivity: _ValueObject, @unchecked Sendable {
    private struct Archive: Codable, Hashable {
        var activity: WorkoutBody.Activity
        var zones: [WorkoutZoneRecord]
        var members: [SampleRecord]
    }

    final let record: WorkoutBody.Activity
    /// The time in zones, which is stored with the workout.
    private let zones: [WorkoutZoneRecord]
    /// The samples of the whole workout if the activity was read from a store.
    private let members: [SampleRecord]

    init(_ record: WorkoutBody.Activity, zones: [WorkoutZoneRecord] = [], members: [SampleRecord] = []) {
        self.record = record
        self.zones = zones
        self.members = members
    }

    /// Creates an activity to add to a workout; without an end date it is still running.
    ///
    /// A start date after the end date, or invalid metadata, ends the process.
    public init(
        workoutConfiguration: HKWorkoutConfiguration, start startDate: Date, end endDate: Date?,
        metadata: [String: Any]?
    ) {
        let start = startDate.timeIntervalSinceReferenceDate
        let end = endDate?.timeIntervalSinceReferenceDate
        if let end, end < start {
            ProgrammerError.refuse("HKWorkoutActivity requires startDate to be at or before endDate")
        }
        var record = WorkoutBody.Activity(UUID(), workoutConfiguration.settings, start: start, end: end)
        record.metadata = ProgrammerError.checkedMetadata(metadata)
        self.record = record
        zones = []
        members = []
    }

    /// The activity's identity.
    open var uuid: UUID { record.uuid }

    /// The type of activity and its location.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(record.configuration) }

    /// The start of the activity.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: record.start) }

    /// The end of the activity; `nil` while it is running.
    open var endDate: Date? { record.end.map { Date(timeIntervalSinceReferenceDate: $0) } }

    /// The duration in seconds, without pauses.
    open var duration: TimeInterval { record.duration }

    /// The workout's events that overlap the activity, even in part.
    open var workoutEvents: [HKWorkoutEvent] { record.events.map { HKWorkoutEvent($0) } }

    /// The metadata; `nil` if there is none.
    open var metadata: [String: Any]? { MetadataDictionary(record.metadata).valuesOrNil }

    /// Returns statistics over the samples of one type within the activity; `nil` if there are none.
    ///
    /// Statistics that were imported with the workout are returned unchanged; others are computed from the
    /// workout's samples that start within the activity.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        statisticsSource.statistics(for: quantityType)
    }

    /// The statistics of every type that has samples within the activity.
    open var allStatistics: [HKQuantityType: HKStatistics] { statisticsSource.all }

    /// The time in each zone of a type within the activity; `nil` if there is none.
    open func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? {
        HKWorkoutZoneGroup.group(of: quantityType, in: zones)
    }

    /// The time in the zones of every type that was measured within the activity; `nil` if there is none.
    open var zoneGroupsByType: [HKQuantityType: HKWorkoutZoneGroup]? { HKWorkoutZoneGroup.groupsByType(zones) }

    private var statisticsSource: WorkoutStatisticsSource {
        WorkoutStatisticsSource(
            start: record.start, end: record.end ?? record.start, stored: record.statistics,
            members: members.filter(record.contains))
    }

    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(Archive.self, from: coder),
            archive.activity.start <= archive.activity.end ?? archive.activity.start
        else { return nil }
        record = archive.activity
        zones = archive.zones
        members = archive.members
    }

    override var archivedRecord: any Codable & Hashable { Archive(activity: record, zones: zones, members: members) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutActivity)?.uuid == uuid
    }

    open override var hash: Int { record.uuid.hashValue }

    open override var description: String {
        "HKWorkoutActivity \(uuid) \(record.activityType) (\(startDate) - \(endDate.map { "\($0)" } ?? "running"))"
    }
}

extension WorkoutBody.Activity {
    /// An activity whose duration has no pauses.
    init(_ uuid: UUID, _ settings: HKWorkoutConfiguration.Settings, start: Double, end: Double?) {
        self.init(
            uuid: uuid, activityType: settings.activityType, locationType: settings.locationType,
            swimmingLocationType: settings.swimmingLocationType, lapLength: settings.lapLength,
            start: start, end: end, duration: (end ?? start) - start)
    }

    var configuration: HKWorkoutConfiguration.Settings {
        .init(
            activityType: activityType, locationType: locationType,
            swimmingLocationType: swimmingLocationType, lapLength: lapLength)
    }

    /// Returns whether an event overlaps the activity.
    func overlaps(_ event: WorkoutBody.Event) -> Bool {
        event.start <= end ?? .infinity && event.end >= start
    }

    /// Returns whether a workout of this type may contain an activity of that type: an interval has the
    /// workout's own type, a swim-bike-run consists of its three sports and the transitions between them.
    static func isAllowed(_ activity: UInt, in workout: UInt) -> Bool {
        workout == HKWorkoutActivityType.swimBikeRun.rawValue
            ? partsOfSwimBikeRun.contains(activity) : activity == workout
    }

    private static let partsOfSwimBikeRun: Set<UInt> = [
        HKWorkoutActivityType.swimming.rawValue, HKWorkoutActivityType.cycling.rawValue,
        HKWorkoutActivityType.running.rawValue, HKWorkoutActivityType.transition.rawValue,
    ]
}
