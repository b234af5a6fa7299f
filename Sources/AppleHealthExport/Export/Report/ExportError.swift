import Foundation

/// Why an export ended. The description is one sentence without any health value.
public struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble.
    public enum Kind: Hashable, Sendable {
        /// Something stands at the target already.
        case targetExists
        /// The target cannot be written.
        case unwritable
    }

    /// What kind of trouble.
    public var kind: Kind
    public var description: String

    /// Makes the error with its sentence.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    static func exists(_ path: String) -> ExportError {
        ExportError(.targetExists, "There is something at “\(path)” already; --force replaces it.")
    }

    static func writing(_ path: String, errno code: Int32) -> ExportError {
        ExportError(.unwritable, "“\(path)” cannot be written: \(String(cString: strerror(code))).")
    }
}

extension ExportError {
    /// The same trouble told of the path the caller knows.
    func about(_ path: String, insteadOf other: String) -> ExportError {
        ExportError(kind, description.replacingOccurrences(of: "“\(other)”", with: "“\(path)”"))
    }
}
