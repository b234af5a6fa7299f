import UniformTypeIdentifiers

/// What kind of data a prescription's file holds: by its name's extension, else by its first bytes.
enum AttachmentKind {
    private static let marks: [(bytes: [UInt8], type: UTType)] = [
        (Array("%PDF-".utf8), .pdf), ([0x89, 0x50, 0x4E, 0x47], .png), ([0xFF, 0xD8, 0xFF], .jpeg),
    ]

    /// A uniform type identifier.
    static func identifier(name: String, bytes: [UInt8]) -> String {
        if let dot = name.lastIndex(of: "."), let type = UTType(filenameExtension: String(name[name.index(after: dot)...])),
            !type.isDynamic
        {
            return type.identifier
        }
        return (marks.first { bytes.starts(with: $0.bytes) }?.type ?? .data).identifier
    }
}
