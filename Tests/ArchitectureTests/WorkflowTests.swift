import Foundation
import ProcessTestSupport
import Testing

/// The workflows can't run here, but their steps can: each is a target of the Makefile.
@Suite("Workflows")
struct WorkflowTests {
    private static let files =
        (try? FileManager.default.contentsOfDirectory(
            at: SourceTree.root.appendingPathComponent(".github/workflows"), includingPropertiesForKeys: nil)) ?? []

    /// The command that installs make in a container without it, and lets git read a checkout that belongs to another user.
    private static let preparation =
        #"apt-get update && apt-get install -y make git && git config --system safe.directory "$GITHUB_WORKSPACE""#

    /// The commands of a workflow, those of a matrix included.
    private static func commands(_ text: String) -> [String] {
        let steps = text.matches(of: /(?m)^ +- run: (.+)$/).map { String($0.1) }
        let matrix = text.matches(of: /(?m)^ {10}- (make .+)$/).map { String($0.1) }
        return steps.filter { $0 != "${{ matrix.command }}" } + matrix
    }

    @Test("Every step is a target of the Makefile, with variables that it has", arguments: files)
    func steps(file: URL) throws {
        let makefile = try SourceTree.text(SourceTree.root.appendingPathComponent("Makefile"))
        let targets = Set(makefile.matches(of: /(?m)^([a-z-]+):/).map { String($0.1) })
        let variables = Set(makefile.matches(of: /(?m)^([A-Z]+) \?=/).map { String($0.1) })
        let text = try SourceTree.text(file)
        let commands = Self.commands(text).filter { $0 != Self.preparation }
        #expect(text.matches(of: /container:/).count == Self.commands(text).count { $0 == Self.preparation })
        #expect(!commands.isEmpty)
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            #expect(words.first == "make" && words.count >= 2 && targets.contains(words[1]), "\(command)")
            for word in words.dropFirst(2) {
                #expect(variables.contains(String(word.prefix { $0 != "=" })), "\(command)")
            }
        }
    }

    @Test("Workflows only read, their jobs end, and actions are GitHub's own, pinned by commit", arguments: files)
    func limits(file: URL) throws {
        let text = try SourceTree.text(file)
        #expect(text.contains("\npermissions:\n  contents: read\n"))
        // One job of one workflow publishes.
        #expect(text.matches(of: /permissions:/).count == (file.lastPathComponent == "release.yml" ? 2 : 1))
        #expect(text.matches(of: /runs-on:/).count == text.matches(of: /timeout-minutes: \d+/).count)
        for match in text.matches(of: /uses: (.+)/) {
            #expect(match.1.contains(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+(\.\d+){0,2}$/), "\(match.1)")
        }
        #expect(!text.contains("\t") && !text.contains(/(?m) +$/))
    }

    /// As YAML is read by others; python3-yaml is part of what schemathesis installs.
    @Test("Workflows, templates and configurations are YAML with the keys that they need; services are hardened")
    func yaml() throws {
        let program = """
            import pathlib, subprocess, sys, yaml
            root = pathlib.Path(sys.argv[1])
            for path in sorted(root.glob(".github/**/*.yml")) + [root / ".spi.yml"]:
                value = yaml.safe_load(path.read_text())
                if path.parent.name == "workflows":
                    assert value["name"] and value[True] and value["jobs"], path
                    for job in value["jobs"].values():
                        assert job["runs-on"] and job["steps"], path
                        assert all(("run" in step) != ("uses" in step) for step in job["steps"]), path
                elif path.parent.name == "ISSUE_TEMPLATE" and path.stem != "config":
                    assert value["name"] and value["description"] and value["body"], path
                    fields = [item for item in value["body"] if item["type"] != "markdown"]
                    assert all(item["id"] and item["attributes"]["label"] for item in fields), path
            services = yaml.safe_load((root / "Packaging/compose.yaml").read_text())["services"]
            assert set(services) == {"server", "backup"}
            for name, service in services.items():
                assert service["user"] == "openhealthkit" and service["read_only"] and service["cap_drop"] == ["ALL"], name
                assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
            script = services["backup"]["command"][0].replace("$$", "$")
            subprocess.run(["sh", "-n"], input=script, text=True, check=True)
            """
        let python = SourceTree.root.appendingPathComponent(".build/python/bin/python")
        try #require(FileManager.default.isExecutableFile(atPath: python.path), "Run `make packages-test` first.")
        let process = Process()
        process.executableURL = python
        process.arguments = ["-c", program, SourceTree.root.path]
        let end = try process.finish()
        #expect(end.status == 0, "\(end.errors)")
    }

    @Test("There are workflows, and Swift Package Index documents products of this package")
    func products() throws {
        #expect(Set(Self.files.map(\.lastPathComponent)) == ["ci.yml", "weekly.yml", "macos.yml", "release.yml"])
        let manifest = try SourceTree.text(SourceTree.root.appendingPathComponent("Package.swift"))
        let targets = try SourceTree.text(SourceTree.root.appendingPathComponent(".spi.yml")).matches(
            of: /(?m)^ {8}- (\w+)$/)
        #expect(targets.count >= 9)
        for target in targets {
            #expect(
                manifest.contains(".library(name: \"\(target.1)\"")
                    || manifest.contains("name: \"\(target.1)\",\n            targets"), "\(target.1)")
        }
    }
}
