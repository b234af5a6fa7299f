public import HealthModel

/// An object before it is read: where it is and when it was.
public struct ObjectPlace: Hashable, Sendable {
    /// The object's place in the store's sequence, by which it is read.
    public let sequence: Int64
    /// The object's type.
    public let type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public let start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public let end: Double

    /// Makes the place of an object that was read.
    public init(_ object: ObjectRecord) {
        self.init(sequence: object.sequence, type: object.type, start: object.start, end: object.end)
    }

    init(sequence: Int64, type: TypeCode, start: Double, end: Double) {
        self.sequence = sequence
        self.type = type
        self.start = start
        self.end = end
    }
}
