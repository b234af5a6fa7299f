import Foundation
import HealthFiles
import UniformTypeIdentifiers

/// The files beside an archive's main file: routes, electrocardiograms, clinical records and attachments. They
/// are found by the paths in the main file, which are relative to its folder.
///
/// No file outside that folder is ever opened, whatever a path says, and no file is read beyond its reader's
/// limit. For use by one thread at a time.
protocol AuxiliaryFiles {
    /// Returns the paths of the files in a folder of the archive, such as `electrocardiograms`, sorted by name;
    /// an empty array if there is no such folder.
    func paths(inFolder name: String) -> [String]
    /// The reason ``paths(inFolder:)`` does not return every file of a folder; `nil` if it does.
    func listingProblem(inFolder name: String) -> FolderListingProblem?
    /// Opens the file at a path such as `/workout-routes/route.gpx` as a stream that throws after `limit` bytes.
    /// Convert errors of the stream with ``AuxiliaryFileError/init(_:)``.
    func source(of path: String, limit: Int) throws(AuxiliaryFileError) -> any ByteSource
}

extension AuxiliaryFiles {
    /// The default size limit for files that are read as a whole: far larger than any of Apple's.
    static var usualLimit: Int { 1 << 25 }

    func listingProblem(inFolder name: String) -> FolderListingProblem? { nil }

    /// Returns the contents of the file at `path`. Throws if it is missing, damaged or larger than `limit` bytes.
    func contents(of path: String, limit: Int = Self.usualLimit) throws(AuxiliaryFileError) -> [UInt8] {
        let source = try source(of: path, limit: limit)
        return try AuxiliaryFileError.explained { try source.contents() }
    }
}

/// The reason a folder's files are not all listed.
enum FolderListingProblem: Hashable {
    /// The folder, or what has its name, cannot be listed.
    case unreadable
    /// The folder is a link to a place outside the archive.
    case outside
    /// The folder has more files than are listed.
    case tooManyFiles(omitted: Int)
}

/// The reason an auxiliary file cannot be read, worded as the end of a sentence about the element that refers to
/// it. The file name is left out because it contains dates.
struct AuxiliaryFileError: Error, Hashable {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// Converts an error thrown while reading an auxiliary file.
    init(_ error: any Error) {
        if let error = error as? AuxiliaryFileError {
            self = error
        } else if error is ZipError {
            reason = "its file is damaged in the zip"
        } else {
            self = .unreadable
        }
    }

    /// Returns the result of reading an auxiliary file, whose errors ``init(_:)`` converts.
    static func explained<Result>(_ read: () throws -> Result) throws(AuxiliaryFileError) -> Result {
        do {
            return try read()
        } catch {
            throw AuxiliaryFileError(error)
        }
    }

    static let missing = AuxiliaryFileError("its file is missing")
    static let unreadable = AuxiliaryFileError("its file cannot be read")

    /// Whether there is no such file, as opposed to one that cannot be used.
    var isMissing: Bool { reason.hasPrefix(Self.missing.reason) }

    static let outside = AuxiliaryFileError("its path points outside the archive")
}

/// The auxiliary files of an archive without any, such as XML from standard input.
struct NoAuxiliaryFiles: AuxiliaryFiles {
    func paths(inFolder name: String) -> [String] { [] }

    func source(of path: String, limit: Int) throws(AuxiliaryFileError) -> any ByteSource {
        throw AuxiliaryFileError("its file is missing: the archive was imported without its folder")
    }
}

/// Auxiliary files that count those that have been opened.
final class CountedAuxiliaryFiles: AuxiliaryFiles {
    private let files: any AuxiliaryFiles
    private var opened: Set<String> = []
    /// Whether a file couldn't be read, which may be possible the next time.
    private(set) var hasUnreadable = false

    /// The folders of an archive that hold auxiliary files.
    static let folders = ["workout-routes", "electrocardiograms", "clinical-records", "attachments"]

    init(_ files: any AuxiliaryFiles) {
        self.files = files
    }

    func paths(inFolder name: String) -> [String] {
        files.paths(inFolder: name)
    }

    func listingProblem(inFolder name: String) -> FolderListingProblem? {
        files.listingProblem(inFolder: name)
    }

    func source(of path: String, limit: Int) throws(AuxiliaryFileError) -> any ByteSource {
        do throws(AuxiliaryFileError) {
            let source = try files.source(of: path, limit: limit)
            opened.insert(path)
            return source
        } catch {
            if error == .unreadable { hasUnreadable = true }
            throw error
        }
    }

