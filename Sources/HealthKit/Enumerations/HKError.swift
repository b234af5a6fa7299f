public import Foundation

/// A HealthKit error: the domain ``HKErrorDomain``, a code and further information.
///
/// `error as? HKError`, `catch HKError.errorNoData` and `(error as NSError).code` all work on what this
/// module throws. Foundation on Linux does not turn a bare `NSError` of the same domain into an `HKError`.
public struct HKError: _BridgedStoredNSError, Sendable {
    public let _nsError: NSError

    /// - Precondition: the error's domain is ``HKErrorDomain``.
    public init(_nsError error: NSError) {
        if error.domain != HKErrorDomain {
            ProgrammerError.raise("An HKError has the domain \(HKErrorDomain)")
        }
        _nsError = error
    }

    public static var _nsErrorDomain: String { HKErrorDomain }

    /// ``HKErrorDomain``.
    public static var errorDomain: String { HKErrorDomain }

    // Foundation's own hash of an NSError never returns on Linux.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.code)
    }

    public var hashValue: Int { _nsError.code.hashValue }
}

extension HKError {
    /// An error with the text of its `localizedDescription`.
    static func make(
        _ code: HKError.Code, _ description: String, underlying: (any Error)? = nil
    ) -> HKError {
        var information: [String: Any] = [NSLocalizedDescriptionKey: description]
        information[NSUnderlyingErrorKey] = underlying
        return HKError(code, userInfo: information)
    }
}

// The codes under the names that patterns use: `catch HKError.errorNoData`.
extension HKError {
    /// ``Code/errorAnotherWorkoutSessionStarted``.
    public static var errorAnotherWorkoutSessionStarted: HKError.Code { .errorAnotherWorkoutSessionStarted }

    /// ``Code/errorAuthorizationDenied``.
    public static var errorAuthorizationDenied: HKError.Code { .errorAuthorizationDenied }

    /// ``Code/errorAuthorizationNotDetermined``.
    public static var errorAuthorizationNotDetermined: HKError.Code { .errorAuthorizationNotDetermined }

    /// ``Code/errorBackgroundWorkoutSessionNotAllowed``.
    public static var errorBackgroundWorkoutSessionNotAllowed: HKError.Code { .errorBackgroundWorkoutSessionNotAllowed }

    /// ``Code/errorDataSizeExceeded``.
    public static var errorDataSizeExceeded: HKError.Code { .errorDataSizeExceeded }

    /// ``Code/errorDatabaseInaccessible``.
    public static var errorDatabaseInaccessible: HKError.Code { .errorDatabaseInaccessible }

    /// ``Code/errorHealthDataRestricted``.
    public static var errorHealthDataRestricted: HKError.Code { .errorHealthDataRestricted }

    /// ``Code/errorHealthDataUnavailable``.
    public static var errorHealthDataUnavailable: HKError.Code { .errorHealthDataUnavailable }

    /// ``Code/errorInvalidArgument``.
    public static var errorInvalidArgument: HKError.Code { .errorInvalidArgument }

    /// ``Code/errorNoData``.
    public static var errorNoData: HKError.Code { .errorNoData }

    /// ``Code/errorNotPermissibleForGuestUserMode``.
    public static var errorNotPermissibleForGuestUserMode: HKError.Code { .errorNotPermissibleForGuestUserMode }

    /// ``Code/errorRequiredAuthorizationDenied``.
    public static var errorRequiredAuthorizationDenied: HKError.Code { .errorRequiredAuthorizationDenied }

    /// ``Code/errorUserCanceled``.
    public static var errorUserCanceled: HKError.Code { .errorUserCanceled }

    /// ``Code/errorUserExitedWorkoutSession``.
    public static var errorUserExitedWorkoutSession: HKError.Code { .errorUserExitedWorkoutSession }

    /// ``Code/errorWorkoutActivityNotAllowed``.
    public static var errorWorkoutActivityNotAllowed: HKError.Code { .errorWorkoutActivityNotAllowed }

    /// Another name for ``unknownError``.
    public static var noError: HKError.Code { .noError }

    /// ``Code/unknownError``.
    public static var unknownError: HKError.Code { .unknownError }
}
