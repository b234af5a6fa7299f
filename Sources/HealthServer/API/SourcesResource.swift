import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthKit
import HealthModel
import Hummingbird
import HealthImport

/// The sources and their order.
struct SourcesResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("sources", use: sources)
        group.get("sources/order", use: order)
        group.put("sources/order", use: setOrder)
    }

    @Sendable private func sources(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        // Each sample is counted.
        try await context.kept("sources", request) { try await answer(request, context) }
    }

    private func answer(_ request: Request, _ context: PersonRequestContext) async throws -> [UInt8] {
        let (names, _) = try context.parameters(of: request) { try $0.list("type") }
        return try await context.read { engine, caller in
            let types = try engine.types(names, parameter: "type") ?? engine.typeOverview(as: caller).map(\.type)
            var counts: [String: (source: SourceRecord, count: Int)] = [:]
            for type in try engine.readable(types.filter(\.hasSamples), as: caller) {
                for entry in try engine.sources.order(of: type.code, as: caller) {
                    counts[entry.source.bundleIdentifier, default: (entry.source, 0)].count += entry.count
                }
            }
            return JSONText.objectBytes { json in
                json.array("sources") { json in
                    for (_, entry) in counts.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
                        json.object { json in
                            json.member("source", text: entry.source.name)
                            json.member("bundleIdentifier", text: entry.source.bundleIdentifier)
                            json.member("count", integer: entry.count)
                        }
                    }
                }
            }
        }
    }

    @Sendable private func order(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (name, _) = try context.parameters(of: request) { try $0.requiredText("type") }
        return try await context.read { engine, caller in
            let type = try QueryParameters.type(name, parameter: "type", engine.dictionaries())
            return try Self.orderAnswer(of: type, in: engine, as: caller)
        }
    }

    private static func orderAnswer(of type: TypeDescription, in engine: HealthEngine, as caller: Caller) throws
        -> Response
    {
        let isReadable = try !engine.readable([type], as: caller).isEmpty
        let order = isReadable ? try engine.sources.order(of: type.code, as: caller) : []
        return .object { json in
            json.member("type", text: type.identifier)
            json.array("sources") { json in
                for entry in order {
                    json.object { json in
                        json.member("source", text: entry.source.name)
                        json.member("bundleIdentifier", text: entry.source.bundleIdentifier)
                        json.member("isEnabled", flag: entry.isEnabled)
                        json.member("count", integer: entry.count)
                    }
                }
            }
        }
    }

    @Sendable private func setOrder(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (name, _) = try context.parameters(of: request) { try $0.requiredText("type") }
        try context.access.requireWritingOwner("set the order of sources")
        let (order, disabled) = try Self.order(in: await request.json(BodyValue.self))
        return try await context.read { engine, caller in
            let type = try QueryParameters.type(name, parameter: "type", engine.dictionaries())
            guard type.hasSamples else { throw QueryParameters.problem("type", type.shortName, "has no sources.") }
            try engine.sources.setOrder(order, disabled: disabled, of: type.code)
            return try Self.orderAnswer(of: type, in: engine, as: caller)
        }
    }

    private static func order(in body: BodyValue) throws -> (order: [String], disabled: Set<String>) {
        var entries = body
        if case .object(let members) = body { entries = members["sources"] ?? .null }
        guard case .list(let list) = entries else {
            throw BodyValue.problem(
                "sources", "Use a list of bundle identifiers, or of objects with “bundleIdentifier” and “isEnabled”.")
        }
        var (order, disabled) = ([String](), Set<String>())
        for entry in list {
            switch entry {
            case .text(let identifier): order.append(identifier)
            case .object(let members):
                guard case .text(let identifier)? = members["bundleIdentifier"] else {
                    throw BodyValue.problem("sources", "Each entry needs a “bundleIdentifier”.")
                }
                order.append(identifier)
                switch members["isEnabled"] {
                case nil, .bool(true): break
                case .bool(false): disabled.insert(identifier)
                default: throw BodyValue.problem("sources", "“isEnabled” is true or false.")
                }
            default: throw BodyValue.problem("sources", "Each entry is a bundle identifier or an object.")
            }
        }
        guard Set(order).count == order.count else { throw BodyValue.problem("sources", "A source is listed twice.") }
        return (order, disabled)
    }
}
