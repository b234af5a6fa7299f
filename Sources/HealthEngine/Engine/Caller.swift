public import HealthModel

/// On whose behalf the engine acts.
public struct Caller: Hashable, Sendable {
    /// How permission is decided for this caller.
    public enum Permission: Hashable, Sendable {
        /// The person: reads all, may delete anybody's data. The command line acts so.
        case owner
        /// An application whose every request is granted (tests, `HEALTHKIT_AUTHORIZATION=allow`).
        case allowAll
        /// An application that is held to the store's authorization table.
        case table
    }

    /// The source revision that saved samples get; its bundle identifier is the application's identity.
    public var revision: SourceRevisionRecord
    /// How permission is decided for this caller.
    public var permission: Permission

    /// Makes a caller; who it says it is, is believed.
    public init(revision: SourceRevisionRecord, permission: Permission) {
        self.revision = revision
        self.permission = permission
    }

    /// The application's bundle identifier.
    public var bundleIdentifier: String { revision.source.bundleIdentifier }
}
