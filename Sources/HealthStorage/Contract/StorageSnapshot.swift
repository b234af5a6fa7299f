package import Foundation
package import HealthModel

/// A consistent state of a store. It is valid only in the closure to which it is passed and on that thread. Visits
/// may nest. A visiting closure must not write; collect first, then write. All methods throw ``StorageError`` and
/// rethrow the errors of visiting closures.
package protocol StorageSnapshot {
    /// The identity that distinguishes this store from all others. It never changes.
    func identity() throws -> StoreIdentity
    /// The last allocated sequence number; 0 in a new store.
    func lastSequence() throws -> Int64

    // MARK: Pages

    /// Visits pages of a type in key order until `visit` returns `false`.
    func visitPages(of type: TypeCode, in window: PageWindow, bodies: Bool, _ visit: (PageView) throws -> Bool) throws
    /// The pages of a window in key order, with pages added up that lie between two neighboring instants. A page is
    /// added up only if no sample of it overlaps a sample of another page or has the same start. `nil` for backends
    /// that add up nothing.
    func pageGroups(of type: TypeCode, in window: PageWindow, between instants: [Double]) throws -> [PageGroup]?
    /// The page to which a sample with this start belongs: the last page whose first start is at or before it, or
    /// else the type's first page. `nil` if the type has no pages.
    func page(of type: TypeCode, forStart start: Double) throws -> StoredPage?
    /// The last page of the key's type before the key, without its body; `nil` if there is none. The key need not be
    /// that of a page.
    func page(before key: PageKey) throws -> StoredPage?
    /// The page's encoded columns.
    func pageBody(_ key: PageKey) throws -> [UInt8]?
    /// The codes of all types with pages or object rows, in ascending order.
    func typesInUse() throws -> [TypeCode]
    /// The types with a sample or object whose sequence number is greater than this one, in ascending order.
    func typesAdded(after sequence: Int64) throws -> [TypeCode]

    // MARK: Objects and links

    /// Visits objects of a type in the order of their start and sequence number until `visit` returns `false`. A
    /// sequence window visits them in the order of their sequence numbers.
    func visitObjects(of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool) throws
    /// The object with this sequence number, or `nil` if there is none.
    func object(sequence: Int64) throws -> StoredObject?
    /// The links of an owner, ordered by the sequence number of the member.
    func links(ofOwner owner: Int64) throws -> [StoredLink]
    /// The links of a member, ordered by the sequence number of the owner.
    func links(ofMember member: Int64) throws -> [StoredLink]
    /// The sequence numbers of all members of a type that are owned by objects of another type, in ascending order.
    func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64]

    // MARK: Identities, sync identifiers, deletions

    /// The sample or object with a given UUID. Derived UUIDs are not stored.
    func locate(_ uuid: UUID) throws -> StoredIdentity?
    /// Reads the identities of UUIDs that are going to be located, in a backend for which each read is a round trip.
    /// The others do nothing.
    func prefetchIdentities(of uuids: [UUID]) throws
    /// The sample or object with a sync identifier, or `nil` if there is none.
    func sync(_ key: StoredSync.Key) throws -> StoredSync?
    /// Visits deletions after a sequence number in ascending order, of certain types or (`nil`) of all types.
    func visitTombstones(after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool) throws

    /// Visits all given UUIDs in any order until `visit` returns `false`.
    func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws
    /// Visits all sync identifiers in any order until `visit` returns `false`.
    func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws

    // MARK: Small tables

    /// All dictionary entries.
    func dictionaries() throws -> StoreDictionaries
    /// A settings value.
    func value(namespace: String, key: String) throws -> [UInt8]?
    /// All settings values of a namespace by their keys.
    func values(namespace: String) throws -> [String: [UInt8]]
    /// The namespaces of all settings values.
    func namespaces() throws -> Set<String>
}

extension StorageSnapshot {
    /// Returns `nil`, for backends that add up nothing.
    package func pageGroups(of type: TypeCode, in window: PageWindow, between instants: [Double]) throws -> [PageGroup]?
    {
        nil
    }

    /// Asks type by type, for backends for which a read isn't a round trip.
    package func typesAdded(after sequence: Int64) throws -> [TypeCode] {
        try typesInUse().filter { try hasAdditions(of: $0, after: sequence) }
    }

    /// Whether a type gained a sample or object after this sequence.
    package func hasAdditions(of type: TypeCode, after sequence: Int64) throws -> Bool {
        var isFound = false
        try visitPages(of: type, in: .sequencesAfter(sequence), bodies: false) { _ in
            isFound = true
            return false
        }
        if isFound { return true }
        try visitObjects(of: type, in: .sequencesAfter(sequence)) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// Does nothing, for backends that don't read ahead.
    package func prefetchIdentities(of uuids: [UUID]) throws {}
}
