import HTTPTypes
import HealthJSON

/// One operation of the OpenAPI document: a method of a path, with its parameters, body and responses.
struct OpenAPIOperation: Sendable {
    /// A parameter of the query or the header.
    struct Parameter: Sendable {
        var name: String
        /// The schema as JSON.
        var schema: String
        var about: String
        var isRequired = false
        /// `query` or `header`.
        var place = "query"
        /// An example as JSON.
        var example: String?
        /// Whether the value is a list, separated by commas.
        var isList = false
    }

    /// The content of a request or response, by media type: the name of a schema, or a schema as JSON.
    typealias Content = [(media: String, schema: String)]

    var method: HTTPRequest.Method
    /// The path with `{…}` for parameters.
    var path: String
    var tag: String
    var summary: String
    /// A sentence before the text in Scripts/tables/api-reference.md.
    var about = ""
    var parameters: [Parameter] = []
    var body: Content = []
    /// The contents of the response of success.
    var content: Content = []
    /// The statuses of success, all with the same contents.
    var statuses = [200]
    /// Whether a token or session is required.
    var isPublic = false

    /// The name of the operation for generated clients, such as `getSamples`.
    var identifier: String {
        let words = path.split(separator: "/").filter { !["v1", "people", "{person}", "fhir", "R4"].contains($0) }
            .flatMap { $0.split { !$0.isLetter && !$0.isNumber } }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let family = path.hasPrefix("/fhir/") ? (path.contains("{person}") ? "FHIR" : "FHIRServer") : ""
        return method.rawValue.lowercased() + family + (name.isEmpty ? "People" : name)
    }
}

extension JSONText {
    /// Writes an operation.
    mutating func operation(_ operation: OpenAPIOperation) {
        object { json in
            json.member("operationId", text: operation.identifier)
            json.member("tags", texts: [operation.tag])
            json.member("summary", text: operation.summary)
            let texts = [
                operation.about,
                APIReference.descriptions["\(operation.method.rawValue) \(operation.path)"] ?? "",
            ]
            let description = texts.filter { !$0.isEmpty }.joined(separator: "\n\n")
            if !description.isEmpty { json.member("description", text: description) }
            if operation.isPublic {
                json.array("security") { $0.object { _ in } }
            }
            if !operation.parameters.isEmpty {
                json.array("parameters") { json in for parameter in operation.parameters { json.parameter(parameter) } }
            }
            if !operation.body.isEmpty {
                json.object("requestBody") { json in
                    json.member("required", flag: true)
                    json.content(operation.body)
                }
            }
            json.object("responses") { json in
                for status in operation.statuses {
                    json.object(String(status)) { json in
                        json.member("description", text: "Success.")
                        json.content(operation.content)
                    }
                }
                // Errors of FHIR are resources, except those of requests that never reach it.
                let name = operation.path.hasPrefix("/fhir/") ? "Outcome" : "Problem"
                for status in ["4XX", "5XX"] {
                    json.object(status) { json in
                        json.member("$ref", text: "#/components/responses/\(name)")
                    }
                }
            }
        }
    }

    private mutating func parameter(_ parameter: OpenAPIOperation.Parameter) {
        object { json in
            json.member("name", text: parameter.name)
            json.member("in", text: parameter.place)
            json.member("description", text: parameter.about)
            if parameter.isRequired {
                json.member("required", flag: true)
            }
            if parameter.isList {
                json.member("explode", flag: false)
                json.object("schema") { json in
                    json.member("type", text: "array")
                    json.member("minItems", integer: 1)
                    json.key("items")
                    json.schema(parameter.schema)
                }
            } else {
                json.key("schema")
                json.schema(parameter.schema)
            }
            json.member("example", raw: parameter.example)
        }
    }

    private mutating func content(_ content: OpenAPIOperation.Content) {
        guard !content.isEmpty else { return }
        object("content") { json in
            for (media, schema) in content {
                json.object(media) { json in
                    json.key("schema")
                    json.schema(schema)
                }
            }
        }
    }

    /// Writes a schema: the name of one, or one as JSON.
    mutating func schema(_ schema: String) {
        guard schema.first != "{" else { return raw(schema) }
        object { json in
            json.member("$ref", text: "#/components/schemas/\(schema)")
        }
    }
}
