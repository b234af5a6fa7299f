package import HealthModel

/// An error in the bytes of a page or object, or in columns to be written.
///
/// The description contains the field and its offset, but never its value.
package struct PageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Kind: Hashable, Sendable {
        /// The bytes end before the field does.
        case truncated
        /// The checksum of the header, body or object does not match.
        case badChecksum
        /// The bytes do not begin like a page or object.
        case badMagic
        /// The format version is newer than this library.
        case unsupportedVersion
        /// A field contradicts another field or is out of range.
        case inconsistent
    }

    /// The kind of error.
    package var kind: Kind
    /// The field, such as `count` or `start column`.
    package var what: String
    /// The byte offset of the field in the header, body or object; the row in columns to be written.
    package var offset: Int
    /// The page that is damaged, if it is known.
    package var page: Page?

    /// The identity of a page in a store.
    package struct Page: Hashable, Sendable {
        /// The type of its samples.
        package var type: TypeCode
        /// The sequence number of its first sample.
        package var firstSequence: Int64

        /// Creates the identification of a page.
        package init(type: TypeCode, firstSequence: Int64) {
            self.type = type
            self.firstSequence = firstSequence
        }
    }

    /// Creates an error for a field at an offset.
    package init(_ kind: Kind, _ what: String, at offset: Int) {
        self.kind = kind
        self.what = what
        self.offset = offset
    }

    /// The same error, with the page unless it names one.
    package func naming(_ page: Page) -> PageError {
        var error = self
        error.page = error.page ?? page
        return error
    }

    package var description: String {
        guard let page else { return reason }
        let name = TypeCatalog.description(for: page.type)?.identifier ?? page.type.description
        return "\(reason) in the page of \(name) that begins with number \(page.firstSequence)"
    }

    private var reason: String {
        switch kind {
        case .truncated: "\(what) is truncated at \(offset)"
        case .badChecksum: "\(what) at \(offset) does not match"
        case .badMagic: "\(what) at \(offset) has the wrong magic bytes"
        case .unsupportedVersion: "\(what) at \(offset) has a newer format version"
        case .inconsistent: "\(what) at \(offset) is inconsistent"
        }
    }
}
