public import HealthCohort
public import HealthEngine
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL

extension StoreDirectory: CohortStores {
    /// Divides people into batches: up to 64 in a database, where they are read together, and one for each store of a
    /// folder.
    ///
    /// - Throws: `StorageError` if the database can't be reached.
    public func batches(of people: [String]) throws -> [[String]] {
        guard let database = try database else { return people.map { [$0] } }
        return try database.batches(of: people)
    }

    /// Reads the people of a batch. In a database, one transaction reads them all; a person who can't be read in it is
    /// read alone afterwards, and reported with the error if that fails, too.
    public func read(
        _ people: [String], for request: CohortRequest, _ body: (_ place: Int, _ engine: HealthEngine) throws -> Void,
        failed: (_ place: Int, _ error: any Error) -> Void
    ) {
        let type = request.type.code
        read(people, type, between: request.bounds, HealthEngine.namespaces(ofStatistics: type), body, failed: failed)
    }

    private func read(
        _ people: [String], _ type: TypeCode, between instants: [Double], _ namespaces: [String],
        _ body: (_ place: Int, _ engine: HealthEngine) throws -> Void,
        failed: (_ place: Int, _ error: any Error) -> Void
    ) {
        let places = Dictionary(people.enumerated().map { ($1, $0) }) { first, _ in first }
        var read: Set<Int> = []
        // People who can't be read with the others are read alone, which says why.
        try? database?.read(people, type, between: instants, namespaces: namespaces) { person, storage in
            guard let place = places[person], let engine = try? HealthEngine(storage: storage) else { return }
            guard (try? body(place, engine)) != nil else { return }
            read.insert(place)
        }
        for place in people.indices where !read.contains(place) {
            do {
                try reading(people[place]) { try body(place, $0) }
            } catch {
                failed(place, error)
            }
        }
    }

    package func reading(
        _ people: [String], namespaces: (_ people: [String]) -> [String],
        _ work: (_ person: String, _ engine: HealthEngine) throws -> Void
    ) throws {
        for batch in try batches(of: people) {
            var failure: (any Error)?
            // No pages are asked for.
            read(batch, .firstUnknown, between: [], namespaces(batch)) {
                try work(batch[$0], $1)
            } failed: { _, error in
                // Someone who was removed is left out.
                if !(error is DirectoryError) { failure = error }
            }
            if let failure { throw failure }
        }
    }

    private var database: PostgreSQLDatabase? {
        get throws {
            guard case .database(let address) = location else { return nil }
            return try ServerDatabase.at(address).database()
        }
    }

    /// Calls a closure with the engine of a person. A store that isn't open is opened for this call only, so that
    /// reading many people doesn't close those in use.
    ///
    /// - Throws: ``DirectoryError`` for a person who doesn't exist, storage errors, and the errors of the closure.
    func reading(_ person: String, _ body: (HealthEngine) throws -> Void) throws {
        if let store = openStore(of: person) {
            return try withExtendedLifetime(store) { try body(store.engine) }
        }
        guard try exists(person) else { throw DirectoryError("Person “\(person)” not found.") }
        let engine = try HealthEngine(storage: location.storage(of: person, creating: false))
        do {
            try body(engine)
        } catch {
            try? engine.close()
            throw error
        }
        try engine.close()
    }
}
