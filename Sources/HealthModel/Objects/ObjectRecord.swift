public import Foundation

/// Anything that is not a page sample: a workout, a correlation, an activity summary, a series …
public struct ObjectRecord: Hashable, Sendable, Codable {
    /// The identity given by the application; `nil` lets the store derive one from the sequence.
    public var uuid: UUID?
    /// The object's type; never one whose samples live in pages.
    public var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    public var end: Double
    /// Who wrote it. The engine sets this on `save`; a bulk import gives it.
    public var revision: SourceRevisionRecord?
    /// The device it was measured with, where one is named.
    public var device: DeviceRecord?
    /// What the application said about it.
    public var metadata: Metadata
    /// When the object was made, where an archive says so.
    public var creation: Double?
    /// What is particular to the object's family.
    public var body: ObjectBody
    /// Samples that belong to this object (members of a correlation, samples of a workout), as saved
    /// with it. Objects read back have their members here too.
    public var members: [SampleRecord]
    /// Position in the store's one growing sequence; 0 before it is saved.
    public var sequence: Int64

    /// Makes an object that no store has numbered yet, unless a sequence is given.
    public init(
        uuid: UUID? = nil, type: TypeCode, start: Double, end: Double,
        revision: SourceRevisionRecord? = nil, device: DeviceRecord? = nil,
        metadata: Metadata = .empty, creation: Double? = nil, body: ObjectBody = .none,
        members: [SampleRecord] = [], sequence: Int64 = 0
    ) {
        self.uuid = uuid
        self.type = type
        self.start = start
        self.end = end
        self.revision = revision
        self.device = device
        self.metadata = metadata
        self.creation = creation
        self.body = body
        self.members = members
        self.sequence = sequence
    }
}
