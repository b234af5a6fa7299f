public import HealthStorage

/// What every storage backend must do, as checks that anyone can run over a backend of their own.
///
/// ```swift
/// @Test(arguments: StorageContract.Check.allCases)
/// func contract(_ check: StorageContract.Check) throws {
///     try StorageContract(makeStorage: { MyStorage() }).run(check)
/// }
/// ```
///
/// The checks make their own data: page and object rows with arbitrary bytes (a backend never looks
/// into them), of types 0, 1, 2, 80, 90 and 4,294,967,295, with sequences from 1 upwards, plus sources,
/// devices and settings with empty, long and non-ASCII texts. Random programs follow from ``seed``,
/// which every failure's text names.
public struct StorageContract: Sendable {
    /// What random programs follow from.
    public let seed: UInt64
    let makeStorage: @Sendable () throws -> any HealthStorage
    let reopen: (@Sendable (any HealthStorage) throws -> any HealthStorage)?

    /// - Parameters:
    ///   - seed: What random programs follow from.
    ///   - makeStorage: Makes a new, empty store. Called once or more a check.
    ///   - reopen: Closes the storage it is handed and opens the same store again; `nil` for backends
    ///     that keep nothing.
    public init(
        seed: UInt64 = 20_010_101, makeStorage: @escaping @Sendable () throws -> any HealthStorage,
        reopen: (@Sendable (any HealthStorage) throws -> any HealthStorage)? = nil
    ) {
        self.seed = seed
        self.makeStorage = makeStorage
        self.reopen = reopen
    }

    /// One part of the contract.
    public enum Check: String, CaseIterable, Sendable {
        /// The small tables, and what a store says before anything was written.
        case newStore, sequences, settings, dictionaries
        /// Pages, and visits of them.
        case pages, pageWindows, pageForStart, pageExtremes, visits, typesInUse
        /// Object rows, links, identities and deletions.
        case objects, objectWindows, objectIdentities, links, identities, syncIdentifiers, tombstones
        /// What a transaction sees, what others see of it, and what remains when it fails.
        case rollback, states, ownWrites, isolation, concurrentReaders, writersTakeTurns
        /// Programs that follow from the seed; ends, and word of other processes.
        case randomPrograms, reopening, closing, foreignCommits
    }

    /// Runs every check; throws ``StorageContractFailure`` at the first thing that is not as it must be.
    public func run() throws {
        for check in Check.allCases { try run(check) }
    }

    /// Runs one check.
    public func run(_ check: Check) throws {
        switch check {
        case .newStore: try checkNewStore()
        case .sequences: try checkSequences()
        case .settings: try checkSettings()
        case .dictionaries: try checkDictionaries()
        case .pages: try checkPages()
        case .pageWindows: try checkPageWindows()
        case .pageForStart: try checkPageForStart()
        case .pageExtremes: try checkPageExtremes()
        case .visits: try checkVisits()
        case .typesInUse: try checkTypesInUse()
        case .objects: try checkObjects()
        case .objectWindows: try checkObjectWindows()
        case .objectIdentities: try checkObjectIdentities()
        case .links: try checkLinks()
        case .identities: try checkIdentities()
        case .syncIdentifiers: try checkSyncIdentifiers()
        case .tombstones: try checkTombstones()
        case .rollback: try checkRollback()
        case .states: try checkStates()
        case .ownWrites: try checkOwnWrites()
        case .isolation: try checkIsolation()
        case .concurrentReaders: try checkConcurrentReaders()
        case .writersTakeTurns: try checkWritersTakeTurns()
        case .randomPrograms: try checkRandomPrograms()
        case .reopening: try checkReopening()
        case .closing: try checkClosing()
        case .foreignCommits: try checkForeignCommits()
        }
    }
}
