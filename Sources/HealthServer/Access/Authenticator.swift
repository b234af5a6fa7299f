import Foundation
import HTTPTypes
import Hummingbird

/// Finds out who sends a request: by a token in `Authorization: Bearer` or `X-API-Key`, or by the session cookie.
struct Authenticator: Sendable {
    let registry: AccessRegistry
    let cookie: SessionCookie

    /// The sender of a request; `nil` without a token and a cookie.
    ///
    /// A token is preferred to a cookie. A request that a browser sends with a cookie must come from the server's own
    /// page if it changes anything.
    ///
    /// - Throws: ``Problem`` `unauthenticated` for a token that is unknown, revoked or expired, `crossSiteRequest`, and
    ///   ``AccessFileError``.
    func identity(of request: Request) throws -> Identity? {
        if let secret = try token(in: request) {
            guard secret.hasPrefix(Secret.tokenPrefix), let token = try registry.token(secret: secret) else {
                throw Problem(.unauthenticated, "The token is unknown, revoked or expired.", headers: Self.challenge)
            }
            return Identity(token)
        }
        guard let secret = cookie.value(in: request), let session = try registry.session(secret: secret) else {
            return nil
        }
        try SameOrigin.check(request, requestToken: session.requestToken)
        return Identity(session)
    }

    /// Returns a check that a long-running request is still permitted: its token can be revoked and its session end
    /// meanwhile. It throws ``Problem`` `unauthenticated`, and ``AccessFileError``.
    ///
    /// - Throws: As ``identity(of:)``, which finds no sender for a request within this process.
    func repeatedCheck(of request: Request) throws -> @Sendable () throws -> Void {
        let sender = try identity(of: request)?.id
        return {
            guard try identity(of: request)?.id == sender else {
                throw Problem(.unauthenticated, "The session has ended.", headers: Self.challenge)
            }
        }
    }

    /// The header field of an answer that requires a token.
    static let challenge: HTTPFields = [.wwwAuthenticate: "Bearer realm=\"OpenHealthKit\""]

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

extension HTTPField.Name {
    /// A token, for clients that can't set `Authorization`.
    static let apiKey = Self("X-API-Key")!
    /// The secret of a page; see ``SameOrigin``.
    static let requestToken = Self("X-CSRF-Token")!
    static let fetchSite = Self("Sec-Fetch-Site")!
    static let forwardedFor = Self("X-Forwarded-For")!
}

extension Identity {
    init(_ token: TokenRecord) {
        let people = token.people.map { Set($0) }
        guard token.scope != .cohort else {
            self.init(
                kind: .token, id: token.id, name: token.name, people: [], application: nil, isReadOnly: true,
                requestToken: nil, cohort: CohortScope(people: people, mayChoose: token.mayChoose ?? false))
            return
        }
        self.init(
            kind: .token, id: token.id, name: token.name, people: people,
            application: token.bundleIdentifier.map { TokenApplication(bundleIdentifier: $0, name: token.name) },
            isReadOnly: token.isReadOnly, requestToken: nil, isSyncDevice: token.scope == .sync)
    }

    init(_ session: SessionRecord) {
        self.init(
            kind: .session, id: session.id, name: "session", people: session.people.map { Set($0) }, application: nil,
            isReadOnly: false, requestToken: session.requestToken)
    }
}

/// The cookie of a browser session.
struct SessionCookie: Sendable {
    /// Whether browsers reach the server through TLS.
    let isSecure: Bool

    /// The name. With the prefix `__Host-`, browsers accept the cookie from this host through TLS only.
    var name: String { isSecure ? "__Host-openhealthkit" : "openhealthkit" }

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
        attributes(value: secret, seconds: Int(AccessRegistry.sessionSeconds))
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

    /// Checks a request that is authenticated by a cookie. One that changes anything must state that it comes from the
    /// same origin, or carry the secret that only the page knows.
    ///
    /// - Throws: ``Problem`` `crossSiteRequest`.
    static func check(_ request: Request, requestToken: String) throws {
        guard !isSafe(request.method) else { return }
        let refusal = Problem(
            .crossSiteRequest,
            "A changing request with a session must come from the server’s own page. Programs use a token instead.")
        if let origin = request.headers[.origin] {
            // “null” is the origin of sandboxed pages.
            guard let authority = request.head.authority,
                origin.split(separator: "/").last.map(String.init) == authority, origin.hasPrefix("http")
            else { throw refusal }
        }
        if let site = request.headers[.fetchSite] {
            guard site == "same-origin" else { throw refusal }
            return
        }
        if let given = request.headers[.requestToken] {
            guard Secret.areEqual(given, requestToken) else { throw refusal }
            return
        }
        guard request.headers[.origin] != nil else { throw refusal }
    }
}
