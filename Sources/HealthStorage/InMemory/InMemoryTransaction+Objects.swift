import Foundation
import HealthModel

extension InMemoryTransaction {
    func putObject(_ object: StoredObject) throws {
        let former = try self.object(sequence: object.sequence)
        if let uuid = object.uuid {
            if former?.uuid != uuid, state.identities[uuid] != nil { throw StorageError.duplicateUUID }
            state.identities[uuid] = StoredIdentity(type: object.type, sequence: object.sequence)
        }
        if let former {
            if let uuid = former.uuid, uuid != object.uuid { state.identities[uuid] = nil }
            state.objects[InMemoryObjectKey(former)] = nil
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
            throw StorageError(.duplicate, "A deletion with this sequence is there already.")
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
        StorageError(.duplicate, "An object with this UUID is there already.")
    }
}
