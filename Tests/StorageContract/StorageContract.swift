package import HealthStorage

/// The requirements for storage backends, as checks that you can run on a backend of your own.
///
/// ```swift
/// @Test(arguments: StorageContract.Check.allCases)
/// func contract(_ check: StorageContract.Check) throws {
///     try StorageContract(makeStorage: { MyStorage() }).run(check)
/// }
/// ```
///
/// The checks use their own data: page and object rows with arbitrary bytes, which backends do not interpret, of
/// the types 0, 1, 2, 80, 90 and 4,294,967,295, with sequence numbers from 1, and sources, devices and settings with
/// empty, long and non-ASCII strings. Random programs are determined by ``seed``, which is part of every failure's
/// description.
package struct StorageContract: Sendable {
    /// The seed of random programs.
    package let seed: UInt64
    let makeStorage: @Sendable () throws -> any HealthStorage
    let reopen: (@Sendable (any HealthStorage) throws -> any HealthStorage)?

    /// - Parameters:
    ///   - seed: The seed of random programs.
    ///   - makeStorage: Creates a new, empty store. Called at least once per check.
    ///   - reopen: Closes a storage and opens the same store again; `nil` for backends that are not persistent.
    package init(
        seed: UInt64 = 20_010_101, makeStorage: @escaping @Sendable () throws -> any HealthStorage,
        reopen: (@Sendable (any HealthStorage) throws -> any HealthStorage)? = nil
    ) {
        self.seed = seed
        self.makeStorage = makeStorage
        self.reopen = reopen
    }

    /// A part of the contract.
    package enum Check: String, CaseIterable, Sendable {
        /// New stores, sequence numbers, settings and dictionaries.
        case newStore, sequences, settings, dictionaries
        /// Pages and visits of pages.
        case pages, pageLocations, pageWindows, pageForStart, pageExtremes, visits, typesInUse
        /// Object rows, links, identities and deletions.
        case objects, objectWindows, objectIdentities, links, identities, syncIdentifiers, tombstones
        /// The state that a transaction and its concurrent readers see, and what remains if it fails.
        case rollback, states, ownWrites, isolation, concurrentReaders, writersTakeTurns
        /// Random programs, reopening and closing, and commits by other processes.
        case randomPrograms, manyIdentities, reopening, closing, foreignCommits
    }

    /// Runs all checks, and throws ``StorageContractFailure`` at the first failure.
    package func run() throws {
        for check in Check.allCases { try run(check) }
    }

    /// Runs a check.
    package func run(_ check: Check) throws {
        switch check {
        case .newStore: try checkNewStore()
        case .sequences: try checkSequences()
        case .settings: try checkSettings()
        case .dictionaries: try checkDictionaries()
        case .pages: try checkPages()
        case .pageLocations: try checkPageLocations()
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
        case .manyIdentities: try checkManyIdentities()
        case .reopening: try checkReopening()
        case .closing: try checkClosing()
        case .foreignCommits: try checkForeignCommits()
        }
    }
}

/// An error that describes which part of the contract a backend violates.
package struct StorageContractFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requirement, what was found and expected, and the seed.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension StorageContract {
    func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
        guard isTrue else { throw StorageContractFailure("\(what()) [seed \(seed)]") }
    }

    func expect<Value: Equatable>(
        _ found: Value, equals expected: Value, _ what: @autoclosure () -> String
    ) throws {
        guard found == expected else {
            throw StorageContractFailure("\(what()): found \(found), expected \(expected) [seed \(seed)]")
        }
    }

    /// Expects `body` to throw a ``StorageError`` of a kind.
    func expect(
        _ kind: StorageError.Kind, _ what: @autoclosure () -> String, from body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as StorageError {
            return try expect(error.kind, equals: kind, "\(what()): kind of error")
        }
        throw StorageContractFailure("\(what()): no error, expected \(kind) [seed \(seed)]")
    }

    func expect(
        _ found: StorageContents, equals expected: StorageContents, _ what: @autoclosure () -> String
    ) throws {
        let differences = found.differences(from: expected)
        try expect(differences.isEmpty, "\(what()): differs in \(differences.joined(separator: ", "))")
    }

    /// An error thrown by the closures of a check, which must be rethrown.
    struct Interruption: Error {}

    /// Expects `body` to throw ``Interruption``.
    func expectInterruption(_ what: @autoclosure () -> String, from body: () throws -> Void) throws {
        do {
            try body()
        } catch is Interruption {
            return
        }
        throw StorageContractFailure("\(what()): the closure's error was not rethrown [seed \(seed)]")
    }
}

/// The rows that a visit shows.
func collected<Row>(_ visit: ((Row) throws -> Bool) throws -> Void) rethrows -> [Row] {
    var rows: [Row] = []
    try visit { row in
        rows.append(row)
        return true
    }
    return rows
}
