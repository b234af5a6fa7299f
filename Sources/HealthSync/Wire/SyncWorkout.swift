public import Foundation

/// The contents of a workout.
public struct SyncWorkout: Codable, Hashable, Sendable {
    /// The raw value of the activity type, such as 37 for running.
    public var workoutActivityType: UInt
    /// Seconds, excluding pauses.
    public var duration: Double
    /// The active energy of the whole workout.
    public var totalEnergyBurned: SyncQuantity?
    /// The distance of the whole workout.
    public var totalDistance: SyncQuantity?
    /// The swimming strokes of the whole workout.
    public var totalSwimmingStrokeCount: SyncQuantity?
    /// The flights climbed in the whole workout.
    public var totalFlightsClimbed: SyncQuantity?
    /// The events in chronological order.
    public var workoutEvents: [SyncWorkoutEvent]?
    /// The activities in chronological order.
    public var workoutActivities: [SyncWorkoutActivity]?
    /// The statistics, one for each quantity type.
    public var statistics: [SyncStatistics]?
    /// The time in zones, one for each quantity type that has zones.
    public var zoneGroups: [SyncZoneGroup]?

    /// Creates a workout of which nothing else is known.
    public init(workoutActivityType: UInt, duration: Double) {
        self.workoutActivityType = workoutActivityType
        self.duration = duration
    }
}

/// An event of a workout, such as a pause or lap.
public struct SyncWorkoutEvent: Codable, Hashable, Sendable {
    /// The raw value of the event type.
    public var type: Int
    /// The start.
    public var startDate: SyncDate
    /// The end; equal to ``startDate`` for a momentary event.
    public var endDate: SyncDate
    /// The metadata by key.
    public var metadata: [String: SyncValue]?

    /// Creates an event.
    public init(type: Int, startDate: SyncDate, endDate: SyncDate, metadata: [String: SyncValue]? = nil) {
        self.type = type
        self.startDate = startDate
        self.endDate = endDate
        self.metadata = metadata
    }
}

/// A part of a workout with its own activity.
public struct SyncWorkoutActivity: Codable, Hashable, Sendable {
    /// The identity.
    public var uuid: UUID
    /// The raw value of the activity type.
    public var workoutActivityType: UInt
    /// The raw value of the location type.
    public var locationType: Int
    /// The raw value of the swimming location type.
    public var swimmingLocationType: Int
    /// The length of the pool.
    public var lapLength: SyncQuantity?
    /// The start.
    public var startDate: SyncDate
    /// The end; missing for an activity that was still running.
    public var endDate: SyncDate?
    /// Seconds, excluding pauses.
    public var duration: Double
    /// The events in chronological order.
    public var workoutEvents: [SyncWorkoutEvent]?
    /// The statistics, one for each quantity type.
    public var statistics: [SyncStatistics]?
    /// The time in zones, one for each quantity type that has zones.
    public var zoneGroups: [SyncZoneGroup]?
    /// The metadata by key.
    public var metadata: [String: SyncValue]?

    /// Creates an activity.
    public init(
        uuid: UUID, workoutActivityType: UInt, locationType: Int, swimmingLocationType: Int, startDate: SyncDate,
        duration: Double
    ) {
        self.uuid = uuid
        self.workoutActivityType = workoutActivityType
        self.locationType = locationType
        self.swimmingLocationType = swimmingLocationType
        self.startDate = startDate
        self.duration = duration
    }
}

/// The statistics of one quantity type in a workout or activity.
public struct SyncStatistics: Codable, Hashable, Sendable {
    /// The quantity type's identifier.
    public var type: String
    /// The start.
    public var startDate: SyncDate
    /// The end.
    public var endDate: SyncDate
    /// The unit string of the values.
    public var unit: String
    /// The sum, for cumulative types.
    public var sumQuantity: Double?
    /// The average, for discrete types.
    public var averageQuantity: Double?
    /// The minimum, for discrete types.
    public var minimumQuantity: Double?
    /// The maximum, for discrete types.
    public var maximumQuantity: Double?

    /// Creates statistics without values.
    public init(type: String, startDate: SyncDate, endDate: SyncDate, unit: String) {
        self.type = type
        self.startDate = startDate
        self.endDate = endDate
        self.unit = unit
    }
}

/// The time of a workout or activity in the zones of one quantity type.
public struct SyncZoneGroup: Codable, Hashable, Sendable {
    /// The quantity type's identifier.
    public var type: String
    /// The unit string of the boundaries.
    public var unit: String
    /// The boundaries between the zones, ascending.
    public var boundaries: [Double]
    /// Where the boundaries come from: `system`, `user` or `app`.
    public var source: String
    /// The seconds in each zone, one more than there are boundaries.
    public var durations: [Double]

    /// Creates the time in zones.
    public init(type: String, unit: String, boundaries: [Double], source: String, durations: [Double]) {
        self.type = type
        self.unit = unit
        self.boundaries = boundaries
        self.source = source
        self.durations = durations
    }

    private enum CodingKeys: String, CodingKey {
        case type, unit, boundaries, source, durations
        case quantityType, zones
    }

    /// A zone in answers of the API.
    private struct Zone: Decodable {
        var minimum: Double?
        var duration: Double
    }

    /// Reads the time in zones of a batch, or of an answer of the API.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        unit = try container.decode(String.self, forKey: .unit)
        source = try container.decode(String.self, forKey: .source)
        if let zones = try container.decodeIfPresent([Zone].self, forKey: .zones) {
            type = try container.decode(String.self, forKey: .quantityType)
            (boundaries, durations) = (zones.compactMap(\.minimum), zones.map(\.duration))
        } else {
            type = try container.decode(String.self, forKey: .type)
            boundaries = try container.decode([Double].self, forKey: .boundaries)
            durations = try container.decode([Double].self, forKey: .durations)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encode(unit, forKey: .unit)
        try container.encode(boundaries, forKey: .boundaries)
        try container.encode(source, forKey: .source)
        try container.encode(durations, forKey: .durations)
    }
}
