import Foundation
import HealthEngine
import HealthModel

/// The files an archive keeps for prescriptions, and what the store remembers of where they came from.
enum ArchivedAttachment {
    static let elementName = "Attachment"
    /// The folder of an archive that holds the files.
    static let folder = "attachments"
    private static let identifierKey = MetadataKey.archivedPrefix + "identifier"

    /// The identifiers that an object's elements give, each once, in order.
    static func identifiers(in metadata: Metadata) -> [String] {
        var seen: Set<String> = []
        return metadata.entries.compactMap { ArchivedMetadata.element(of: $0) }
            .filter { $0.name == elementName }.compactMap { $0["identifier"] }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The identifier an imported attachment had in its archive; `nil` for one an application added.
    static func identifier(of attachment: AttachmentRecord) -> String? {
        if case .string(let identifier) = attachment.metadata[identifierKey] { identifier } else { nil }
    }

    /// The identity of an attachment: its identifier if that is one, else made of it by FNV-1a. Part of what is
    /// stored: it must never change.
    static func uuid(of identifier: String) -> UUID {
        if let uuid = UUID(uuidString: identifier) { return uuid }
        func hash(_ seed: UInt64) -> UInt64 {
            identifier.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        let (high, low) = (hash(0xCBF2_9CE4_8422_2325), hash(0x8422_2325_CBF2_9CE4))
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { $0.loadUnaligned(as: UUID.self) }
    }

    /// What an imported attachment says of its archive.
    static func metadata(identifier: String) -> Metadata {
        Metadata([.init(key: identifierKey, value: .string(identifier))])
    }
}
