import Foundation
import HTTPTypes
import Hummingbird

/// Signing in and out of the page: `/sign-in?code=…` and `/v1/session`.
struct SessionResource: ServerResource {
    let core: ServerCore

    /// What the page asks for first.
    private struct Answer: Encodable {
        var kind: String
        var name: String
        var people: [PersonSummary]
        var isOwner: Bool
        var isServerOwner: Bool
        var isReadOnly: Bool
        /// The time zone of days: the person's if there is only one, else the server's.
        var timeZone: String
        /// What the page sends in `X-CSRF-Token`.
        var csrfToken: String?
    }

    private struct SignIn: Decodable {
        var code: String?
        var token: String?
    }

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/sign-in", use: follow)
        group.get("/v1/session", use: current)
        group.post("/v1/session", use: signIn)
        group.delete("/v1/session", use: signOut)
    }

    /// A one-time link: signs in and shows the page.
    @Sendable private func follow(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let code = request.uri.queryParameters["code"].map(String.init) ?? ""
        guard let secret = try await session(code: code, request, context) else {
            // The page says so in words; the code isn't repeated.
            return Response(status: .seeOther, headers: [.location: "/?sign-in=failed"])
        }
        return Response(
            status: .seeOther, headers: [.location: "/", .setCookie: core.authenticator.cookie.setting(secret)])
    }

    /// Who is signed in.
    @Sendable private func current(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        try await answer(try context.requireIdentity())
    }

    /// Signs in with a code or a token that a person typed.
    @Sendable private func signIn(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let given = try await request.json(SignIn.self)
        let secret: String?
        if let code = given.code {
            secret = try await session(code: code, request, context)
        } else if let token = given.token {
            secret = try await session(token: token, request, context)
        } else {
            throw Problem(.invalidBody, "Send {\"code\": \"…\"} or {\"token\": \"…\"}.")
        }
        guard let secret, let session = try core.registry.session(secret: secret) else {
            throw Problem(.unauthenticated, "The code or token is unknown, used or expired.")
        }
        var response = try await answer(Identity(session))
        response.headers[.setCookie] = core.authenticator.cookie.setting(secret)
        return response
    }

    /// Ends the session.
    @Sendable private func signOut(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        if identity.kind == .session {
            let registry = core.registry
            try await core.pool.run { try registry.endSession(identity.id) }
        }
        return Response(status: .noContent, headers: [.setCookie: core.authenticator.cookie.clearing])
    }

    private func session(code: String, _ request: Request, _ context: ServerRequestContext) async throws -> String? {
        let registry = core.registry
        let found = try await core.pool.run { try registry.signIn(code: code) }
        if found == nil { countFailure(request, context) }
        return found?.secret
    }

    /// A session of the people of an owner token. A session acts as the person, which an application token may not.
    private func session(token: String, _ request: Request, _ context: ServerRequestContext) async throws -> String? {
        let registry = core.registry
        do {
            let found = try await core.pool.run { () throws -> String? in
                guard let token = try registry.token(secret: token) else { return nil }
                guard token.scope == .owner, !token.isReadOnly else {
                    throw Problem(
                        .forbidden,
                        "Only an owner token that can write signs in. Applications send theirs with each request.")
                }
                return try registry.addSession(people: token.people, token: token).secret
            }
            if found == nil { countFailure(request, context) }
            return found
        } catch let problem as Problem where problem.code == .forbidden {
            // The answer tells that there is such a token.
            countFailure(request, context)
            throw problem
        }
    }

    /// Counts a failed authentication, as ``ServerResponder`` does for what header fields contain.
    private func countFailure(_ request: Request, _ context: ServerRequestContext) {
        _ = core.failures.take(HostNames(core.configuration).address(of: request, channel: context.channel))
    }

    private func answer(_ identity: Identity) async throws -> Response {
        let directory = core.directory
        let people = try await core.pool.run { try directory.people() }.filter { identity.mayAccess($0.person) }
        let own = try await core.pool.run {
            people.count == 1 ? try directory.store(of: people[0].person).timeZone() : nil
        }
        return try .json(
            Answer(
                kind: "\(identity.kind)", name: identity.name, people: people,
                isOwner: identity.application == nil && identity.cohort == nil, isServerOwner: identity.isServerOwner,
                isReadOnly: identity.isReadOnly, timeZone: (own ?? core.configuration.timeZone).identifier,
                csrfToken: identity.requestToken))
    }
}
