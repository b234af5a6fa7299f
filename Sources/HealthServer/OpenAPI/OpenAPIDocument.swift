import Foundation
import HTTPTypes
import HealthJSON
import HealthModel
import Hummingbird
import NIOCore

/// The description of the API for programs, at `/openapi.json`.
///
/// The document is written from the operations and schemas of Scripts/tables/api-reference.md and api-document.json, and
/// from the questions of HealthAnswers. Tests check that it has every route of the server, and that the server's
/// responses are as it says.
enum OpenAPIDocument {
    /// The document as JSON.
    static let bytes: [UInt8] = {
        var json = JSONText(reserving: 256 << 10)
        json.object { json in
            for (name, value) in APIReference.members { json.member(name, raw: value) }
            json.array("tags") { json in
                for tag in APIReference.tags {
                    json.object { json in
                        json.member("name", text: tag)
                        json.member("description", text: APIReference.tagDescriptions[tag])
                    }
                }
            }
            json.key("paths")
            paths(&json)
            json.key("components")
            components(&json)
        }
        return json.bytes
    }()

    private static func paths(_ json: inout JSONText) {
        var order: [String] = []
        var byPath: [String: [OpenAPIOperation]] = [:]
        for operation in operations {
            if byPath[operation.path] == nil { order.append(operation.path) }
            byPath[operation.path, default: []].append(operation)
        }
        json.object { json in
            for path in order {
                json.object(path) { json in
                    let names = path.matches(of: /\{([A-Za-z]+)\}/).map { String($0.1) }
                    if !names.isEmpty {
                        json.array("parameters") { json in
                            for name in names { json.raw(APIReference.pathParameters[name] ?? "") }
                        }
                    }
                    for operation in byPath[path] ?? [] {
                        json.key(operation.method.rawValue.lowercased())
                        json.operation(operation)
                    }
                }
            }
        }
    }

    private static func components(_ json: inout JSONText) {
        json.object { json in
            for (name, value) in APIReference.components { json.member(name, raw: value) }
            json.object("schemas") { json in
                for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) {
                    json.member(name, raw: schema)
                }
                for (name, kinds) in typeNames {
                    json.object(name) { json in
                        json.member("type", text: "string")
                        json.array("enum") { json in
                            for type in TypeCatalog.all where kinds.contains(type.kind) {
                                json.string(type.identifier)
                                if type.shortName != type.identifier { json.string(type.shortName) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The schemas of names of types.
    static let typeNames: [(String, Set<TypeKind>)] = [
        ("CategoryTypeName", [.category]), ("QuantityTypeName", [.quantity]),
        ("StatisticsTypeName", [.quantity, .category]),
        ("SampleTypeName", [.quantity, .category, .correlation, .workout, .series, .document]),
    ]
}

/// `GET /openapi.json`: for everyone, because it contains no health data.
struct OpenAPIResource: ServerResource {
    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: OpenAPIDocument.bytes)))
        }
    }
}
