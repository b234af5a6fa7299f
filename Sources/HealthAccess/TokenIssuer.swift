public import Foundation
package import HealthEngine

/// Makes and revokes tokens, together with the authorization of the applications they represent.
public struct TokenIssuer: Sendable {
    /// The properties of a new token.
    public struct Request: Sendable {
        /// The name shown to the person.
        public var name: String
        /// The scope of the token.
        public var scope: Credential.Scope
        /// The application's bundle identifier; `nil` for a generated one.
        public var bundleIdentifier: String?
        /// The people whose stores may be used; `nil` for everyone, for owner tokens only.
        public var people: [String]?
        /// Whether a cohort token may choose among its people in each request. The difference of two answers can then
        /// be one person's figure.
        public var mayChoose = false
        /// Whether the token can only read.
        public var isReadOnly = false
        /// When the token stops working; `nil` for never.
        public var expires: Date?
        /// The types that an application may read and write.
        public var grants = TokenGrants()

        /// Creates a request.
        public init(name: String, scope: Credential.Scope, people: [String]?) {
            self.name = name
            self.scope = scope
            self.people = people
        }
    }

    /// The authorization of a token in one store.
    public struct Permissions: Hashable, Sendable {
        /// The person.
        public var person: String
        /// The identifiers of the types that may be read.
        public var read: [String]
        /// The identifiers of the types that may be written.
        public var share: [String]
        /// The start of the history that may be read; `nil` for all history.
        public var since: Date?
    }

    let stores: any PersonStores
    package let registry: AccessRegistry

    package init(stores: any PersonStores, registry: AccessRegistry) {
        self.stores = stores
        self.registry = registry
    }

    /// Closes the stores that were used, so that each file is a whole store.
    public func close() { stores.close() }

    /// Makes a token. The authorization is stored first, so that a token never permits more than was granted.
    ///
    /// - Returns: The secret, which can't be shown again, and the record.
    /// - Throws: ``GrantError``, ``AccessFileError`` and storage errors.
    public func issue(_ request: Request) throws -> (secret: String, token: Credential) {
        for person in request.people ?? [] where try !stores.exists(person) {
            throw GrantError("Person “\(person)” not found.")
        }
        if request.scope == .link { try check(link: request) }
        guard [.application, .sync, .link].contains(request.scope) else {
            return try registry.addToken(
                name: request.name, scope: request.scope, people: request.people,
                mayChoose: request.scope == .cohort && request.mayChoose,
                isReadOnly: request.isReadOnly || request.scope == .cohort, expires: request.expires)
        }
        guard let people = request.people, !people.isEmpty else {
            throw GrantError("An application token is for certain people. Name them.")
        }
        let bundleIdentifier = request.bundleIdentifier ?? "org.openhealthkit.token.\(Secret.makeIdentifier())"
        guard !bundleIdentifier.isEmpty, bundleIdentifier.utf8.count <= 200,
            bundleIdentifier.utf8.allSatisfy({ $0 > 0x20 })
        else { throw GrantError("A bundle identifier has a form like com.example.app.") }
        for person in people {
            try stores.using(person) {
                try request.grants.apply(to: $0, bundleIdentifier: bundleIdentifier, replacing: false)
            }
        }
        return try registry.addToken(
            name: request.name, scope: request.scope, bundleIdentifier: bundleIdentifier, people: people,
            isReadOnly: request.isReadOnly || request.scope == .link, expires: request.expires)
    }

    /// - Throws: ``GrantError`` unless a link shows some types of one person for a limited time.
    private func check(link request: Request) throws {
        guard request.people?.count == 1 else {
            throw GrantError("A link shows the data of one person. Name the person.")
        }
        guard request.grants.read != .some([]), request.grants.share == .some([]) else {
            throw GrantError("A link shows the types that it may read, and writes nothing. Name some types.")
        }
        try check(linkExpiry: request.expires)
    }

    /// - Throws: ``GrantError`` unless a link can end then.
    package func check(linkExpiry expires: Date?) throws {
        let now = registry.now()
        guard let expires, expires > now, expires <= now + Self.maximumLinkSeconds else {
            throw GrantError("A link requires an expiry date within a year.")
        }
    }

