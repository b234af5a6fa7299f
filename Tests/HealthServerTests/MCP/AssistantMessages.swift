import Foundation
import Testing

@testable import HealthServer

/// Sends messages of the Model Context Protocol to a test server.
enum AssistantMessages {
    static func send(
        _ body: String, _ client: TestClient, headers: [String: String] = [:]
    ) async throws -> TestResponse {
        try await client.post(
            "/mcp?person=anna", json: body,
            headers: headers.merging(["Accept": "application/json, text/event-stream"]) { first, _ in first })
    }

    static func call(_ tool: String, _ arguments: String, _ client: TestClient) async throws -> [String: Any] {
        let response = try await send(
            #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#,
            client)
        #expect(response.status == 200)
        #expect(response.json["id"] as? Int == 7)
        return response.json["result"] as? [String: Any] ?? response.json
    }

    static func text(_ result: [String: Any]) -> String {
        (result["content"] as? [[String: Any]])?.first?["text"] as? String ?? ""
    }

    /// The text of a result without what only assistants get: the units of the numbers that have none beside them, which
    /// come first, and the coverage.
    static func answer(_ result: [String: Any]) -> String {
        text(result).replacing(/^\{"units":\{[^}]*\},/, with: "{").replacing(/,"coverage":\{[^}]*\}/, with: "")
    }

    /// An answer of the API as assistants get it.
    static func rounded(_ answer: TestResponse) -> String {
        String(decoding: AssistantResult.rounded(Array(answer.text.utf8)), as: UTF8.self)
    }
}
