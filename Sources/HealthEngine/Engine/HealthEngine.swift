public import HealthModel
import HealthPages
public import HealthStorage
import Synchronization

/// The only door to a store: everything that reads or writes health data goes through it, so that
/// permission, validation and the rules of the original are written once.
///
/// An engine may be used from any thread. Reads run side by side, each over one consistent state;
/// writes run one after the other, each in one transaction that is durable when the call returns and
/// leaves nothing behind when it throws.
///
/// Methods throw ``EngineError``, ``ValidationError``, `StorageError` and, for damaged pages,
/// `PageError`; none of their descriptions
/// carries a health value, a date or metadata.
public final class HealthEngine: Sendable {
    /// The backend below.
    public let storage: any HealthStorage
    /// What the engine was told when it was made.
    public let configuration: EngineConfiguration

    /// Makes and recognises the UUIDs of samples that were given none.
    let identities: DerivedIdentities
    /// Held over a write and the queueing of its notice, so that notices follow the order of commits.
    let writing = Mutex(ShortPages())
    /// Tells observers of commits.
    let commits: CommitHub

    private let storeIdentity: StoreIdentity
    /// The last loaded dictionaries with the sequence they were complete at.
    private let loadedDictionaries = Mutex<LoadedDictionaries?>(nil)
    /// Kinds of sources known to be written already; guards nothing but repeated work.
    let writtenKinds = Mutex<Set<SourceKind>>([])

    private struct LoadedDictionaries: Sendable {
        var sequence: Int64
        var dictionaries: StoreDictionaries
    }

    /// Opens an engine over a backend; reads the store's identity.
    public init(storage: any HealthStorage, configuration: EngineConfiguration = .init()) throws {
        precondition(
            (1...PageHeader.greatestCount).contains(configuration.pageCapacity),
            "a page cannot hold that many samples")
        self.storage = storage
        self.configuration = configuration
        storeIdentity = try storage.read { try $0.identity() }
        identities = DerivedIdentities(seed: storeIdentity.seed)
        commits = CommitHub(storage: storage)
    }

    /// What tells this store from every other.
    public func identity() -> StoreIdentity {
        storeIdentity
    }

    /// The store's interned nouns, loaded again only after somebody wrote.
    public func dictionaries() throws -> StoreDictionaries {
        try storage.read { try dictionaries(in: $0) }
    }

    /// Stops telling observers and closes the backend; later calls throw.
    public func close() throws {
        commits.close()
        try storage.close()
    }

    /// Dictionaries that know at least every number found in this snapshot.
    ///
    /// Entries are only ever appended, and a row that uses a new number takes a new sequence, so a copy
    /// loaded at the snapshot's last sequence or later will do. Dictionaries of a running transaction
    /// may yet be rolled back and are never kept.
    func dictionaries(in snapshot: any StorageSnapshot) throws -> StoreDictionaries {
        if snapshot is any StorageTransaction {
            return try snapshot.dictionaries()
        }
        let sequence = try snapshot.lastSequence()
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

    /// What is known of a type, from the catalog or from this store.
    func describe(_ type: TypeCode, in snapshot: any StorageSnapshot) throws -> TypeDescription? {
        try TypeCatalog.description(for: type) ?? dictionaries(in: snapshot).type(type)
    }
}
