import Foundation
import HTTPTypes
import HealthAccess
import Hummingbird

/// The question to a person whose client wants a token, and the decision: `/v1/authorization-request`, with the
/// parameters of the client's request.
struct ConsentResource: ServerResource {
    let core: ServerCore

    private struct Question: Encodable {
        /// The name that the client gives itself.
        var client: String
        /// Where the browser returns to.
        var host: String
        /// Whether that is the browser's own machine.
        var isLoopback: Bool
        /// Why the request can only be refused; `nil` if it can be allowed.
        var error: String?
    }

    private struct Decision: Decodable {
        var isAllowed: Bool
        var person: String?
        /// The types that may be read.
        var read: [String]?
        /// `nil` for never.
        var expires: Date?
    }

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/v1/authorization-request", use: ask)
        group.post("/v1/authorization-request", use: decide)
    }

    @Sendable private func ask(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        _ = try decider(context)
        let asked = try OAuthRequest(query: request.uri.query ?? "")
        var question = Question(
            client: asked.client.name, host: asked.redirect.host, isLoopback: asked.redirect.isLoopback)
        do throws(OAuthError) {
            _ = try asked.challenge(for: core.assistantURL(of: request))
        } catch {
            question.error = error.description
        }
        return try .json(question)
    }

    @Sendable private func decide(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try decider(context)
        let asked = try OAuthRequest(query: request.uri.query ?? "")
        let decision = try await request.json(Decision.self)
        let answer: [(name: String, value: String)]
        do {
            let challenge = try asked.challenge(for: core.assistantURL(of: request))
            guard decision.isAllowed else { throw OAuthError(.accessDenied, "The person has refused.") }
            let grant = AuthorizationCodes.Grant(
                client: asked.client.id, redirect: asked.redirect.text, challenge: challenge,
                token: try await token(decision, for: asked, by: identity))
            answer = [("code", core.authorizationCodes.add(grant))]
        } catch let error as OAuthError {
            answer = error.members
        }
        // Where the browser goes.
        return try .json(["location": asked.address(with: answer, from: core.url(of: request))])
    }

    /// The token that the client will get: it reads some types of one person.
    private func token(
        _ decision: Decision, for asked: OAuthRequest, by identity: Identity
    ) async throws -> TokenIssuer.Request {
        let person: String
        if let named = decision.person {
            person = named
        } else {
            person = try await core.onlyPerson(of: identity, namedIn: "member “person”")
        }
        guard identity.mayAccess(person) else {
            throw Problem(.wrongPerson, "The token or session isn’t for this person.")
        }
        guard let read = decision.read, !read.isEmpty else {
            throw Problem(.validationFailed, "Name the types that the assistant may read.")
        }
        guard decision.expires.map({ $0 > core.now() }) ?? true else {
            throw Problem(.validationFailed, "The token must expire in the future.")
        }
        try await core.pool.run { _ = try core.directory.store(of: person).engine.types(read, parameter: "read") }
        let name = asked.client.name.isEmpty ? asked.redirect.host : asked.client.name
        var token = TokenIssuer.Request(name: name, scope: .application, people: [person])
        (token.isReadOnly, token.expires, token.grants) = (true, decision.expires, TokenGrants(read: .some(read)))
        return token
    }

    private func decider(_ context: ServerRequestContext) throws -> Identity {
        let identity = try context.requireIdentity()
        guard identity.application == nil, identity.cohort == nil else {
            throw Problem(.forbidden, "Only someone who acts as the person connects an assistant.")
        }
        return identity
    }
}
