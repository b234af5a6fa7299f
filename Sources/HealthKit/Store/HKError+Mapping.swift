import Foundation
import HealthEngine
import HealthStorage

extension HKError {
    /// What an application is told of an error of the layers below: the original's code and text.
    static func make(_ error: any Error) -> any Error {
        switch error {
        case let error as HKError:
            error
        case let error as EngineError:
            make(error)
        case let error as ValidationError:
            make(.errorInvalidArgument, error.reason)
        case let error as StorageError:
            make(.errorDatabaseInaccessible, error.description, underlying: error)
        case is CancellationError:
            error
        default:
            make(.unknownError, "\(error)", underlying: error)
        }
    }

    private static func make(_ error: EngineError) -> HKError {
        switch error {
        case .invalidArgument(let reason): make(.errorInvalidArgument, reason)
        case .authorizationDenied: make(.errorAuthorizationDenied, "Not authorized")
        case .authorizationNotDetermined:
            make(.errorAuthorizationNotDetermined, "Authorization not determined")
        case .noData: make(.errorNoData, "No data available for the specified predicate.")
        case .invalidAnchor: make(.errorInvalidArgument, "The anchor is invalid.")
        }
    }

    /// An error with the text that `localizedDescription` gives.
    static func make(
        _ code: HKError.Code, _ description: String, underlying: (any Error)? = nil
    ) -> HKError {
        var information: [String: Any] = [NSLocalizedDescriptionKey: description]
        information[NSUnderlyingErrorKey] = underlying
        return HKError(code, userInfo: information)
    }
}
