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

    /// What an imported attachment says of its archive.
    static func metadata(identifier: String) -> Metadata {
        Metadata([.init(key: identifierKey, value: .string(identifier))])
    }
}
