import AppleHealthExport
import COpenHealthKit
import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthKit
import HealthModel
import HealthSQL
import HealthStorage

/// An error as the library reports it: a code, and a sentence.
struct LibraryError {
    let code: Int32
    let sentence: String

    init(_ error: any Error) {
        let (kind, text) = Self.description(of: error)
        code = Int32(kind)
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        sentence = line.last.map { ".?!".contains($0) } ?? true ? line : line + "."
    }

    private static func description(of error: any Error) -> (code: Int, text: String) {
        switch error {
        case is ParameterError, is SQLError, is SampleReadingError: (OHK_INVALID_ARGUMENT, "\(error)")
        case let error as ValidationError: (OHK_INVALID_ARGUMENT, error.reason)
        case is JSONSyntaxError: (OHK_INVALID_ARGUMENT, "The text is not JSON. \(error)")
        case is NotFoundError: (OHK_NO_DATA, "\(error)")
        case let error as EngineError: description(of: error)
        case let error as StorageError: description(of: error)
        case let error as ImportError:
            (
                error.kind == .notFound ? OHK_NO_DATA : OHK_INVALID_ARGUMENT,
                error.description.replacing(/\ \(ImportOptions\.[a-zA-Z]+\)/, with: "")
            )
        case let error as InterruptedImport:
            (
                OHK_USER_CANCELED,
                "The import was canceled. \(error.added) samples and objects were imported and stay in the store"
            )
        case let error as HKError:
            (error.userInfo[NSUnderlyingErrorKey] as? StorageError).map(description)
                ?? (error.code.rawValue == 0 ? OHK_UNKNOWN : error.code.rawValue, error.localizedDescription)
        case let error as CocoaError:
            (
                OHK_DATABASE_INACCESSIBLE,
                error.filePath.map { "“\($0)”: \(error.localizedDescription)" } ?? error.localizedDescription
            )
        default: (OHK_UNKNOWN, "The store is damaged; run “hk doctor” for details: \(error)")
        }
    }

    private static func description(of error: EngineError) -> (code: Int, text: String) {
        switch error {
        case .invalidArgument(let reason): (OHK_INVALID_ARGUMENT, reason)
        case .authorizationDenied, .authorizationNotDetermined:
            (OHK_AUTHORIZATION_DENIED, "Samples of this type can’t be written")
        case .noData: (OHK_NO_DATA, "No samples found")
        case .invalidAnchor: (OHK_INVALID_ARGUMENT, "The anchor belongs to another store")
        }
    }

    private static func description(of error: StorageError) -> (code: Int, text: String) {
        switch error.kind {
        case .duplicate: (OHK_INVALID_ARGUMENT, "A sample with this UUID is already stored. Nothing was saved")
        case .damaged: (OHK_UNKNOWN, "The store is damaged; run “hk doctor” for details: \(error.description)")
        default: (OHK_DATABASE_INACCESSIBLE, error.description)
        }
    }
}
