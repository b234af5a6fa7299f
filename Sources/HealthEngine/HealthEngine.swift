import Dispatch
package import Foundation
package import HealthModel
import HealthPages
package import HealthStorage
import Synchronization

/// The only access to a store. Everything that reads or writes health data goes through an engine, so that permissions,
/// validation and the original's rules are implemented once.
///
/// An engine may be used from any thread. Reads run concurrently, each over one consistent state. Writes are
/// serialized, each in a transaction that is durable when the call returns and leaves nothing behind when it throws.
///
/// Each folder extends the engine with its part. The engine holds what must exist once for each store, such as the hub
/// of notifications; beyond that, folders depend on each other in one direction only.
///
/// Methods throw ``EngineError``, ``ValidationError``, `StorageError` and, for damaged pages, `PageError`. Their
/// descriptions never contain a health value, a date or metadata.
public final class HealthEngine: Sendable {
    /// The backend.
    package let storage: any HealthStorage
    /// The settings the engine was made with.
    package let configuration: EngineConfiguration

    /// Derives and recognizes the UUIDs of samples that were saved without one.
    package let identities: DerivedIdentities
    /// Held during a write and the queueing of its notification, so that notifications are in the order of commits.
    let writing = Mutex(ShortPages())
    /// Notifies observers of commits.
    package let commits: CommitHub
    /// The calls of observers that have not been completed.
    let observerCalls = ObserverCalls()
    /// The unfinished traversals of requests for changes.
    let traversals = ChangeTraversals()

    private let storeIdentity: StoreIdentity
    /// The metadata of imports as it was when the store was opened, by its keys.
    package let openingMetadata: [String: String]
    /// The dictionaries loaded last, and the sequence up to which they are complete.
    private let loadedDictionaries = Mutex<LoadedDictionaries?>(nil)
    /// The last time at which a change is known to be recorded; guards nothing but repeated work.
    private let recordedTime = Mutex<ChangeTimes?>(nil)
    /// Kinds of sources known to be written already; guards nothing but repeated work.
    let writtenKinds = Mutex<Set<SourceKind>>([])

    private struct LoadedDictionaries: Sendable {
        var sequence: Int64
        var dictionaries: StoreDictionaries
    }

    /// The settings that are read with a store: those of a save among them.
    private static let openedSettings = OpenedSettings(
        returned: [ImportHistory.metadataNamespace],
        likely: [
            Settings.Namespace.engine, Settings.Namespace.sourceKinds, Settings.Namespace.authorization(""),
        ],
        growing: [ChangeTimes.namespace])

    /// Opens an engine over a backend, and adopts types that have entered the catalog.
    package init(storage: any HealthStorage, configuration: EngineConfiguration = .init()) throws {
        precondition(
            (1...PageHeader.maximumCount).contains(configuration.pageCapacity), "The page capacity is out of range.")
        self.storage = storage
        self.configuration = configuration
        let opening = try storage.opening(reading: Self.openedSettings)
        storeIdentity = opening.identity
        openingMetadata =
            opening.settings[ImportHistory.metadataNamespace]?.mapValues { String(decoding: $0, as: UTF8.self) } ?? [:]
        identities = DerivedIdentities(seed: storeIdentity.seed)
        commits = CommitHub(storage: storage)
        loadedDictionaries.withLock {
            $0 = LoadedDictionaries(sequence: opening.lastSequence, dictionaries: opening.dictionaries)
        }
        try adoptTypes(opening.dictionaries)
    }

    /// The identity that distinguishes this store from every other.
    package func identity() -> StoreIdentity {
        storeIdentity
    }

    /// The store's sources, devices, units and types, loaded again only after a write.
    package func dictionaries() throws -> StoreDictionaries {
        try storage.read { try dictionaries(in: $0) }
    }

    /// Calls `body`, which looks up names, with the dictionaries loaded last, and again with the store's present ones if it
    /// throws. Entries are only ever appended, so what is found in old dictionaries is right, and usually a transaction
    /// is saved.
    package func lookingUp<Value>(_ body: (StoreDictionaries) throws -> Value) throws -> Value {
        if let known = loadedDictionaries.withLock({ $0?.dictionaries }), let value = try? body(known) { return value }
        return try body(dictionaries())
    }

    /// Stops notifying observers and closes the backend. Later calls throw.
    public func close() throws {
        commits.close()
        try storage.close()
    }

    /// Returns dictionaries that contain at least every number used in this snapshot.
    ///
    /// Entries are only ever appended, and a row that uses a new number takes a new sequence, so a copy loaded at the
    /// snapshot's last sequence or later is complete. The dictionaries of a running transaction may yet be rolled back
    /// and are never kept.
    package func dictionaries(in snapshot: any StorageSnapshot) throws -> StoreDictionaries {
        if snapshot is any StorageTransaction {
            return try snapshot.dictionaries()
        }
        return try dictionaries(in: snapshot, lastSequence: snapshot.lastSequence())
    }

