import Foundation
import HealthAnswers
import Testing

@testable import HealthServer

@Suite struct AssistantProtocolTests {
    @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
    func handshakesOfAllVersions(version: String) async throws {
        try await TestServer.with { server in
            let response = try await AssistantMessages.send(
                #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
                server.client)
            let result = try #require(response.json["result"] as? [String: Any])
            #expect(response.json["id"] as? String == "a")
            #expect(result["protocolVersion"] as? String == version)
            let capabilities = result["capabilities"] as? [String: Any]
            #expect(capabilities?["tools"] != nil && capabilities?["prompts"] != nil)
            let done = try await AssistantMessages.send(
                #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, server.client,
                headers: ["MCP-Protocol-Version": version])
            #expect(done.status == 202 && done.body.isEmpty)
        }
    }

    @Test("Prompts are tasks written out, which name tools and arguments that there are")
    func prompts() async throws {
        try await TestServer.with { server in
            let listed = try await AssistantMessages.send(
                #"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#, server.client)
            let prompts = (listed.json["result"] as? [String: Any])?["prompts"] as? [[String: Any]] ?? []
            #expect(
                prompts.map { $0["name"] as? String } == ["weekly_summary", "doctor_visit", "training_review"],
                "\(listed.text)")
            for prompt in prompts {
                let argument = try #require((prompt["arguments"] as? [[String: Any]])?.first?["name"] as? String)
                let answer = try await AssistantMessages.send(
                    #"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"\#(prompt["name"] ?? "")","arguments":{"\#(argument)":"a marathon"}}}"#,
                    server.client)
                let messages = (answer.json["result"] as? [String: Any])?["messages"] as? [[String: Any]]
                let text = (messages?.first?["content"] as? [String: Any])?["text"] as? String ?? ""
                #expect(text.contains("a marathon"), "\(answer.text)")
                let named = text.matches(of: /get_\w+/).map { String($0.0) }
                #expect(named.count > 2 && Set(named).isSubset(of: AssistantTools.reading.map(\.name)), "\(named)")
                for use in text.matches(of: /(get_\w+)(?: of [a-z ,]+)? with (\w+)=/) {
                    let tool = try #require(AssistantTools.reading.first { $0.name == use.1 })
                    #expect(tool.parameters.contains { $0.name == use.2 }, "\(use.0)")
                }
            }
        }
    }

    @Test(arguments: [
        ("", -32_700), ("{", -32_700), ("7", -32_600), ("[]", -32_600), ("{}", -32_600),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
        (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600),
        (#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, -32_601),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}"#, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"rm"}}"#, -32_602),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}}}"#,
            -32_020
        ),
    ])
    func hostileMessagesAreErrors(body: String, code: Int) async throws {
        try await TestServer.with { server in
            let response = try await AssistantMessages.send(body, server.client)
            #expect((response.json["error"] as? [String: Any])?["code"] as? Int == code)
            #expect([200, 400].contains(response.status))
            #expect(try await server.client.get("/mcp?person=anna").status == 405)
            let version = try await AssistantMessages.send(
                #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, server.client,
                headers: ["MCP-Protocol-Version": "1999-01-01"])
            #expect(version.status == 400)
        }
    }
}
