package import Foundation
import HealthStorage
import HealthStoragePostgreSQL

/// Credentials of an assistant’s client by OAuth: an access token for an hour, and a refresh token for the next ones.
///
/// Both belong to a token that the person sees, changes and revokes, whose own secret nobody has, and end with it.
extension AccessRegistry {
    /// The duration of an access token, in seconds: one hour.
    package static let accessSeconds: TimeInterval = 3_600
    /// How long a refresh token can be used, in seconds: 90 days. A client that doesn't come meanwhile asks the person again.
    package static let refreshSeconds: TimeInterval = 90 * 86_400

    /// The tokens of one exchange.
    package struct ClientTokens: Hashable, Sendable {
        /// The secret of the access token.
        package var access: String
        /// The secret of the refresh token.
        package var refresh: String
        /// When the access token stops working.
        package var expires: Date
    }

    /// Makes an access token and a refresh token.
    ///
    /// - Parameters:
    ///   - token: The token to which they belong.
    ///   - client: The identifier of the client.
    /// - Throws: ``AccessFileError``, or `StorageError`.
    package func addClientTokens(of token: Credential, client: String) throws -> ClientTokens {
        func make(_ kind: Credential.Kind, _ seconds: TimeInterval) -> (secret: String, credential: Credential) {
            let secret = Secret.tokenPrefix + Secret.make()
            // Nobody's: it gives access only through the token.
            var credential = Credential(kind, people: [], created: now())
            (credential.parent, credential.digest) = (token.id, Secret.digest(secret))
            (credential.name, credential.expires) = (Secret.digest(client), credential.created + seconds)
            return (secret, credential)
        }
        let seconds = min(token.expires?.timeIntervalSince(now()) ?? .infinity, Self.accessSeconds)
        let (access, refresh) = (make(.access, seconds), make(.refresh, Self.refreshSeconds))
        try write(insertion(of: access.credential) + insertion(of: refresh.credential))
        return ClientTokens(access: access.secret, refresh: refresh.secret, expires: now() + seconds)
    }

    /// Uses a refresh token up.
    ///
    /// It is kept until it expires, so that its second use is noticed.
    ///
    /// - Returns: The next tokens, if it is valid and the client's. If it was used before, another program may have it: the
    ///   identifier of its token, which must end.
    /// - Throws: ``AccessFileError``, or `StorageError`.
    package func refresh(_ secret: String, client: String) throws -> (tokens: ClientTokens?, reused: String?) {
        guard let (used, token) = try clientToken(secret: secret), used.kind == .refresh else { return (nil, nil) }
        guard used.secret != nil || used.name == Secret.digest(client) else { return (nil, nil) }
        // Of those who send it at the same time, one gets the next tokens.
        let use = DatabaseStatement(
            "UPDATE credential SET secret = $2 WHERE id = $1 AND coalesce(secret, $2) = $2 RETURNING id",
            [.text(used.id), .text(Secret.makeIdentifier())])
        guard try !storage.write([use], { _ in }).isEmpty else { return (nil, token.id) }
        return (try addClientTokens(of: token, client: client), nil)
    }

    /// The valid credential of a program with a secret, and the token that the person sees: itself, or the one to which it
    /// belongs.
    package func clientToken(secret: some StringProtocol) throws -> (used: Credential, token: Credential)? {
        let now = now()
        func isValid(_ credential: Credential) -> Bool { credential.expires.map { $0 > now } ?? true }
        guard let used = try credential("digest", Secret.digest(secret)), isValid(used) else { return nil }
        if used.kind == .token { return (used, used) }
        guard [.access, .refresh].contains(used.kind), let parent = used.parent, let token = try token(id: parent),
            isValid(token)
        else { return nil }
        return (used, token)
    }
}
