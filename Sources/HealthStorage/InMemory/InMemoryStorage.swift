import Dispatch
import Foundation
import HealthModel
import Synchronization

/// A store in memory, for tests, previews and data that should not be kept.
///
/// Its state is a value. A reader takes a copy and never waits; a writer changes a copy, which replaces the state
/// when its transaction returns.
package final class InMemoryStorage: HealthStorage {
    private struct Published {
        var state: InMemoryState
        var commits: Int64 = 0
        var isClosed = false
    }

    private let published: Mutex<Published>
    /// Locked by the writer during its transaction.
    private let writing = Mutex<Void>(())
    /// Held by the import that is running.
    private let importing = DispatchSemaphore(value: 1)

    /// Creates an empty store.
    /// - Parameter identity: The store's identity. Pass a fixed one for the same derived UUIDs in every run.
    package init(identity: StoreIdentity = StoreIdentity(uuid: UUID(), seed: .random(in: .min ... .max))) {
        published = Mutex(Published(state: InMemoryState(identity: identity)))
    }

    /// Calls `body` with the current state. Never waits, not even for a writer.
    package func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        try body(InMemorySnapshot(state: openState().state))
    }

    /// Calls `body` with a copy of the state, which then replaces it. Waits for another writer.
    package func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        writing.withLock { _ in result = Result { try writeExclusively(body) } }
        return try result!.get()
    }

    /// Returns a subscription that never calls `handler`, because only this process can use the store.
    package func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        StorageSubscription {}
    }

    /// Waits for another import of this process.
    package func beginImport(onWaiting: () -> Void) throws -> StorageSubscription {
        if importing.wait(timeout: .now()) == .timedOut {
            onWaiting()
            importing.wait()
        }
        return StorageSubscription { [importing] in importing.signal() }
    }

    /// Releases the contents. Later calls throw ``StorageError/Kind/closed``.
    package func close() throws {
        published.withLock {
            $0.isClosed = true
            $0.state = InMemoryState(identity: $0.state.identity)
        }
    }

    private func openState() throws -> Published {
        let published = published.withLock { $0 }
        guard !published.isClosed else { throw StorageError(.closed, "The storage is closed.") }
        return published
    }

    private func writeExclusively<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        let base = try openState()
        let transaction = InMemoryTransaction(state: base.state, commits: base.commits)
        let value = try body(transaction)
        try published.withLock {
            guard !$0.isClosed else { throw StorageError(.closed, "The storage is closed.") }
            $0.state = transaction.state
            $0.commits += 1
        }
        return value
    }
}

/// The contents of a store as a value.
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
    var dictionaries = IndexedDictionaries()
    var settings: [String: [String: [UInt8]]] = [:]
}

/// The key of objects by time within their type.
struct InMemoryObjectKey: Comparable, Sendable {
    var type: TypeCode
    var start: Double
    var sequence: Int64

    static func < (left: InMemoryObjectKey, right: InMemoryObjectKey) -> Bool {
        (left.type, left.start, left.sequence) < (right.type, right.start, right.sequence)
    }
}

/// The key of links from one end to the other.
struct InMemoryLinkKey: Comparable, Sendable {
    var near: Int64
    var far: Int64

    static func < (left: InMemoryLinkKey, right: InMemoryLinkKey) -> Bool {
        (left.near, left.far) < (right.near, right.far)
    }
}

/// The key of links by the types of their ends.
struct InMemoryLinkTypeKey: Comparable, Sendable {
    var ownerType: TypeCode
    var memberType: TypeCode
    var member: Int64
    var owner: Int64

    static func < (left: InMemoryLinkTypeKey, right: InMemoryLinkTypeKey) -> Bool {
        (left.ownerType, left.memberType, left.member, left.owner)
            < (right.ownerType, right.memberType, right.member, right.owner)
    }
}

extension InMemoryLinkTypeKey {
    init(_ link: StoredLink) {
        self.init(ownerType: link.ownerType, memberType: link.memberType, member: link.member, owner: link.owner)
    }
}

/// The key of sync identifiers within their source and type.
struct InMemorySyncKey: Comparable, Sendable {
    var key: StoredSync.Key

    static func < (left: InMemorySyncKey, right: InMemorySyncKey) -> Bool {
        (left.key.source, left.key.type, left.key.identifier) < (right.key.source, right.key.type, right.key.identifier)
    }
}

extension StorageProviders {
    /// Opens an empty store in memory, or in the database that is registered with the scheme `memory`, with which the
    /// tests of this package run suites that use stores in memory over other backends.
    ///
    /// - Throws: the errors of the database.
    package func openInMemory() throws -> any HealthStorage {
        guard let open = database(ofScheme: "memory") else { return InMemoryStorage() }
        return try open("memory://", true)
    }
}
