import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Forwards reads or makes them fail.
class FaultSnapshot: StorageSnapshot {
    final let plan: FaultPlan
    private let snapshot: any StorageSnapshot

    init(_ snapshot: any StorageSnapshot, _ plan: FaultPlan) {
        self.snapshot = snapshot
        self.plan = plan
    }

    private func reading() throws -> any StorageSnapshot {
        try plan.pass(.read)
        return snapshot
    }

    /// Returns the snapshot for reading samples or the profile, which also fails while they are locked. Transactions
    /// may read them, because a locked device accepts writes.
    private func samples() throws -> any StorageSnapshot {
        if !(self is any StorageTransaction) { try plan.passLock() }
        return try reading()
    }

    private func reading(_ namespace: String) throws -> any StorageSnapshot {
        namespace == ProfileStore.namespace ? try samples() : try reading()
    }

    final func identity() throws -> StoreIdentity {
        try reading().identity()
    }

    final func lastSequence() throws -> Int64 {
        try reading().lastSequence()
    }

    final func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool, _ visit: (PageView) throws -> Bool
    ) throws {
        try samples().visitPages(of: type, in: window, bodies: bodies, visit)
    }

    final func page(of type: TypeCode, forStart start: Double) throws -> StoredPage? {
        try samples().page(of: type, forStart: start)
    }

    final func page(before key: PageKey) throws -> StoredPage? {
        try samples().page(before: key)
    }

    final func pageBody(_ key: PageKey) throws -> [UInt8]? {
        try samples().pageBody(key)
    }

    final func typesInUse() throws -> [TypeCode] {
        try reading().typesInUse()
    }

    final func typesAdded(after sequence: Int64) throws -> [TypeCode] {
        try samples().typesAdded(after: sequence)
    }

    final func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool
    ) throws {
        try samples().visitObjects(of: type, in: window, visit)
    }

    final func object(sequence: Int64) throws -> StoredObject? {
        try samples().object(sequence: sequence)
    }

    final func links(ofOwner owner: Int64) throws -> [StoredLink] {
        try reading().links(ofOwner: owner)
    }

    final func links(ofMember member: Int64) throws -> [StoredLink] {
        try reading().links(ofMember: member)
    }

    final func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        try reading().linkedMembers(of: memberType, ownerType: ownerType)
    }

    final func locate(_ uuid: UUID) throws -> StoredIdentity? {
        try reading().locate(uuid)
    }

    final func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        try reading().sync(key)
    }

    final func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        try reading().visitTombstones(after: sequence, types: types, visit)
    }

    final func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws {
        try reading().visitIdentities(visit)
    }

    final func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws {
        try reading().visitSyncs(visit)
    }

    final func namespaces() throws -> Set<String> {
        try reading().namespaces()
    }

    final func dictionaries() throws -> StoreDictionaries {
        try reading().dictionaries()
    }

    final func value(namespace: String, key: String) throws -> [UInt8]? {
        try reading(namespace).value(namespace: namespace, key: key)
    }

    final func values(namespace: String) throws -> [String: [UInt8]] {
        try reading(namespace).values(namespace: namespace)
    }
}
