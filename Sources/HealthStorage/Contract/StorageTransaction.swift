package import Foundation
package import HealthModel

/// The write transaction of a store. Reads include the transaction's own changes.
package protocol StorageTransaction: StorageSnapshot {
    /// The state on which this transaction is based; `nil` if the backend cannot distinguish states.
    var baseState: StorageState? { get }

    /// Allocates `count` sequence numbers, which must not be negative, and returns the first. A transaction that
    /// fails releases its numbers. Rows must be written with allocated numbers.
    func allocateSequences(_ count: Int) throws -> Int64

    /// Reads the pages to which runs of samples, one of a type, are going to be added, in a backend for which each read
    /// is a round trip. The others do nothing.
    func prefetchPages(of runs: [PageRun]) throws

    /// Writes a page, replacing a page with the same key.
    /// - Parameter previous: The location of the page that is replaced, if known: the one returned when that version was
    ///   written, if nothing has been committed and the page has not been written since (see ``baseState``). The
    ///   location of another page is ignored.
    /// - Returns: The location of the page, or `nil` if the backend does not use locations.
    @discardableResult
    func putPage(_ page: StoredPage, replacing previous: PageLocation?) throws -> PageLocation?
    /// Removes a page and its body. Removing a page that does not exist has no effect.
    func removePage(_ key: PageKey) throws

    /// Writes an object row, replacing one with the same sequence number, and enters its UUID, if given, among the
    /// identities. Throws ``StorageError/Kind/duplicate`` if the UUID exists already.
    func putObject(_ object: StoredObject) throws
    /// Removes an object row, its identity, and its links as an owner and as a member.
    func removeObject(sequence: Int64) throws
    /// Adds a link, replacing the one between the same objects.
    func addLink(_ link: StoredLink) throws
    /// Adds links. A backend may have a faster way than ``addLink(_:)``.
    func addLinks(_ links: [StoredLink]) throws
    /// Removes all links with this member.
    func removeLinks(ofMember member: Int64) throws
    /// Replaces a member by its successor in all its links. An owner that owned both owns the successor once.
    func replaceMember(_ member: Int64, with successor: Int64) throws

    /// Enters a given UUID. Throws ``StorageError/Kind/duplicate`` if it exists already.
    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws
    /// Removes a given UUID. Removing a UUID that does not exist has no effect.
    func removeIdentity(_ uuid: UUID) throws
    /// Enters the sample or object with a sync identifier, replacing the previous one.
    func putSync(_ sync: StoredSync) throws
    /// Removes a sync identifier. Removing one that does not exist has no effect.
    func removeSync(_ key: StoredSync.Key) throws
    /// Enters a deletion. Throws ``StorageError/Kind/duplicate`` if there is one with the same sequence number.
    func putTombstone(_ tombstone: StoredTombstone) throws

    /// The number of a dictionary entry, which is added, a revision along with its source, if it is new. Numbers begin
    /// with 1, those of types with `TypeCode.firstUnknown`.
    func intern(_ entry: DictionaryEntry) throws -> UInt32

    /// Gives a new store the identity of another one, whose contents it is about to get. Has no effect on snapshots
    /// that have been opened before.
    func adopt(_ identity: StoreIdentity) throws

    /// Sets a settings value, or removes it if the value is `nil`.
    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws
}

extension StorageTransaction {
    /// Does nothing, for backends that don't read ahead.
    package func prefetchPages(of runs: [PageRun]) throws {}

    /// Writes a page, replacing a page with the same key.
    package func putPage(_ page: StoredPage) throws {
        try putPage(page, replacing: nil)
    }

    /// Adds links one by one.
    package func addLinks(_ links: [StoredLink]) throws {
        for link in links { try addLink(link) }
    }
}

extension StorageTransaction {
    /// The number of a source, which is added if it is new.
    package func intern(_ source: SourceRecord) throws -> UInt32 { try intern(.source(source)) }

    /// The number of a source revision, which is added, along with its source, if it is new.
    package func intern(_ revision: SourceRevisionRecord) throws -> UInt32 { try intern(.revision(revision)) }

    /// The number of a device, which is added if it is new.
    package func intern(_ device: DeviceRecord) throws -> UInt32 { try intern(.device(device)) }

    /// The number of a unit string; 0 for the empty string.
    package func intern(unit: String) throws -> UInt32 { unit.isEmpty ? 0 : try intern(.unit(unit)) }

    /// The code of a type. If neither the catalog nor this store contains the identifier, the type is added with a
    /// code from `TypeCode.firstUnknown` upwards.
    package func intern(typeIdentifier: String, kind: TypeKind) throws -> TypeCode {
        if let known = TypeCatalog.description(for: typeIdentifier) { return known.code }
        return TypeCode(rawValue: try intern(.type(identifier: typeIdentifier, kind: kind)))
    }
}
