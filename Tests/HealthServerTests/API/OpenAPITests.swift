import Foundation
import HTTPTypes
import HealthAnswers
import HealthArrow
import HealthDevices
import HealthEngine
import HealthModel
import ProcessTestSupport
import Testing

@testable import HealthServer

@Suite("The OpenAPI document and the server agree", .serialized)
struct OpenAPITests {
    private static func document() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(OpenAPIDocument.bytes)) as? [String: Any])
    }

    @Test("The document is JSON, and every reference has a target")
    func references() throws {
        let document = try Self.document()
        #expect(document["openapi"] as? String == "3.1.0")
        var found = 0
        func check(_ value: Any) {
            if let list = value as? [Any] { list.forEach(check) }
            guard let object = value as? [String: Any] else { return }
            object.values.forEach(check)
            guard let reference = object["$ref"] as? String else { return }
            found += 1
            let target = reference.split(separator: "/").dropFirst().reduce(document as Any?) {
                ($0 as? [String: Any])?[String($1)]
            }
            #expect(target != nil, "\(reference)")
        }
        check(document)
        #expect(found > 100)
        let names = OpenAPIDocument.operations.map(\.identifier)
        #expect(Set(names).count == names.count)
    }

    @Test("Every route is described, and every operation is a route")
    func routes() async throws {
        try await TestServer.with { server in
            let routes = Set(
                Routes.router(server.core).list.routes.filter { !$0.template.contains("**") }.map {
                    "\($0.method.rawValue) \($0.template)"
                })
            let described = Set(OpenAPIDocument.operations.map { "\($0.method.rawValue) \($0.path)" })
            // The protocols of browsers and assistants aren't part of this API.
            let others: Set<String> = [
                "GET /", "GET /sign-in", "GET /mcp", "POST /mcp", "DELETE /mcp", "POST /oauth/register",
                "GET /oauth/authorize", "POST /oauth/token", "POST /oauth/revoke",
                "GET /.well-known/oauth-authorization-server", "GET /.well-known/oauth-protected-resource",
                "GET /.well-known/oauth-protected-resource/mcp",
            ]
            #expect(
                routes.subtracting(described).subtracting(others).isEmpty,
                "\(routes.subtracting(described).subtracting(others).sorted())")
            #expect(described.subtracting(routes).isEmpty, "\(described.subtracting(routes).sorted())")
        }
    }

    @Test("The choices of the tables are those of the server")
    func choices() throws {
        let choices = [
            "columns": SampleBatches.Column.allCases.map(\.rawValue),
            "format": ExportsResource.Format.allCases.map(\.rawValue),
            "_summary": FHIRSearch.summaries, "_total": FHIRSearch.totals,
        ]
        let parameters = APIReference.operations.flatMap(\.parameters)
        for (name, values) in choices {
            let parameter = try #require(parameters.first { $0.name == name })
            #expect(parameter.schema == #"{"enum":["\#(values.joined(separator: #"",""#))"]}"#, "\(name)")
        }
        let files = Set(
            APIReference.operations.filter { $0.method == .get && $0.path.contains("/workouts/") }.flatMap(\.content)
                .map(\.media))
        #expect(files == Set(WorkoutFileFormat.allCases.map(\.media)))
    }

    @Test("Descriptions are of operations and tags that the document has")
    func descriptions() throws {
        let operations = Set(OpenAPIDocument.operations.map { "\($0.method.rawValue) \($0.path)" })
        let tags = Set(OpenAPIDocument.operations.map(\.tag))
        let described = Set(APIReference.descriptions.keys)
        #expect(described.subtracting(operations).isEmpty, "\(described.subtracting(operations).sorted())")
        #expect(Set(APIReference.tags) == tags)
        let text = try #require(String(bytes: OpenAPIDocument.bytes, encoding: .utf8))
        #expect(described.count > 50 && text.contains("A cursor identifies the last sample of its page"))
    }

    @Test(
        "The reference names every member of every answer and every parameter of every question; Docs/API.md all tools")
    func documentation() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(
            contentsOf: root.appendingPathComponent("Scripts/tables/api-reference.md"), encoding: .utf8)
        let guide = try String(contentsOf: root.appendingPathComponent("Docs/API.md"), encoding: .utf8)
        func check<Asked: Question>(_ question: Asked.Type) throws {
            for parameter in Asked.about.parameters {
                #expect(page.contains("`\(parameter.name)"), "\(Asked.about.path): \(parameter.name)")
            }
            for (name, schema) in Asked.Answer.schema.components {
                let object = try #require(
                    JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any], "\(name)")
                for member in try #require(object["properties"] as? [String: Any]).keys {
                    #expect(page.contains("`\(member)`"), "\(name): \(member)")
                }
            }
        }
        for question in Questions.all { try check(question) }
        for tool in AssistantTools.reading { #expect(guide.contains("`\(tool.name)`"), "\(tool.name)") }
    }

    @Test("Requests that the document excludes are refused, and the server's checks are in the document")
    func exclusions() async throws {
        let schemas = try #require((try Self.document()["components"] as? [String: Any])?["schemas"] as? [String: Any])
        let metadata = try #require((schemas["NewMetadata"] as? [String: Any])?["properties"] as? [String: Any])
        #expect((metadata["HKWasUserEntered"] as? [String: Any])?["type"] as? [String] == ["number", "boolean"])
        #expect((metadata["HKWeatherCondition"] as? [String: Any])?["maximum"] as? Int == 27)
        let sample =
            #""type":"stepCount","startDate":"2025-05-01T08:00:00Z","quantity":1,"unit":"count","metadata":"#
        try await APIFixture.run { api in
            for metadata in [
                #"{"HKWasUserEntered":"yes"}"#, #"{"HKExternalUUID":7}"#, #"{"HKWeatherCondition":28}"#, "[]", "\"x\"",
                "7",
                #"{"x":[1]}"#, #"{"x":{"y":1}}"#, #"{"x":{"uuid":"5B1C1A0E-0000-4000-8000-000000000000"}}"#,
            ] {
                let answer = try await api.post("samples", "{\(sample)\(metadata)}")
                #expect(answer.status == 422, "\(metadata): \(answer.text)")
                #expect(!answer.text.contains(".."), "\(answer.text)")
            }
            #expect(try await api.post("samples", #"{\#(sample){"HKWasUserEntered":true,"own":"x"}}"#).status == 200)
            for order in [
                #"{"sources":[{"bundleIdentifier":"a","isEnabled":null}]}"#,
                #"[{"bundleIdentifier":"a","isEnabled":1}]"#,
                #"[{"isEnabled":true}]"#, #"["a","a"]"#, #"{"sources":7}"#, "{}",
            ] {
                let answer = try await api.send("PUT", "sources/order?type=stepCount", order)
                #expect(answer.status == 422, "\(order): \(answer.text)")
            }
            for goals in [#"{"standHoursGoal":-1}"#, #"{"standHoursGoal":"x"}"#, #"{"from":7}"#] {
                #expect(try await api.send("PUT", "goals", goals).status == 422, "\(goals)")
            }
            let token = try await api.client.post("/v1/tokens", json: #"{"name":"x","scope":"everything"}"#)
            #expect(token.status == 400)
            #expect(try await api.client.get("/fhir/R4/people/anna/Observation?_count=1001").status == 400)
            #expect(try await api.client.get("/fhir/R4/people/anna/Observation?_count=1000").status == 200)
        }
    }

    @Test("schemathesis finds no response that is not as described", .enabled(if: PythonTool.schemathesis.isInstalled))
    func contract() async throws {
        try await TestServer.with(people: ["me"]) { server in
            let engine = try server.engine(of: "me")
            let start = try APIFixture.instant("2025-05-01T08:00:00Z")
            try engine.save(
                try [("stepCount", "count"), ("heartRate", "count/min"), ("bodyMass", "kg")].map { name, unit in
                    .sample(
                        SampleRecord(
                            type: try APIFixture.type(name), start: start, end: start + 60, value: 5, unit: unit))
                }, as: APIFixture.app("watch"))
            // A request for changes may wait for a minute.
            let run = try await PythonTool.schemathesis.run([
                "run", server.url + "/openapi.json", "-H", "Authorization: Bearer \(server.ownerToken)", "--seed",
                "20250501",
                "--max-examples", "6", "--phases", "examples,fuzzing", "--mode", "all", "--request-timeout", "90",
                "--workers", "1",
                "--checks",
                "not_a_server_error,negative_data_rejection,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance",
                "--exclude-path-regex", "events|/imports|/v1/session|/v1/tokens|/exports|/mcp",
                "--suppress-health-check", "all", "--no-color",
            ])
            #expect(run.status == 0, "\(run.output.suffix(12_000))")
            #expect(run.output.contains("Operations"), "\(run.output.suffix(2_000))")
        }
    }
}

/// A program of the Python environment that `make test` installs.
struct PythonTool: Sendable {
    let path: String

    static let schemathesis = PythonTool("schemathesis")

    init(_ name: String) {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        path = root.path + "/.build/python/bin/" + name
    }

    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs the program to its end.
    func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: NSTemporaryDirectory())
        let run = try await process.finished()
        return (run.status, run.output + run.errors)
    }
}
