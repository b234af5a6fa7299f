public import Foundation

/// The samples, deletions and activity summaries that a device sends at once.
///
/// A batch is numbered, and its number is never used for other contents. The receiver writes a batch and its number in
/// one transaction, so that a batch that arrives twice, or after later ones, changes nothing.
public struct SyncBatch: Codable, Hashable, Sendable {
    /// The sender.
    public var device: SyncDevice
    /// The number of the batch. Numbers ascend; some may be missing.
    public var sequence: Int
    /// The number of the last batch that the receiver has acknowledged; 0 if there is none.
    public var acknowledged: Int
    /// The samples.
    public var samples: [SyncSample]
    /// The identities of deleted objects.
    public var deletedObjects: [UUID]
    /// Activity summaries. A summary replaces the one of the same day.
    public var activitySummaries: [SyncActivitySummary]?

    /// Creates a batch.
    public init(
        device: SyncDevice, sequence: Int, acknowledged: Int, samples: [SyncSample] = [], deletedObjects: [UUID] = [],
        activitySummaries: [SyncActivitySummary]? = nil
    ) {
        self.device = device
        self.sequence = sequence
        self.acknowledged = acknowledged
        self.samples = samples
        self.deletedObjects = deletedObjects
        self.activitySummaries = activitySummaries
    }
}

/// The sender of batches.
public struct SyncDevice: Codable, Hashable, Sendable {
    /// An identity that the sender chose when it sent for the first time.
    public var identifier: UUID
    /// A name for people.
    public var name: String

    /// Creates a device.
    public init(identifier: UUID, name: String) {
        self.identifier = identifier
        self.name = name
    }
}

/// The rings of a day.
public struct SyncActivitySummary: Codable, Hashable, Sendable {
    /// The Gregorian date of the person's day, such as `2026-03-01`.
    public var date: String
    /// The raw value of the move mode: active energy 1, move time 2.
    public var activityMoveMode: Int
    /// Whether the person had paused the rings.
    public var isPaused: Bool
    /// The Move ring as energy.
    public var activeEnergyBurned: SyncQuantity?
    /// The goal of the Move ring as energy.
    public var activeEnergyBurnedGoal: SyncQuantity?
    /// The Move ring as time.
    public var appleMoveTime: SyncQuantity?
    /// The goal of the Move ring as time.
    public var appleMoveTimeGoal: SyncQuantity?
    /// The Exercise ring.
    public var appleExerciseTime: SyncQuantity?
    /// The goal of the Exercise ring.
    public var appleExerciseTimeGoal: SyncQuantity?
    /// The Stand ring, a count of hours.
    public var appleStandHours: SyncQuantity?
    /// The goal of the Stand ring.
    public var appleStandHoursGoal: SyncQuantity?

    /// Creates the summary of a day without values.
    public init(date: String, activityMoveMode: Int, isPaused: Bool) {
        self.date = date
        self.activityMoveMode = activityMoveMode
        self.isPaused = isPaused
    }
}

/// The receiver's answer to a batch, sent when the batch is durable.
public struct SyncAcknowledgement: Codable, Hashable, Sendable {
    /// A sample that the receiver did not accept, with the reason, which contains no health data.
    public struct Rejection: Codable, Hashable, Sendable {
        /// The sample's identity.
        public var uuid: UUID
        /// The reason why the batch is invalid.
        public var reason: String

        /// Creates a rejection.
        public init(uuid: UUID, reason: String) {
            self.uuid = uuid
            self.reason = reason
        }
    }

    /// The number of the batch.
    public var sequence: Int
    /// The number of samples that were new.
    public var added: Int
    /// The number of samples that were stored with other contents, which were replaced.
    public var updated: Int
    /// The number of samples that were stored already.
    public var unchanged: Int
    /// The number of objects that were deleted.
    public var deleted: Int
    /// Samples that can't be stored. They are not sent again.
    public var rejected: [Rejection]

    /// Creates an acknowledgement of a batch that changed nothing.
    public init(sequence: Int) {
        self.sequence = sequence
        (added, updated, unchanged, deleted) = (0, 0, 0, 0)
        rejected = []
    }
}

/// The JSON of batches and acknowledgements.
public enum SyncCoding {
    /// An encoder of batches.
    public static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }

    /// A decoder of batches.
    public static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return decoder
    }
}
