import Foundation
public import HealthAccess
package import HealthEngine

extension AccessRegistry {
    /// Creates the registry of a server's stores.
    public convenience init(location: StoreLocation) {
        self.init(location: location, now: { Date() })
    }

    convenience init(location: StoreLocation, now: @escaping @Sendable () -> Date) {
        let storage: any AccessStorage =
            if case .database(let address) = location {
                AccessDatabase { try ServerDatabase.at(address).database() }
            } else {
                AccessFile(path: location.accessFile)
            }
        self.init(storage: storage, now: now)
    }
}

extension TokenIssuer {
    /// Creates an issuer for the stores at a location.
    public init(location: StoreLocation) {
        self.init(stores: StoreDirectory(location: location), registry: AccessRegistry(location: location))
    }
}

extension StoreDirectory: PersonStores {
    package func using<Value>(_ person: String, _ work: (HealthEngine) throws -> Value) throws -> Value {
        do {
            let store = try store(of: person)
            return try withExtendedLifetime(store) { try work(store.engine) }
        } catch let problem as Problem where problem.code == .notFound {
            throw DirectoryError("Person “\(person)” not found.")
        }
    }
}
