/// Date components that do not name a day.
public struct ActivitySummaryDateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which component is missing or must not be set.
    public var reason: String

    /// Makes the error with its reason in words.
    public init(reason: String) {
        self.reason = reason
    }

    public var description: String { reason }
}
