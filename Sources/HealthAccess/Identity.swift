package import Foundation

/// The result of authentication: who sends a request, before a person is chosen.
package struct Identity: Hashable, Sendable {
    /// How the sender authenticated.
    package enum Kind: Hashable, Sendable {
        /// A browser session.
        case session
        /// A token.
        case token
        /// A process on this machine without a server, such as `hk mcp`.
        case local
    }

    package var kind: Kind
    /// The identifier of the token or session, for limits and the audit log. It isn't secret.
    package var id: String
    /// The name given to the token.
    package var name: String
    /// The people whose stores may be used; `nil` for everyone.
    package var people: Set<String>?
    /// The application that an application token represents; `nil` for someone who acts as the person.
    package var application: TokenApplication?
    /// Whether the identity can only read.
    package var isReadOnly: Bool
    /// The secret that a page sends with changing requests; `nil` except for sessions.
    package var requestToken: String?
    /// Whether the identity is a device that syncs, which may deliver data of every source and nothing else.
    package var isSyncDevice = false
    /// The people over whom a token of the scope `cohort` gets figures; `nil` for any other identity. Such a token may
    /// not access any store.
    package var cohort: CohortScope?
    /// When the link expires with which a browser sees some types; `nil` for any other identity.
    package var linkExpiry: Date?

    /// Whether the identity is a link, which only reads what the page shows.
    package var isLink: Bool { linkExpiry != nil }

    /// Whether the identity administers the server: adds people and manages everyone's tokens.
    package var isServerOwner: Bool { people == nil && application == nil && !isReadOnly }

    /// Returns whether the identity may use the store of a person.
    package func mayAccess(_ person: String) -> Bool { people?.contains(person) ?? true }
}

/// The people of a cohort token.
package struct CohortScope: Hashable, Sendable {
    /// The people; `nil` for everyone on the server.
    package var people: Set<String>?
    /// Whether a request may choose among them.
    package var mayChoose: Bool
    /// The time zone of its days; `nil` until its first request.
    package var timeZone: String?

    package func contains(_ person: String) -> Bool { people?.contains(person) ?? true }
}

/// The application that a token represents: HealthKit's authorization is stored by its bundle identifier.
package struct TokenApplication: Hashable, Sendable {
    package var bundleIdentifier: String
    package var name: String
}

extension Identity {
    /// The sender of a token or of a session's cookie.
    package init(_ credential: Credential) {
        let isSession = credential.kind == .session
        let people = credential.people.map { Set($0) }
        let isCohort = credential.scope == .cohort
        self.init(
            kind: isSession ? .session : .token, id: credential.id, name: credential.name,
            people: isCohort ? [] : people,
            application: credential.bundleIdentifier.map {
                TokenApplication(bundleIdentifier: $0, name: credential.name)
            }, isReadOnly: credential.isReadOnly || isCohort, requestToken: isSession ? credential.requestToken : nil,
            isSyncDevice: credential.scope == .sync,
            cohort: isCohort
                ? CohortScope(people: people, mayChoose: credential.mayChoose, timeZone: credential.timeZone) : nil,
            linkExpiry: credential.scope == .link ? credential.expires ?? .distantFuture : nil)
    }

    /// A process on this machine that acts as the person.
    package static func local(isReadOnly: Bool) -> Identity {
        Identity(
            kind: .local, id: "local", name: "local", people: nil, application: nil, isReadOnly: isReadOnly,
            requestToken: nil)
    }
}
