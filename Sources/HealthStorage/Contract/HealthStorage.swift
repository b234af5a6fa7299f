package import Foundation
import Synchronization

/// A storage backend: snapshots for reading, one atomic write transaction at a time, and notifications of commits by
/// other processes. Backends know nothing about statistics.
///
/// Calls must not nest on one thread: do not call `write`, `observeForeignCommits` or `close` inside a `read` or
/// `write` of the same storage, nor `read` inside a `read`.
///
/// Every backend passes the contract suite of `HealthTesting`.
package protocol HealthStorage: AnyObject, Sendable {
    /// Whether the store's files are encrypted, so that nothing of it should be written to a file that isn't.
    var isEncrypted: Bool { get }

    /// Reads what is needed to open the store. The first transactions after it ask for nothing that was read ahead.
    func opening(reading settings: OpenedSettings) throws -> StoreOpening

    /// Calls `body` with a snapshot, which later writes do not affect. Any number of threads may read at the same
    /// time, also during a write.
    func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value

    /// Calls `body` in the store's only write transaction. Its changes are durable when this method returns; if
    /// `body` throws an error, none of them are made. Waits for another writer.
    func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value

    /// Like ``write(_:)``, for a transaction that is going to locate UUIDs. A backend for which each read is a
    /// round trip reads their identities along with the beginning of the transaction, and answers from memory. It may
    /// also call `body` a second time, after nothing of the first call was stored, if something that it assumed turns
    /// out to be wrong.
    ///
    /// - Parameter uuids: Called at most once, by a backend that reads ahead.
    func write<Value>(prefetching uuids: () -> [UUID], _ body: (any StorageTransaction) throws -> Value) throws -> Value

    /// Calls `handler` on a thread of the backend within half a second after another process has committed to this
    /// store, until the returned subscription is canceled or released.
    func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription

    /// Checks the store for damage that the backend can detect, which may take long. Returns a sentence without
    /// health data for each finding, and an empty array if the store is sound.
    func findDamage() throws -> [String]

    /// Waits until no other import into the store is running, in any process, and returns what ends this one. Calls
    /// `onWaiting` once if there is another one. What ends it also ends with the process.
    ///
    /// Otherwise, two imports would alternate batch by batch: neither would add what the other has added, but each would
    /// report half of the archive as added.
    func beginImport(onWaiting: () -> Void) throws -> StorageSubscription

    /// Closes files and connections. Later calls throw ``StorageError``.
    func close() throws
}

extension HealthStorage {
    /// Returns `false`, for backends that don't encrypt.
    package var isEncrypted: Bool { false }

    /// Reads one snapshot, for backends for which a read isn't a round trip.
    package func opening(reading settings: OpenedSettings) throws -> StoreOpening {
        try read { snapshot in
            StoreOpening(
                identity: try snapshot.identity(), lastSequence: try snapshot.lastSequence(),
                dictionaries: try snapshot.dictionaries(),
                settings: try Dictionary(
                    uniqueKeysWithValues: settings.returned.map { ($0, try snapshot.values(namespace: $0)) }))
        }
    }

    /// Returns at once, for backends of which there is one import at a time in any case.
    package func beginImport(onWaiting: () -> Void) throws -> StorageSubscription { StorageSubscription {} }

    /// Calls ``write(_:)``, for backends that don't read ahead.
    package func write<Value>(
        prefetching uuids: () -> [UUID], _ body: (any StorageTransaction) throws -> Value
    ) throws -> Value {
        try write(body)
    }

    /// Returns an empty array, for backends with nothing to check.
    package func findDamage() throws -> [String] {
        []
    }
}

/// An observation that ends when it is canceled or released.
package final class StorageSubscription: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    /// Creates a subscription that calls `onCancel` once, on the thread that cancels or releases it.
    package init(onCancel: @escaping @Sendable () -> Void) {
        action = Mutex(onCancel)
    }

    /// Ends the observation. Calling this method again has no effect.
    package func cancel() {
        let last = action.withLock { stored -> (@Sendable () -> Void)? in
            defer { stored = nil }
            return stored
        }
        last?()
    }

    deinit {
        cancel()
    }
}

/// Identifies a state of a store for callers that cache what they read: transactions with equal base states see the
/// same rows.
///
/// States are valid for one open storage object; do not compare them with those of other objects or processes.
package struct StorageState: Hashable, Sendable {
    /// The number of transactions committed by this storage object.
    package var ownCommits: Int64
    /// A number that changes when another process or storage object commits to the same store.
    package var foreignCommits: Int64

    /// Creates a state.
    package init(ownCommits: Int64, foreignCommits: Int64) {
        self.ownCommits = ownCommits
        self.foreignCommits = foreignCommits
    }

    /// The state after the commit of a transaction with this base state.
    package var afterCommit: StorageState {
        StorageState(ownCommits: ownCommits + 1, foreignCommits: foreignCommits)
    }
}

/// An error of a storage backend. The description contains what was read or written and where, never health data.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Hashable, Sendable {
        /// The file or server cannot be opened or reached.
        case unreachable
        /// The file is not a store, or is a store of a newer version.
        case notAStore
        /// The store is encrypted, and its key was not given or is another one; or a key was given, and the store is
        /// not encrypted.
        case encrypted
        /// Stored bytes are invalid.
        case damaged
        /// Reading or writing failed, or the disk is full.
        case inputOutput
        /// Another writer has held the store for too long.
        case busy
        /// The storage is closed.
        case closed
        /// A row with this key exists already.
        case duplicate
        /// The store was removed while it was open.
        case removed
        /// The database refuses a statement, and would again: it lacks a table, a permission or a feature.
        case rejected
        /// The connection to the server was lost during a commit, and whether it was completed can't be found out.
        case unknownOutcome

        /// Whether the same can succeed later without anyone mending the store, as once there is room on the disk
        /// again.
        package var isPassing: Bool {
            switch self {
            case .busy, .unreachable, .inputOutput, .unknownOutcome: true
            case .notAStore, .encrypted, .damaged, .closed, .duplicate, .removed, .rejected: false
            }
        }
    }

    /// The kind of error.
    public var kind: Kind
    public var description: String

    /// Creates an error with a description, which must not contain health data.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// The reason why the last system call of this thread failed, such as a full disk, for the end of a description.
    package static var systemReason: String { String(cString: strerror(errno)) }
}
