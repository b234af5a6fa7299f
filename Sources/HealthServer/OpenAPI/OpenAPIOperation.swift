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

    /// What is sent or returned, by media type: the name of a schema, or a schema as JSON.
    typealias Content = [(media: String, schema: String)]

    var method: HTTPRequest.Method
    /// The path with `{…}` for parameters.
    var path: String
    var tag: String
    var summary: String
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
            json.key("operationId")
            json.string(operation.identifier)
            json.key("tags")
            json.array { $0.string(operation.tag) }
            json.key("summary")
            json.string(operation.summary)
            if !operation.about.isEmpty {
                json.key("description")
                json.string(operation.about)
            }
            if operation.isPublic {
                json.key("security")
                json.array { $0.object { _ in } }
            }
            if !operation.parameters.isEmpty {
                json.key("parameters")
                json.array { json in for parameter in operation.parameters { json.parameter(parameter) } }
            }
            if !operation.body.isEmpty {
                json.key("requestBody")
                json.object { json in
                    json.key("required")
                    json.bool(true)
                    json.content(operation.body)
                }
            }
            json.key("responses")
            json.object { json in
                for status in operation.statuses {
                    json.key(String(status))
                    json.object { json in
                        json.key("description")
                        json.string("Success.")
                        json.content(operation.content)
                    }
                }
                // Errors of FHIR are resources, except those of requests that never reach it.
                let name = operation.path.hasPrefix("/fhir/") ? "Outcome" : "Problem"
                for status in ["4XX", "5XX"] {
                    json.key(status)
                    json.object { json in
                        json.key("$ref")
                        json.string("#/components/responses/\(name)")
                    }
                }
            }
        }
    }

    private mutating func parameter(_ parameter: OpenAPIOperation.Parameter) {
        object { json in
            json.key("name")
            json.string(parameter.name)
            json.key("in")
            json.string(parameter.place)
            json.key("description")
            json.string(parameter.about)
            if parameter.isRequired {
                json.key("required")
                json.bool(true)
            }
            if parameter.isList {
                json.key("explode")
                json.bool(false)
                json.key("schema")
                json.object { json in
                    json.key("type")
                    json.string("array")
                    json.key("minItems")
                    json.integer(1)
                    json.key("items")
                    json.schema(parameter.schema)
                }
            } else {
                json.key("schema")
                json.schema(parameter.schema)
            }
            if let example = parameter.example {
                json.key("example")
                json.raw(example)
            }
        }
    }

    private mutating func content(_ content: OpenAPIOperation.Content) {
        guard !content.isEmpty else { return }
        key("content")
        object { json in
            for (media, schema) in content {
                json.key(media)
                json.object { json in
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
            json.key("$ref")
            json.string("#/components/schemas/\(schema)")
        }
    }
}
