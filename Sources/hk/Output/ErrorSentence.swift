import AppleHealthExport
import Foundation
import HealthAccess
import HealthAnswers
import HealthBackup
import HealthCohort
import HealthDaemon
import HealthEngine
import HealthFormats
import HealthKit
import HealthKitUI
import HealthModel
import HealthSQL
import HealthServer
import HealthStorage
import HealthStorageFiles
import HealthSync
import HealthWatcher

/// Describes errors, each in one sentence on one line.
enum ErrorSentence {
    static func text(_ error: any Error) -> String {
        finished(sentence(error))
    }

    private static func sentence(_ error: any Error) -> String {
        // Errors of an import name the option of this program, and then the property that applications set.
        switch error {
        case is UsageError, is NotFoundError, is OutputError, is ZipError, is ExportError, is AnchorStoreError,
            is ImageError, is FormatError, is SQLError, is UnitParsingError, is DirectoryError, is GrantError,
            is AccessFileError, is PasswordError, is ServerError, is SyncError, is CohortError, is DaemonError,
            is BackupError, is TargetError,
            is UnreadablePeople:
            "\(error)"
        case let error as ParameterError: error.reason
        case let error as EngineError: sentence(error)
        case let error as ValidationError: error.reason
        case let error as HKError: sentence(error)
        case let error as StorageError: sentence(error)
        case let error as ImportError: error.description.replacing(/\ \(ImportOptions\.[a-zA-Z]+\)/, with: "")
        case let error as CocoaError: sentence(error)
        case is CancellationError: "The command was canceled"
        // The description of a bare NSError is meant for debugging.
        default: type(of: error) is NSError.Type ? error.localizedDescription : unreadable("\(error)")
        }
    }

    private static func sentence(_ error: EngineError) -> String {
        switch error {
        case .invalidArgument(let reason): reason
        case .authorizationDenied: "The application isn’t allowed to write this type"
        case .authorizationNotDetermined: "The application hasn’t requested authorization for this type"
        case .noData: "No samples found"
        case .invalidAnchor: "The anchor belongs to another store, or was written by a newer version"
        }
    }

    /// The localized description, or the description of the underlying error.
    private static func sentence(_ error: HKError) -> String {
        let underlying = error.userInfo[NSUnderlyingErrorKey]
        if let storage = underlying as? StorageError { return sentence(storage) }
        if error.code == .unknownError, let underlying { return unreadable("\(underlying)") }
        return error.userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
    }

    private static func sentence(_ error: StorageError) -> String {
        error.kind == .damaged ? unreadable(error.description) : error.description
    }

    /// An error that only unreadable bytes in the store can cause.
    private static func unreadable(_ reason: String) -> String {
        let cause =
            reason.hasPrefix("Page ")
            ? " The disk has lost it, or another program, such as sqlite3, has written to it" : ""
        return "The store is damaged; run “hk doctor” for details: \(reason)\(cause)"
    }

    /// A file error: the path, and the system's reason.
    private static func sentence(_ error: CocoaError) -> String {
        let path = error.filePath ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        let reason =
            error.underlying.map(reason)
            ?? (error.code == .fileWriteUnknown ? "The file can’t be written" : error.localizedDescription)
        return path.map { "“\($0)”: \(reason)" } ?? reason
    }

    /// The text of `strerror` for a system error, which can be that of another error.
    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        guard error.domain != NSPOSIXErrorDomain else { return String(cString: strerror(Int32(error.code))) }
        return (error.userInfo[NSUnderlyingErrorKey] as? any Error).map(reason) ?? error.localizedDescription
    }

    /// The text on one line, with a period at the end.
    private static func finished(_ text: String) -> String {
        var line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        while let last = line.last, last == " " || last == "." { line.removeLast() }
        // A question or an exclamation needs no period.
        if let last = line.last, !"?!".contains(last) { line.append(".") }
        return line
    }
}
