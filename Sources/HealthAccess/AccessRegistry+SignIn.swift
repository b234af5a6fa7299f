package import Foundation
import HealthStorage
import HealthStoragePostgreSQL

/// Sessions of browsers, and what signs them in: codes and passwords.
extension AccessRegistry {
    /// The duration of a session, in seconds: 30 days.
    package static let sessionSeconds: TimeInterval = 30 * 86_400
    /// The duration of a sign-in code, in seconds: one hour.
    package static let codeSeconds: TimeInterval = 3_600
    /// How long a browser is remembered that has signed in with a password, in seconds: a year.
    package static let browserSeconds: TimeInterval = 365 * 86_400

    // MARK: Sessions

    /// Makes a code that signs one browser in, once, within an hour.
    ///
    /// - Parameter people: The people whose stores the session may use; `nil` for everyone.
    /// - Throws: ``AccessFileError``, or `StorageError`.
    public func addSignInCode(people: [String]?) throws -> String {
        let secret = Secret.make()
        var code = Credential(.code, people: people, created: now())
        (code.expires, code.digest) = (code.created + Self.codeSeconds, Secret.digest(secret))
        try write([removalOfOldest(like: code)] + insertion(of: code))
        return secret
    }

    /// Exchanges a code for a session.
    ///
    /// - Returns: The secret for the cookie, and the session; `nil` if the code is unknown, used or expired.
    package func signIn(code: String, browser: String = "browser") throws -> (secret: String, session: Credential)? {
        // Looked up first, so that wrong codes don't write.
        guard let code = try credential("digest", Secret.digest(code)), code.kind == .code else { return nil }
        // Of those who send the code at the same time, one removes it.
        let removal = DatabaseStatement("DELETE FROM credential WHERE id = $1 RETURNING id", [.text(code.id)])
        guard try !storage.write([removal], { _ in }).isEmpty, let expires = code.expires, expires > now() else {
            return nil
        }
        return try addSession(people: code.people, browser: browser)
    }

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - token: The token with which the browser signs in: the session ends with it.
    ///   - password: The identifier of the password with which it does.
    ///   - browser: A name by which a person recognizes the browser.
    package func addSession(
        people: [String]?, token: Credential? = nil, password: String? = nil, browser: String = "browser"
    ) throws -> (secret: String, session: Credential) {
        let secret = Secret.make()
        var session = Credential(.session, people: people, created: now())
        session.expires = min(token?.expires ?? .distantFuture, session.created + Self.sessionSeconds)
        (session.digest, session.secret) = (Secret.digest(secret), Secret.make())
        (session.parent, session.name) = (token?.id ?? password, browser)
        // A session of another token acts as the person.
        if let token, token.scope == .link {
            (session.scope, session.isReadOnly) = (.link, true)
            (session.name, session.bundleIdentifier) = (token.name, token.bundleIdentifier)
        }
        try write([removalOfOldest(like: session)] + insertion(of: session))
        return (secret, session)
    }

    /// Ends a session.
    ///
    /// - Throws: ``AccessFileError``, or `StorageError`.
    package func endSession(_ id: String) throws {
        try delete(id)
    }

    /// The browsers that are signed in, the last one first.
    ///
    /// - Parameters:
    ///   - people: People of whom one may be accessed with them; `nil` for all browsers.
    ///   - limit: The greatest number of browsers.
    /// - Throws: ``AccessFileError``, or `StorageError`.
    package func sessions(of people: [String]? = nil, limit: Int = .max) throws -> [Credential] {
        let statement = DatabaseStatement(
            """
            SELECT \(Credential.columns) FROM credential WHERE kind = 'session' AND expires > $1
            \(Self.condition(people, after: 2)) ORDER BY created DESC LIMIT $2
            """,
            [.real(now().timeIntervalSinceReferenceDate), .integer(Int64(limit))]
                + (people ?? []).map { .text($0) })
        return try storage.read(statement) { try Credential($0) }
    }

    /// The browser with the identifier of its session, if it is signed in.
    package func session(id: String) throws -> Credential? {
        try session("id", id)
    }

    private func session(_ column: String, _ value: String) throws -> Credential? {
        let found = try credential(column, value)
        return found?.kind == .session && found?.expires ?? .distantPast > now() ? found : nil
    }

    /// Those of some credentials that are valid.
    package func valid(_ ids: Set<String>) throws -> Set<String> {
        guard !ids.isEmpty else { return [] }
        let places = (0..<ids.count).map { "$\($0 + 2)" }.joined(separator: ", ")
        let statement = DatabaseStatement(
            "SELECT id FROM credential WHERE coalesce(expires > $1, true) AND id IN (\(places))",
            [.real(now().timeIntervalSinceReferenceDate)] + ids.map { .text($0) })
        return Set(try storage.read(statement) { $0.text(0) })
    }