    /// Like ``dictionaries(in:)``, for a snapshot whose last sequence is known.
    func dictionaries(in snapshot: any StorageSnapshot, lastSequence sequence: Int64) throws -> StoreDictionaries {
        if let loaded = loadedDictionaries.withLock({ $0 }), loaded.sequence >= sequence {
            return loaded.dictionaries
        }
        let fresh = try snapshot.dictionaries()
        loadedDictionaries.withLock { stored in
            if (stored?.sequence ?? -1) < sequence {
                stored = LoadedDictionaries(sequence: sequence, dictionaries: fresh)
            }
        }
        return fresh
    }
}

/// The settings of an engine.
package struct EngineConfiguration: Sendable {
    /// The number of samples a page holds before it is split.
    package var pageCapacity: Int
    /// The clock, in seconds since 2001.
    package var now: @Sendable () -> Double

    /// Creates settings. The defaults are pages of 1,000 samples and the system clock.
    package init(
        pageCapacity: Int = 1_000,
        now: @escaping @Sendable () -> Double = { Date().timeIntervalSinceReferenceDate }
    ) {
        self.pageCapacity = pageCapacity
        self.now = now
    }
}

// MARK: - Writing

extension HealthEngine {
    /// Runs `body` in one transaction and, once it is durable, notifies observers of the changes that it recorded.
    ///
    /// Observers are called outside all locks, in the order of commits. They are notified of a write made by an
    /// observer after the present one.
    ///
    /// - Parameter uuids: The UUIDs that `body` is going to locate.
    package func commit<Value: Sendable>(
        prefetching uuids: () -> [UUID] = { [] },
        _ body: (any StorageTransaction, inout PendingCommit) throws -> Value
    ) throws -> Value {
        let value = try commitWithoutNotifying(prefetching: uuids, body)
        commits.deliver()
        return value
    }

    /// Like ``commit(prefetching:_:)``, for a caller that holds a lock: observers are not notified before the caller calls
    /// ``CommitHub/deliver(evenHeld:)``, which it must do after releasing the lock.
    package func commitWithoutNotifying<Value: Sendable>(
        prefetching uuids: () -> [UUID] = { [] },
        _ body: (any StorageTransaction, inout PendingCommit) throws -> Value
    ) throws -> Value {
        try writing.withLock { try commitExclusively(uuids, &$0, body) }
    }

    private func commitExclusively<Value: Sendable>(
        _ uuids: () -> [UUID], _ shortPages: inout ShortPages,
        _ body: (any StorageTransaction, inout PendingCommit) throws -> Value
    ) throws -> Value {
        var pending = PendingCommit()
        let time = ChangeTimes(at: configuration.now())
        let isTimed = time.isRecorded(recordedTime.withLock { $0 })
        // The pages are put back only if the write succeeds.
        var known = ShortPages()
        swap(&known, &shortPages)
        var taken: ClosedRange<Int64>?
        let value = try storage.write(prefetching: uuids) { transaction in
            pending = PendingCommit()
            swap(&pending.shortPages, &known)
            pending.shortPages.begin(from: transaction.baseState)
            let before = isTimed ? nil : try transaction.lastSequence()
            let value = try body(transaction, &pending)
            taken = pending.sequences
            if let before, !pending.types.isEmpty { try time.record(before, in: transaction) }
            if pending.settingsChanged {
                try SettingsGeneration.advance(in: transaction)
            }
            if pending.hasNotifications, pending.sequences == nil {
                let last = try transaction.lastSequence()
                pending.sequences = last...last
            }
            return value
        }
        if let taken { CommitRecorder.current?.record(taken) }
        if !pending.types.isEmpty { recordedTime.withLock { $0 = time } }
        if pending.keepsShortPages { swap(&shortPages, &pending.shortPages) }
        if !pending.kinds.isEmpty { writtenKinds.withLock { $0.formUnion(pending.kinds) } }
        if pending.hasNotifications, let sequences = pending.sequences {
            commits.enqueue(
                Commit(types: pending.types, sequences: sequences, settingsChanged: pending.settingsChanged))
        }
        return value
    }
}

/// The changes of a running write so far, for its notification.
package struct PendingCommit {
    package var types: Set<TypeCode> = []
    package var sequences: ClosedRange<Int64>?
    package var settingsChanged = false
    /// The kinds of sources that are stored now, which later writes need not look up.
    var kinds: [SourceKind] = []

    /// The short pages at the ends of the types, for a save. Any other write leaves `keepsShortPages` false.
    var shortPages = ShortPages()
    /// Whether `shortPages` is valid after this write.
    var keepsShortPages = false

    /// Whether observers are to be notified.
    var hasNotifications: Bool { !types.isEmpty || settingsChanged }

    /// Records a run of sequence numbers that the write took.
    package mutating func recordSequences(_ count: Int, from first: Int64) {
        guard count > 0 else { return }
        let last = first + Int64(count) - 1
        sequences = min(sequences?.lowerBound ?? first, first)...max(sequences?.upperBound ?? last, last)
    }
}
