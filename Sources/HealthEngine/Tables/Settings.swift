import Foundation
package import HealthStorage

/// Reads and writes `Codable` values in a store's settings table, as JSON.
package enum Settings {
    /// The namespaces of the engine's settings.
    package enum Namespace {
        static let engine = "engine"
        package static let profile = "profile"
        /// Applications with any authorization, one empty value each.
        static let applications = "applications"
        static let sourceOrder = "sourceOrder"
        static let sourceKinds = "sourceKinds"
        /// Registrations for background delivery and their deliveries, keyed by bundle identifier.
        static let backgroundDelivery = "backgroundDelivery"

        /// One application's decisions, keyed by type code.
        static func authorization(_ bundleIdentifier: String) -> String {
            "authorization/" + bundleIdentifier
        }

        /// The single objects that one application may read, keyed by type code.
        static func objectGrants(_ bundleIdentifier: String) -> String {
            "objectGrants/" + bundleIdentifier
        }
    }

    package static func read<Value: Decodable>(
        _ type: Value.Type, namespace: String, key: String, in snapshot: any StorageSnapshot
    ) throws -> Value? {
        guard let bytes = try snapshot.value(namespace: namespace, key: key) else { return nil }
        return try decode(type, from: bytes, namespace: namespace)
    }

    package static func write<Value: Encodable>(
        _ value: Value?, namespace: String, key: String, in transaction: any StorageTransaction
    ) throws {
        let bytes = try value.map { value in
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try [UInt8](encoder.encode(value))
        }
        try transaction.setValue(bytes, namespace: namespace, key: key)
    }

    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], namespace: String
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            // The decoder's own message may quote the value.
            throw StorageError(.damaged, "A setting in “\(namespace)” cannot be read.")
        }
    }
}

/// Counts changes of settings, which take no sequence number, so that other processes notice them.
enum SettingsGeneration {
    private static let key = "settingsGeneration"

    static func current(in snapshot: any StorageSnapshot) throws -> Int64 {
        try Settings.read(Int64.self, namespace: Settings.Namespace.engine, key: key, in: snapshot) ?? 0
    }

    static func advance(in transaction: any StorageTransaction) throws {
        let next = try current(in: transaction) &+ 1
        try Settings.write(next, namespace: Settings.Namespace.engine, key: key, in: transaction)
    }
}
