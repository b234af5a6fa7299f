public import HealthModel

/// One object owns one sample: a correlation its members, a workout its samples.
public struct StoredLink: Hashable, Sendable {
    /// Sequence and type of the owning object.
    public var owner: Int64
    /// The owner's type.
    public var ownerType: TypeCode
    /// Sequence and type of the member.
    public var member: Int64
    /// The member's type.
    public var memberType: TypeCode

    /// Makes a link between two sequences.
    public init(owner: Int64, ownerType: TypeCode, member: Int64, memberType: TypeCode) {
        self.owner = owner
        self.ownerType = ownerType
        self.member = member
        self.memberType = memberType
    }
}
