public import Foundation

/// One quantity or category sample as plain values: what the API layer hands to the engine to save,
/// and what a test compares with.
public struct SampleRecord: Hashable, Sendable, Codable {
    /// The identity given by the application; `nil` lets the store derive one from the sequence.
    public var uuid: UUID?
    /// The sample's type; always one whose samples live in pages.
    public var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    public var end: Double
    /// The quantity in ``unit``, or the raw value of a category.
    public var value: Double
    /// The unit string the value was written in; empty for categories.
    public var unit: String
    /// Who wrote it. The engine sets this on `save`; a bulk import gives it.
    public var revision: SourceRevisionRecord?
    /// The device it was measured with, where one is named.
    public var device: DeviceRecord?
    /// What the application said about it.
    public var metadata: Metadata
    /// When the sample was made, where an archive says so.
    public var creation: Double?
    /// Position in the store's one growing sequence; 0 before it is saved.
    public var sequence: Int64

    /// Makes a sample that no store has numbered yet, unless a sequence is given. Nothing is checked.
    public init(
        uuid: UUID? = nil, type: TypeCode, start: Double, end: Double, value: Double,
        unit: String = "", revision: SourceRevisionRecord? = nil, device: DeviceRecord? = nil,
        metadata: Metadata = .empty, creation: Double? = nil, sequence: Int64 = 0
    ) {
        self.uuid = uuid
        self.type = type
        self.start = start
        self.end = end
        self.value = value
        self.unit = unit
        self.revision = revision
        self.device = device
        self.metadata = metadata
        self.creation = creation
        self.sequence = sequence
    }
}
