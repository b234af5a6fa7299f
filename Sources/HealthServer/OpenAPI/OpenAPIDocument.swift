import Foundation
import HTTPTypes
import HealthFormats
import HealthJSON
import HealthModel
import Hummingbird
import NIOCore

/// The description of the API for programs, at `/openapi.json`.
///
/// The document is written from the operations and schemas in this folder. Tests check that it has every route of the
/// server, and that the server's responses are as it says.
enum OpenAPIDocument {
    /// All operations.
    static let operations: [OpenAPIOperation] =
        sampleOperations + answerOperations + workoutFileOperations + webhookOperations + recordingOperations
        + personOperations
        + transferOperations
        + serverOperations

    /// The document as JSON.
    static let bytes: [UInt8] = {
        var json = JSONText(reserving: 256 << 10)
        json.object { json in
            json.member("openapi", text: "3.1.0")
            json.member(
                "info",
                raw: #"""
                    {"title": "OpenHealthKit", "version": "1",
                     "description": "A person's health data with HealthKit's names, units and semantics. A token is an application: what it may not read is silently empty, and a write that is not allowed is an error."}
                    """#)
            json.member("servers", raw: #"[{"url": "/"}]"#)
            json.member("security", raw: #"[{"token": []}, {"session": []}]"#)
            json.array("tags") { json in
                for tag in tags {
                    json.object { json in
                        json.member("name", text: tag)
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

    private static var tags: [String] {
        var seen: Set<String> = []
        return operations.map(\.tag).filter { seen.insert($0).inserted }
    }

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
                        json.array("parameters") { json in for name in names { json.raw(pathParameter(name)) } }
                    }
                    for operation in byPath[path] ?? [] {
                        json.key(operation.method.rawValue.lowercased())
                        json.operation(operation)
                    }
                }
            }
        }
    }

    private static func pathParameter(_ name: String) -> String {
        switch name {
        case "person":
            #"""
            {"name": "person", "in": "path", "required": true, "description": "The identifier of the person; “me” on a server for one person.",
             "schema": {"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$"}, "example": "me"}
            """#
        case "uuid":
            #"""
            {"name": "uuid", "in": "path", "required": true, "schema": {"type": "string", "format": "uuid"}}
            """#
        default:
            #"{"name": ""# + name + #"", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}"#
        }
    }

    private static func components(_ json: inout JSONText) {
        json.object { json in
            json.member(
                "securitySchemes",
                raw: #"""
                    {"token": {"type": "http", "scheme": "bearer", "description": "A token of `hk token add`."},
                     "session": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token",
                                 "description": "The secret of a browser's session, which is sent with the session's cookie."}}
                    """#)
            json.member(
                "responses",
                raw: #"""
                    {"Problem": {"description": "Problem details (RFC 9457) with a stable code.",
                                 "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
                     "Outcome": {"description": "An OperationOutcome, or problem details.",
                                 "content": {"application/fhir+json": {"schema": {"$ref": "#/components/schemas/FHIRResource"}},
                                             "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}
                    """#)
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
