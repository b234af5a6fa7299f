import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HTTPTypes
import Hummingbird

/// A person's settings of charts: annotations, and the types that come first.
struct ChartSettingsResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("annotations", use: annotations)
        group.post("annotations", use: annotate)
        group.delete("annotations/{uuid}", use: delete)
        group.get("pinned-types", use: pinned)
        group.put("pinned-types", use: pin)
    }

    // MARK: Annotations

    @Sendable private func annotations(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        _ = try context.calendarOnly(of: request)
        try context.access.requireOwner("read annotations")
        return try await context.read { engine, _ in try Self.annotations(of: engine) }
    }

    private static func annotations(of engine: HealthEngine, status: HTTPResponse.Status = .ok) throws -> Response {
        let all = try engine.annotations.all()
        var response = Response.object { json in
            json.array("annotations") { json in
                for one in all {
                    json.object { json in
                        json.member("id", text: one.id.uuidString)
                        json.member("date", text: one.day.text)
                        json.member("text", text: one.text)
                        json.member("types", texts: one.types)
                    }
                }
            }
        }
        response.status = status
        return response
    }

    @Sendable private func annotate(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        _ = try context.calendarOnly(of: request)
        try context.access.requireWritingOwner("annotate charts")
        let members = try await request.json(BodyValue.self).members()
        guard let day = try members["date"]?.day("date") else {
            throw BodyValue.problem("date", "Use a day in the form 1984-03-01.")
        }
        guard case .text(let text)? = members["text"], let first = text.unicodeScalars.first,
            !first.properties.isWhitespace, text.unicodeScalars.count <= AnnotationStore.maximumLength,
            !text.unicodeScalars.contains("\0")
        else {
            throw BodyValue.problem(
                "text",
                "Use a text of at most \(AnnotationStore.maximumLength) characters that doesn’t begin with a space.")
        }
        return try await context.read { engine, _ in
            let types = try Self.types(members["types"], in: engine)
            try engine.annotations.add(
                Annotation(day: Profile.Day(year: day.year, month: day.month, day: day.day), text: text, types: types))
            return try Self.annotations(of: engine, status: .created)
        }
    }

    @Sendable private func delete(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        _ = try context.calendarOnly(of: request)
        try context.access.requireWritingOwner("delete annotations")
        let id = try context.uuid()
        guard try await context.read({ engine, _ in try engine.annotations.delete(id) }) else {
            throw Problem(.notFound, "Annotation not found.")
        }
        return Response(status: .noContent)
    }

    // MARK: Pinned types

    @Sendable private func pinned(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        _ = try context.calendarOnly(of: request)
        return try await context.read { try Self.pinned(of: $0, as: $1) }
    }

    private static func pinned(of engine: HealthEngine, as caller: Caller) throws -> Response {
        let types = try engine.pinnedTypes(as: caller)
        return .object { $0.member("types", texts: types) }
    }

    @Sendable private func pin(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        _ = try context.calendarOnly(of: request)
        try context.access.requireWritingOwner("pin types")
        let members = try await request.json(BodyValue.self).members()
        return try await context.read { engine, caller in
            guard case .list? = members["types"] else { throw BodyValue.problem("types", "Use a list of types.") }
            let types = try Self.types(members["types"], in: engine)
            try engine.profile.update { $0.pinnedTypes = types.isEmpty ? nil : types }
            return try Self.pinned(of: engine, as: caller)
        }
    }

    /// The identifiers of a list of names, each once.
    private static func types(_ value: BodyValue?, in engine: HealthEngine) throws -> [String] {
        guard let value else { return [] }
        guard case .list(let names) = value, names.count <= 100 else {
            throw BodyValue.problem("types", "Use a list of at most 100 types.")
        }
        let dictionaries = try engine.dictionaries()
        var found: [String] = []
        for name in names {
            guard case .text(let text) = name, let type = dictionaries.type(named: text), type.hasSamples else {
                throw BodyValue.problem("types", "Each must be the name of a data type.")
            }
            if !found.contains(type.identifier) { found.append(type.identifier) }
        }
        return found
    }
}
