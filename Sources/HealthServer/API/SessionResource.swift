import Foundation
import HTTPTypes
import HealthAccess
import Hummingbird

/// Signing in and out of the page: `/sign-in?code=…`, `/v1/session` and `/v1/sessions`.
struct SessionResource: ServerResource {
    let core: ServerCore

    /// The answer to the page's first request.
    private struct Answer: Encodable {
        var kind: String
        var name: String
        var people: [PersonSummary]
        /// Where the other people begin in the list of all; `nil` if there are no others.
        var nextCursor: String?
        var isOwner: Bool
        var isServerOwner: Bool
        var isReadOnly: Bool
        /// The time zone of days: the person's if there is only one, else the server's.
        var timeZone: String
        /// The URL of the tiles of a map, and what its owner wants to be named as; `nil` without a map.
        var mapTiles: String?
        var mapAttribution: String?
        /// Whether the server shows a fictional person.
        var isDemo: Bool
        /// Whether the person or owner can sign in with a password.
        var hasPassword: Bool
        /// When the link expires by which the browser sees some types; `nil` for anyone else.
        var linkExpires: Date?
        /// The value that the page sends in `X-CSRF-Token`.
        var csrfToken: String?
    }

    private struct SignIn: Decodable {
        var code: String?
        var token: String?
        /// The secret of a link.
        var link: String?
        var password: String?
        /// The person of a password; `nil` for the owner of the server.
        var person: String?
    }

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/sign-in", use: follow)
        group.get("/v1/session") { _, context in try await answer(try context.requireIdentity()) }
        group.post("/v1/session", use: signIn)
        group.delete("/v1/session", use: signOut)
        group.get("/v1/sessions", use: list)
        group.delete("/v1/sessions/{id}", use: end)
    }

    /// A one-time link: shows the page, which finds the code in the fragment of its address and signs in with it. Following
    /// the link uses up nothing, because programs that show a preview of it do so, too.
    @Sendable private func follow(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let code = request.uri.queryParameters["code"].map(String.init) ?? ""
        guard !code.isEmpty, code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        else {
            // The page says so in words; the code isn't repeated.
            return Response(status: .seeOther, headers: [.location: "/?sign-in=failed"])
        }
        let screen = request.uri.queryParameters["screen"].flatMap { SignInLinksResource.screen(String($0)) } ?? ""
        return Response(
            status: .seeOther, headers: [.location: "/#/code/\(code)" + (screen.isEmpty ? "" : "/" + screen)])
    }

    private struct Session: Encodable {
        var id: String
        /// The browser and the system, as the browser calls them.
        var name: String
        var people: [String]?
        /// Whether it is what asks.
        var isOwn: Bool
        /// Whether it shows what a link does.
        var isLink: Bool
        var created: Date
        var expires: Date?
    }

    /// The browsers that are signed in as those whom the sender may act for.
    @Sendable private func list(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        let sessions = try await sessions(of: identity).map { session in
            Session(
                id: session.id, name: session.name, people: session.people, isOwn: session.id == identity.id,
                isLink: session.scope == .link, created: session.created, expires: session.expires)
        }
        return try .json(["sessions": sessions])
    }

    /// Signs another browser out.
    @Sendable private func end(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        try Self.requireManager(identity)
        guard let id = context.parameters.get("id"),
            let session = try await core.pool.run({ try core.registry.session(id: id) }),
            Self.manages(identity, session)
        else { throw Problem(.notFound, "Session not found.") }
        try await end(session: id)
        return Response(status: .noContent)
    }

    private func sessions(of identity: Identity) async throws -> [Credential] {
        try Self.requireManager(identity)
        let sessions = try await core.pool.run {
            try core.registry.sessions(of: identity.people?.sorted(), limit: AccessRegistry.maximumPerPerson)
        }
        return sessions.filter { Self.manages(identity, $0) }
    }

    private static func requireManager(_ identity: Identity) throws {
        guard identity.application == nil, identity.cohort == nil, !identity.isReadOnly else {
            throw Problem(.forbidden, "Signed-in browsers are for someone who acts as the person.")
        }
    }

    /// Whether the sender may act for all whom a session is for.
    private static func manages(_ identity: Identity, _ session: Credential) -> Bool {
        guard let own = identity.people else { return true }
        return session.people.map { own.isSuperset(of: $0) } ?? false
    }

    /// Ends a session, and the streams of its tabs.
    private func end(session id: String) async throws {
        try await core.pool.run { try core.registry.endSession(id) }
        core.streams.end(of: id)
    }

    /// Signs in with a code or a token that a person typed.
    @Sendable private func signIn(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let given = try await request.json(SignIn.self)
        let browser = BrowserName.of(request)
        let new: NewSession?
        var device: String?
        if let code = given.code {
            new = try await found(request, context) { try core.registry.signIn(code: code, browser: browser) }
        } else if let token = given.token {
            new = try await session(token: token, request, context)
        } else if let link = given.link {
            // It sees what the link shows. Any number of browsers may open it until it expires.
            new = try await found(request, context) {
                guard let token = try core.registry.token(secret: link), token.scope == .link else { return nil }
                return try core.registry.addSession(people: token.people, token: token)
            }
        } else if let password = given.password {
            (new, device) = try await session(password: password, of: given.person, request, context)
        } else {
            throw Problem(
                .invalidBody, "Send {\"code\": \"…\"}, {\"token\": \"…\"}, {\"link\": \"…\"} or {\"password\": \"…\"}.")
        }
        guard let new else {
            let what =
                given.password == nil
                ? "The code, token or link is unknown, used or expired." : "The password is wrong."
            throw Problem(.unauthenticated, what)
        }
        var response = try await answer(Identity(new.session))
        let cookie = core.authenticator.cookie(of: request)
        response.headers[values: .setCookie] =
            [cookie.setting(new.secret)] + (device.map { [cookie.device.setting($0)] } ?? [])
        return response
    }

    /// Ends the session.
    @Sendable private func signOut(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        if identity.kind == .session {
            try await end(session: identity.id)
        }
        return Response(status: .noContent, headers: [.setCookie: core.authenticator.cookie(of: request).clearing])
    }

    private typealias NewSession = (secret: String, session: Credential)

    /// The session that a code, a token or a link begins. Nothing found is a failure of the sender’s address.
    private func found(
        _ request: Request, _ context: ServerRequestContext, _ find: @escaping @Sendable () throws -> NewSession?
    ) async throws -> NewSession? {
        let found = try await core.pool.run(find)
        if found == nil { try core.countFailure(of: request, from: context.channel) }
        return found
    }

    /// A session of the people of an owner token. A session acts as the person, which an application token may not.
    private func session(
        token secret: String, _ request: Request, _ context: ServerRequestContext
    ) async throws -> NewSession? {
        let browser = BrowserName.of(request)
        do {
            return try await found(request, context) {
                guard let token = try core.registry.token(secret: secret) else { return nil }
                guard token.scope == .owner, !token.isReadOnly else {
                    throw Problem(
                        .forbidden,
                        "Only an owner token that can write signs in. Applications send theirs with each request.")
                }
                return try core.registry.addSession(people: token.people, token: token, browser: browser)
            }
        } catch let problem as Problem where problem.code == .forbidden {
            // The answer reveals that there is such a token.
            try core.countFailure(of: request, from: context.channel)
            throw problem
        }
    }

    /// A session of whose password it is, and the secret of a browser that signs in with it for the first time.
    private func session(
        password: String, of person: String?, _ request: Request, _ context: ServerRequestContext
    ) async throws -> (NewSession?, device: String?) {
        // Failures that another site causes don't count, so it may not try at all.
        guard !SameOrigin.isCrossSite(request), SameOrigin.hasOwnOrigin(request) else {
            throw Problem(.crossSiteRequest, "A password is accepted from the server’s own page only.")
        }
        let name = person.flatMap { $0.isEmpty ? nil : $0 }
        let browser = core.authenticator.cookie(of: request).device.value(in: request).map(String.init)
        let stored = try await core.pool.run { try core.registry.password(of: name, browser: browser) }
        guard try await core.check(password: password, of: stored, request, from: context.channel), let stored
        else { return (nil, nil) }
        let named = BrowserName.of(request)
        let new = try await core.pool.run { try core.registry.addSession(stored, browser: named) }
        return (new?.session, new?.browser)
    }

    private func answer(_ identity: Identity) async throws -> Response {
        let selection = PeopleSelection(among: identity.people, limit: PeopleResource.defaultLimit)
        let (page, own) = try await core.pool.run {
            let page = try core.directory.page(selection)
            let only = page.people.count == 1 ? page.people.first : nil
            return (page, try only.flatMap { try core.directory.store(of: $0.person).timeZone() })
        }
        var hasPassword = false
        if case .success(let person) = Result(catching: { try PasswordResource.account(of: identity) }) {
            hasPassword = try await core.pool.run { try core.registry.password(of: person) } != nil
        }
        return try .json(
            Answer(
                // Who opens a link doesn't see how it was called.
                kind: "\(identity.kind)", name: identity.isLink ? "link" : identity.name, people: page.people,
                nextCursor: page.nextCursor,
                isOwner: identity.application == nil && identity.cohort == nil, isServerOwner: identity.isServerOwner,
                isReadOnly: identity.isReadOnly, timeZone: (own ?? core.configuration.timeZone).identifier,
                mapTiles: core.configuration.mapTiles?.template,
                mapAttribution: core.configuration.mapTiles?.attribution,
                isDemo: core.configuration.isDemo, hasPassword: hasPassword,
                linkExpires: identity.linkExpiry, csrfToken: identity.requestToken))
    }
}

/// The name of a browser, by which a person recognizes it.
enum BrowserName {
    /// The browser and the system that a request comes from, such as “Firefox on Linux”.
    static func of(_ request: Request) -> String {
        let text = request.headers[.userAgent] ?? ""
        func name(_ names: [(part: String, name: String)]) -> String? { names.first { text.contains($0.part) }?.name }
        return (name(browsers) ?? "browser") + (name(systems).map { " on \($0)" } ?? "")
    }
}
