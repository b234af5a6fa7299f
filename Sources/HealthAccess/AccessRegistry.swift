public import Foundation
import HealthStorage
import HealthStoragePostgreSQL
import Synchronization

/// The tokens and sessions of a server, one row each. Every process of the server and of `hk token` may use one at the
/// same time: nothing is cached, so that a revocation takes effect with the next request everywhere.
public final class AccessRegistry: Sendable {
    let storage: any AccessStorage
    package let now: @Sendable () -> Date

    /// When tokens were used, until it is written.
    private let uses = Mutex<[String: Date]>([:])

    /// The number of uses that are written without waiting for the next ``flush()``.
    private static let pendingUses = 1_000
    /// The seconds that pass before another use of a token is recorded.
    private static let useSeconds: TimeInterval = 60
    /// The largest number of sessions of a person that are kept, of those who open links to their data, and of unused
    /// codes.
    package static let maximumPerPerson = 1_000

    /// Creates the registry of what a storage contains.
    package init(storage: any AccessStorage, now: @escaping @Sendable () -> Date) {
        self.storage = storage
        self.now = now
    }

    // MARK: Tokens

    /// All tokens, also expired ones, in the order in which they were made.
    ///
    /// - Throws: ``AccessFileError``, or `StorageError`.
    public func tokens() throws -> [Credential] {
        var tokens: [Credential] = []
        while true {
            let page = try self.tokens(after: tokens.last.map { ($0.created, $0.id) }, limit: Self.maximumPerPerson)
            tokens += page
            if page.count < Self.maximumPerPerson { return tokens }
        }
    }

    /// The place of a token in the order of all.
    package typealias TokenPosition = (created: Date, id: String)

    /// Some tokens, also expired ones, in the order in which they were made.
    ///
    /// - Parameters:
    ///   - people: People of whom one may be accessed with them; `nil` for all tokens.
    ///   - last: The last token of the page before, which may have been revoked meanwhile; `nil` for the first page.
    ///   - limit: The number of tokens.
    package func tokens(
        of people: [String]? = nil, after last: TokenPosition? = nil, limit: Int
    ) throws -> [Credential] {
        let uses = uses.withLock { $0 }
        let names = (people ?? []).map { DatabaseStatement.Argument.text($0) }
        let statement = DatabaseStatement(
            """
            SELECT \(Credential.columns) FROM credential
            WHERE kind = 'token' AND (created, id) > ($1, $2) \(Self.condition(people, after: 3))
            ORDER BY created, id LIMIT $3
            """,
            [
                .real(last?.created.timeIntervalSinceReferenceDate ?? -.greatestFiniteMagnitude),
                .text(last?.id ?? ""), .integer(Int64(limit)),
            ] + names)
        return try storage.read(statement) { row in
            var token = try Credential(row)
            if let use = uses[token.id] { token.lastUsed = max(use, token.lastUsed ?? use) }
            return token
        }
    }

    /// The token with an identifier.
    package func token(id: String) throws -> Credential? {
        let found = try credential("id", id)
        return found?.kind == .token ? found : nil
    }

