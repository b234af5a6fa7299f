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
    /// The code errorAnotherWorkoutSessionStarted.
    public static var errorAnotherWorkoutSessionStarted: HKError.Code { .errorAnotherWorkoutSessionStarted }

    /// The code errorAuthorizationDenied.
    public static var errorAuthorizationDenied: HKError.Code { .errorAuthorizationDenied }

    /// The code errorAuthorizationNotDetermined.
    public static var errorAuthorizationNotDetermined: HKError.Code { .errorAuthorizationNotDetermined }

    /// The code errorBackgroundWorkoutSessionNotAllowed.
    public static var errorBackgroundWorkoutSessionNotAllowed: HKError.Code { .errorBackgroundWorkoutSessionNotAllowed }

    /// The code errorDataSizeExceeded.
    public static var errorDataSizeExceeded: HKError.Code { .errorDataSizeExceeded }

    /// The code errorDatabaseInaccessible.
    public static var errorDatabaseInaccessible: HKError.Code { .errorDatabaseInaccessible }

    /// The code errorHealthDataRestricted.
    public static var errorHealthDataRestricted: HKError.Code { .errorHealthDataRestricted }

    /// The code errorHealthDataUnavailable.
    public static var errorHealthDataUnavailable: HKError.Code { .errorHealthDataUnavailable }

    /// The code errorInvalidArgument.
    public static var errorInvalidArgument: HKError.Code { .errorInvalidArgument }

    /// The code errorNoData.
    public static var errorNoData: HKError.Code { .errorNoData }

    /// The code errorNotPermissibleForGuestUserMode.
    public static var errorNotPermissibleForGuestUserMode: HKError.Code { .errorNotPermissibleForGuestUserMode }

    /// The code errorRequiredAuthorizationDenied.
    public static var errorRequiredAuthorizationDenied: HKError.Code { .errorRequiredAuthorizationDenied }

    /// The code errorUserCanceled.
    public static var errorUserCanceled: HKError.Code { .errorUserCanceled }

    /// The code errorUserExitedWorkoutSession.
    public static var errorUserExitedWorkoutSession: HKError.Code { .errorUserExitedWorkoutSession }

    /// The code errorWorkoutActivityNotAllowed.
    public static var errorWorkoutActivityNotAllowed: HKError.Code { .errorWorkoutActivityNotAllowed }

    /// The code noError.
    public static var noError: HKError.Code { .noError }

    /// The code unknownError.
    public static var unknownError: HKError.Code { .unknownError }
}
