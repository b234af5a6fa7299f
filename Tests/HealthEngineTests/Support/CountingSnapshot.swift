import Foundation
import HealthModel
import HealthStorage

/// The snapshots of a ``CountingStorage``.
struct CountingSnapshot: StorageSnapshot {
    let base: any StorageSnapshot
    let counter: CountingStorage.Counter

    func identity() throws -> StoreIdentity { try base.identity() }
    func lastSequence() throws -> Int64 { try base.lastSequence() }

    func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool, _ visit: (PageView) throws -> Bool
    ) throws {
        try base.visitPages(of: type, in: window, bodies: bodies) { page in
            if bodies { counter.add() }
            return try visit(page)
        }
    }

    func page(of type: TypeCode, forStart start: Double) throws -> StoredPage? {
        counter.add()
        return try base.page(of: type, forStart: start)
    }

    func page(before key: PageKey) throws -> StoredPage? { try base.page(before: key) }

    func pageBody(_ key: PageKey) throws -> [UInt8]? {
        counter.add()
        return try base.pageBody(key)
    }

    func typesInUse() throws -> [TypeCode] { try base.typesInUse() }

    func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool
    ) throws {
        try base.visitObjects(of: type, in: window, visit)
    }

    func object(sequence: Int64) throws -> StoredObject? { try base.object(sequence: sequence) }
    func links(ofOwner owner: Int64) throws -> [StoredLink] { try base.links(ofOwner: owner) }
    func links(ofMember member: Int64) throws -> [StoredLink] { try base.links(ofMember: member) }

    func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        try base.linkedMembers(of: memberType, ownerType: ownerType)
    }

    func locate(_ uuid: UUID) throws -> StoredIdentity? { try base.locate(uuid) }
    func sync(_ key: StoredSync.Key) throws -> StoredSync? { try base.sync(key) }

    func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        try base.visitTombstones(after: sequence, types: types) { tombstone in
            counter.addDeletion()
            return try visit(tombstone)
        }
    }

    func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws { try base.visitIdentities(visit) }
    func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws { try base.visitSyncs(visit) }
    func namespaces() throws -> Set<String> { try base.namespaces() }

    func dictionaries() throws -> StoreDictionaries { try base.dictionaries() }
    func value(namespace: String, key: String) throws -> [UInt8]? { try base.value(namespace: namespace, key: key) }
    func values(namespace: String) throws -> [String: [UInt8]] { try base.values(namespace: namespace) }
}
