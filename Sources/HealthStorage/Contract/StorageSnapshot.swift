public import Foundation
public import HealthModel

/// One consistent state of a store. Valid only inside the closure it was handed to, on that thread.
/// Visits may nest; a visiting closure must not write: collect first, then write.
/// Every method throws ``StorageError``, and what a visiting closure throws.
public protocol StorageSnapshot {
    /// What tells this store from every other; fixed when the store is made.
    func identity() throws -> StoreIdentity
    /// The last sequence number handed out; 0 in a new store.
    func lastSequence() throws -> Int64

    // MARK: Pages

    /// Visits pages of one type in key order until `visit` returns false.
    func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool,
        _ visit: (PageView) throws -> Bool) throws
    /// The page a sample with this start belongs to: the last one whose first start is at or below it,
    /// or else the type's first page. `nil` when the type has no page.
    func page(of type: TypeCode, forStart start: Double) throws -> StoredPage?
    /// The page's encoded columns.
    func pageBody(_ key: PageKey) throws -> [UInt8]?
    /// Codes of all types that have a page or an object row, ascending.
    func typesInUse() throws -> [TypeCode]

    // MARK: Objects and links

    /// Visits objects of one type ordered by start, then sequence, until `visit` returns false. A
    /// sequence window visits them by sequence.
    func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool) throws
    /// The object row with this sequence, or `nil` where there is none.
    func object(sequence: Int64) throws -> StoredObject?
    /// Links of one owner, ordered by member sequence.
    func links(ofOwner owner: Int64) throws -> [StoredLink]
    /// Links of one member, ordered by owner sequence.
    func links(ofMember member: Int64) throws -> [StoredLink]
    /// Sequences of all members of this type that an owner of that type has, ascending.
    func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64]

    // MARK: Identities, sync identifiers, deletions

    /// Where a given UUID leads to; derived UUIDs are not kept here.
    func locate(_ uuid: UUID) throws -> StoredIdentity?
    /// What now stands for a sync identifier, or `nil` where nothing does.
    func sync(_ key: StoredSync.Key) throws -> StoredSync?
    /// Visits deletions above a sequence, ascending, of these types (`nil`: of all).
    func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?,
        _ visit: (StoredTombstone) throws -> Bool) throws

    // MARK: Small tables

    /// All interned nouns.
    func dictionaries() throws -> StoreDictionaries
    /// One settings value.
    func value(namespace: String, key: String) throws -> [UInt8]?
    /// All settings values of a namespace, by key.
    func values(namespace: String) throws -> [String: [UInt8]]
}
