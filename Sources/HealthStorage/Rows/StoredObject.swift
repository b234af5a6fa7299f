public import Foundation
public import HealthModel

/// One object row: everything that is not a page sample.
public struct StoredObject: Hashable, Sendable {
    /// The row's key; each object has its own.
    public var sequence: Int64
    /// The identity, where the application gave one; else it is derived from the sequence.
    public var uuid: UUID?
    /// The object's type.
    public var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    public var end: Double
    /// Number of the source revision in the store's tables.
    public var revision: UInt32
    /// Number of the device in the store's tables; 0 for none.
    public var device: UInt32
    /// Metadata, creation date and body, encoded by HealthPages.
    public var payload: [UInt8]

    /// Makes a row.
    public init(
        sequence: Int64, uuid: UUID?, type: TypeCode, start: Double, end: Double,
        revision: UInt32, device: UInt32, payload: [UInt8]
    ) {
        self.sequence = sequence
        self.uuid = uuid
        self.type = type
        self.start = start
        self.end = end
        self.revision = revision
        self.device = device
        self.payload = payload
    }
}
