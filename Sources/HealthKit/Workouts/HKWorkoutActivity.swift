public import Foundation

/// A part of a workout with a configuration of its own, such as the swim of a triathlon.
///
/// Two activities are equal if their identities are.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkoutActivity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The properties as plain values. Archives contain them under these names.
    struct Fields: Hashable, Codable, Sendable {
        var uuid: UUID
        /// Raw value of the activity type.
        var activityType: UInt
        /// Raw value of the location type.
        var locationType = 1
        /// Raw value of the swimming location type.
        var swimmingLocationType = 0
        var lapLength: QuantityFields?
        /// Seconds since 2001-01-01 00:00:00 UTC.
        var start: Double
        /// `nil` while the activity is running.
        var end: Double?
        /// Seconds, without pauses.
        var duration: Double
        /// In ascending order.
        var events: [HKWorkoutEvent.Fields] = []
        var statistics: [WorkoutStatistics] = []
        var metadata = MetadataDictionary.empty
        /// The time in zones, kept with the workout.
        var zones: [WorkoutZoneTimes]?
    }

    private struct Archive: Codable {
        var body: Fields
        var members: WorkoutMembers
    }

    final let fields: Fields
    /// The samples of the whole workout if the activity was read from a store.
    final let members: WorkoutMembers

    init(_ fields: Fields, members: WorkoutMembers = WorkoutMembers()) {
        self.fields = fields
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
        var fields = Fields(UUID(), workoutConfiguration.settings, start: start, end: end)
        fields.metadata = MetadataDictionary.checked(metadata)
        self.fields = fields
        members = WorkoutMembers()
        super.init()
    }

    /// The activity's identity.
    open var uuid: UUID { fields.uuid }

    /// The type of activity and its location.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(fields.configuration) }

    /// The start of the activity.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: fields.start) }

    /// The end of the activity; `nil` while it is running.
    open var endDate: Date? { fields.end.map { Date(timeIntervalSinceReferenceDate: $0) } }

    /// The duration in seconds, without pauses.
    open var duration: TimeInterval { fields.duration }

    /// The workout's events that overlap the activity, even in part.
    open var workoutEvents: [HKWorkoutEvent] { fields.events.map { HKWorkoutEvent($0) } }

    /// The metadata; `nil` if there is none.
    open var metadata: [String: Any]? { fields.metadata.valuesOrNil }

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
        fields.zones?.group(of: quantityType)
    }

    /// The time in the zones of every type that was measured within the activity; `nil` if there is none.
    open var zoneGroupsByType: [HKQuantityType: HKWorkoutZoneGroup]? { fields.zones?.groupsByType }

    private var statisticsSource: WorkoutStatisticsSource {
        WorkoutStatisticsSource(
            start: fields.start, end: fields.end ?? fields.start, stored: fields.statistics,
            members: members.starting(from: fields.start, before: fields.end ?? .infinity))
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(Archive.self, from: coder),
            archive.body.start <= archive.body.end ?? archive.body.start
        else { return nil }
        fields = archive.body
        members = archive.members
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(Archive(body: fields, members: members), with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutActivity)?.fields.uuid == fields.uuid
    }

    open override var hash: Int { fields.uuid.hashValue }

    open override var description: String {
        "HKWorkoutActivity \(uuid) \(fields.activityType) (\(startDate) - \(endDate.map { "\($0)" } ?? "running"))"
    }
}

extension HKWorkoutActivity.Fields {
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
    func overlaps(_ event: HKWorkoutEvent.Fields) -> Bool {
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

/// Statistics of one quantity type that are stored with a workout. Archives contain them under these names.
struct WorkoutStatistics: Hashable, Codable, Sendable {
    /// The quantity type's identifier.
    var type: String
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    var end: Double
    /// The unit string of the figures below.
    var unit: String
    var sum: Double?
    var average: Double?
    var minimum: Double?
    var maximum: Double?
}
