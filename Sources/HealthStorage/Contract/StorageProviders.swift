import Foundation
import Synchronization

/// The databases that a program can open stores in, by the scheme of their addresses, such as `postgresql`.
///
/// A program registers a database once, at its start, so that programs without one don't carry its client library.
package final class StorageProviders: Sendable {
    /// The databases of this process.
    package static let shared = StorageProviders()

    /// Opens the store at an address. If it doesn't exist and `creating` is `false`, throws ``StorageError``
    /// ``StorageError/Kind/unreachable``.
    package typealias Open = @Sendable (_ address: String, _ creating: Bool) throws -> any HealthStorage

    private let databases = Mutex<[String: Open]>([:])

    /// Creates a registry without databases.
    package init() {}

    /// Registers a database, in place of one that was registered with the same scheme.
    package func register(scheme: String, open: @escaping Open) {
        databases.withLock { $0[scheme] = open }
    }

    /// Opens the store at an address.
    ///
    /// - Throws: ``StorageError`` ``StorageError/Kind/unreachable`` if no database with the scheme is registered; the
    ///   errors of the database.
    package func open(_ address: String, creating: Bool = true) throws -> any HealthStorage {
        let scheme = Self.scheme(of: address) ?? ""
        guard let open = database(ofScheme: scheme) else {
            throw StorageError(
                .unreachable,
                "This program can’t open stores at \(scheme)://. Call PostgreSQLStores.register() of HealthStoragePostgreSQL first."
            )
        }
        return try open(address, creating)
    }

    /// The database that is registered with a scheme.
    func database(ofScheme scheme: String) -> Open? {
        databases.withLock { $0[scheme] }
    }

    /// Whether a text is the address of a database, and not the path of a file.
    package static func isAddress(_ text: String) -> Bool {
        scheme(of: text) != nil
    }

    /// An address without its password, for messages.
    package static func withoutPassword(_ address: String) -> String {
        guard address.contains("@") || address.contains("password=") else { return address }
        return address.replacing(/:\/\/([^:@\/?]*):[^@\/?]*@/) { "://\($0.1)@" }
            .replacing(/([?&])password=[^&]*/) { "\($0.1)password=…" }
    }

    private static func scheme(of text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: ":")), let end = text.range(of: "://") else { return nil }
        let scheme = text[..<end.lowerBound]
        guard let first = scheme.first, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return nil }
        return scheme.lowercased()
    }
}
