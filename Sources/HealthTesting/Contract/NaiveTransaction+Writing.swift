import Foundation
import HealthModel
import HealthStorage

extension NaiveTransaction {
    func takeSequences(_ count: Int) throws -> Int64 {
        state.lastSequence += Int64(count)
        return state.lastSequence - Int64(count) + 1
    }

    func putPage(_ page: StoredPage) throws {
        try removePage(page.key)
        state.pages.append(page)
    }

    func removePage(_ key: PageKey) throws {
        state.pages.removeAll { $0.key == key }
    }

    func putObject(_ object: StoredObject) throws {
        let former = try self.object(sequence: object.sequence)?.uuid
        if let uuid = object.uuid, uuid != former, try locate(uuid) != nil {
            throw StorageError(.duplicate, "duplicate")
        }
        if let former { try removeIdentity(former) }
        if let uuid = object.uuid {
            try putIdentity(uuid, StoredIdentity(type: object.type, sequence: object.sequence))
        }
        state.objects.removeAll { $0.sequence == object.sequence }
        state.objects.append(object)
    }

    func removeObject(sequence: Int64) throws {
        guard let object = try object(sequence: sequence) else { return }
        if let uuid = object.uuid { try removeIdentity(uuid) }
        state.objects.removeAll { $0.sequence == sequence }
        state.links.removeAll { $0.owner == sequence || $0.member == sequence }
    }

    func addLink(_ link: StoredLink) throws {
        state.links.removeAll { $0.owner == link.owner && $0.member == link.member }
        state.links.append(link)
    }

    func removeLinks(ofMember member: Int64) throws {
        state.links.removeAll { $0.member == member }
    }

    func replaceMember(_ member: Int64, with successor: Int64) throws {
        for link in state.links where link.member == member {
            state.links.removeAll { $0 == link }
            var moved = link
            moved.member = successor
            try addLink(moved)
        }
    }

    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws {
        guard try locate(uuid) == nil else { throw StorageError(.duplicate, "duplicate") }
        state.identities.append((uuid, identity))
    }

    func removeIdentity(_ uuid: UUID) throws {
        state.identities.removeAll { $0.uuid == uuid }
    }

    func putSync(_ sync: StoredSync) throws {
        try removeSync(sync.key)
        state.syncs.append(sync)
    }

    func removeSync(_ key: StoredSync.Key) throws {
        state.syncs.removeAll { $0.key == key }
    }

    func putTombstone(_ tombstone: StoredTombstone) throws {
        guard !state.tombstones.contains(where: { $0.sequence == tombstone.sequence }) else {
            throw StorageError(.duplicate, "duplicate")
        }
        state.tombstones.append(tombstone)
    }

    func intern(_ source: SourceRecord) throws -> UInt32 {
        Self.number(of: source, in: &state.dictionaries.sources)
    }

    func intern(_ revision: SourceRevisionRecord) throws -> UInt32 {
        _ = try intern(revision.source)
        return Self.number(of: revision, in: &state.dictionaries.revisions)
    }

    func intern(_ device: DeviceRecord) throws -> UInt32 {
        Self.number(of: device, in: &state.dictionaries.devices)
    }

    func intern(unit: String) throws -> UInt32 {
        unit.isEmpty ? 0 : Self.number(of: unit, in: &state.dictionaries.units)
    }

    func intern(typeIdentifier: String, kind: TypeKind) throws -> TypeCode {
        if let known = state.dictionaries.type(identifier: typeIdentifier) { return known.code }
        let code = TypeCode(
            rawValue: TypeCode.firstUnknown.rawValue + UInt32(state.dictionaries.types.count))
        state.dictionaries.types.append(TypeDescription(code: code, identifier: typeIdentifier, kind: kind))
        return code
    }

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        state.settings.removeAll { $0.namespace == namespace && $0.key == key }
        if let value { state.settings.append((namespace, key, value)) }
    }

    private static func number<Noun: Equatable>(of noun: Noun, in nouns: inout [Noun]) -> UInt32 {
        if let index = nouns.firstIndex(of: noun) { return UInt32(index + 1) }
        nouns.append(noun)
        return UInt32(nouns.count)
    }
}
