/// A sample or object that the original refuses to construct.
public struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which rule was broken.
    public enum Rule: Hashable, Sendable {
        /// What a rule is about; ``RecordValidation`` says each in full.
        case unit, dates, categoryValue, requiredMetadata, metadataValue, syncMetadata, openEnd, members, workoutEvent
    }

    /// Which rule was broken.
    public var rule: Rule
    /// The original's exception text where one is known, else the project's own. It may name the
    /// category value that was refused, but no quantity, date or other metadata value.
    public var reason: String

    /// Makes the error of a rule, with its text.
    public init(_ rule: Rule, reason: String) {
        self.rule = rule
        self.reason = reason
    }

    /// Fit for a log: says which rule was broken and nothing of the data.
    public var description: String {
        switch rule {
        case .categoryValue: "the category value is not one of its type"
        default: reason
        }
    }
}
