import Foundation
import HealthStorage

/// Codable values in a store's settings table, as JSON.
enum Settings {
    /// Who keeps what where.
    enum Namespace {
        static let engine = "engine"
        static let profile = "profile"
        /// Applications that hold any authorization, one empty value each.
        static let applications = "applications"
        static let sourceOrder = "sourceOrder"
        static let sourceKinds = "sourceKinds"

        /// One application's decisions, keyed by type code.
        static func authorization(_ bundleIdentifier: String) -> String {
            "authorization/" + bundleIdentifier
        }
    }

    static func read<Value: Decodable>(
        _ type: Value.Type, namespace: String, key: String, in snapshot: any StorageSnapshot
    ) throws -> Value? {
        guard let bytes = try snapshot.value(namespace: namespace, key: key) else { return nil }
        return try decode(type, from: bytes, namespace: namespace)
    }

    static func write<Value: Encodable>(
        _ value: Value?, namespace: String, key: String, in transaction: any StorageTransaction
    ) throws {
        let bytes = try value.map { value in
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try [UInt8](encoder.encode(value))
        }
        try transaction.setValue(bytes, namespace: namespace, key: key)
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], namespace: String
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            // The decoder's own text may quote what it could not read.
            throw StorageError(.damaged, "a setting of “\(namespace)” cannot be read")
        }
    }
}
