public import Foundation
public import HealthModel

/// The one write transaction of a store; reads see its own writes.
public protocol StorageTransaction: StorageSnapshot {
    /// The state that this transaction began from; `nil` where the backend cannot tell states apart.
    var baseState: StorageState? { get }

    /// Takes a run of `count` sequence numbers, which must not be negative, and returns the first.
    /// A transaction that fails gives its numbers back. Rows are put in with numbers that were taken.
    func takeSequences(_ count: Int) throws -> Int64

    /// Writes a page, in place of the one with the same key if there is one.
    func putPage(_ page: StoredPage) throws
    /// Removes a page with its body; harmless when there is none with this key.
    func removePage(_ key: PageKey) throws

    /// Writes an object row, in place of the one with the same sequence if there is one. Its UUID, if
    /// given, is entered among the identities; a UUID that is there already throws
    /// ``StorageError/Kind/duplicate``.
    func putObject(_ object: StoredObject) throws
    /// Removes an object row, its identity and the links it owns; links to it as a member too.
    func removeObject(sequence: Int64) throws
    /// Adds a link, in place of the one between the same two if there is one.
    func addLink(_ link: StoredLink) throws
    /// Adds many links as ``addLink(_:)`` adds one; a backend may have a quicker way.
    func addLinks(_ links: [StoredLink]) throws
    /// Removes the links that have this sequence as their member, whoever owns it.
    func removeLinks(ofMember member: Int64) throws
    /// Lets every owner of `member` own `successor` instead; one that owns both owns it once.
    func replaceMember(_ member: Int64, with successor: Int64) throws

    /// Enters a given UUID; one that is there already throws ``StorageError/Kind/duplicate``.
    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws
    /// Forgets a given UUID; harmless when it is not there.
    func removeIdentity(_ uuid: UUID) throws
    /// Enters what stands for a sync identifier, in place of what stood for it before.
    func putSync(_ sync: StoredSync) throws
    /// Forgets a sync identifier; harmless when it is not there.
    func removeSync(_ key: StoredSync.Key) throws
    /// Enters a deletion; one with the same sequence throws ``StorageError/Kind/duplicate``.
    func putTombstone(_ tombstone: StoredTombstone) throws

    /// The noun's number, given now if it is new.
    func intern(_ source: SourceRecord) throws -> UInt32
    /// The revision's number, given now if it is new; its source gets one too.
    func intern(_ revision: SourceRevisionRecord) throws -> UInt32
    /// The device's number, given now if it is new.
    func intern(_ device: DeviceRecord) throws -> UInt32
    /// The unit string's number; 0 for the empty string.
    func intern(unit: String) throws -> UInt32
    /// The code of a type, given now (from `TypeCode.firstUnknown` upwards) if neither the catalog
    /// nor this store knows the identifier.
    func intern(typeIdentifier: String, kind: TypeKind) throws -> TypeCode

    /// Writes or, with `nil`, removes a settings value.
    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws
}

extension StorageTransaction {
    /// Adds one after the other.
    public func addLinks(_ links: [StoredLink]) throws {
        for link in links { try addLink(link) }
    }
}
