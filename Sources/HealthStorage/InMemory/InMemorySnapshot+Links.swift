import HealthModel

extension InMemorySnapshot {
    final func links(ofOwner owner: Int64) throws -> [StoredLink] {
        Self.links(from: owner, in: state.linksOfOwners)
    }

    final func links(ofMember member: Int64) throws -> [StoredLink] {
        Self.links(from: member, in: state.linksOfMembers)
    }

    final func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        var members: [Int64] = []
        let before = InMemoryLinkTypeKey(
            ownerType: ownerType, memberType: memberType, member: .min, owner: .min)
        state.linksOfTypes.visit(from: before) { key, _ in
            guard key.ownerType == ownerType, key.memberType == memberType else { return false }
            if members.last != key.member { members.append(key.member) }
            return true
        }
        return members
    }

    private static func links(
        from near: Int64, in table: InMemoryTable<InMemoryLinkKey, StoredLink>
    ) -> [StoredLink] {
        var links: [StoredLink] = []
        table.visit(from: InMemoryLinkKey(near: near, far: .min)) { key, link in
            guard key.near == near else { return false }
            links.append(link)
            return true
        }
        return links
    }
}
