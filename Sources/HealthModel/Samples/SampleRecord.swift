public import Foundation

/// A quantity or category sample as plain values.
public struct SampleRecord: Hashable, Sendable, Codable {
    /// The identity given by the application; `nil` for one that the store derives from the sequence.
    public var uuid: UUID?
    /// The sample's type, which is a quantity or category type.
    public var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    public var end: Double
    /// The quantity in ``unit``, or the raw value of a category.
    public var value: Double
    /// The unit string of the value; empty for categories.
    public var unit: String
    /// The source revision that saved it, which the engine sets on `save`.
    public var revision: SourceRevisionRecord?
    /// The device it was measured with, if any.
    public var device: DeviceRecord?
    /// The metadata.
    public var metadata: Metadata
    /// The creation date given by an archive, in seconds since 2001-01-01 00:00:00 UTC.
    public var creation: Double?
    /// The position in the store's sequence; 0 before it is saved.
    public var sequence: Int64

    /// Creates a sample. Nothing is validated.
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