    /// When the last token of an application for a person expires, in seconds since 2001; infinite for never, `nil` if
    /// it has none.
    ///
    /// - Throws: ``AccessFileError``, or `StorageError`.
    package func lastExpiry(of bundleIdentifier: String, for person: String) throws -> Double? {
        let statement = DatabaseStatement(
            """
            SELECT expires FROM credential JOIN credential_person ON credential = id
            WHERE person = $1 AND bundle_identifier = $2 AND kind = 'token'
            """, [.text(person), .text(bundleIdentifier)])
        return try storage.read(statement) { try $0.optionalReal(0) ?? .infinity }.max()
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: The application's bundle identifier, for the scope `application`. By default one of its
    ///     own.
    ///   - people: The people whose stores may be used; `nil` for everyone.
    ///   - expires: When the token stops working; `nil` for never.
    /// - Returns: The secret, which can't be shown again, and the token.
    /// - Throws: ``AccessFileError``, or `StorageError`.
    public func addToken(
        name: String, scope: Credential.Scope, bundleIdentifier: String? = nil, people: [String]?,
        mayChoose: Bool = false, isReadOnly: Bool = false, expires: Date? = nil
    ) throws -> (secret: String, token: Credential) {
        let secret = Secret.tokenPrefix + Secret.make()
        var token = Credential(.token, people: people, created: now())
        (token.name, token.scope, token.expires) = (name, scope, expires)
        (token.mayChoose, token.isReadOnly, token.digest) = (mayChoose, isReadOnly, Secret.digest(secret))
        if [.application, .sync, .link].contains(scope) {
            token.bundleIdentifier = bundleIdentifier ?? "org.openhealthkit.token.\(token.id)"
        }
        try write(insertion(of: token))
        return (secret, token)
    }

    /// Changes the name and the end of a token. Browsers that opened it as a link don't see anything after the new end.
    ///
    /// - Parameter expires: When it stops working, in which `nil` is never; without a value, that stays.
    /// - Returns: The token; `nil` if there is none.
    /// - Throws: ``AccessFileError``, or `StorageError`.
    @discardableResult
    package func changeToken(_ id: String, name: String?, expires: Date??) throws -> Credential? {
        guard try token(id: id) != nil else { return nil }
        var statements: [DatabaseStatement] = []
        if let name {
            statements.append(
                DatabaseStatement("UPDATE credential SET name = $2 WHERE id = $1", [.text(id), .text(name)]))
        }
        if let expires {
            let end = DatabaseStatement.Argument.real(expires?.timeIntervalSinceReferenceDate)
            statements += [
                DatabaseStatement("UPDATE credential SET expires = $2 WHERE id = $1", [.text(id), end]),
                DatabaseStatement(
                    "UPDATE credential SET expires = $2 WHERE parent = $1 AND expires > $2", [.text(id), end]),
            ]
        }
        if !statements.isEmpty { try write(statements) }
        return try token(id: id)
    }

    /// Revokes the token with an identifier, at once and in every process.
    ///
    /// - Returns: The token; `nil` if there is none.
    /// - Throws: ``AccessFileError``, or `StorageError`.
    @discardableResult
    public func revokeToken(_ id: String) throws -> Credential? {
        guard let token = try token(id: id) else { return nil }
        try delete(id)
        return token
    }

    /// Removes a person from all tokens, sessions and codes; those of no other person are revoked.
    ///
    /// - Throws: ``AccessFileError``, or `StorageError`.
    public func removePerson(_ person: String) throws {
        let found = DatabaseStatement("SELECT 1 FROM credential_person WHERE person = $1 LIMIT 1", [.text(person)])
        guard try !storage.read(found, { _ in }).isEmpty else { return }
        let own = "id IN (SELECT credential FROM credential_person WHERE person = $1)"
        try write([
            DatabaseStatement(
                "UPDATE credential SET people = replace(people, ',' || $1 || ',', ',') WHERE \(own)", [.text(person)]),
            DatabaseStatement("DELETE FROM credential WHERE people = ',' AND \(own)", [.text(person)]),
            DatabaseStatement("DELETE FROM credential_person WHERE person = $1", [.text(person)]),
        ])
    }

    /// The valid token with a secret, or with an access token of its client.
    package func token(secret: some StringProtocol) throws -> Credential? {
        guard let (used, token) = try clientToken(secret: secret), used.kind != .refresh else { return nil }
        let now = now()
        let isFull = uses.withLock { uses in
            if let last = uses[token.id] ?? token.lastUsed, now.timeIntervalSince(last) < Self.useSeconds {
                return false
            }
            uses[token.id] = now
            return uses.count >= Self.pendingUses
        }
        // What can't be written now is tried again each minute, and doesn't make the token invalid.
        if isFull { try? flush() }
        return token
    }

    // MARK: Rows

    /// The condition that a credential is for one of some people, whose placeholders come after others; without people,
    /// none.
    static func condition(_ people: [String]?, after count: Int) -> String {
        guard let people else { return "" }
        let places = people.indices.map { "$\(count + 1 + $0)" }.joined(separator: ", ")
        return "AND id IN (SELECT credential FROM credential_person WHERE person IN (\(places)))"
    }

    /// The credential with a unique value in a column.
    func credential(_ column: String, _ value: String) throws -> Credential? {
        let statement = DatabaseStatement(
            "SELECT \(Credential.columns) FROM credential WHERE \(column) = $1", [.text(value)])
        return try storage.read(statement) { try Credential($0) }.first
    }

    /// The statements that add a credential.
    func insertion(of credential: Credential) -> [DatabaseStatement] {
        let places = (1...credential.arguments.count).map { "$\($0)" }.joined(separator: ", ")
        let row = DatabaseStatement(
            """
            INSERT INTO credential (\(Credential.columns)) VALUES (\(places))
            ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, created = excluded.created
            """, credential.arguments)
        let people = (credential.people ?? []).map { person in
            DatabaseStatement(
                "INSERT INTO credential_person (person, credential) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                [.text(person), .text(credential.id)])
        }
        return [row] + people
    }

    /// The statement that removes the oldest credentials of a kind and of the same people, so that one more may be added.
    func removalOfOldest(like credential: Credential) -> DatabaseStatement {
        // As long as the index has it.
        let people = String(Credential.text(credential.people).prefix(200))
        return DatabaseStatement(
            """
            DELETE FROM credential WHERE id IN (
                SELECT id FROM credential WHERE kind = $1 AND scope = $2 AND substr(people, 1, 200) = $3
                ORDER BY created DESC LIMIT 1000 OFFSET \(Self.maximumPerPerson - 1))
            """, [.text(credential.kind.rawValue), .text(credential.scope.rawValue), .text(people)])
    }

    /// Sets the time zone of a cohort token's days, unless it has one.
    ///
    /// - Returns: The one that it has.
    package func setTimeZone(_ zone: String, of id: String) throws -> String {
        let change = "UPDATE credential SET time_zone = coalesce(time_zone, $2) WHERE id = $1 RETURNING time_zone"
        return try storage.write([DatabaseStatement(change, [.text(id), .text(zone)])]) { $0.text(0) }.first ?? zone
    }

    /// Removes a credential, and those that end with it.
    func delete(_ id: String) throws {
        try write([DatabaseStatement("DELETE FROM credential WHERE id = $1", [.text(id)])])
    }

    func write(_ statements: [DatabaseStatement]) throws {
        try storage.write(statements) { _ in }
    }

    /// Writes when tokens were used last, and removes sessions and codes that have expired.
    package func flush() throws {
        let uses = uses.withLock { $0 }
        // In the order of identifiers: servers that write the same rows at the same time wait, and not for each other.
        let updates = uses.sorted { $0.key < $1.key }.map { id, date in
            DatabaseStatement(
                "UPDATE credential SET last_used = $2 WHERE id = $1 AND coalesce(last_used, $2) <= $2",
                [.text(id), .real(date.timeIntervalSinceReferenceDate)])
        }
        let end = DatabaseStatement.Argument.real(now().timeIntervalSinceReferenceDate)
        let expired = "FROM credential WHERE kind <> 'token' AND expires <= $1"
        let hasExpired = try !storage.read(DatabaseStatement("SELECT 1 \(expired) LIMIT 1", [end])) { _ in }.isEmpty
        guard hasExpired || !updates.isEmpty else { return }
        try write(updates + [DatabaseStatement("DELETE \(expired)", [end])])
        self.uses.withLock { current in
            current = current.filter { uses[$0.key] != $0.value }
        }
    }
}
