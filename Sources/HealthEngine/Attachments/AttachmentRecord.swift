public import Foundation
public import HealthModel

/// A file kept with an object; its bytes lie beside it, in pieces.
public struct AttachmentRecord: Hashable, Sendable, Codable {
    /// Tells attachments apart, also those of different objects.
    public var identifier: UUID
    /// The file name given by the application.
    public var name: String
    /// The kind of data, as a uniform type identifier such as `com.adobe.pdf`.
    public var contentType: String
    /// Bytes.
    public var size: Int
    /// When it was added, in seconds since 2001-01-01 00:00:00 UTC.
    public var creation: Double
    /// What the application said about the file.
    public var metadata: Metadata

    /// Makes the description of a file; its bytes are stored apart.
    public init(
        identifier: UUID, name: String, contentType: String, size: Int, creation: Double, metadata: Metadata
    ) {
        self.identifier = identifier
        self.name = name
        self.contentType = contentType
        self.size = size
        self.creation = creation
        self.metadata = metadata
    }

    /// Bytes of a piece; the last one may be shorter.
    public static let pieceSize = 128 * 1024

    /// Bytes an attachment has at most: 10 MiB. The original's limit is not published.
    public static let greatestSize = 10 * 1024 * 1024

    /// How many pieces the bytes lie in.
    public var pieceCount: Int { (size + Self.pieceSize - 1) / Self.pieceSize }
}
