import Foundation
import ProcessTestSupport
import Testing

@testable import HealthServer

@Suite("The recipes of Docs/Recipes.md", .timeLimit(.minutes(15)))
struct RecipeTests {
    /// Reads the examples as Home Assistant and Grafana do, asks the server, and prints what they show.
    private static let script = """
        import json, re, sys, urllib.parse, urllib.request
        import jinja2, jinja2.sandbox, yaml

        document, server, token, start, end = sys.argv[1:]
        text = open(document).read()
        blocks = lambda language: re.findall(rf"^```{language}\\n(.*?)^```", text, re.M | re.S)

        class Loader(yaml.SafeLoader):
            pass

        Loader.add_constructor("!secret", lambda loader, node: {"openhealthkit": f"Bearer {token}"}[node.value])
        sensors, source = (yaml.load(block, Loader) for block in blocks("yaml"))
        (dashboard,) = map(json.loads, blocks("json"))

        def ask(url, authorization):
            url = url.replace("http://127.0.0.1:8080", server)
            return json.load(urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": authorization})))

        def part(value, path):
            for name in path.split("."):
                value = value.get(name) if value else None
            return value

        shown = {}
        environment = jinja2.sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined)
        for request in sensors["rest"]:
            answer = ask(request["resource"], request["headers"]["Authorization"])
            for sensor in request["sensor"]:
                read = lambda name: environment.from_string(sensor[name]).render(value_json=answer)
                shown[sensor["name"]] = float(read("value_template")) if read("availability") == "True" else None

        (source,) = source["datasources"]
        assert source["jsonData"]["auth_method"] == "bearerToken" and source["secureJsonData"]["bearerToken"]
        assert dashboard["time"] == {"from": "now-30d/d", "to": "now"}
        for panel in dashboard["panels"]:
            assert panel["datasource"] == {"type": source["type"], "uid": source["uid"]}
            (target,) = panel["targets"]
            assert any(target["url"].startswith(host) for host in source["jsonData"]["allowedHosts"])
            fill = lambda value: value.replace("${__from:date:iso}", start).replace("${__to:date:iso}", end)
            query = [(one["key"], fill(one["value"])) for one in target["url_options"]["params"]]
            answer = ask(target["url"] + "?" + urllib.parse.urlencode(query), f"Bearer {token}")
            rows = answer[target["root_selector"]]
            shown[panel["title"]] = [[part(row, column["selector"]) for column in target["columns"]] for row in rows]
        print(json.dumps(shown))
        """

    @Test("Home Assistant and Grafana show what hk says, and nothing that their token may not read")
    func recipes() async throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let document = root.appendingPathComponent("Docs/Recipes.md").path
        let command = try #require(
            try String(contentsOfFile: document, encoding: .utf8).firstMatch(of: /```sh\n(hk token add .*)\n/)?.1)
        let folder = try TemporaryServerFolder()
        let environment = [
            "HEALTHKIT_STORE": folder.path + "/health.sqlite", "TZ": "America/New_York",
            "HEALTHKIT_NOW": "2025-11-16T12:00:00-05:00",
            "PATH": BuiltProgram.hk.deletingLastPathComponent().path + ":/usr/bin:/bin",
        ]
        func hk(_ arguments: String...) async throws -> String {
            let run = try await HKProcess.run(arguments, environment: environment)
            #expect(run.status == 0, "\(run.lines)")
            return run.lines.first ?? ""
        }
        func answer(_ arguments: String...) async throws -> [String: Any] {
            let run = try await HKProcess.run(arguments + ["--json"], environment: environment)
            return try #require(
                try JSONSerialization.jsonObject(with: Data(run.lines.joined().utf8)) as? [String: Any])
        }
        _ = try await hk("generate", folder.path + "/export.zip", "--records", "5000")
        _ = try await hk("import", folder.path + "/export.zip", "--quiet")
        let made = try await HKProcess.run(
            ["-c", String(command)], environment: environment, program: URL(fileURLWithPath: "/bin/sh"))
        let token = try #require(made.lines.first)
        let other = try await hk("token", "add", "other", "--read", "bodyMass")
        let process = try HKProcess(["serve", "--port", "0", "--json"], environment: environment)
        defer { process.terminate() }
        var lines = process.lines.makeAsyncIterator()
        let serving = try JSONSerialization.jsonObject(with: Data((await lines.next() ?? "").utf8)) as? [String: Any]
        let server = try #require(serving?["url"] as? String).trimmingCharacters(in: ["/"])
        func shown(_ token: String) async throws -> [String: Any] {
            let text = try await PythonScript.run(
                Self.script, [document, server, token, "2025-10-17T04:00:00.000Z", "2025-11-16T17:00:00.000Z"])
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        /// Rows of an instant and a figure.
        func rows(_ list: Any?, _ read: ([String: Any]) -> (Any?, Any?)) throws -> [[String]] {
            try #require(list as? [[String: Any]]).map(read).map { ["\($0 ?? "")", "\($1 ?? "")"] }
        }
        func rows(_ list: Any?) throws -> [[String]] {
            try #require(list as? [[Any]]).map { $0.map { "\($0)" } }
        }
        let found = try await shown(token)
        let range = ["--from", "2025-10-17", "--to", "2025-11-16"]
        let steps = try await answer("stats", "stepCount", range[0], range[1], range[2], range[3], "--every", "day")
        let days = try rows(steps["statistics"]) { ($0["startDate"], $0["sumQuantity"]) }
        #expect(try days.count > 10 && rows(found["Steps"]) == days)
        #expect(found["Steps today"] as? Double == days.last.flatMap { Double($0[1]) }?.rounded())
        let resting = try await answer(
            "stats", "restingHeartRate", range[0], range[1], range[2], range[3], "--every", "day")
        let rates = try rows(resting["statistics"]) { ($0["startDate"], $0["averageQuantity"]) }
        #expect(try rates.count > 10 && rows(found["Resting heart rate by day"]) == rates)
        #expect(found["Resting heart rate"] as? Double == rates.last.flatMap { Double($0[1]) }?.rounded())
        let sleep = try await answer("sleep", range[0], range[1], range[2], range[3])
        let nights = try rows(sleep["nights"]) {
            (($0["main"] as? [String: Any])?["startDate"], $0["totalTimeAsleep"])
        }
        #expect(try nights.count > 10 && rows(found["Sleep"]) == nights)
        let hours = try #require(found["Sleep last night"] as? Double)
        #expect(abs(hours * 3_600 - (Double(nights.last?[1] ?? "") ?? 0)) <= 18)
        for (name, value) in try await shown(other) {
            #expect(value is NSNull || (value as? [Any])?.isEmpty == true, "\(name): \(value)")
        }
    }
}
