import Foundation
import HealthModel

/// Changes a copy of the state. The counterpart of `InMemorySnapshot`.
final class InMemoryTransaction: InMemorySnapshot, StorageTransaction {
    let baseState: StorageState?

    /// - Parameter commits: The number of earlier transactions.
    init(state: InMemoryState, commits: Int64) {
        baseState = StorageState(ownCommits: commits, foreignCommits: 0)
        super.init(state: state)
    }

    func allocateSequences(_ count: Int) throws -> Int64 {
        precondition(count >= 0, "a run of sequence numbers cannot be negative")
        let first = state.lastSequence + 1
        state.lastSequence += Int64(count)
        return first
    }

    func putPage(_ page: StoredPage, replacing previous: PageLocation?) throws -> PageLocation? {
        state.pages[page.key] = page
        return nil
    }

    func removePage(_ key: PageKey) throws {
        state.pages[key] = nil
    }

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        state.settings[namespace, default: [:]][key] = value
    }
}

extension InMemoryTransaction {
    func putObject(_ object: StoredObject) throws {
        let previous = try self.object(sequence: object.sequence)
        if let uuid = object.uuid {
            if previous?.uuid != uuid, state.identities[uuid] != nil { throw StorageError.duplicateUUID }
            state.identities[uuid] = StoredIdentity(type: object.type, sequence: object.sequence)
        }
        if let previous {
            if let uuid = previous.uuid, uuid != object.uuid { state.identities[uuid] = nil }
            state.objects[InMemoryObjectKey(previous)] = nil
        }
        state.objects[InMemoryObjectKey(object)] = object
        state.objectKeys[object.sequence] = InMemoryObjectKey(object)
    }

    func removeObject(sequence: Int64) throws {
        guard let object = try object(sequence: sequence) else { return }
        state.objects[InMemoryObjectKey(object)] = nil
        state.objectKeys[sequence] = nil
        if let uuid = object.uuid { state.identities[uuid] = nil }
        for link in try links(ofOwner: sequence) + links(ofMember: sequence) { removeLink(link) }
    }

    func adopt(_ identity: StoreIdentity) throws {
        state.identity = identity
    }

    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws {
        guard state.identities[uuid] == nil else { throw StorageError.duplicateUUID }
        state.identities[uuid] = identity
    }

    func removeIdentity(_ uuid: UUID) throws {
        state.identities[uuid] = nil
    }

    func putSync(_ sync: StoredSync) throws {
        state.syncs[InMemorySyncKey(key: sync.key)] = sync
    }

    func removeSync(_ key: StoredSync.Key) throws {
        state.syncs[InMemorySyncKey(key: key)] = nil
    }

    func putTombstone(_ tombstone: StoredTombstone) throws {
        guard state.tombstones[tombstone.sequence] == nil else {
            throw StorageError(.duplicate, "A deletion with this sequence number exists already.")
        }
        state.tombstones[tombstone.sequence] = tombstone
    }
}

extension InMemoryObjectKey {
    fileprivate init(_ object: StoredObject) {
        self.init(type: object.type, start: object.start, sequence: object.sequence)
    }
}

extension StorageError {
    fileprivate static var duplicateUUID: StorageError {
        StorageError(.duplicate, "An object with this UUID exists already.")
    }
}

extension InMemoryTransaction {
    func addLink(_ link: StoredLink) throws {
        if let previous = state.linksOfOwners[InMemoryLinkKey(near: link.owner, far: link.member)] {
            removeLink(previous)
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

extension InMemoryTransaction {
    func intern(_ entry: DictionaryEntry) throws -> UInt32 {
        state.dictionaries.intern(entry)
    }
}
