public import HealthModel

/// What one application may do with one type.
public struct TypeAuthorization: Hashable, Sendable, Codable {
    /// One decision of the person.
    public enum Decision: UInt8, Hashable, Sendable, Codable {
        /// The person has not been asked or has not answered.
        case notDetermined = 0
        /// The person denied access.
        case denied = 1
        /// The person granted access.
        case authorized = 2
    }

    /// Whether the application may write samples of the type.
    public var share: Decision
    /// Whether the application may read samples of other applications.
    public var read: Decision

    /// Creates a pair of decisions, not determined by default.
    public init(share: Decision = .notDetermined, read: Decision = .notDetermined) {
        self.share = share
        self.read = read
    }

    /// What queries return under this decision; `nil` if the application never asked for the type,
    /// neither to read nor to share it.
    ///
    /// | read | share | scope |
    /// |---|---|---|
    /// | authorized | any | everything |
    /// | not authorized | authorized | own samples |
    /// | not authorized | denied | nothing |
    /// | denied | not determined | nothing |
    /// | not determined | not determined | `nil` |
    var readScope: ReadScope? {
        switch (read, share) {
        case (.authorized, _): .everything
        case (_, .authorized): .ownOnly
        case (.notDetermined, .notDetermined): nil
        default: .nothing
        }
    }
}

/// How much of a type an application can read. Samples outside the scope are left out without an error.
public enum ReadScope: Hashable, Sendable {
    /// Samples of every source.
    case everything
    /// Only samples the application saved itself.
    case ownOnly
    /// Only samples that the person selected and, with `withOwn`, those the application saved itself.
    case picked(SampleFilter, withOwn: Bool)
    /// No samples.
    case nothing
}
