import Foundation
import HealthEngine

/// Why an import ended. The description is one sentence: what was read, where, and what was wanted.
/// It never carries a health value.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble.
    public enum Kind: Hashable, Sendable {
        /// There is nothing at the path.
        case notFound
        /// What is there is no Apple Health export.
        case notAnExport
        /// The zip file or folder holds no export.
        case noExportInside
        /// The export ends before its last element does.
        case truncated
        /// The zip file's bytes do not make sense.
        case damagedZip
        /// The zip file unpacks to far more than an export would.
        case zipBomb
        /// The archive is not of the person whose archives the store has.
        case anotherPerson
        /// Reading failed, or the file goes beyond what an importer should take.
        case unreadable
    }

    /// What kind of trouble.
    public var kind: Kind
    public var description: String

    /// Makes the error with its sentence.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    static func opening(_ path: String, errno code: Int32) -> ImportError {
        if code == ENOENT || code == ENOTDIR {
            return ImportError(
                .notFound, "There is nothing at “\(path)”; an export.zip, its folder or its XML file was wanted.")
        }
        return ImportError(.unreadable, "“\(path)” cannot be opened: \(String(cString: strerror(code))).")
    }

    static func growing(_ name: String) -> ImportError {
        ImportError(
            .zipBomb,
            "“\(name)” unpacks to more than \(ZipGrowth.greatestFactor) times its size, as no export does; --trust-size (ImportOptions.trustsSize) imports it all the same.")
    }

    static func anotherPerson(_ name: String, _ differences: [ImportedPerson.Difference]) -> ImportError {
        let names = differences.map { difference in
            switch difference {
            case .dateOfBirth: "date of birth"
            case .biologicalSex: "biological sex"
            case .bloodType: "blood type"
            }
        }
        let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1] : names.joined()
        return ImportError(
            .anotherPerson,
            "“\(name)” is the archive of another person than those imported before: its \(list) \(names.count > 1 ? "are" : "is") not the same.")
    }

    static func reading(_ path: String, errno code: Int32) -> ImportError {
        ImportError(.unreadable, "“\(path)” cannot be read: \(String(cString: strerror(code))).")
    }
}
