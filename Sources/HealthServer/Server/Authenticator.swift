import Foundation
import HTTPTypes
import HealthAccess
import Hummingbird

/// Finds out who sends a request: by a token in `Authorization: Bearer` or `X-API-Key`, or by the cookie of a session and
/// the secret that the page holds.
struct Authenticator: Sendable {
    let registry: AccessRegistry
    let pool: StorePool
    /// Whether browsers reach the server through TLS.
    let isSecure: Bool

    /// The sender of a request; `nil` without a token and a session.
    ///
    /// A token is preferred to a session. Browsers send a cookie to every port of a host, so that any program that
    /// listens on one may receive it: without the page's secret, a cookie isn't accepted.
    ///
    /// - Throws: ``Problem`` `unauthenticated` for a token that is unknown, revoked or expired, `crossSiteRequest`, and
    ///   ``AccessFileError``.
    func identity(of request: Request) async throws -> Identity? {
        let registry = registry
        if let secret = try token(in: request) {
            guard secret.hasPrefix(Secret.tokenPrefix),
                let token = try await pool.run({ try registry.token(secret: secret) })
            else {
                throw Problem(.unauthenticated, "The token is unknown, revoked or expired.", headers: Self.challenge)
            }
            return Identity(token)
        }
        guard let secret = cookie(of: request).value(in: request),
            let session = try await pool.run({ try registry.session(secret: secret) })
        else { return nil }
        return try SameOrigin.permits(request, requestToken: session.requestToken) ? Identity(session) : nil
    }

    /// The cookie of the server as the sender of a request calls it.
    func cookie(of request: Request) -> SessionCookie {
        SessionCookie(isSecure: isSecure, authority: request.head.authority)
    }

    /// Returns a check that a long-running request is still permitted: its token can be revoked and its session end
    /// meanwhile. It throws ``Problem`` `unauthenticated`, and ``AccessFileError``.
    ///
    /// - Throws: As ``identity(of:)``, which finds no sender for a request within this process.
    func repeatedCheck(of request: Request) async throws -> @Sendable () async throws -> Void {
        let sender = try await identity(of: request)?.id
        return {
            guard try await identity(of: request)?.id == sender else {
                throw Problem(.unauthenticated, "The session has ended.", headers: Self.challenge)
            }
        }
    }

    /// The header field of an answer that requires a token.
    static let challenge: HTTPFields = [.wwwAuthenticate: "Bearer realm=\"OpenHealthKit\""]

    /// The same for assistants, whose clients find out there who gives them a token (RFC 9728, 5.1).
    static func challenge(_ request: Request, ofServer url: String) -> String {
        let metadata = "resource_metadata=\"\(url)/.well-known/oauth-protected-resource/mcp\""
        let error = request.headers[.authorization] == nil ? "" : ", error=\"invalid_token\""
        return "Bearer realm=\"OpenHealthKit\", \(metadata)\(error)"
    }

    private static let scheme = "Bearer "

    private func token(in request: Request) throws -> Substring? {
        if let field = request.headers[.authorization] {
            if field.utf8.starts(with: Self.scheme.utf8) {
                // As programs write it.
                let secret = field.utf8.dropFirst(Self.scheme.utf8.count)
                if let first = secret.first, first != UInt8(ascii: " ") { return Substring(secret) }
            }
            let parts = field.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw Problem(
                    .unauthenticated, "The Authorization field must have the form “Bearer TOKEN”.",
                    headers: Self.challenge)
            }
            return parts[1].drop { $0 == " " }
        }
        return request.headers[.apiKey].map { $0[...] }
    }
}

/// The cookie of a browser session.
struct SessionCookie: Sendable {
    private let isSecure: Bool
    private let seconds: Int
    /// The name, with the port by which the browser reaches the server: the servers of one host have one set of cookies.
    /// With the prefix `__Host-`, browsers accept the cookie from this host through TLS only.
    let name: String

    /// - Parameter authority: The host and port of a request.
    init(isSecure: Bool, authority: String?) {
        self.isSecure = isSecure
        seconds = Int(AccessRegistry.sessionSeconds)
        let port = authority.flatMap { text in text.lastIndex(of: ":").map { text[$0...].dropFirst() } }
        let number = port.flatMap { UInt16($0) } ?? (isSecure ? 443 : 80)
        name = (isSecure ? "__Host-" : "") + "openhealthkit-\(number)"
    }

    /// The cookie of a browser that has signed in with a password before.
    var device: SessionCookie {
        SessionCookie(name: name + "-device", isSecure: isSecure, seconds: Int(AccessRegistry.browserSeconds))
    }

    private init(name: String, isSecure: Bool, seconds: Int) {
        (self.name, self.isSecure, self.seconds) = (name, isSecure, seconds)
    }

    /// The value in a request.
    func value(in request: Request) -> Substring? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(name), pair.dropFirst(name.count).first == "=" {
                    return pair.dropFirst(name.count + 1)
                }
            }
        }
        return nil
    }

    /// The field that sets the cookie. Scripts can't read it, and other sites can't make the browser send it.
    func setting(_ secret: String) -> String {
        attributes(value: secret, seconds: seconds)
    }

    /// The field that deletes the cookie.
    var clearing: String { attributes(value: "", seconds: 0) }

    private func attributes(value: String, seconds: Int) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }
}

/// Protection of sessions against requests that other sites make a browser send.
enum SameOrigin {
    private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head, .options]

    /// Returns whether a method changes nothing.
    static func isSafe(_ method: HTTPRequest.Method) -> Bool { safeMethods.contains(method) }

    /// Returns whether another site made the browser send a request, as the browser states.
    static func isCrossSite(_ request: Request) -> Bool {
        ["cross-site", "same-site"].contains(request.headers[.fetchSite])
    }

    /// Returns whether a request that states its origin is of this server's page.
    static func hasOwnOrigin(_ request: Request) -> Bool {
        // “null” is the origin of sandboxed pages.
        request.headers[.origin].map { origin in
            origin.hasPrefix("http") && origin.split(separator: "/").last.map(String.init) == request.head.authority
        } ?? true
    }

    /// Returns whether a request with the cookie of a session carries the secret that only the page holds.
    ///
    /// - Throws: ``Problem`` `crossSiteRequest` if it changes anything and doesn't, or comes from another origin.
    static func permits(_ request: Request, requestToken: String) throws -> Bool {
        let hasSecret = request.headers[.requestToken].map { Secret.areEqual($0, requestToken) } ?? false
        guard !isSafe(request.method) else { return hasSecret }
        guard hasSecret, hasOwnOrigin(request), request.headers[.fetchSite].map({ $0 == "same-origin" }) ?? true else {
            throw Problem(
                .crossSiteRequest,
                "A changing request with a session must come from the server’s own page. Programs use a token instead.")
        }
        return true
    }
}
