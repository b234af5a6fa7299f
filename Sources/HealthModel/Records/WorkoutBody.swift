public import Foundation

/// The contents of a workout besides dates, source and metadata.
public struct WorkoutBody: Hashable, Sendable, Codable {
    /// A workout event, such as a pause or lap.
    public struct Event: Hashable, Sendable, Codable {
        /// The raw value of the event type: pause 1, resume 2, lap 3, marker 4, motionPaused 5, motionResumed 6,
        /// segment 7, pauseOrResumeRequest 8.
        public var type: Int
        /// Seconds since 2001-01-01 00:00:00 UTC.
        public var start: Double
        /// Seconds since 2001-01-01 00:00:00 UTC; equal to ``start`` for a momentary event.
        public var end: Double
        /// The event's metadata.
        public var metadata: Metadata

        /// Creates an event.
        public init(type: Int, start: Double, end: Double, metadata: Metadata = .empty) {
            self.type = type
            self.start = start
            self.end = end
            self.metadata = metadata
        }
    }

    /// The statistics of one quantity type, if they are stored rather than computed (imported workouts).
    public struct Statistics: Hashable, Sendable, Codable {
        /// The quantity type's identifier.
        public var type: String
        /// Seconds since 2001-01-01 00:00:00 UTC.
        public var start: Double
        /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
        public var end: Double
        /// The unit string of the values below.
        public var unit: String
        /// The sum, for cumulative types.
        public var sum: Double?
        /// The average, for discrete types.
        public var average: Double?
        /// The minimum, for discrete types.
        public var minimum: Double?
        /// The maximum, for discrete types.
        public var maximum: Double?

        /// Creates statistics. Omitted values are unknown.
        public init(
            type: String, start: Double, end: Double, unit: String, sum: Double? = nil,
            average: Double? = nil, minimum: Double? = nil, maximum: Double? = nil
        ) {
            self.type = type
            self.start = start
            self.end = end
            self.unit = unit
            self.sum = sum
            self.average = average
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// A part of the workout with an activity of its own.
    public struct Activity: Hashable, Sendable, Codable {
        /// The activity's UUID.
        public var uuid: UUID
        /// The raw value of the workout activity type.
        public var activityType: UInt
        /// The raw value of the location type: unknown 1, indoor 2, outdoor 3.
        public var locationType: Int
        /// The raw value of the swimming location type: unknown 0, pool 1, open water 2.
        public var swimmingLocationType: Int
        /// The length of the pool, if known.
        public var lapLength: QuantityRecord?
        /// Seconds since 2001-01-01 00:00:00 UTC.
        public var start: Double
        /// Seconds since 2001-01-01 00:00:00 UTC; `nil` while the activity is running.
        public var end: Double?
        /// Seconds, excluding pauses.
        public var duration: Double
        /// The activity's events in chronological order.
        public var events: [Event]
        /// The activity's stored statistics, one per quantity type.
        public var statistics: [Statistics]
        /// The activity's metadata.
        public var metadata: Metadata

        /// Creates an activity. Location types are unknown unless given.
        public init(
            uuid: UUID, activityType: UInt, locationType: Int = 1, swimmingLocationType: Int = 0,
            lapLength: QuantityRecord? = nil, start: Double, end: Double?, duration: Double,
            events: [Event] = [], statistics: [Statistics] = [], metadata: Metadata = .empty
        ) {
            self.uuid = uuid
            self.activityType = activityType
            self.locationType = locationType
            self.swimmingLocationType = swimmingLocationType
            self.lapLength = lapLength
            self.start = start
            self.end = end
            self.duration = duration
            self.events = events
            self.statistics = statistics
            self.metadata = metadata
        }
    }

    /// The raw value of the workout activity type (running 37, walking 52, other 3000 …).
    public var activityType: UInt
    /// Seconds, excluding pauses.
    public var duration: Double
    /// The active energy of the whole workout.
    public var totalEnergyBurned: QuantityRecord?
    /// The distance of the whole workout.
    public var totalDistance: QuantityRecord?
    /// The swimming strokes of the whole workout.
    public var totalSwimmingStrokeCount: QuantityRecord?
    /// The flights climbed in the whole workout.
    public var totalFlightsClimbed: QuantityRecord?
    /// The workout's events in chronological order.
    public var events: [Event]
    /// The workout's activities in chronological order.
    public var activities: [Activity]
    /// The workout's stored statistics, one per quantity type.
    public var statistics: [Statistics]
    /// Child elements from an archive that are only kept for export, such as routes without points.
    public var archived: [ArchivedElement]

    /// Creates the body of a workout. Omitted values are unknown or empty.
    public init(
        activityType: UInt, duration: Double, totalEnergyBurned: QuantityRecord? = nil,
        totalDistance: QuantityRecord? = nil, totalSwimmingStrokeCount: QuantityRecord? = nil,
        totalFlightsClimbed: QuantityRecord? = nil, events: [Event] = [], activities: [Activity] = [],
        statistics: [Statistics] = [], archived: [ArchivedElement] = []
    ) {
        self.activityType = activityType
        self.duration = duration
        self.totalEnergyBurned = totalEnergyBurned
        self.totalDistance = totalDistance
        self.totalSwimmingStrokeCount = totalSwimmingStrokeCount
        self.totalFlightsClimbed = totalFlightsClimbed
        self.events = events
        self.activities = activities
        self.statistics = statistics
        self.archived = archived
    }
}
