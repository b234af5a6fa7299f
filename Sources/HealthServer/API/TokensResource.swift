import Foundation
import HTTPTypes
import HealthAccess
import HealthAnswers
import Hummingbird

/// Tokens and what each may read and write: `/v1/tokens`. Someone who acts as a person manages the tokens of that
/// person only; the owner of the server manages all.
struct TokensResource: ServerResource {
    let core: ServerCore

    private struct Answer: Encodable {
        struct Permissions: Encodable {
            var person: String
            var read: [String]
            var share: [String]
            var since: Date?
        }

        var id: String
        var name: String
        var scope: Credential.Scope
        var bundleIdentifier: String?
        var people: [String]?
        var mayChoose: Bool?
        var isReadOnly: Bool
        var created: Date
        var expires: Date?
        var lastUsed: Date?
        var isExpired: Bool
        var permissions: [Permissions]
        /// The secret; only in the answer that makes the token.
        var token: String?
    }

    private struct List: Encodable {
        var tokens: [Answer]
        /// Where the next page begins; `nil` on the last one.
        var nextCursor: String?
    }

    /// `"all"` or a list of types.
    private struct Types: Decodable {
        var grant: TokenGrants.Types

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                guard text == "all" else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither all nor a list")
                }
                grant = .all
            } else {
                grant = .some(try container.decode([String].self))
            }
        }
    }

    private struct NewToken: Decodable {
        var name: String
        var scope: Credential.Scope?
        var bundleIdentifier: String?
        var people: [String]?
        var mayChoose: Bool?
        var isReadOnly: Bool?
        var expires: Date?
        var read: Types?
        var share: Types?
        var since: Date?
    }

    /// A change of a token; members that are left out stay.
    private struct Change: Decodable {
        var name: String?
        /// `nil` in it is never.
        var expires: Date??
        var read: Types?
        var share: Types?
        /// `nil` in it is all history.
        var since: Date??

        enum CodingKeys: CodingKey {
            case name, expires, read, share, since
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            if container.contains(.expires) {
                expires = .some(try container.decodeIfPresent(Date.self, forKey: .expires))
            }
            read = try container.decodeIfPresent(Types.self, forKey: .read)
            share = try container.decodeIfPresent(Types.self, forKey: .share)
            if container.contains(.since) { since = .some(try container.decodeIfPresent(Date.self, forKey: .since)) }
        }

        var hasGrants: Bool { read != nil || share != nil || since != nil }
    }

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/v1/tokens", use: list)
        group.post("/v1/tokens", use: create)
        group.patch("/v1/tokens/{id}", use: change)
        group.delete("/v1/tokens/{id}", use: revoke)
    }

    @Sendable private func list(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try manager(context)
        var parameters = try QueryParameters(request)
        let limit = try parameters.integer("limit", in: 1...1_000) ?? Self.defaultLimit
        let last = try parameters.text("cursor").map(Self.position)
        try parameters.finish()
        let (issuer, now) = (core.issuer, core.now())
        let list = try await core.pool.run {
            let page = try issuer.registry.tokens(of: identity.people?.sorted(), after: last, limit: limit)
            let tokens = page.filter { Self.manages(identity, $0) }
            let permissions = try issuer.permissions(of: tokens)
            return List(
                tokens: tokens.map { Self.answer($0, permissions[$0.id] ?? [], now) },
                nextCursor: page.count == limit ? page.last.map(Self.cursor) : nil)
        }
        return try .json(list)
    }

    @Sendable private func create(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try manager(context)
        let new = try await request.json(NewToken.self)
        try Self.check(name: new.name)
        let scope = new.scope ?? .application
        var people = new.people
        if people == nil, let own = identity.people { people = own.sorted() }
        if people == nil, scope != .owner, scope != .cohort {
            people = [try await core.onlyPerson(of: identity, namedIn: "member “people”")]
        }
        for person in people ?? [] where !identity.mayAccess(person) {
            throw Problem(.wrongPerson, "The token or session isn’t for this person.")
        }
        var wanted = TokenIssuer.Request(name: new.name, scope: scope, people: people)
        wanted.bundleIdentifier = new.bundleIdentifier
        wanted.mayChoose = new.mayChoose ?? false
        wanted.isReadOnly = new.isReadOnly ?? false
        wanted.expires = new.expires
        wanted.grants = TokenGrants(
            read: new.read?.grant ?? .some([]), share: new.share?.grant ?? .some([]), since: new.since)
        let (issuer, request, now) = (core.issuer, wanted, core.now())
        let answer = try await run {
            let (secret, token) = try issuer.issue(request)
            var answer = Self.answer(token, try issuer.permissions(of: token), now)
            answer.token = secret
            return answer
        }
        var response = try Response.json(answer, status: .created)
        response.headers[.location] = "/v1/tokens/\(answer.id)"
        return response
    }

    private static func check(name: String) throws {
        guard !name.isEmpty, name.utf8.count <= 200 else {
            throw Problem(.validationFailed, "A token has a name of up to 200 bytes.")
        }
    }

    /// Changes a token's name, its end, and what its application may read and write. What is left out stays.
    @Sendable private func change(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try manager(context)
        let id = try context.parameters.require("id")
        let new = try await request.json(Change.self)
        if let name = new.name { try Self.check(name: name) }
        let (issuer, core, now) = (core.issuer, core, core.now())
        let answer = try await run {
            let token = try Self.find(id, for: identity, issuer)
            let isLink = token.scope == .link
            if isLink, let expires = new.expires { try issuer.check(linkExpiry: expires) }
            if isLink, new.share.map({ $0.grant != .some([]) }) ?? false || new.read?.grant == .some([]) {
                throw GrantError("A link shows the types that it may read, and writes nothing. Name some types.")
            }
            if new.hasGrants { try Self.setGrants(new, of: token, issuer) }
            guard let changed = try issuer.registry.changeToken(id, name: new.name, expires: new.expires) else {
                throw Problem(.notFound, "Token not found.")
            }
            if new.expires != nil { try WebhooksResource.changeEnd(of: changed, core) }
            return Self.answer(changed, try issuer.permissions(of: changed), now)
        }
        return try .json(answer)
    }

    private static func setGrants(_ new: Change, of token: Credential, _ issuer: TokenIssuer) throws {
        let old = try issuer.permissions(of: token).first
        try issuer.setGrants(
            TokenGrants(
                read: new.read?.grant ?? .some(old?.read ?? []), share: new.share?.grant ?? .some(old?.share ?? []),
                since: new.since ?? old?.since), of: token)
    }

    @Sendable private func revoke(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try manager(context)
        let id = try context.parameters.require("id")
        try await run {
            _ = try Self.find(id, for: identity, core.issuer)
            try core.revokeToken(id)
        }
        return Response(status: .noContent)
    }

    // MARK: -

    private static let defaultLimit = 100

    private static func cursor(_ token: Credential) -> String {
        "\(token.created.timeIntervalSinceReferenceDate)_\(token.id)"
    }

    private static func position(_ cursor: String) throws -> AccessRegistry.TokenPosition {
        let parts = cursor.split(separator: "_")
        guard parts.count == 2, let created = Double(parts[0]) else {
            throw Problem(.invalidParameter, "cursor: send the nextCursor of the page before.")
        }
        return (Date(timeIntervalSinceReferenceDate: created), String(parts[1]))
    }

    private func manager(_ context: ServerRequestContext) throws -> Identity {
        let identity = try context.requireIdentity()
        guard identity.application == nil, identity.cohort == nil else {
            throw Problem(.forbidden, "Applications can’t manage tokens.")
        }
        return identity
    }

    private static func manages(_ identity: Identity, _ token: Credential) -> Bool {
        guard identity.people != nil else { return true }
        return token.people?.allSatisfy(identity.mayAccess) ?? false
    }

    private static func find(_ id: String, for identity: Identity, _ issuer: TokenIssuer) throws -> Credential {
        guard let token = try issuer.registry.token(id: id), manages(identity, token) else {
            throw Problem(.notFound, "Token not found.")
        }
        return token
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await core.pool.run(work)
        } catch let error as GrantError {
            throw Problem(.validationFailed, error.description)
        } catch let error as DirectoryError {
            throw Problem(.validationFailed, error.description)
        }
    }

    private static func answer(
        _ token: Credential, _ permissions: [TokenIssuer.Permissions], _ now: Date
    ) -> Answer {
        Answer(
            id: token.id, name: token.name, scope: token.scope, bundleIdentifier: token.bundleIdentifier,
            people: token.people, mayChoose: token.scope == .cohort ? token.mayChoose : nil,
            isReadOnly: token.isReadOnly, created: token.created,
            expires: token.expires, lastUsed: token.lastUsed, isExpired: token.expires.map { $0 <= now } ?? false,
            permissions: permissions.map {
                Answer.Permissions(person: $0.person, read: $0.read, share: $0.share, since: $0.since)
            })
    }
}

extension ServerCore {
    var issuer: TokenIssuer { TokenIssuer(stores: directory, registry: registry) }

    /// Revokes a token, and what is called on its behalf.
    func revokeToken(_ id: String) throws {
        if let token = try issuer.revoke(id) { try WebhooksResource.changeEnd(of: token, self) }
    }
}
