import Foundation
import HealthModel

/// All a store holds, as a value. A snapshot is a copy; a transaction changes a copy.
struct InMemoryState: Sendable {
    var identity: StoreIdentity
    var lastSequence: Int64 = 0
    var pages = InMemoryTable<PageKey, StoredPage>()
    var objects = InMemoryTable<InMemoryObjectKey, StoredObject>()
    var objectKeys = InMemoryTable<Int64, InMemoryObjectKey>()
    var linksOfOwners = InMemoryTable<InMemoryLinkKey, StoredLink>()
    var linksOfMembers = InMemoryTable<InMemoryLinkKey, StoredLink>()
    var linksOfTypes = InMemoryTable<InMemoryLinkTypeKey, StoredLink>()
    var identities = InMemoryTable<UUID, StoredIdentity>()
    var syncs = InMemoryTable<InMemorySyncKey, StoredSync>()
    var tombstones = InMemoryTable<Int64, StoredTombstone>()
    var dictionaries = StoreDictionaries()
    var numbers = InMemoryNumbers()
    var settings: [String: [String: [UInt8]]] = [:]

    init(identity: StoreIdentity) {
        self.identity = identity
    }
}
