package import Foundation

/// The contents of a workout besides dates, source and metadata.
package struct WorkoutBody: Hashable, Sendable, Codable {
    /// A workout event, such as a pause or lap.
    package struct Event: Hashable, Sendable, Codable {
        /// The raw value of the event type: pause 1, resume 2, lap 3, marker 4, motionPaused 5, motionResumed 6,
        /// segment 7, pauseOrResumeRequest 8.
        package var type: Int
        /// Seconds since 2001-01-01 00:00:00 UTC.
        package var start: Double
        /// Seconds since 2001-01-01 00:00:00 UTC; equal to ``start`` for a momentary event.
        package var end: Double
        /// The event's metadata.
        package var metadata: Metadata

        /// Creates an event.
        package init(type: Int, start: Double, end: Double, metadata: Metadata = .empty) {
            self.type = type
            self.start = start
            self.end = end
            self.metadata = metadata
        }
    }

    /// The statistics of one quantity type, if they are stored rather than computed (imported workouts).
    package struct Statistics: Hashable, Sendable, Codable {
        /// The quantity type's identifier.
        package var type: String
        /// Seconds since 2001-01-01 00:00:00 UTC.
        package var start: Double
        /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
        package var end: Double
        /// The unit string of the values below.
        package var unit: String
        /// The sum, for cumulative types.
        package var sum: Double?
        /// The average, for discrete types.
        package var average: Double?
        /// The minimum, for discrete types.
        package var minimum: Double?
        /// The maximum, for discrete types.
        package var maximum: Double?

        /// Creates statistics. Omitted values are unknown.
        package init(
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

    /// A part of the workout with its own activity.
    package struct Activity: Hashable, Sendable, Codable {
        /// The activity's UUID.
        package var uuid: UUID
        /// The raw value of the workout activity type.
        package var activityType: UInt
        /// The raw value of the location type: unknown 1, indoor 2, outdoor 3.
        package var locationType: Int
        /// The raw value of the swimming location type: unknown 0, pool 1, open water 2.
        package var swimmingLocationType: Int
        /// The length of the pool, if known.
        package var lapLength: QuantityRecord?
        /// Seconds since 2001-01-01 00:00:00 UTC.
        package var start: Double
        /// Seconds since 2001-01-01 00:00:00 UTC; `nil` while the activity is running.
        package var end: Double?
        /// Seconds, excluding pauses.
        package var duration: Double
        /// The activity's events in chronological order.
        package var events: [Event]
        /// The activity's stored statistics, one per quantity type.
        package var statistics: [Statistics]
        /// The activity's metadata.
        package var metadata: Metadata

        /// Creates an activity. Location types are unknown unless given.
        package init(
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
    package var activityType: UInt
    /// Seconds, excluding pauses.
    package var duration: Double
    /// The active energy of the whole workout.
    package var totalEnergyBurned: QuantityRecord?
    /// The distance of the whole workout.
    package var totalDistance: QuantityRecord?
    /// The swimming strokes of the whole workout.
    package var totalSwimmingStrokeCount: QuantityRecord?
    /// The flights climbed in the whole workout.
    package var totalFlightsClimbed: QuantityRecord?
    /// The workout's events in chronological order.
    package var events: [Event]
    /// The workout's activities in chronological order.
    package var activities: [Activity]
    /// The workout's stored statistics, one per quantity type.
    package var statistics: [Statistics]
    /// Child elements from an archive that are only kept for export, such as routes without points.
    package var archived: [ArchivedElement]

    /// Creates the body of a workout. Omitted values are unknown or empty.
    package init(
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

extension WorkoutBody {
    /// Returns the activities of a workout: its own or, if it has none, one that spans all of it. The identity of that
    /// one is the workout's with the last bit inverted, so that it is always the same.
    package func activities(of workout: UUID, start: Double, end: Double) -> [Activity] {
        guard activities.isEmpty else { return namedActivities }
        var bytes = workout.uuid
        bytes.15 ^= 1
        return [
            Activity(
                uuid: UUID(uuid: bytes), activityType: activityType, start: start, end: end, duration: duration,
                events: events, statistics: statistics)
        ]
    }
}

extension WorkoutBody {
    /// Returns the pauses between the events, in ascending order. One that is not resumed lasts until the end.
    package func pauses(until end: Double) -> [ClosedRange<Double>] {
        var (pauses, begin): ([ClosedRange<Double>], Double?) = ([], nil)
        for event in events.sorted(by: { $0.start < $1.start }) {
            switch event.type {
            case 1, 5: begin = begin ?? event.start
            case 2, 6:
                if let start = begin { pauses.append(start...event.start) }
                begin = nil
            default: break
            }
        }
        if let begin, begin < end { pauses.append(begin...end) }
        return pauses
    }

    /// Returns the seconds between two instants without the pauses.
    package func activeTime(from start: Double, to end: Double) -> Double {
        pauses(until: end).reduce(end - start) { $0 - ($1.upperBound - $1.lowerBound) }
    }
}
