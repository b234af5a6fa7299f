/// What one application may do with one type.
public struct TypeAuthorization: Hashable, Sendable, Codable {
    /// One decision of the person.
    public enum Decision: UInt8, Hashable, Sendable, Codable {
        /// The person has not been asked, or has not answered.
        case notDetermined = 0
        /// The person said no.
        case denied = 1
        /// The person said yes.
        case authorized = 2
    }

    /// Whether the application may write samples of the type.
    public var share: Decision
    /// Whether it may read samples other applications wrote.
    public var read: Decision

    /// Makes the pair; nothing is decided unless given.
    public init(share: Decision = .notDetermined, read: Decision = .notDetermined) {
        self.share = share
        self.read = read
    }
}
