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
        /// The URL of the tiles of a map, and what its owner wants to be named as; `nil` without a map.
        var mapTiles: String?
        var mapAttribution: String?
        /// Whether the person or owner can sign in with a password.
        var hasPassword: Bool
        /// When the link expires by which the browser sees some types; `nil` for anyone else.
        var linkExpires: Date?
        /// What the page sends in `X-CSRF-Token`.
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
        group.get("/v1/session", use: current)
        group.post("/v1/session", use: signIn)
        group.delete("/v1/session", use: signOut)
    }

    /// A one-time link: signs in and shows the page, which finds its secret in the fragment of its address.
    @Sendable private func follow(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let code = request.uri.queryParameters["code"].map(String.init) ?? ""
        guard let new = try await session(code: code, request, context) else {
            // The page says so in words; the code isn't repeated.
            return Response(status: .seeOther, headers: [.location: "/?sign-in=failed"])
        }
        return Response(
            status: .seeOther,
            headers: [
                .location: "/#/signed-in/\(new.session.requestToken)",
                .setCookie: core.authenticator.cookie(of: request).setting(new.secret),
            ])
    }

    /// Who is signed in.
    @Sendable private func current(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        try await answer(try context.requireIdentity())
    }

    /// Signs in with a code or a token that a person typed.
    @Sendable private func signIn(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let given = try await request.json(SignIn.self)
        let new: (secret: String, session: SessionRecord)?
        var device: String?
        if let code = given.code {
            new = try await session(code: code, request, context)
        } else if let token = given.token {
            new = try await session(token: token, request, context)
        } else if let link = given.link {
            new = try await session(link: link, request, context)
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
            let registry = core.registry
            try await core.pool.run { try registry.endSession(identity.id) }
        }
        return Response(status: .noContent, headers: [.setCookie: core.authenticator.cookie(of: request).clearing])
    }

    private func session(
        code: String, _ request: Request, _ context: ServerRequestContext
    ) async throws -> (secret: String, session: SessionRecord)? {
        let registry = core.registry
        let found = try await core.pool.run { try registry.signIn(code: code) }
        if found == nil { try core.countFailure(of: request, from: context.channel) }
        return found
    }

    /// A session of the people of an owner token. A session acts as the person, which an application token may not.
    private func session(
        token: String, _ request: Request, _ context: ServerRequestContext
    ) async throws -> (secret: String, session: SessionRecord)? {
        let registry = core.registry
        do {
            let found = try await core.pool.run { () throws -> (secret: String, session: SessionRecord)? in
                guard let token = try registry.token(secret: token) else { return nil }
                guard token.scope == .owner, !token.isReadOnly else {
                    throw Problem(
                        .forbidden,
                        "Only an owner token that can write signs in. Applications send theirs with each request.")
                }
                return try registry.addSession(people: token.people, token: token)
            }
            if found == nil { try core.countFailure(of: request, from: context.channel) }
            return found
        } catch let problem as Problem where problem.code == .forbidden {
            // The answer reveals that there is such a token.
            try core.countFailure(of: request, from: context.channel)
            throw problem
        }
    }

    /// A session that sees what a link shows. Any number of browsers may open it until it expires.
    private func session(
        link: String, _ request: Request, _ context: ServerRequestContext
    ) async throws -> (secret: String, session: SessionRecord)? {
        let registry = core.registry
        let found = try await core.pool.run { () throws -> (secret: String, session: SessionRecord)? in
            guard let token = try registry.token(secret: link), token.scope == .link else { return nil }
            return try registry.addSession(people: token.people, token: token)
        }
        if found == nil { try core.countFailure(of: request, from: context.channel) }
        return found
    }

    /// A session of whose password it is, and the secret of a browser that signs in with it for the first time.
    private func session(
        password: String, of person: String?, _ request: Request, _ context: ServerRequestContext
    ) async throws -> ((secret: String, session: SessionRecord)?, device: String?) {
        // Failures that another site causes don't count, so it may not try at all.
        guard !SameOrigin.isCrossSite(request), SameOrigin.hasOwnOrigin(request) else {
            throw Problem(.crossSiteRequest, "A password is accepted from the server’s own page only.")
        }
        let (registry, name) = (core.registry, person.flatMap { $0.isEmpty ? nil : $0 })
        let record = try await core.pool.run { try registry.password(of: name) }
        let device = core.authenticator.cookie(of: request).device.value(in: request)
        guard
            try await core.check(password: password, of: record, device: device, request, from: context.channel),
            let record
        else { return (nil, nil) }
        let isKnown = device.map { record.devices.contains(Secret.digest($0)) } ?? false
        return try await core.pool.run {
            let new = try registry.addSession(people: record.person.map { [$0] }, password: record.id)
            return (new, isKnown ? nil : try registry.addDevice(toPassword: record.id))
        }
    }

    private func answer(_ identity: Identity) async throws -> Response {
        let directory = core.directory
        let people = try await core.pool.run { try directory.people() }.filter { identity.mayAccess($0.person) }
        let own = try await core.pool.run {
            people.count == 1 ? try directory.store(of: people[0].person).timeZone() : nil
        }
        let registry = core.registry
        var hasPassword = false
        if case .success(let person) = Result(catching: { try PasswordResource.account(of: identity) }) {
            hasPassword = try await core.pool.run { try registry.password(of: person) } != nil
        }
        return try .json(
            Answer(
                // Who opens a link doesn't see how it was called.
                kind: "\(identity.kind)", name: identity.isLink ? "link" : identity.name, people: people,
                isOwner: identity.application == nil && identity.cohort == nil, isServerOwner: identity.isServerOwner,
                isReadOnly: identity.isReadOnly, timeZone: (own ?? core.configuration.timeZone).identifier,
                mapTiles: core.configuration.mapTiles?.template,
                mapAttribution: core.configuration.mapTiles?.attribution,
                hasPassword: hasPassword, linkExpires: identity.linkExpiry, csrfToken: identity.requestToken))
    }
}
