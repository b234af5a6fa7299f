public import Foundation
import HealthEngine

/// Makes and revokes tokens, together with the authorization of the applications they represent.
public struct TokenIssuer: Sendable {
    /// What a new token is.
    public struct Request: Sendable {
        /// The name shown to the person.
        public var name: String
        /// What the token permits.
        public var scope: TokenRecord.Scope
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
        public init(name: String, scope: TokenRecord.Scope, people: [String]?) {
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

    let directory: StoreDirectory
    let registry: AccessRegistry

    /// Creates an issuer for the stores at a location.
    public init(location: StoreLocation) {
        self.init(directory: StoreDirectory(location: location), registry: AccessRegistry(location: location))
    }

    /// Closes the stores that were used, so that each file is a whole store.
    public func close() { directory.close() }

    init(directory: StoreDirectory, registry: AccessRegistry) {
        self.directory = directory
        self.registry = registry
    }

    /// Makes a token. The authorization is stored first, so that a token never permits more than was granted.
    ///
    /// - Returns: The secret, which can't be shown again, and the record.
    /// - Throws: ``GrantError``, ``DirectoryError``, ``AccessFileError`` and storage errors.
    public func issue(_ request: Request) throws -> (secret: String, token: TokenRecord) {
        for person in request.people ?? [] where try !directory.exists(person) {
            throw DirectoryError("Person “\(person)” not found.")
        }
        if request.scope == .link { try check(link: request) }
        guard [.application, .sync, .link].contains(request.scope) else {
            return try registry.addToken(
                name: request.name, scope: request.scope, people: request.people,
                mayChoose: request.scope == .cohort ? request.mayChoose : nil,
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
            try directory.using(person) {
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
    func check(linkExpiry expires: Date?) throws {
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
    public func setGrants(_ grants: TokenGrants, of token: TokenRecord) throws {
        guard let bundleIdentifier = token.bundleIdentifier else {
            throw GrantError("An owner token acts as the person. It has no grants.")
        }
        for person in token.people ?? [] {
            try directory.using(person) {
                try grants.apply(to: $0, bundleIdentifier: bundleIdentifier, replacing: true)
            }
        }
    }

    /// Revokes the token with an identifier. The webhook of an application that no other valid token represents to the
    /// person is suspended, and its authorization removed if it can't have another token.
    ///
    /// - Returns: The token; `nil` if there is none.
    /// - Throws: ``AccessFileError`` and storage errors.
    @discardableResult
    public func revoke(_ id: String) throws -> TokenRecord? {
        guard let token = try registry.revokeToken(id) else { return nil }
        guard let bundleIdentifier = token.bundleIdentifier else { return token }
        for person in token.people ?? [] where try directory.exists(person) {
            let last = try registry.lastExpiry(of: bundleIdentifier, for: person) ?? -.infinity
            if last > registry.now().timeIntervalSinceReferenceDate { continue }
            try directory.using(person) { engine in
                if case .webhook? = try engine.backgroundDelivery.application(bundleIdentifier)?.target {
                    try engine.backgroundDelivery.setSuspended(true, for: bundleIdentifier)
                }
                guard bundleIdentifier.hasPrefix("org.openhealthkit.token.") else { return }
                try TokenGrants.remove(from: engine, bundleIdentifier: bundleIdentifier)
            }
        }
        return token
    }

    /// What a token's application may read and write, for each of its people; none for an owner token.
    ///
    /// - Throws: Errors of opening and reading the people's stores.
    public func permissions(of token: TokenRecord) throws -> [Permissions] {
        guard let bundleIdentifier = token.bundleIdentifier else { return [] }
        return try (token.people ?? []).filter { try directory.exists($0) }.map { person in
            try directory.using(person) { engine in
                let granted = try TokenGrants.granted(to: bundleIdentifier, in: engine)
                return Permissions(person: person, read: granted.read, share: granted.share, since: granted.since)
            }
        }
    }
}

extension StoreDirectory {
    /// Works on a person's store.
    func using<Value>(_ person: String, _ work: (HealthEngine) throws -> Value) throws -> Value {
        do {
            let store = try store(of: person)
            return try withExtendedLifetime(store) { try work(store.engine) }
        } catch let problem as Problem where problem.code == .notFound {
            throw DirectoryError("Person “\(person)” not found.")
        }
    }
}