    /// The valid session with a cookie's value.
    package func session(secret: some StringProtocol) throws -> Credential? {
        try session("digest", Secret.digest(secret))
    }

    // MARK: Passwords

    /// Starts a session of someone who has sent a password, and remembers the browser.
    ///
    /// - Returns: The secrets of the session and, if it is new, of the browser; `nil` if the password was changed while it
    ///   was checked, so that it doesn't end the session.
    package func addSession(
        _ password: StoredPassword, browser: String
    ) throws -> (session: (secret: String, session: Credential), browser: String?)? {
        let new = try addSession(people: password.person.map { [$0] }, password: password.id, browser: browser)
        guard try self.password(of: password.person)?.hash == password.hash else {
            try endSession(new.session.id)
            return nil
        }
        return (new, password.browser == nil ? try addBrowser(password) : nil)
    }

    /// Sets the password of a person. Browsers that signed in with the one before are signed out.
    ///
    /// - Parameter person: The person; `nil` for the owner of the server.
    /// - Throws: ``PasswordError``, ``AccessFileError``, or `StorageError`.
    public func setPassword(_ password: String, of person: String?) throws {
        try setPassword(PasswordHash(password), of: person)
    }

    /// - Parameter session: A session that stays signed in.
    package func setPassword(_ hash: PasswordHash, of person: String?, keeping session: String? = nil) throws {
        var password = Credential(.password, people: person.map { [$0] }, created: now())
        password.id = Self.passwordIdentifier(person)
        password.secret = try hash.text
        // The session that stays ends with the next password, if it was begun with this one.
        let kept = try session.flatMap { try credential("id", $0) }.flatMap { $0.parent == password.id ? $0.id : nil }
        let parent = DatabaseStatement(
            "UPDATE credential SET parent = $2 WHERE id = $1", [.text(kept), .text(password.id)])
        try write(removal(ofPasswordOf: person, keeping: kept) + insertion(of: password) + [parent])
    }

    /// Removes the password of a person. Browsers that signed in with it are signed out.
    ///
    /// - Parameter person: The person; `nil` for the owner of the server.
    /// - Returns: Whether there was one.
    /// - Throws: ``AccessFileError``, or `StorageError`.
    public func removePassword(of person: String?) throws -> Bool {
        try removePassword(of: person, keeping: nil)
    }

    @discardableResult
    package func removePassword(of person: String?, keeping session: String?) throws -> Bool {
        guard try password(of: person) != nil else { return false }
        try write(removal(ofPasswordOf: person, keeping: session))
        return true
    }

    /// The password of a person; `nil` if there is none.
    ///
    /// - Parameter browser: The secret of the cookie of a browser that may have signed in with it before.
    package func password(of person: String?, browser: String? = nil) throws -> StoredPassword? {
        let id = Self.passwordIdentifier(person)
        guard let password = try credential("id", id), let text = password.secret else { return nil }
        let known = try browser.flatMap { try credential("digest", Secret.digest($0)) }
        return StoredPassword(
            id: id, person: person, hash: try PasswordHash(text: text),
            browser: known?.kind == .browser && known?.parent == id ? known?.id : nil)
    }

    /// Remembers a browser that has signed in with a password.
    ///
    /// - Returns: The secret for its cookie.
    package func addBrowser(_ password: StoredPassword) throws -> String {
        let secret = Secret.make()
        var browser = Credential(.browser, people: password.person.map { [$0] }, created: now())
        browser.expires = browser.created + Self.browserSeconds
        (browser.parent, browser.digest) = (password.id, Secret.digest(secret))
        try write([removalOfOldest(like: browser)] + insertion(of: browser))
        return secret
    }

    private static func passwordIdentifier(_ person: String?) -> String { "password:" + (person ?? "") }

    private func removal(ofPasswordOf person: String?, keeping session: String?) -> [DatabaseStatement] {
        let id = DatabaseStatement.Argument.text(Self.passwordIdentifier(person))
        return [
            DatabaseStatement(
                "UPDATE credential SET parent = NULL WHERE id = $1 AND parent = $2", [.text(session), id]),
            // Sessions and known browsers are removed with it.
            DatabaseStatement("DELETE FROM credential WHERE id = $1", [id]),
        ]
    }

    // MARK: Backups

    /// Removes the sessions, sign-in codes, passwords and refresh tokens of a restored file: they may have ended, been used or
    /// been changed since.
    ///
    /// - Returns: The number of its tokens.
    /// - Throws: ``AccessFileError``.
    package static func endSignIns(inFile path: String) throws -> Int {
        let file = AccessFile(path: path)
        defer { file.close() }
        _ = try file.write([DatabaseStatement("DELETE FROM credential WHERE kind <> 'token'")]) { _ in }
        return try file.read(DatabaseStatement("SELECT count(*) FROM credential")) { Int(try $0.integer(0)) }.first ?? 0
    }
}
