import HealthModel

/// Objects by time within their type.
struct InMemoryObjectKey: Comparable, Sendable {
    var type: TypeCode
    var start: Double
    var sequence: Int64

    static func < (left: InMemoryObjectKey, right: InMemoryObjectKey) -> Bool {
        (left.type, left.start, left.sequence) < (right.type, right.start, right.sequence)
    }
}

/// Links from one end to the other.
struct InMemoryLinkKey: Comparable, Sendable {
    var near: Int64
    var far: Int64

    static func < (left: InMemoryLinkKey, right: InMemoryLinkKey) -> Bool {
        (left.near, left.far) < (right.near, right.far)
    }
}

/// Links by the types of their ends.
struct InMemoryLinkTypeKey: Comparable, Sendable {
    var ownerType: TypeCode
    var memberType: TypeCode
    var member: Int64
    var owner: Int64

    init(ownerType: TypeCode, memberType: TypeCode, member: Int64, owner: Int64) {
        self.ownerType = ownerType
        self.memberType = memberType
        self.member = member
        self.owner = owner
    }

    init(_ link: StoredLink) {
        self.init(
            ownerType: link.ownerType, memberType: link.memberType, member: link.member,
            owner: link.owner)
    }

    static func < (left: InMemoryLinkTypeKey, right: InMemoryLinkTypeKey) -> Bool {
        (left.ownerType, left.memberType, left.member, left.owner)
            < (right.ownerType, right.memberType, right.member, right.owner)
    }
}

/// Sync identifiers within their source and type.
struct InMemorySyncKey: Comparable, Sendable {
    var key: StoredSync.Key

    static func < (left: InMemorySyncKey, right: InMemorySyncKey) -> Bool {
        (left.key.source, left.key.type, left.key.identifier)
            < (right.key.source, right.key.type, right.key.identifier)
    }
}
