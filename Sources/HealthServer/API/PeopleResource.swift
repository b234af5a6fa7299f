import Foundation
import HTTPTypes
import HealthAccess
import HealthAnswers
import Hummingbird
import NIOCore

/// The people of the server: `GET` and `POST /v1/people`, `PATCH /v1/people/{person}`.
struct PeopleResource: ServerResource {
    let core: ServerCore

    private struct Answer: Encodable {
        var people: [PersonSummary]
        /// Where the next page begins; `nil` on the last one.
        var nextCursor: String?
    }

    /// The number of people of a page if the request states none.
    static let defaultLimit = 100

    private struct NewName: Decodable {
        var name: String
    }

    private struct NewPerson: Decodable {
        var person: String
        var name: String?
    }

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/v1/people", use: list)
        group.post("/v1/people", use: create)
        group.patch("/v1/people/{person}", use: rename)
    }

    /// The people whom the sender may access.
    @Sendable private func list(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        var parameters = try QueryParameters(request)
        var selection = PeopleSelection(
            search: try parameters.text("search"), after: try parameters.text("cursor"),
            limit: try parameters.integer("limit", in: 1...1_000) ?? Self.defaultLimit)
        let named = try parameters.list("people").map { Set($0) }
        try parameters.finish()
        selection.among = identity.people.map { named?.intersection($0) ?? $0 } ?? named
        let (directory, chosen) = (core.directory, selection)
        let page = try await core.pool.run { try directory.page(chosen) }
        return try .json(Answer(people: page.people, nextCursor: page.nextCursor))
    }

    /// Changes the name that is shown, by the person or the owner of the server.
    @Sendable private func rename(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        let person = try context.parameters.text("person")
        guard identity.application == nil, identity.mayAccess(person) else {
            throw Problem(.wrongPerson, "The token or session isn’t for this person.")
        }
        let (directory, new) = (core.directory, try await request.json(NewName.self))
        let summary = try await core.pool.run {
            guard try directory.exists(person) else { throw Problem(.notFound, "Person not found on this server.") }
            do {
                return try directory.rename(person, new.name)
            } catch let error as DirectoryError {
                throw Problem(.validationFailed, error.description)
            }
        }
        return try .json(summary)
    }

    /// Adds a person with an empty store.
    @Sendable private func create(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        try context.requireServerOwner("add people")
        let new = try await request.json(NewPerson.self)
        do {
            try await core.pool.run { try core.directory.create(new.person, name: new.name) }
        } catch let error as DirectoryError {
            throw Problem(error.isConflict ? .conflict : .validationFailed, error.description)
        }
        var response = try Response.json(
            PersonSummary(person: new.person, name: new.name ?? new.person), status: .created)
        response.headers[.location] = "/v1/people/\(new.person)"
        return response
    }
}

extension Response {
    /// A response with a JSON value.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(json: ByteBuffer(bytes: try encoder.encode(value)), status: status)
    }
}

extension Request {
    /// A small JSON body, such as a setting.
    ///
    /// - Throws: ``Problem`` `invalidBody`, `unsupportedMediaType` or `bodyTooLarge`.
    func json<Value: Decodable>(_ type: Value.Type, upTo limit: Int = 64 << 10) async throws -> Value {
        if let media = headers[.contentType], !media.lowercased().hasPrefix("application/json") {
            throw Problem(.unsupportedMediaType, "Send the body as application/json.")
        }
        let body = try await wholeBody(upTo: limit)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            return try decoder.decode(type, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw Problem(error)
        }
    }
}
