import Foundation
import HTTPTypes
import HealthAccess
import HealthJSON
import Hummingbird

/// The authorization of assistants' clients by OAuth 2.1, as the Model Context Protocol asks for: what is where, the
/// registration of clients, and their tokens. The person agrees in the page; see ``ConsentResource``.
struct OAuthResource: ServerResource {
    let core: ServerCore

    private static let scope = "health:read"
    private static let grantTypes = ["authorization_code", "refresh_token"]

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/.well-known/oauth-protected-resource", use: protectedResource)
        group.get("/.well-known/oauth-protected-resource/mcp", use: protectedResource)
        group.get("/.well-known/oauth-authorization-server", use: authorizationServer)
        group.post("/oauth/register", use: register)
        group.get("/oauth/authorize", use: authorize)
        group.post("/oauth/token", use: token)
        group.post("/oauth/revoke", use: revoke)
    }

    // MARK: What is where

    /// RFC 9728.
    @Sendable private func protectedResource(
        _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        .object { json in
            json.member("resource", text: core.assistantURL(of: request))
            json.member("resource_name", text: "OpenHealthKit")
            json.member("authorization_servers", texts: [core.url(of: request)])
            json.member("bearer_methods_supported", texts: ["header"])
            json.member("scopes_supported", texts: [Self.scope])
        }
    }

    /// RFC 8414.
    @Sendable private func authorizationServer(
        _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        let url = core.url(of: request)
        return .object { json in
            json.member("issuer", text: url)
            for (name, path) in [
                ("authorization", "authorize"), ("token", "token"), ("registration", "register"),
                ("revocation", "revoke"),
            ] { json.member(name + "_endpoint", text: "\(url)/oauth/\(path)") }
            for (name, value) in [
                ("response_types", "code"), ("response_modes", "query"), ("code_challenge_methods", "S256"),
                ("token_endpoint_auth_methods", "none"),
                ("revocation_endpoint_auth_methods", "none"), ("scopes", Self.scope),
            ] { json.member(name + "_supported", texts: [value]) }
            json.member("grant_types_supported", texts: Self.grantTypes)
            json.member("authorization_response_iss_parameter_supported", flag: true)
            // The server would have to read what a stranger's URL answers.
            json.member("client_id_metadata_document_supported", flag: false)
        }
    }

    // MARK: Clients

    private struct NewClient: Decodable {
        var name: String?
        var redirectURIs: [String]?

        enum CodingKeys: String, CodingKey {
            case name = "client_name"
            case redirectURIs = "redirect_uris"
        }
    }

    /// RFC 7591. All clients are public and get both kinds of tokens for codes, whatever else they ask for.
    @Sendable private func register(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        try await answering {
            let new: NewClient
            do {
                new = try await request.json(NewClient.self)
            } catch let problem as Problem where problem.code == .invalidBody {
                throw OAuthError(.invalidClientMetadata, "The body is not a client's metadata in JSON.")
            }
            // Some clients register an address of an application beside those that they use here.
            let uris = (new.redirectURIs ?? []).filter { RedirectURI($0) != nil }
            let client = try OAuthClient(name: new.name, redirectURIs: uris)
            return .object(status: .created) { json in
                json.member("client_id", text: client.id)
                json.member("client_id_issued_at", integer: Int(core.now().timeIntervalSince1970))
                json.member("client_name", text: client.name)
                json.member("redirect_uris", texts: uris)
                json.member("grant_types", texts: Self.grantTypes)
                json.member("response_types", texts: ["code"])
                json.member("token_endpoint_auth_method", text: "none")
            }
        }
    }

    /// Shows the page, which asks the person. Even an error isn't sent to the client before: it would lead everyone who
    /// follows a link of this server to a site that has registered itself (RFC 9700, 4.11.2).
    @Sendable private func authorize(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let query = request.uri.query ?? ""
        _ = try OAuthRequest(query: query)
        return Response(status: .seeOther, headers: [.location: "/#/authorize?\(query)"])
    }

    // MARK: Tokens

    /// RFC 6749, 4.1.3 and 6.
    @Sendable private func token(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        try await answering {
            let form = try await form(of: request)
            let grantType = try form.required("grant_type")
            guard Self.grantTypes.contains(grantType) else {
                throw OAuthError(.unsupportedGrantType, "grant_type must be authorization_code or refresh_token.")
            }
            try form.check(resource: core.assistantURL(of: request))
            let client = try form.required("client_id")
            let isFirst = grantType == Self.grantTypes[0]
            guard let made = try await isFirst ? exchange(form, client: client) : refresh(form, client: client) else {
                try core.countFailure(of: request, from: context.channel)
                throw OAuthError(
                    .invalidGrant, "What was sent is unknown, used, expired, revoked, or for another client or URI.")
            }
            return .object { json in
                json.member("access_token", text: made.access)
                json.member("token_type", text: "Bearer")
                json.member("scope", text: Self.scope)
                json.member("expires_in", integer: Int(made.expires.timeIntervalSince(core.now()).rounded()))
                json.member("refresh_token", text: made.refresh)
            }
        }
    }

    /// The tokens for a code; `nil` if it isn't valid.
    private func exchange(_ form: OAuthParameters, client: String) async throws -> AccessRegistry.ClientTokens? {
        // OAuth 2.1 has no redirect_uri here.
        let redirect = try form.text("redirect_uri")
        let (code, verifier) = (try form.required("code"), try form.required("code_verifier"))
        let (grant, previous) = core.authorizationCodes.use(code)
        if let previous { try await revoke(previous) }
        guard let grant, grant.isFor(client: client, redirect: redirect, verifier: verifier) else { return nil }
        let issuer = core.issuer
        let (id, made) = try await core.pool.run {
            let token = try issuer.issue(grant.token).token
            return (token.id, try issuer.registry.addClientTokens(of: token, client: client))
        }
        guard core.authorizationCodes.remember(token: id, of: code) else {
            try await revoke(id)
            throw OAuthError(.invalidGrant, "The code was used twice.")
        }
        return made
    }

    /// The next tokens; `nil` if the refresh token isn't valid. One that comes twice ends all that it has led to (RFC 9700,
    /// 4.14.2).
    private func refresh(_ form: OAuthParameters, client: String) async throws -> AccessRegistry.ClientTokens? {
        let (registry, secret) = (core.registry, try form.required("refresh_token"))
        let (made, reused) = try await core.pool.run { try registry.refresh(secret, client: client) }
        if let reused { try await revoke(reused) }
        return made
    }

    /// RFC 7009: a client that is disconnected ends its tokens, by any of them. One that is unknown isn't an error.
    @Sendable private func revoke(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        try await answering {
            let (registry, secret) = (core.registry, try await form(of: request).required("token"))
            let token = try await core.pool.run { try registry.clientToken(secret: secret)?.token }
            if let token, token.scope == .application {
                try await revoke(token.id)
            } else {
                try core.countFailure(of: request, from: context.channel)
            }
            return Response(status: .ok)
        }
    }

    private func revoke(_ id: String) async throws {
        try await core.pool.run { try core.revokeToken(id) }
    }

    private func form(of request: Request) async throws -> OAuthParameters {
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true else {
            throw OAuthError(.invalidRequest, "Send the parameters as application/x-www-form-urlencoded.")
        }
        return try OAuthParameters(String(buffer: try await request.wholeBody(upTo: 64 << 10)))
    }

    private func answering(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let error as OAuthError {
            return error.response
        } catch is GrantError {
            // Such as that of a person who was removed meanwhile.
            return OAuthError(.invalidGrant, "What was agreed to can no longer be granted.").response
        }
    }
}
