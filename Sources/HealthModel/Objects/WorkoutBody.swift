public import Foundation

/// What a workout holds beyond dates, source and metadata.
public struct WorkoutBody: Hashable, Sendable, Codable {
    /// A pause, a lap, a marker …
    public struct Event: Hashable, Sendable, Codable {
        /// Raw value of the event type (pause 1, resume 2, lap 3, marker 4, motionPaused 5,
        /// motionResumed 6, segment 7, pauseOrResumeRequest 8).
        public var type: Int
        /// Seconds since 2001-01-01 00:00:00 UTC.
        public var start: Double
        /// Seconds since 2001-01-01 00:00:00 UTC; equal to ``start`` for an event of one instant.
        public var end: Double
        /// What the application said about the event.
        public var metadata: Metadata

        /// Makes an event.
        public init(type: Int, start: Double, end: Double, metadata: Metadata = .empty) {
            self.type = type
            self.start = start
            self.end = end
            self.metadata = metadata
        }
    }

    /// Statistics of one quantity type, where they are stored rather than computed (imported workouts).
    public struct Statistics: Hashable, Sendable, Codable {
        /// The quantity type's identifier.
        public var type: String
        /// Seconds since 2001-01-01 00:00:00 UTC.
        public var start: Double
        /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
        public var end: Double
        /// The unit string of the figures below.
        public var unit: String
        /// The total, for cumulative types.
        public var sum: Double?
        /// The mean, for discrete types.
        public var average: Double?
        /// The least value, for discrete types.
        public var minimum: Double?
        /// The greatest value, for discrete types.
        public var maximum: Double?

        /// Makes figures; what is not given is unknown.
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
        /// The activity's own identity.
        public var uuid: UUID
        /// Raw value of the workout activity type, as of the workout's.
        public var activityType: UInt
        /// Raw value of where it took place: unknown 1, indoor 2, outdoor 3.
        public var locationType: Int
        /// Raw value of the water: unknown 0, pool 1, open water 2.
        public var swimmingLocationType: Int
        /// Length of the pool, where it is known.
        public var lapLength: QuantityRecord?
        /// Seconds since 2001-01-01 00:00:00 UTC.
        public var start: Double
        /// `nil` while the activity runs.
        public var end: Double?
        /// Seconds, pauses left out.
        public var duration: Double
        /// The activity's pauses, laps and markers, in order of time.
        public var events: [Event]
        /// Stored figures of the activity, one for a quantity type.
        public var statistics: [Statistics]
        /// What the application said about the activity.
        public var metadata: Metadata

        /// Makes an activity; its place and water are unknown unless given.
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

    /// Raw value of the workout activity type (running 37, walking 52, other 3000 …).
    public var activityType: UInt
    /// Seconds, pauses left out.
    public var duration: Double
    /// Active energy of the whole workout.
    public var totalEnergyBurned: QuantityRecord?
    /// Distance of the whole workout.
    public var totalDistance: QuantityRecord?
    /// Swimming strokes of the whole workout.
    public var totalSwimmingStrokeCount: QuantityRecord?
    /// Floors climbed in the whole workout.
    public var totalFlightsClimbed: QuantityRecord?
    /// Pauses, laps and markers of the whole workout, in order of time.
    public var events: [Event]
    /// The workout's parts in order of time.
    public var activities: [Activity]
    /// Stored figures of the whole workout, one for a quantity type.
    public var statistics: [Statistics]
    /// Children of an archive's element that this version only carries (routes, for now).
    public var archived: [ArchivedElement]

    /// Makes a workout's body; what is not given is unknown or empty.
    public init(
        activityType: UInt, duration: Double, totalEnergyBurned: QuantityRecord? = nil,
        totalDistance: QuantityRecord? = nil, totalSwimmingStrokeCount: QuantityRecord? = nil,
        totalFlightsClimbed: QuantityRecord? = nil, events: [Event] = [],
        activities: [Activity] = [], statistics: [Statistics] = [],
        archived: [ArchivedElement] = []
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
