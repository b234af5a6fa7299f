import AppleHealthExport

/// Why a file isn't imported, for a page that says so in its own words.
enum ImportProblem: String, Codable, Hashable, Sendable {
    /// The file ends too early.
    case incomplete
    /// The file has other bytes than were written.
    case damaged
    /// The archive belongs to another person than those imported before.
    case anotherPerson
    /// The file is nothing that can be imported.
    case unrecognized
    /// The file belongs to the archive of a service, and isn't imported by itself or under this name.
    case partOfArchive
    /// The file can't be read.
    case unreadable

    /// A person's decision with which the file is imported nevertheless.
    enum Remedy: String, Codable, Hashable, Sendable {
        /// Import what can be read.
        case recover
        /// Import another person's data.
        case anyPerson
    }

    init(_ error: ImportError) {
        self =
            switch error.kind {
            case .truncated: .incomplete
            // A zip file without the directory at its end has the hint; one with a wrong checksum doesn't.
            case .damagedZip: error.statement == error.description ? .damaged : .incomplete
            case .anotherPerson: .anotherPerson
            case .partOfArchive: .partOfArchive
            case .notAnExport, .noExportInside: .unrecognized
            default: .unreadable
            }
    }

    /// The decision that is possible about an upload; `nil` for none.
    func remedy(of upload: UploadFile.Announcement) -> Remedy? {
        switch self {
        case .incomplete, .damaged: upload.recovers ?? false ? nil : .recover
        case .anotherPerson: upload.acceptsAnyPerson ? nil : .anyPerson
        case .unrecognized, .partOfArchive, .unreadable: nil
        }
    }
}
