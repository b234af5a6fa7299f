package import Foundation
package import HealthModel
import HealthPages
package import HealthStorage

/// A workout as it was before the person corrected it, by which an import of the same file recognizes it.
///
/// The corrected workout keeps it in its metadata, hidden from applications, so that it goes wherever the workout goes.
package struct OriginalWorkout: Hashable, Sendable, Codable {
    /// Its identity.
    package let uuid: UUID
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package let start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package let end: Double
    /// Its metadata and body, as they were stored.
    private let payload: Data

    /// Keeps a stored workout.
    init(_ stored: StoredObject, uuid: UUID) {
        (self.uuid, start, end, payload) = (uuid, stored.start, stored.end, Data(stored.payload))
    }

    /// Reads the original in the metadata of a workout; `nil` if the workout was never corrected.
    package init?(_ metadata: Metadata) {
        guard case .string(let text) = metadata[MetadataKey.archivedOriginal], let data = Data(base64Encoded: text),
            let original = try? JSONDecoder().decode(Self.self, from: data), original.start <= original.end,
            case .workout? = try? ObjectCoder.decode([UInt8](original.payload)).body
        else { return nil }
        self = original
    }

    /// The value in the metadata of the corrected workout.
    func value() throws -> MetadataValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return .string(try encoder.encode(self).base64EncodedString())
    }

    /// Returns a corrected workout as it was, under its present identity.
    package func restored(_ corrected: ObjectRecord) throws -> ObjectRecord {
        let content = try ObjectCoder.decode([UInt8](payload))
        var record = corrected
        (record.start, record.end) = (start, end)
        (record.metadata, record.creation, record.body) = (content.metadata, content.creation, content.body)
        return record
    }

    /// Returns a stored corrected workout as it was, under its present identity.
    package func restored(_ corrected: StoredObject) -> StoredObject {
        var stored = corrected
        (stored.start, stored.end, stored.payload) = (start, end, [UInt8](payload))
        return stored
    }

    /// Returns the corrected workouts of a store with what they were.
    package static func all(
        in snapshot: any StorageSnapshot
    ) throws -> [(original: OriginalWorkout, corrected: StoredObject)] {
        guard let type = TypeCatalog.description(for: "HKWorkoutTypeIdentifier")?.code else { return [] }
        var found: [(OriginalWorkout, StoredObject)] = []
        try snapshot.visitObjects(of: type, in: .all) { object in
            // Few are corrected, and decoding a workout takes long beside reading it.
            guard mayContain(object.payload), let original = Self(try ObjectCoder.decode(object.payload).metadata)
            else { return true }
            found.append((original, object))
            return true
        }
        return found
    }

    private static let key = Array(MetadataKey.archivedOriginal.utf8)

    /// Whether the key is somewhere in the bytes.
    private static func mayContain(_ payload: [UInt8]) -> Bool {
        payload.withUnsafeBufferPointer { bytes in
            guard bytes.count >= key.count else { return false }
            return (0...bytes.count - key.count).contains { place in
                bytes[place] == key[0] && key.indices.allSatisfy { bytes[place + $0] == key[$0] }
            }
        }
    }
}
