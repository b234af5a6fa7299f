package import HealthModel

/// The application or person on whose behalf the engine acts.
public struct Caller: Hashable, Sendable {
    /// How permission is decided for this caller.
    package enum Permission: Hashable, Sendable {
        /// The person: may read everything and delete the data of every source. The command line acts as the person.
        case owner
        /// An application that is granted every request (tests, `HEALTHKIT_AUTHORIZATION=allow`).
        case allowAll
        /// An application that is subject to the store's authorization table.
        case table
    }

    /// The source revision given to saved samples. Its bundle identifier identifies the application.
    package var revision: SourceRevisionRecord
    /// How permission is decided for this caller.
    package var permission: Permission

    /// Creates a caller. Its identity is not verified.
    package init(revision: SourceRevisionRecord, permission: Permission) {
        self.revision = revision
        self.permission = permission
    }

    /// The person, with a program that only reads and is therefore the source of nothing.
    public static let reader = Caller(
        revision: SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "org.openhealthkit", name: "OpenHealthKit")), permission: .owner)

    /// The application's bundle identifier.
    package var bundleIdentifier: String { revision.source.bundleIdentifier }
}

/// An error of the engine. Descriptions never contain a health value, a date or metadata.
package enum EngineError: Error, Hashable, Sendable {
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
