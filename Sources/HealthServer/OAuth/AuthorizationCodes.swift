import Crypto
import Foundation
import HealthAccess
import Synchronization

/// The authorization codes of a server, each for one use within a minute (RFC 6749, 4.1.2).
///
/// They are kept in memory: a restart loses nothing but a connection that is being made.
final class AuthorizationCodes: Sendable {
    /// The access that a person has agreed to.
    struct Grant: Sendable {
        var client: String
        var redirect: String
        /// Of what the client proves to have (RFC 7636).
        var challenge: String
        var token: TokenIssuer.Request

        /// Returns whether this was agreed to for the client that sends the code.
        func isFor(client: String, redirect: String?, verifier: String) -> Bool {
            client == self.client && (redirect ?? self.redirect) == self.redirect
                && (43...128).contains(verifier.utf8.count)
                && Secret.areEqual(AuthorizationCodes.challenge(of: verifier), challenge)
        }
    }

    /// The challenge of what a client keeps secret until it has a code.
    static func challenge(of verifier: String) -> String {
        Secret.base64URL(Data(SHA256.hash(data: Data(verifier.utf8))))
    }

    private struct Entry {
        var grant: Grant
        var made: Date
        var uses = 0
        var token: String?
    }

    private let now: @Sendable () -> Date
    private let entries = Mutex<[String: Entry]>([:])
    /// The duration of a code, in seconds.
    private static let seconds: TimeInterval = 60
    /// How long a code is remembered, in seconds, so that its second use is noticed.
    private static let rememberedSeconds: TimeInterval = 3_600

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Makes a code.
    func add(_ grant: Grant) -> String {
        let (code, now) = (Secret.make(), now())
        entries.withLock { entries in
            entries = entries.filter { now.timeIntervalSince($0.value.made) < Self.rememberedSeconds }
            entries[Secret.digest(code)] = Entry(grant: grant, made: now)
        }
        return code
    }

    /// Uses a code up, whether or not it is for the client that sends it.
    ///
    /// - Returns: What was agreed to, if the code is valid. If it was used before, another program may have it: the
    ///   token that it was used for, which must end.
    func use(_ code: String) -> (grant: Grant?, previous: String?) {
        let (digest, now) = (Secret.digest(code), now())
        return entries.withLock { entries in
            guard let entry = entries[digest] else { return (nil, nil) }
            entries[digest]?.uses += 1
            let isValid = entry.uses == 0 && now.timeIntervalSince(entry.made) <= Self.seconds
            return (isValid ? entry.grant : nil, entry.token)
        }
    }

    /// Remembers the token that a code was used for. Returns whether the code wasn't used again meanwhile.
    func remember(token: String, of code: String) -> Bool {
        entries.withLock { entries in
            entries[Secret.digest(code)]?.token = token
            return entries[Secret.digest(code)]?.uses == 1
        }
    }
}
