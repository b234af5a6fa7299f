public import Foundation
import Synchronization

/// The tokens and sessions of a server. Every process of the server and of `hk token` may use one at the same time; a
/// revocation takes effect with the next request.
public final class AccessRegistry: Sendable {
    let file: any AccessStore
    let now: @Sendable () -> Date

    /// The records of the file by their hashes.
    private struct Index {
        var generation = -1
        var tokens: [String: TokenRecord] = [:]
        var sessions: [String: SessionRecord] = [:]
        /// Tokens of this generation that were used.
        var recent = RecentTokens()
    }

    private let index = Mutex(Index())
    /// When tokens were used, until it is written to the file.
    private let uses = Mutex<[String: Date]>([:])

    /// The duration of a session, in seconds: 30 days.
    static let sessionSeconds: TimeInterval = 30 * 86_400
    /// The duration of a sign-in code, in seconds: one hour.
    static let codeSeconds: TimeInterval = 3_600
    /// The largest number of sessions and unused codes that are kept.
    private static let maximumSessions = 1_000

    /// Creates the registry of a server's stores.
    public convenience init(location: StoreLocation) {
        self.init(location: location, now: { Date() })
    }

    init(location: StoreLocation, now: @escaping @Sendable () -> Date) {
        file =
            if case .database(let address) = location {
                AccessDatabase(.at(address))
            } else {
                AccessFile(path: location.accessFile)
            }
        self.now = now
    }

    // MARK: Tokens

    /// All tokens, also expired ones, in the order in which they were made.
    ///
    /// - Throws: ``AccessFileError``.
    public func tokens() throws -> [TokenRecord] {
        let uses = uses.withLock { $0 }
        return try file.read().document.tokens.map { token in
            var token = token
            if let use = uses[token.id] { token.lastUsed = max(use, token.lastUsed ?? use) }
            return token
        }
    }

