import Foundation
import PostgreSQLTestSupport
import ProcessTestSupport
import Testing

@testable import HealthServer

/// The files of Packaging/containers, without the programs that run containers.
@Suite("Compose file and Kubernetes manifests", .timeLimit(.minutes(5)))
struct DeploymentTests {
    private static let folder = MonitoringFiles.folder.deletingLastPathComponent().appendingPathComponent("containers")

    /// Checks what the files refer to, and prints the arguments of every `hk`.
    private static let script = """
        import json, pathlib, re, sys, yaml

        folder = pathlib.Path(sys.argv[1])
        commands = []
        compose = yaml.safe_load((folder / "compose.yml").read_text())
        services = compose["services"]
        for name, service in services.items():
            for other, wanted in service.get("depends_on", {}).items():
                wants_check = wanted["condition"] == "service_healthy"
                assert other in services and wants_check == ("healthcheck" in services[other]), (name, other)
            for volume in service.get("volumes", []):
                source = volume.split(":")[0]
                assert (folder / source).is_file() if source.startswith(".") else source in compose["volumes"], volume
            if "openhealthkit" in service["image"]:
                commands.append(service["command"])

        objects = list(yaml.safe_load_all((folder / "kubernetes.yml").read_text()))
        kinds = {one["kind"]: one for one in objects}
        assert all(one["apiVersion"] and one["metadata"]["name"] for one in objects) and len(kinds) == len(objects)
        secret, deployment = kinds["Secret"], kinds["Deployment"]["spec"]
        labels = deployment["template"]["metadata"]["labels"]
        assert deployment["selector"]["matchLabels"] == labels == kinds["Service"]["spec"]["selector"]
        assert kinds["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
        for pod in (kinds["Job"]["spec"]["template"]["spec"], deployment["template"]["spec"]):
            volumes = {one["name"] for one in pod.get("volumes", [])}
            for container in pod["containers"]:
                commands.append(container["args"])
                ports = {one["name"] for one in container.get("ports", [])}
                assert {one["name"] for one in container.get("volumeMounts", [])} == volumes
                for variable in container["env"]:
                    reference = variable.get("valueFrom", {}).get("secretKeyRef")
                    assert variable.get("value") or (
                        reference["name"] == secret["metadata"]["name"] and reference["key"] in secret["stringData"]
                    ), variable
                for probe in ("livenessProbe", "readinessProbe"):
                    assert probe not in container or container[probe]["httpGet"]["port"] in ports
        paths = [deployment["template"]["spec"]["containers"][0][one]["httpGet"]["path"]
                 for one in ("livenessProbe", "readinessProbe")]
        assert kinds["Service"]["spec"]["ports"][0]["targetPort"] in ports
        print(json.dumps([commands, paths]))
        """

    private static func read() async throws -> (commands: [[String]], probes: [String]) {
        let text = try await PythonScript.run(script, [folder.path])
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[Any]]
        let (commands, probes) = (value?.first as? [[String]], value?.last as? [String])
        return (try #require(commands), try #require(probes))
    }