    /// The longest duration of a link.
    private static let maximumLinkSeconds: TimeInterval = 366 * 86_400

    /// Replaces what a token's application may read and write.
    ///
    /// - Throws: ``GrantError`` and storage errors.
    public func setGrants(_ grants: TokenGrants, of token: Credential) throws {
        guard let bundleIdentifier = token.bundleIdentifier else {
            throw GrantError("An owner token acts as the person. It has no grants.")
        }
        for person in token.people ?? [] {
            try stores.using(person) {
                try grants.apply(to: $0, bundleIdentifier: bundleIdentifier, replacing: true)
            }
        }
    }

    /// Revokes the token with an identifier. The webhook of an application that no other valid token represents to the
    /// person is suspended, and its authorization removed if it can't have another token.
    ///
    /// - Returns: The token; `nil` if there is none.
    /// - Throws: ``AccessFileError`` and storage errors. The token has ended nevertheless, and can be revoked again.
    @discardableResult
    public func revoke(_ id: String) throws -> Credential? {
        guard try registry.token(id: id)?.bundleIdentifier != nil else { return try registry.revokeToken(id) }
        guard let token = try registry.changeToken(id, name: nil, expires: .some(registry.now())),
            let bundleIdentifier = token.bundleIdentifier
        else { return nil }
        for person in token.people ?? [] where try stores.exists(person) {
            let last = try registry.lastExpiry(of: bundleIdentifier, for: person) ?? -.infinity
            if last > registry.now().timeIntervalSinceReferenceDate { continue }
            try stores.using(person) { engine in
                if case .webhook? = try engine.backgroundDelivery.application(bundleIdentifier)?.target {
                    try engine.backgroundDelivery.setSuspended(true, for: bundleIdentifier)
                }
                guard bundleIdentifier.hasPrefix("org.openhealthkit.token.") else { return }
                try TokenGrants.remove(from: engine, bundleIdentifier: bundleIdentifier)
            }
        }
        return try registry.revokeToken(id)
    }

    /// The permissions of a token's application, for each of its people; none for an owner token.
    ///
    /// - Throws: Errors of reading the people's stores.
    public func permissions(of token: Credential) throws -> [Permissions] {
        try permissions(of: [token])[token.id] ?? []
    }

    /// The same of several tokens, by their identifiers. The people of a database are read together.
    public func permissions(of tokens: [Credential]) throws -> [String: [Permissions]] {
        let applications = tokens.flatMap { token in
            (token.people ?? []).compactMap { person in
                token.bundleIdentifier.map { (person: person, token: token.id, identifier: $0) }
            }
        }
        let ofPeople = Dictionary(grouping: applications, by: \.person)
        var found: [String: [String: Permissions]] = [:]
        try stores.reading(ofPeople.keys.sorted()) { people in
            Set(people.flatMap { ofPeople[$0] ?? [] }.map(\.identifier)).map(HealthEngine.namespace(ofAuthorization:))
        } _: { person, engine in
            for application in ofPeople[person] ?? [] {
                let granted = try TokenGrants.granted(to: application.identifier, in: engine)
                found[application.token, default: [:]][person] = Permissions(
                    person: person, read: granted.read, share: granted.share, since: granted.since)
            }
        }
        return found.mapValues { $0.values.sorted { $0.person < $1.person } }
    }
}

/// The stores of the people to whom tokens give access.
package protocol PersonStores: Sendable {
    /// Returns whether there is such a person.
    func exists(_ person: String) throws -> Bool

    /// Works on a person's store.
    func using<Value>(_ person: String, _ work: (HealthEngine) throws -> Value) throws -> Value

    /// Reads the stores of people, those who are together in a database in one transaction. Leaves out those who don't
    /// exist.
    ///
    /// - Parameter namespaces: Returns the namespaces of settings that are going to be asked for of some of them.
    func reading(
        _ people: [String], namespaces: (_ people: [String]) -> [String],
        _ work: (_ person: String, _ engine: HealthEngine) throws -> Void) throws

    func close()
}
