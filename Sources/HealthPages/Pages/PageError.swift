/// Bytes that are no page, no page this version reads, or a damaged one; or columns that make no page.
///
/// The text names the field and where it stands, never what it holds.
public struct PageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble.
    public enum Kind: Hashable, Sendable {
        /// The bytes end before the field does.
        case truncated
        /// The checksum over header, body or object does not agree.
        case badChecksum
        /// The bytes begin as no page, or no object, does.
        case badMagic
        /// Written by a later version.
        case unsupportedVersion
        /// A field contradicts another or leaves its range.
        case inconsistent
    }

    /// What kind of trouble.
    public var kind: Kind
    /// The field, such as `count` or `start column`.
    public var what: String
    /// Where in the header, the body or the object the field stands, in bytes; for columns to be
    /// written, the row.
    public var offset: Int

    /// Makes the error for a field, `what`, that stands at `offset`.
    public init(_ kind: Kind, _ what: String, at offset: Int) {
        self.kind = kind
        self.what = what
        self.offset = offset
    }

    public var description: String {
        switch kind {
        case .truncated: "\(what) is cut off at \(offset)"
        case .badChecksum: "\(what) at \(offset) does not agree"
        case .badMagic: "\(what) at \(offset) is not what such bytes begin with"
        case .unsupportedVersion: "\(what) at \(offset) is of a later version"
        case .inconsistent: "\(what) at \(offset) is inconsistent"
        }
    }
}