    /// When the last token of an application for a person expires, in seconds since 2001; infinite for never, `nil` if
    /// it has none.
    ///
    /// - Throws: ``AccessFileError``.
    func lastExpiry(of bundleIdentifier: String, for person: String) throws -> Double? {
        try tokens().filter { $0.bundleIdentifier == bundleIdentifier && $0.people?.contains(person) ?? true }
            .map { $0.expires?.timeIntervalSinceReferenceDate ?? .infinity }.max()
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: The application's bundle identifier, for the scope `application`. By default one of its
    ///     own.
    ///   - people: The people whose stores may be used; `nil` for everyone.
    ///   - expires: When the token stops working; `nil` for never.
    /// - Returns: The secret, which can't be shown again, and the record.
    /// - Throws: ``AccessFileError``.
    public func addToken(
        name: String, scope: TokenRecord.Scope, bundleIdentifier: String? = nil, people: [String]?,
        mayChoose: Bool? = nil, isReadOnly: Bool = false, expires: Date? = nil
    ) throws -> (secret: String, token: TokenRecord) {
        let secret = Secret.tokenPrefix + Secret.make()
        let id = Secret.makeIdentifier()
        let application =
            [.application, .sync, .link].contains(scope) ? bundleIdentifier ?? "org.openhealthkit.token.\(id)" : nil
        let token = TokenRecord(
            id: id, name: name, scope: scope, bundleIdentifier: application, people: people, mayChoose: mayChoose,
            isReadOnly: isReadOnly, created: now(), expires: expires, lastUsed: nil, digest: Secret.digest(secret))
        try file.update { $0.tokens.append(token) }
        return (secret, token)
    }

    /// Changes the name and the end of a token. Browsers that opened it as a link don't see anything after the new end.
    ///
    /// - Parameter expires: When it stops working, in which `nil` is never; without a value, that stays.
    /// - Returns: The token; `nil` if there is none.
    /// - Throws: ``AccessFileError``.
    @discardableResult
    func changeToken(_ id: String, name: String?, expires: Date??) throws -> TokenRecord? {
        try file.update { document in
            guard let index = document.tokens.firstIndex(where: { $0.id == id }) else { return nil }
            if let name { document.tokens[index].name = name }
            if let expires { document.tokens[index].expires = expires }
            for place in document.sessions.indices where document.sessions[place].tokenID == id {
                let end = document.tokens[index].expires ?? .distantFuture
                document.sessions[place].expires = min(document.sessions[place].expires, end)
            }
            return document.tokens[index]
        }
    }

    /// Revokes the token with an identifier, at once and in every process.
    ///
    /// - Returns: The token; `nil` if there is none.
    /// - Throws: ``AccessFileError``.
    @discardableResult
    public func revokeToken(_ id: String) throws -> TokenRecord? {
        try file.update { document in
            guard let index = document.tokens.firstIndex(where: { $0.id == id }) else { return nil }
            document.sessions.removeAll { $0.tokenID == id }
            return document.tokens.remove(at: index)
        }
    }

    /// Removes a person from all tokens and sessions; those of no other person are revoked.
    ///
    /// - Throws: ``AccessFileError``.
    public func removePerson(_ person: String) throws {
        try file.update { document in
            for index in document.tokens.indices { document.tokens[index].people?.removeAll { $0 == person } }
            for index in document.sessions.indices { document.sessions[index].people?.removeAll { $0 == person } }
            for index in document.codes.indices { document.codes[index].people?.removeAll { $0 == person } }
            document.tokens.removeAll { $0.people?.isEmpty == true }
            document.sessions.removeAll { $0.people?.isEmpty == true }
            document.codes.removeAll { $0.people?.isEmpty == true }
            document.passwords?.removeAll { $0.person == person }
        }
    }

    /// The valid token with a secret.
    func token(secret: some StringProtocol) throws -> TokenRecord? {
        guard let token = try storedToken(secret: secret) else { return nil }
        let now = now()
        if let expires = token.expires, expires <= now { return nil }
        uses.withLock { uses in
            if let last = uses[token.id] ?? token.lastUsed, now.timeIntervalSince(last) < 60 { return }
            uses[token.id] = now
        }
        return token
    }

    /// The token of the file with a secret. Its hash isn't computed again until the file changes.
    private func storedToken(secret: some StringProtocol) throws -> TokenRecord? {
        if let known = try withIndex({ $0.recent.token(secret: secret) }) { return known }
        let digest = Secret.digest(secret)
        return try withIndex { index in
            guard let token = index.tokens[digest] else { return nil }
            index.recent.remember(token, secret: secret)
            return token
        }
    }

    // MARK: Sessions

    /// Makes a code that signs one browser in, once, within an hour.
    ///
    /// - Parameter people: The people whose stores the session may use; `nil` for everyone.
    /// - Throws: ``AccessFileError``.
    public func addSignInCode(people: [String]?) throws -> String {
        let code = Secret.make()
        let now = now()
        try file.update { document in
            document.codes.removeAll { $0.expires <= now }
            document.codes = document.codes.suffix(Self.maximumSessions - 1)
            document.codes.append(
                SignInCode(people: people, expires: now + Self.codeSeconds, digest: Secret.digest(code)))
        }
        return code
    }

    /// Exchanges a code for a session.
    ///
    /// - Returns: The secret for the cookie, and the record; `nil` if the code is unknown, used or expired.
    func signIn(code: String) throws -> (secret: String, session: SessionRecord)? {
        let digest = Secret.digest(code)
        let now = now()
        // Looked up before the lock is taken, so that wrong codes don't write.
        guard try file.read().document.codes.contains(where: { $0.digest == digest }) else { return nil }
        let people = try file.update { document -> [String]?? in
            guard let index = document.codes.firstIndex(where: { $0.digest == digest }) else { return nil }
            let code = document.codes.remove(at: index)
            return code.expires > now ? .some(code.people) : nil
        }
        guard let people else { return nil }
        return try addSession(people: people)
    }

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - token: The token with which the browser signs in: the session ends with it.
    ///   - password: The identifier of the password with which it does.
    func addSession(
        people: [String]?, token: TokenRecord? = nil, password: String? = nil
    ) throws -> (secret: String, session: SessionRecord) {
        let secret = Secret.make()
        let now = now()
        let session = SessionRecord(
            id: Secret.makeIdentifier(), people: people, created: now,
            expires: min(token?.expires ?? .distantFuture, now + Self.sessionSeconds), digest: Secret.digest(secret),
            requestToken: Secret.make(), tokenID: token?.id ?? password,
            // A session of another token acts as the person.
            application: token?.scope == .link
                ? token?.bundleIdentifier.map { TokenApplication(bundleIdentifier: $0, name: token?.name ?? "") } : nil)
        try file.update { document in
            document.sessions.removeAll { $0.expires <= now }
            document.sessions = document.sessions.suffix(Self.maximumSessions - 1)
            document.sessions.append(session)
        }
        return (secret, session)
    }

    /// Ends a session.
    func endSession(_ id: String) throws {
        try file.update { $0.sessions.removeAll { $0.id == id } }
    }

    /// The valid session with a cookie's value.
    func session(secret: some StringProtocol) throws -> SessionRecord? {
        let digest = Secret.digest(secret)
        guard let session = try withIndex({ $0.sessions[digest] }), session.expires > now() else { return nil }
        return session
    }

    // MARK: -

    /// Writes when tokens were used last.
    func flush() throws {
        let uses = uses.withLock { $0 }
        guard !uses.isEmpty else { return }
        try file.update { document in
            for index in document.tokens.indices {
                guard let use = uses[document.tokens[index].id] else { continue }
                document.tokens[index].lastUsed = max(use, document.tokens[index].lastUsed ?? use)
            }
        }
        self.uses.withLock { current in
            current = current.filter { uses[$0.key] != $0.value }
        }
    }

    private func withIndex<Value>(_ body: (inout Index) -> Value) throws -> Value {
        let (document, generation) = try file.read()
        return index.withLock { index in
            if index.generation < generation {
                // Two records with one hash would be two copies of one secret.
                index = Index(
                    generation: generation,
                    tokens: Dictionary(document.tokens.map { ($0.digest, $0) }, uniquingKeysWith: { $1 }),
                    sessions: Dictionary(document.sessions.map { ($0.digest, $0) }, uniquingKeysWith: { $1 }))
            }
            return body(&index)
        }
    }
}

/// The tokens whose secrets were accepted last. It belongs to one state of the file, so that no revoked token is found.
private struct RecentTokens {
    private static let capacity = 256
    /// By a hash with a key of this process. It leads to one secret, which is then compared in constant time.
    private var tokens: [Int: (secret: [UInt8], token: TokenRecord)] = [:]

    func token(secret: some StringProtocol) -> TokenRecord? {
        guard let known = tokens[secret.hashValue], known.secret.count == secret.utf8.count,
            zip(known.secret, secret.utf8).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0
        else { return nil }
        return known.token
    }

    mutating func remember(_ token: TokenRecord, secret: some StringProtocol) {
        if tokens.count >= Self.capacity { tokens.removeAll(keepingCapacity: true) }
        tokens[secret.hashValue] = (Array(secret.utf8), token)
    }
}