    /// The number of files found and read, by folder; folders without files are left out.
    var counts: [String: ImportReport.AuxiliaryFileCount] {
        var counts: [String: ImportReport.AuxiliaryFileCount] = [:]
        for folder in Self.folders {
            let found = paths(inFolder: folder).count + omitted(fromFolder: folder)
            let read = opened.count(where: { $0.hasPrefix("/\(folder)/") || $0.hasPrefix("\(folder)/") })
            if found > 0 || read > 0 {
                counts[folder] = ImportReport.AuxiliaryFileCount(found: max(found, read), read: read)
            }
        }
        return counts
    }

    /// The files that were not read and the folders that could not be listed, as irregularities of the import report.
    var irregularities: [String: Int] {
        var irregularities: [String: Int] = [:]
        for (folder, counts) in counts where counts.read < counts.found {
            let unread = counts.found - counts.read
            let omitted = min(unread, omitted(fromFolder: folder))
            if omitted > 0 { irregularities["file in \(folder), which has too many to list, left out"] = omitted }
            if unread > omitted { irregularities["file in \(folder) that was not read, left out"] = unread - omitted }
        }
        for folder in Self.folders {
            switch listingProblem(inFolder: folder) {
            case .unreadable: irregularities["folder \(folder) that cannot be listed, left out"] = 1
            case .outside: irregularities["folder \(folder) that is a link out of the archive, left out"] = 1
            case .tooManyFiles, nil: break
            }
        }
        return irregularities
    }

    private func omitted(fromFolder folder: String) -> Int {
        if case .tooManyFiles(let omitted) = listingProblem(inFolder: folder) { omitted } else { 0 }
    }
}

/// The path of an auxiliary file as the main file gives it, split into its components.
struct AuxiliaryPath: Hashable {
    /// The folders and the file name, without empty components.
    let parts: [String]

    /// Throws for a path that leaves its folder or that is not a valid path.
    init(_ text: String) throws(AuxiliaryFileError) {
        // Tools on Windows write backslashes.
        let parts = text.split { $0 == "/" || $0 == "\\" }.map(String.init).filter { $0 != "." }
        guard !parts.contains(".."), !text.utf8.contains(0) else { throw .outside }
        guard !parts.isEmpty, parts.count <= 16, text.utf8.count <= 4_096 else { throw .missing }
        self.parts = parts
    }

    /// A form of the name that ignores case. `String` compares composed and decomposed letters as equal already.
    static func folded(_ name: some StringProtocol) -> String {
        name.lowercased()
    }

    /// Whether enough of a name remains in its ``skeleton(_:)`` to distinguish it from others.
    static func isIdentified(bySkeletonOf name: some StringProtocol) -> Bool {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? String(name)
        return skeleton(stem).count >= 6
    }

    /// The ASCII letters and digits of a name, which survive a wrong code page and Info-ZIP's escapes such as
    /// `#U202f`.
    static func skeleton(_ name: some StringProtocol) -> String {
        var plain = ""
        var rest = Substring(name)
        while let first = rest.first {
            if rest.hasPrefix("#U"), rest.dropFirst(2).prefix(4).count == 4,
                rest.dropFirst(2).prefix(4).allSatisfy(\.isHexDigit)
            {
                rest = rest.dropFirst(6)
                continue
            }
            if first.isASCII, first.isLetter || first.isNumber || first == "/" { plain += first.lowercased() }
            rest = rest.dropFirst()
        }
        return plain
    }
}

/// Determines the type of an attached file by its name's extension, or else by its first bytes.
enum AttachmentContentType {
    private static let marks: [(bytes: [UInt8], type: UTType)] = [
        (Array("%PDF-".utf8), .pdf), ([0x89, 0x50, 0x4E, 0x47], .png), ([0xFF, 0xD8, 0xFF], .jpeg),
    ]

    /// Returns a uniform type identifier.
    static func identifier(name: String, bytes: [UInt8]) -> String {
        if let dot = name.lastIndex(of: "."),
            let type = UTType(filenameExtension: String(name[name.index(after: dot)...])), !type.isDynamic
        {
            return type.identifier
        }
        return (marks.first { bytes.starts(with: $0.bytes) }?.type ?? .data).identifier
    }
}
