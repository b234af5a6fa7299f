import Foundation
import PostgreSQLTestSupport
import ProcessTestSupport
import Testing

@Suite("hk --store postgresql://…")
struct DatabaseTests {
    private let scratch = Scratch()

    private func run(_ arguments: [String], on address: String) throws -> CommandRun {
        try CommandRun(arguments + ["--store", address], store: scratch.store)
    }

    @Test("An archive in a database gives the same answers as in a file")
    func sameAnswers() throws {
        let address = try PostgreSQLServer.shared().url("schema=command_line&person=anna")
        let missing = try run(["types"], on: address)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("has no tables. Use “hk database init”."))
        let archive = Demo.shared.folder.appendingPathComponent("demo.zip").path
        let added = try run(["import", archive, "--json"], on: address)
        #expect(added.status == 0, "\(added.errors)")
        let expected = try CommandRun(["import", archive, "--json"], store: scratch.file("again.sqlite"))
        let counts = [added, expected].map { try? $0.json() as? [String: Any] }.map { $0?["added"] as? Int }
        #expect(counts[0] != nil && counts[0] == counts[1])
        for arguments in [
            ["types"], ["sources"], ["profile"], ["stats", "steps", "--every", "week"],
            ["samples", "heartRate", "--limit", "20"],
            ["workouts"], ["sleep"], ["rings", "--json"], ["sql", "SELECT count(*), sum(value) FROM step_count"],
        ] {
            let answer = try run(arguments, on: address)
            #expect(answer.status == 0, "\(arguments): \(answer.errors)")
            #expect(answer.output == (try CommandRun(arguments, store: Demo.shared.store).output), "\(arguments)")
        }
        #expect(try run(["import", archive], on: address).status == 0)
        let exports = try [(scratch.file("a"), address), (scratch.file("b"), Demo.shared.store.path)].map {
            folder, store in
            let made = try run(["export", folder.path], on: store)
            #expect(made.status == 0, "\(made.errors)")
            return try Data(contentsOf: folder.appendingPathComponent("apple_health_export/export.xml"))
        }
        #expect(exports[0] == exports[1])
        #expect(try run(["doctor"], on: address).status == 0)
        let other = try run(["types"], on: address.replacingOccurrences(of: "anna", with: "berta"))
        #expect(other.status == 1)
        #expect(other.errors.contains("no store of this person"))
    }

    @Test("$HEALTHKIT_STORE can be an address")
    func environment() throws {
        let address = try PostgreSQLServer.shared().url("schema=command_environment&person=anna")
        let run = try CommandRun(
            shell: "'\(BuiltProgram.hk.path)' add bodyMass 72 kg && '\(BuiltProgram.hk.path)' samples bodyMass",
            store: scratch.store, environment: ["HEALTHKIT_STORE": address])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("72"))
    }

    @Test("hk database init and check")
    func administration() throws {
        let server = try PostgreSQLServer.shared()
        let address = server.url("schema=command_database")
        let before = try CommandRun(["database", "check", address], store: scratch.store)
        #expect(before.status == 1)
        #expect(before.errors.contains("hk database init"))
        let made = try CommandRun(["database", "init", address, "--role", "command_role"], store: scratch.store)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("Created the role command_role"))
        let check = try CommandRun(
            ["database", "check", address + "&role=command_role", "--json"], store: scratch.store)
        let problems = try check.objects().filter { $0["isProblem"] as? Bool == true }.compactMap {
            $0["text"] as? String
        }
        // The server of the tests does not wait for the disk.
        #expect(problems.count == 1 && problems[0].hasPrefix("fsync is off"))
        #expect(check.status == 1)
    }

    @Test("hk serve says why it can't use a database, as other commands do")
    func serverWithoutDatabase() throws {
        let server = try PostgreSQLServer.shared()
        try server.psql("CREATE ROLE command_nobody LOGIN")
        _ = try CommandRun(["database", "init", server.url("schema=command_newer")], store: scratch.store)
        try server.psql("UPDATE command_newer.schema_version SET version = 99, readable_by = 99")
        let port = try PostgreSQLServer.freePort()
        let tcp = "postgresql://postgres@127.0.0.1:\(server.port)"
        for (address, reason) in [
            (
                "postgresql://postgres@127.0.0.1:\(port)/health",
                #"PostgreSQL: connection to server at "127.0.0.1", port \#(port) failed: Connection refused "#
                    + "\tIs the server running on that host and accepting TCP/IP connections? (08001)."
            ),
            (
                "\(tcp)/nowhere",
                #"PostgreSQL: connection to server at "127.0.0.1", port \#(server.port) failed: "#
                    + #"FATAL:  database "nowhere" does not exist (28000)."#
            ),
            (
                "postgresql://command_nobody@127.0.0.1:\(server.port)/postgres?schema=command_newer",
                "PostgreSQL: permission denied for schema command_newer (42501)."
            ),
            (
                "\(tcp)/postgres?schema=command_newer",
                "The schema command_newer has version 99, and this program version 1. Install the newer hk."
            ),
        ] {
            let serving = try CommandRun(["serve", "--data", address, "--port", "0"], store: scratch.store)
            #expect(serving.status == 1 && serving.output.isEmpty)
            #expect(serving.errors == "Error: \(reason)\n")
            let listing = try CommandRun(["person", "list", "--data", address], store: scratch.store)
            #expect(listing.status == 1 && listing.errors == serving.errors)
        }
    }

    @Test("Commands work through PgBouncer in transaction mode, as the servers' role")
    func pooler() throws {
        let server = try PostgreSQLServer.shared()
        let pooler = try PgBouncer(server, size: 4)
        let made = try CommandRun(
            ["database", "init", pooler.url("schema=command_pooled"), "--role", "pooled_role"], store: scratch.store)
        #expect(made.status == 0, "\(made.errors)")
        let address = pooler.url("schema=command_pooled&role=pooled_role&person=anna")
        let archive = Demo.shared.folder.appendingPathComponent("demo.zip").path
        for _ in 0..<2 { #expect(try run(["import", archive], on: address).status == 0) }
        for arguments in [["types"], ["stats", "steps", "--every", "week"], ["sleep"], ["doctor"]] {
            let answer = try run(arguments, on: address)
            #expect(answer.status == 0, "\(arguments): \(answer.errors)")
            guard arguments != ["doctor"] else { continue }
            #expect(answer.output == (try CommandRun(arguments, store: Demo.shared.store).output), "\(arguments)")
        }
        let check = try CommandRun(["database", "check", address], store: scratch.store)
        #expect(check.output.contains("The address is that of a pooler."), "\(check.output)")
    }

    @Test("The commands of Docs/Scale.md about a database do what they say")
    func document() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Docs/Scale.md"), encoding: .utf8)
        let section = text.components(separatedBy: "DatabaseTests.swift -->\n```sh\n")[1]
        let commands = section.components(separatedBy: "```")[0].split(separator: "\n").filter { $0.hasPrefix("hk ") }
        #expect(commands.count == 5)
        // A server that waits for the disk, as one for people's data does.
        let server = try PostgreSQLServer(settings: ["fsync=on"])
        let place = "127.0.0.1:\(server.port)/postgres"
        try FileManager.default.copyItem(
            at: Demo.shared.folder.appendingPathComponent("demo.zip"), to: scratch.file("export.zip"))
        #expect(try CommandRun(["add", "bodyMass", "72", "kg"], store: scratch.file("health.sqlite")).status == 0)
        for command in commands {
            let isServer = command.hasPrefix("hk serve")
            var line = command.replacingOccurrences(of: "@db/health", with: "@\(place)")
            line = "'\(BuiltProgram.hk.path)' " + line.dropFirst(3)
            if isServer {
                // Listens on any port, and ends as soon as it says where.
                line = """
                    psql -q postgresql://postgres@\(place) -c 'CREATE ROLE server LOGIN IN ROLE openhealthkit_server' &&
                    mkfifo out && { \(line.components(separatedBy: " #")[0]) --port 0 >out & } && exec 3<out && read first <&3 &&
                    kill -TERM $! && wait $! && echo "$first"
                    """
            }
            let run = try CommandRun(shell: "cd '\(scratch.folder.path)' && \(line)", store: scratch.store)
            #expect(run.status == 0, "\(command): \(run.output)\(run.errors)")
            if isServer { #expect(run.output.contains("http://127.0.0.1:"), "\(run.output)") }
        }
        let counts = try ["anna", "ben"].map { person in
            try CommandRun(
                ["types", "--json", "--store", "postgresql://postgres@\(place)?person=\(person)"], store: scratch.store
            )
            .objects().count
        }
        #expect(counts[0] > 10 && counts[1] == 1)
        #expect(try server.offenders() == [])
    }

    @Test("Passwords are not shown")
    func passwords() throws {
        let run = try CommandRun(
            ["doctor", "--store", "postgresql://anna:secret@127.0.0.1:1/health?person=anna&password=secret"],
            store: scratch.store)
        #expect(run.status == 1)
        #expect(!run.errors.contains("secret") && !run.output.contains("secret"))
    }
}
