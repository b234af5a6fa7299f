import Foundation
import HealthEngine

/// The result of authentication: who sends a request, before a person is chosen.
struct Identity: Hashable, Sendable {
    /// How the sender authenticated.
    enum Kind: Hashable, Sendable {
        /// A browser session.
        case session
        /// A token.
        case token
        /// A process on this machine without a server, such as `hk mcp`.
        case local
    }

    var kind: Kind
    /// The identifier of the token or session, for limits and the audit log. It isn't secret.
    var id: String
    /// The name given to the token.
    var name: String
    /// The people whose stores may be used; `nil` for everyone.
    var people: Set<String>?
    /// The application that an application token represents; `nil` for someone who acts as the person.
    var application: TokenApplication?
    /// Whether the identity can only read.
    var isReadOnly: Bool
    /// The secret that a page sends with changing requests; `nil` except for sessions.
    var requestToken: String?
    /// Whether the identity is a device that syncs, which may deliver data of every source and nothing else.
    var isSyncDevice = false
    /// The people over whom a token of the scope `cohort` gets figures; `nil` for any other identity. Such a token may
    /// not access any store.
    var cohort: CohortScope?
    /// When the link expires with which a browser sees some types; `nil` for any other identity.
    var linkExpiry: Date?

    /// Whether the identity is a link, which only reads what the page shows.
    var isLink: Bool { linkExpiry != nil }

    /// Whether the identity administers the server: adds people and manages everyone's tokens.
    var isServerOwner: Bool { people == nil && application == nil && !isReadOnly }

    /// Returns whether the identity may use the store of a person.
    func mayAccess(_ person: String) -> Bool { people?.contains(person) ?? true }
}

/// The people of a cohort token.
struct CohortScope: Hashable, Sendable {
    /// The people; `nil` for everyone on the server.
    var people: Set<String>?
    /// Whether a request may choose among them.
    var mayChoose: Bool

    func contains(_ person: String) -> Bool { people?.contains(person) ?? true }
}

/// The application that a token represents: HealthKit's authorization is stored by its bundle identifier.
struct TokenApplication: Codable, Hashable, Sendable {
    var bundleIdentifier: String
    var name: String
}

/// What a request may do with one person's store.
///
/// HealthKit's authorization is checked by the engine for ``caller``: a denied read is silently empty, a denied
/// write an error. What isn't subject to it, such as goals, source order, imports and exports, is for someone who acts as the
/// person.
struct Access: Sendable {
    /// The sender of the request.
    var identity: Identity
    /// On whose behalf the engine acts.
    var caller: Caller

    /// Whether the sender acts as the person.
    var isOwner: Bool { caller.permission == .owner }
    /// Whether the sender may change anything; the engine decides for each type.
    var mayWrite: Bool { !identity.isReadOnly }

    /// - Throws: ``Problem`` `forbidden` unless the sender acts as the person. `action` completes “Only the person can
    ///   …”.
    func requireOwner(_ action: String) throws {
        guard isOwner else {
            throw Problem(.forbidden, "Only the person can \(action). Use a session or an owner token.")
        }
    }

    /// - Throws: ``Problem`` `forbidden` if the token is read-only.
    func requireWriting() throws {
        guard mayWrite else { throw Problem(.forbidden, "The token is read-only.") }
    }

    /// - Throws: ``Problem`` `forbidden` unless the sender acts as the person and may change something; as
    ///   ``requireOwner(_:)``.
    func requireWritingOwner(_ action: String) throws {
        try requireOwner(action)
        try requireWriting()
    }

    /// The access of a process on this machine that acts as the person.
    static func local(isReadOnly: Bool = false) -> Access {
        Access(
            identity: Identity(
                kind: .local, id: "local", name: "local", people: nil, application: nil, isReadOnly: isReadOnly,
                requestToken: nil), caller: .person)
    }
}
