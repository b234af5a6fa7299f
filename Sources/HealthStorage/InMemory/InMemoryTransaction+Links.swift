import HealthModel

extension InMemoryTransaction {
    func addLink(_ link: StoredLink) throws {
        if let former = state.linksOfOwners[InMemoryLinkKey(near: link.owner, far: link.member)] {
            removeLink(former)
        }
        state.linksOfOwners[InMemoryLinkKey(near: link.owner, far: link.member)] = link
        state.linksOfMembers[InMemoryLinkKey(near: link.member, far: link.owner)] = link
        state.linksOfTypes[InMemoryLinkTypeKey(link)] = link
    }

    func removeLinks(ofMember member: Int64) throws {
        for link in try links(ofMember: member) { removeLink(link) }
    }

    func replaceMember(_ member: Int64, with successor: Int64) throws {
        for link in try links(ofMember: member) {
            removeLink(link)
            var moved = link
            moved.member = successor
            try addLink(moved)
        }
    }

    func removeLink(_ link: StoredLink) {
        state.linksOfOwners[InMemoryLinkKey(near: link.owner, far: link.member)] = nil
        state.linksOfMembers[InMemoryLinkKey(near: link.member, far: link.owner)] = nil
        state.linksOfTypes[InMemoryLinkTypeKey(link)] = nil
    }
}
