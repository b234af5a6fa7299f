import Foundation
import HealthEngine
import ProcessTestSupport
import Testing

@testable import HealthServer

/// The official client of the Model Context Protocol (PyPI package `mcp`) over both transports and in both forms of the
/// protocol.
@Suite struct AssistantClientTests {
    private static let script = """
        import asyncio, json, sys
        import httpx2
        import jsonschema
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client

        async def use(transport, mode):
            async with Client(transport, mode=mode) as client:
                listed = (await client.list_tools()).tools
                tools = [tool.name for tool in listed]
                for tool in listed:
                    jsonschema.validators.validator_for(tool.input_schema).check_schema(tool.input_schema)
                    arguments = {"type": "heartRate"} if "type" in tool.input_schema.get("required", []) else {}
                    arguments |= {"uuid": "1"} if tool.name == "get_workout" else {}
                    if tool.name == "export_workout":
                        newest = await client.call_tool("get_workout", {"uuid": "1"})
                        arguments |= {"uuid": newest.structured_content["uuid"]}
                    arguments |= {"query": "SELECT 1.5 AS x"} if tool.name == "query_sql" else {}
                    jsonschema.validate(arguments, tool.input_schema)
                    result = await client.call_tool(tool.name, arguments)
                    assert not result.is_error, (tool.name, result)
                    assert result.structured_content, (tool.name, result)
                for prompt in (await client.list_prompts()).prompts:
                    told = (await client.get_prompt(prompt.name, {prompt.arguments[0].name: "rest"})).messages
                    assert [one.role for one in told] == ["user"] and told[0].content.text.endswith(": rest"), told
                answer = await client.call_tool(
                    "get_statistics", {"type": "stepCount", "start": "2026-02-01", "end": "2026-02-08"})
                assert not answer.is_error, answer
                wrong = await client.call_tool("get_samples", {"type": "nonsense"})
                assert wrong.is_error, wrong
                return {"tools": tools, "statistics": answer.structured_content, "version": client.protocol_version}

        async def main():
            kind, mode = sys.argv[1:3]
            if kind == "http":
                headers = {"Authorization": "Bearer " + sys.argv[4]}
                async with httpx2.AsyncClient(timeout=120, headers=headers) as http:
                    result = await use(streamable_http_client(sys.argv[3], http_client=http), mode)
            else:
                result = await use(stdio_client(StdioServerParameters(command=sys.argv[3], args=sys.argv[4:])), mode)
            print(json.dumps(result))

        asyncio.run(main())
        """

    private static let authorization = """
        import asyncio, json, sys
        from urllib.parse import parse_qsl, urlsplit
        import httpx2
        from mcp import Client
        from mcp.client.auth import OAuthClientProvider
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

        url, owner = sys.argv[1:3]
        returned = {}

        class Memory:
            tokens = client = None
            async def get_tokens(self): return self.tokens
            async def set_tokens(self, tokens): self.tokens = tokens
            async def get_client_info(self): return self.client
            async def set_client_info(self, client): self.client = client

        async def agree(address):
            # What the page does for a person who agrees.
            async with httpx2.AsyncClient(timeout=120) as browser:
                shown = await browser.get(address)
                place, query = shown.headers["location"].split("?", 1)
                assert shown.status_code == 303 and place == "/#/authorize", shown
                asked = url.removesuffix("/mcp") + "/v1/authorization-request?" + query
                decision = {"isAllowed": True, "person": "anna", "read": ["stepCount"]}
                answer = await browser.post(asked, headers={"Authorization": "Bearer " + owner}, json=decision)
                returned.update(parse_qsl(urlsplit(answer.json()["location"]).query))

        async def answer():
            return AuthorizationCodeResult(**returned)

        async def main():
            metadata = OAuthClientMetadata(client_name="Trial", redirect_uris=["http://localhost:3030/callback"])
            memory = Memory()
            provider = OAuthClientProvider(url, metadata, memory, agree, answer)
            async with httpx2.AsyncClient(timeout=120, auth=provider) as http:
                async with Client(streamable_http_client(url, http_client=http)) as client:
                    types = await client.call_tool("list_types", {})
                    assert not types.is_error, types
                    # As if the hour were over.
                    first, provider.context.token_expiry_time = memory.tokens, 1
                    again = await client.call_tool("list_types", {})
                    assert not again.is_error, again
                    assert memory.tokens.access_token != first.access_token, "the token is refreshed"
                    assert memory.tokens.refresh_token != first.refresh_token, "and the one for the next"
            print(json.dumps({"types": [one["type"] for one in types.structured_content["types"]],
                              "scope": memory.tokens.scope}))

        asyncio.run(main())
        """

    private static func check(_ output: String, version: String) throws {
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        #expect((answer["tools"] as? [String])?.count == AssistantTools.reading.count)
        #expect(answer["version"] as? String == version)
        let statistics = (answer["statistics"] as? [String: Any])?["statistics"] as? [[String: Any]]
        #expect(statistics?.first?["sumQuantity"] as? Double == 120)
        #expect(statistics?.first?["unit"] as? String == "count")
    }

    @Test(arguments: [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
    func overHTTP(mode: String, version: String) async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            let output = try await PythonScript.run(
                Self.script, ["http", mode, "http://localhost:\(server.port)/mcp?person=anna", server.ownerToken])
            try Self.check(output, version: version)
        }
    }

    @Test("It finds out how to get a token, registers, and reads what the person has chosen")
    func authorization() async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            let output = try await PythonScript.run(
                Self.authorization, ["http://localhost:\(server.port)/mcp", server.ownerToken])
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
            #expect(answer["types"] as? [String] == ["HKQuantityTypeIdentifierStepCount"])
            #expect(answer["scope"] as? String == "health:read")
        }
    }

    @Test("The PyPI package mcp-conform finds nothing to complain about")
    func conformance() async throws {
        let folder = try TemporaryServerFolder()
        let path = folder.path + "/health.sqlite"
        try await TestServer.with(folder: folder, people: nil) { server in
            try FHIRStore.fill(server.engine(of: "me"))
        }
        let command = "\(BuiltProgram.hk.path) mcp --store \(path)"
        let run = try await PythonTool("mcp-conform").run(["--format", "json", "--command", command, "server"])
        let report = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(run.status == 0 && run.output.contains("tool[14]"))
        let checks = report.values.compactMap { $0 as? [[String: Any]] }.flatMap { $0 }
        #expect(checks.count > 40)
        for check in checks { #expect(check["passed"] as? Bool == true, "\(check)") }
    }

    @Test(arguments: [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
    func overStandardInputAndOutput(mode: String, version: String) async throws {
        let folder = try TemporaryServerFolder()
        let path = folder.path + "/health.sqlite"
        try await TestServer.with(folder: folder, people: nil) { server in
            try FHIRStore.fill(server.engine(of: "me"))
        }
        let output = try await PythonScript.run(
            Self.script, ["stdio", mode, BuiltProgram.hk.path, "mcp", "--store", path])
        try Self.check(output, version: version)
    }
}
