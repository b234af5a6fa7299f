import AppleHealthExport
import Foundation
import HealthEngine
import HealthFormats
import HealthKit
import HealthKitUI
import HealthModel
import HealthSQL
import HealthStorage
import HealthWatcher

/// What went wrong, as one plain sentence on one line.
enum ErrorSentence {
    static func text(_ error: any Error) -> String {
        finished(sentence(error))
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as UsageError: error.description
        case let error as EngineError: sentence(error)
        case let error as ValidationError: error.reason
        case let error as HKError: sentence(error)
        case let error as StorageError: sentence(error)
        case let error as ZipError: error.description
        case let error as ImportError: error.description
        case let error as ExportError: error.description
        case let error as AnchorStoreError: error.description
        case let error as ImageError: error.description
        case let error as FormatError: error.description
        case let error as SQLError: error.description
        case let error as UnitParsingError: error.description
        case let error as CocoaError: sentence(error)
        case is CancellationError: "The command was cancelled"
        // A bare NSError describes itself in Objective-C's way.
        default: type(of: error) is NSError.Type ? error.localizedDescription : unreadable("\(error)")
        }
    }

    private static func sentence(_ error: EngineError) -> String {
        switch error {
        case .invalidArgument(let reason): reason
        case .authorizationDenied: "The application may not write this type"
        case .authorizationNotDetermined: "The application has not asked for this type"
        case .noData: "There are no samples"
        case .invalidAnchor: "The place reached is of another store, or of a newer version"
        }
    }

    /// The text the framework gives, else that of the error below it.
    private static func sentence(_ error: HKError) -> String {
        let underlying = error.userInfo[NSUnderlyingErrorKey]
        if let storage = underlying as? StorageError { return sentence(storage) }
        if error.code == .unknownError, let underlying { return unreadable("\(underlying)") }
        return error.userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
    }

    private static func sentence(_ error: StorageError) -> String {
        error.kind == .damaged ? unreadable(error.description) : error.description
    }

    /// Bytes of the store that make no sense: what remains when nobody did anything wrong.
    private static func unreadable(_ reason: String) -> String {
        "the store is damaged, as “hk doctor” will tell: \(reason)"
    }

    /// File errors name the file and the system's reason.
    private static func sentence(_ error: CocoaError) -> String {
        let path = error.filePath ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        let reason =
            error.underlying.map(reason)
            ?? (error.code == .fileWriteUnknown ? "it cannot be written" : error.localizedDescription)
        return path.map { "“\($0)”: \(reason)" } ?? reason
    }

    /// The system's own words where the error is the system's.
    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        return error.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(error.code))) : error.localizedDescription
    }

    /// One line with a full stop at its end.
    private static func finished(_ text: String) -> String {
        var line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        while let last = line.last, last == " " || last == "." { line.removeLast() }
        // A question or a quotation ends by itself.
        if let last = line.last, !"?!".contains(last) { line.append(".") }
        return line
    }
}
