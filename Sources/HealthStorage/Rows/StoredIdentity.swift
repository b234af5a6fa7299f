public import HealthModel

/// Where a given UUID leads to.
public struct StoredIdentity: Hashable, Sendable {
    /// The type of the sample or object.
    public var type: TypeCode
    /// Its sequence, by which its page or row is found.
    public var sequence: Int64

    /// Makes the place of one sample or object.
    public init(type: TypeCode, sequence: Int64) {
        self.type = type
        self.sequence = sequence
    }
}
