public import Foundation

/// The one workout session that runs on a store, with what its application needs to take it up again.
public struct ActiveWorkoutSession: Hashable, Sendable, Codable {
    /// Tells this run of a session from every other.
    public var token: UUID
    /// Whose session it is.
    public var bundleIdentifier: String
    /// The application's own record of it.
    public var contents: Data

    /// Makes the record of a running session.
    public init(token: UUID, bundleIdentifier: String, contents: Data) {
        self.token = token
        self.bundleIdentifier = bundleIdentifier
        self.contents = contents
    }
}
