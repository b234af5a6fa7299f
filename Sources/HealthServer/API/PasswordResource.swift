import Foundation
import HTTPTypes
import HealthAccess
import Hummingbird

/// The password with which the sender's person, or the owner of the server, signs in on other devices:
/// `PUT /v1/password`.
struct PasswordResource: ServerResource {
    let core: ServerCore

    private struct NewPassword: Decodable {
        /// `nil` removes it.
        var password: String?
        var current: String?

        enum CodingKeys: CodingKey {
            case password, current
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // Left out by mistake, it would be removed.
            guard container.contains(.password) else {
                throw DecodingError.keyNotFound(
                    CodingKeys.password, .init(codingPath: container.codingPath, debugDescription: "password"))
            }
            password = try container.decodeIfPresent(String.self, forKey: .password)
            current = try container.decodeIfPresent(String.self, forKey: .current)
        }
    }

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.put("/v1/password", use: set)
    }

    /// Sets, changes or removes the password. The present one is required for that, because a browser may be left open.
    @Sendable private func set(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        let person = try Self.account(of: identity)
        let new = try await request.json(NewPassword.self)
        let (registry, session) = (core.registry, identity.kind == .session ? identity.id : nil)
        let browser = core.authenticator.cookie(of: request).device.value(in: request).map(String.init)
        if let present = try await core.pool.run({ try registry.password(of: person, browser: browser) }) {
            let isRight = try await core.check(
                password: new.current ?? "", of: present, request, from: context.channel)
            guard isRight else { throw Problem(.forbidden, "The current password is wrong.") }
        }
        guard let password = new.password else {
            try await core.pool.run { _ = try registry.removePassword(of: person, keeping: session) }
            return Response(status: .noContent)
        }
        do {
            let hash = try await core.passwords.hash(password)
            try await core.pool.run { try registry.setPassword(hash, of: person, keeping: session) }
        } catch let error as PasswordError {
            throw Problem(.validationFailed, error.description)
        }
        return Response(status: .noContent)
    }

    /// The person whose password an identity sets; `nil` for the owner of the server.
    ///
    /// - Throws: ``Problem`` `forbidden` unless the identity acts as one person or as the owner.
    static func account(of identity: Identity) throws -> String? {
        guard identity.application == nil, identity.cohort == nil, identity.people.map({ $0.count == 1 }) ?? true else {
            throw Problem(.forbidden, "Only a person, or the owner of the server, has a password.")
        }
        return identity.people?.first
    }
}