    @Test("What they refer to exists, and the program knows every command and option")
    func arguments() async throws {
        let (commands, probes) = try await Self.read()
        #expect(commands.count == 4)
        for command in commands {
            let name = Array(command.prefix { !$0.hasPrefix("-") && !$0.contains("://") })
            let help = try await HKProcess.run(["help"] + name)
            #expect(help.status == 0, "\(help.lines)")
            let known = Set(
                help.lines.joined(separator: "\n").matches(of: #/(?m)^ +(--[a-z-]+)/#).map { String($0.1) })
            let unknown = Set(command.filter { $0.hasPrefix("--") }).subtracting(known)
            #expect(unknown.isEmpty, "hk \(name.joined(separator: " ")) has no \(unknown)")
        }
        try await TestServer.with { server async throws in
            for path in probes { #expect(try await server.client.get(path).status == 200, "\(path)") }
        }
    }

    @Test("The server's user, the tables and the server itself are made from them; a dump of the backup is restored")
    func database() async throws {
        let server = try PostgreSQLServer()
        let folder = try TemporaryServerFolder()
        try server.psql("CREATE DATABASE health")
        let programs = [
            "PGHOST": "127.0.0.1", "PGPORT": "\(server.port)", "PGUSER": "postgres", "PGDATABASE": "health",
        ]
        func bash(_ script: String, _ arguments: [String], _ environment: [String: String]) async throws {
            let run = try await HKProcess.run(
                [Self.folder.appendingPathComponent(script).path] + arguments,
                environment: programs.merging(environment) { $1 }, program: URL(fileURLWithPath: "/bin/bash"))
            #expect(run.status == 0, "\(run.lines)")
        }
        func hk(_ arguments: [String]) async throws -> [String] {
            let run = try await HKProcess.run(
                arguments, environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path])
            try #require(run.status == 0, "\(run.lines)")
            return run.lines
        }
        try await bash(
            "create-server-user.sh", [],
            ["POSTGRES_USER": "postgres", "POSTGRES_DB": "health", "SERVER_PASSWORD": "secret"])
        // As the files have them, except for the place of the database.
        let commands = try await Self.read().commands
        func address(_ number: Int, _ database: String = "health") throws -> String {
            let given = try #require(commands[number].first { $0.hasPrefix("postgresql:") })
            return given.replacing("@database/health", with: "@127.0.0.1:\(server.port)/\(database)")
        }
        #expect(try await hk(["database", "init", address(0)]).contains { $0.contains("There is the role") })
        let data = try address(1)
        _ = try await hk(["person", "add", "anna", "--data", data])
        let link = data + "&person=anna"
        _ = try await hk(["add", "bodyMass", "72", "kg", "--store", link])
        let before = try await hk(["samples", "bodyMass", "--json", "--store", link])

        try await bash("backup.sh", [folder.path, "30", "once"], [:])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let dump = try #require(files.first { $0.hasSuffix(".dump") })
        #expect(files.contains("backup.prom"))
        try server.psql("CREATE DATABASE restored")
        _ = try await hk(["database", "init", address(0, "restored")])
        _ = try server.run("pg_restore --clean --if-exists --exit-on-error --dbname=restored '\(folder.path)/\(dump)'")
        let restored = try address(1, "restored") + "&person=anna"
        #expect(try await hk(["samples", "bodyMass", "--json", "--store", restored]) == before)
    }

    /// With programs in place of PostgreSQL's and of the one that waits, of which the second call ends the script.
    @Test("A dump that fails leaves nothing, and is tried again in minutes instead of a day")
    func failedBackup() async throws {
        let folder = try TemporaryServerFolder()
        let (programs, dumps) = (folder.path + "/bin", folder.path + "/dumps")
        let scripts = [
            "pg_dump": """
            echo dump >"${3#--file=}"
            echo dump >>"$CALLS"
            [ "$(grep -c dump "$CALLS")" -gt 1 ]
            """,
            "sleep": """
            echo "$1" >>"$CALLS"
            [ "$(grep -vc dump "$CALLS")" -lt 2 ]
            """,
        ]
        for path in [programs, dumps] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for (name, script) in scripts {
            try Data("#!/bin/bash\n\(script)\n".utf8).write(to: URL(fileURLWithPath: "\(programs)/\(name)"))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(programs)/\(name)")
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let calls = folder.path + "/calls"
        let run = try await HKProcess.run(
            [Self.folder.appendingPathComponent("backup.sh").path, dumps, "30"],
            environment: ["PATH": "\(programs):\(path)", "CALLS": calls], program: URL(fileURLWithPath: "/bin/bash"))
        #expect(run.status == 1 && run.lines.isEmpty, "\(run.lines)")
        let made = try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n").map(String.init)
        try #require(made.count == 4 && made[0] == "dump" && made[2] == "dump", "\(made)")
        // Less what the dump took.
        let pauses = try [made[1], made[3]].map { try #require(Int($0)) }
        #expect(pauses[0] <= 600 && pauses[1] > 600 && pauses[1] <= 86_400, "\(pauses)")
        let files = try FileManager.default.contentsOfDirectory(atPath: dumps).sorted()
        #expect(files.count == 2 && files[0] == "backup.prom" && files[1].hasSuffix(".dump"), "\(files)")
    }
}
