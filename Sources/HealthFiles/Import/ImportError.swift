import Foundation

/// An error that ends an import. Its description says what was read, what is wrong with it and what to do; it
/// never contains a health value.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of import errors.
    public enum Kind: Hashable, Sendable {
        /// The path does not exist.
        case notFound
        /// The file is not an Apple Health export.
        case notAnExport
        /// The zip file or folder contains no export.
        case noExportInside
        /// The file belongs to the archive of a service, and isn't imported by itself or under this name.
        case partOfArchive
        /// The export or file ends, or is damaged, before its end. What can be read of it can be imported.
        case truncated
        /// The zip file is damaged.
        case damagedZip
        /// The zip file unpacks to far more than an export would.
        case zipBomb
        /// The archive belongs to a different person than the archives imported before.
        case anotherPerson
        /// Reading failed, or the file exceeds a limit of the importer.
        case unreadable
    }

    /// The kind of the error.
    public var kind: Kind
    public var description: String

    /// Creates an error with its description.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Advice about a damaged file, on the command line and in a program.
    package static let recoveryHint =
        " To import what can be read, use --recover (ImportOptions.recoversDamagedArchives)."
    static let sizeHint = " To import it anyway, use --trust-size (ImportOptions.trustsSize)."

    /// The description without hints for a command line or a program, for people who have neither.
    package var statement: String {
        [Self.recoveryHint, Self.sizeHint].reduce(description) { $0.replacing($1, with: "") }
    }

    static func opening(_ path: String, errno code: Int32) -> ImportError {
        if code == ENOENT || code == ENOTDIR {
            return ImportError(
                .notFound, "“\(path)” does not exist. Give the path of an export.zip, of its folder or of its XML file."
            )
        }
        return ImportError(.unreadable, "“\(path)” cannot be opened: \(String(cString: strerror(code))).")
    }

    static func reading(_ path: String, errno code: Int32) -> ImportError {
        ImportError(.unreadable, "“\(path)” cannot be read: \(String(cString: strerror(code))).")
    }
}

/// An import that was interrupted. What it has written is complete batches, which stay.
package struct InterruptedImport: Error, Hashable, Sendable {
    /// The number of samples and objects that were added.
    package var added: Int

    package init(added: Int) {
        self.added = added
    }
}
