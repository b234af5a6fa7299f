public import HealthModel

/// The application or person on whose behalf the engine acts.
public struct Caller: Hashable, Sendable {
    /// How permission is decided for this caller.
    public enum Permission: Hashable, Sendable {
        /// The person: may read everything and delete the data of every source. The command line acts as the person.
        case owner
        /// An application that is granted every request (tests, `HEALTHKIT_AUTHORIZATION=allow`).
        case allowAll
        /// An application that is subject to the store's authorization table.
        case table
    }

    /// The source revision given to saved samples. Its bundle identifier identifies the application.
    public var revision: SourceRevisionRecord
    /// How permission is decided for this caller.
    public var permission: Permission

    /// Creates a caller. Its identity is not verified.
    public init(revision: SourceRevisionRecord, permission: Permission) {
        self.revision = revision
        self.permission = permission
    }

    /// The application's bundle identifier.
    public var bundleIdentifier: String { revision.source.bundleIdentifier }
}

/// An error of the engine. Descriptions never contain a health value, a date or metadata.
public enum EngineError: Error, Hashable, Sendable {
    /// The arguments are invalid; the text describes the problem.
    case invalidArgument(String)
    /// The application is not allowed to share (write) this type.
    case authorizationDenied(TypeCode)
    /// The application has never requested authorization for this type.
    case authorizationNotDetermined(TypeCode)
    /// No sample matches a statistics request.
    case noData
    /// The anchor belongs to another store, or this version cannot read it.
    case invalidAnchor
}
