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
