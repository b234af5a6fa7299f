import Foundation
import HealthStorage
import HealthStoragePostgreSQL
import Synchronization

/// The PostgreSQL database of a server with the stores of its people. All parts of a process share its connections.
final class ServerDatabase: Sendable {
    /// The address, which names no person.
    let address: String
    private let opened = Mutex<PostgreSQLDatabase?>(nil)

    private static let all = Mutex<[String: ServerDatabase]>([:])
    /// Requests run on a bounded pool of threads, and SQL statements on another; more connections would be idle.
    private static let maximumConnections = 24 + ServerLimits().statements

    private init(_ address: String) {
        self.address = address
    }

    /// The database at an address. Nothing is opened.
    static func at(_ address: String) -> ServerDatabase {
        all.withLock { all in
            if let known = all[address] { return known }
            let new = ServerDatabase(address)
            all[address] = new
            return new
        }
    }

    /// The open database. After a failure the next call tries again.
    ///
    /// - Throws: `StorageError`.
    func database() throws -> PostgreSQLDatabase {
        try opened.withLock { opened in
            if let opened { return opened }
            var options = PostgreSQLOptions()
            options.maximumConnections = Self.maximumConnections
            let database = try PostgreSQLDatabase(PostgreSQLAddress(address), options: options)
            opened = database
            return database
        }
    }

    /// The database, if it is open and isn't being opened.
    var openDatabase: PostgreSQLDatabase? { opened.withLockIfAvailable { $0 } ?? nil }

    /// The address of a person's store.
    func address(of person: String) -> String {
        var parts = URLComponents()
        parts.queryItems = [URLQueryItem(name: "person", value: person)]
        return address + (address.contains("?") ? "&" : "?") + (parts.percentEncodedQuery ?? "")
    }
}
