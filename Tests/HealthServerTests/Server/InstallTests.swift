import Foundation
import ProcessTestSupport
import Testing

@testable import HealthServer

@Suite("make install", .timeLimit(.minutes(15)))
struct InstallTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The files that `make install` installs besides the page and the documents.
    private static let files: Set<String> = [
        "bin/hk", "share/man/man1/hk.1", "share/bash-completion/completions/hk", "share/zsh/site-functions/_hk",
        "share/fish/vendor_completions.d/hk.fish", "lib/systemd/system/openhealthkit.service",
        "lib/sysusers.d/openhealthkit.conf", "share/systemd/user/hk-daemon.service",
        "share/doc/openhealthkit/CHANGELOG.md", "share/doc/openhealthkit/nginx.conf",
        "share/doc/openhealthkit/monitoring/prometheus.yml",
        "share/doc/openhealthkit/monitoring/openhealthkit.rules.yml",
        "share/doc/openhealthkit/monitoring/postgres_exporter.yml",
        "share/doc/openhealthkit/monitoring/openhealthkit.tests.yml",
        "share/doc/openhealthkit/monitoring/openhealthkit-dashboard.json",
        "share/doc/openhealthkit/LICENSE", "share/doc/openhealthkit/NOTICE",
    ]

    /// Runs `make install` or `make uninstall` with the program that was built with the tests.
    private static func make(_ target: String, _ variables: String...) async throws -> [String] {
        // The program keeps its symbols: the tests install it, and nobody downloads it.
        let run = try await HKProcess.run(
            ["-C", root.path, "--no-print-directory", target, "HK=\(BuiltProgram.hk.path)"] + variables,
            environment: ["STRIP": "true"], program: URL(fileURLWithPath: "/usr/bin/make"))
        try #require(run.status == 0, "\(run.lines.joined(separator: "\n"))")
        return run.lines
    }

    private static func shell(_ line: String) async throws -> (lines: [String], status: Int32) {
        try await HKProcess.run(["-c", line], program: URL(fileURLWithPath: "/bin/sh"))
    }

    /// The paths of all files in a folder.
    private static func list(_ folder: String) throws -> Set<String> {
        let all = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Set(
            try all.filter {
                try FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.type] as? FileAttributeType
                    == .typeRegular
            })
    }

    @Test("The installed program serves the installed page, completes and has a manual; uninstalling leaves nothing")
    func installation() async throws {
        let folder = try TemporaryServerFolder()
        let prefix = folder.path + "/prefix"
        _ = try await Self.make("install", "PREFIX=\(prefix)")
        let installed = try Self.list(prefix)
        let source = try Self.list(Self.root.path + "/Sources/HealthDashboard/Page")
        let documents = try Self.list(Self.root.path + "/Docs")
        #expect(
            installed
                == Self.files.union(source.map { "share/openhealthkit/page/" + $0 })
                .union(documents.map { "share/doc/openhealthkit/" + $0 }))
        try expectLinks(URL(fileURLWithPath: prefix + "/share/doc/openhealthkit/"), documents.union(["CHANGELOG.md"]))

        try await expectPage(prefix, source, folder)
        try await expectManual(prefix)
        try await expectCompletions(prefix)
        let unit = try String(contentsOfFile: prefix + "/lib/systemd/system/openhealthkit.service", encoding: .utf8)
        #expect(unit.contains("\nExecStart=\(prefix)/bin/hk serve --data /var/lib/openhealthkit --no-sign-in "))
        #expect(!unit.contains("@BINDIR@"))
        let daemon = try String(contentsOfFile: prefix + "/share/systemd/user/hk-daemon.service", encoding: .utf8)
        #expect(daemon.contains("\nExecStart=\(prefix)/bin/hk daemon $HK_DAEMON_OPTIONS\n"))
        for line in ["LimitCORE=0", "MemoryMax=75%", "TasksMax=512"] { #expect(unit.contains("\n\(line)\n")) }
        // Nothing of what limits the server's memory and processes: its programs would be limited, too.
        for line in [
            "LimitCORE=0", "LockPersonality=yes", "NoNewPrivileges=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes",
            "SystemCallArchitectures=native",
        ] { #expect(daemon.contains("\n\(line)\n")) }
        #expect(!daemon.contains("MemoryMax=") && !daemon.contains("TasksMax="))
        try await expectSoundUnits(prefix, folder)

        _ = try await Self.make("uninstall", "PREFIX=\(prefix)")
        #expect(try Self.list(prefix).isEmpty)
    }

    /// Expects that targets of the documents' links are installed or in the repository.
    private func expectLinks(_ folder: URL, _ documents: Set<String>) throws {
        let web = "https://github.com/openhealthkit/OpenHealthKit/blob/main/"
        for document in documents where document.hasSuffix(".md") {
            let file = folder.appendingPathComponent(document)
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /(?:\]\(|src=")([^)"#]+)/) {
                let link = String(match.1)
                guard !link.hasPrefix("http") || link.hasPrefix(web) else { continue }
                let target =
                    link.hasPrefix(web)
                    ? Self.root.appendingPathComponent(String(link.dropFirst(web.count)))
                    : file.deletingLastPathComponent().appendingPathComponent(link)
                #expect(FileManager.default.fileExists(atPath: target.path), "\(document) leads to \(link)")
            }
        }
    }

    /// Every file of the page comes from the prefix and not from the folder in which the program was built.
    private func expectPage(_ prefix: String, _ files: Set<String>, _ folder: TemporaryServerFolder) async throws {
        let page = prefix + "/share/openhealthkit/page/"
        let mark = "<!-- installed -->"
        let index = try String(contentsOfFile: page + "index.html", encoding: .utf8) + mark
        try Data(index.utf8).write(to: URL(fileURLWithPath: page + "index.html"))

        let process = try HKProcess(
            ["serve", "--port", "0", "--json", "--store", folder.path + "/health.sqlite"],
            program: URL(fileURLWithPath: prefix + "/bin/hk"))
        var lines = process.lines.makeAsyncIterator()
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data((await lines.next() ?? "").utf8)) as? [String: Any])
        let url = try #require((answer["url"] as? String).flatMap { URL(string: $0) })
        let client = TestClient(port: try #require(url.port), token: nil)
        #expect(try await client.get("/").text.hasSuffix(mark))
        // The server adds the languages to documents that are translated.
        for file in files where !["index.html", "offline.html"].contains(file) {
            let served = try await client.get("/" + file)
            #expect(served.status == 200 && served.body == FileManager.default.contents(atPath: page + file), "\(file)")
        }
        #expect(try await client.get("/vendor/chart.js").status == 200)
        process.terminate()
        #expect(await process.status() == 0)
    }

    /// systemd, where it is installed, understands every line of the units.
    private func expectSoundUnits(_ prefix: String, _ folder: TemporaryServerFolder) async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
        for unit in ["lib/systemd/system/openhealthkit.service", "share/systemd/user/hk-daemon.service"] {
            let run = try await Self.shell(
                "XDG_RUNTIME_DIR='\(folder.path)' systemd-analyze verify --man=no \(unit.contains("user") ? "--user" : "") '\(prefix)/\(unit)'"
            )
            #expect(run.status == 0 && run.lines == [], "\(unit): \(run.lines)")
        }
    }

    private func expectManual(_ prefix: String) async throws {
        let manual = prefix + "/share/man/man1/hk.1"
        #expect(try await Self.shell("mandoc -T lint -W warning '\(manual)'").lines == [])
        let text = try await Self.shell("mandoc -T ascii '\(manual)' | sed \"s/.$(printf '\\b')//g\"").lines
        for words in [
            "   hk import", "   hk serve", "   hk daemon", "   hk background register", "   hk token add",
            "   hk person link", "     --mirror", "     --tls-certificate tls-certificate",
            "     The OpenHealthKit authors.  Licensed under the Apache License 2.0.",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        // A letter that the page could not express would be shown by its code.
        #expect(!text.contains { $0.contains("<U+") || $0.contains("\\[u") })
    }

    private func expectCompletions(_ prefix: String) async throws {
        let bash = prefix + "/share/bash-completion/completions/hk"
        #expect(try await Self.shell("bash -n '\(bash)'").status == 0)
        // The program on the path lists the types of a store.
        let completed = try await Self.shell(
            """
            export PATH='\(prefix)/bin':$PATH HEALTHKIT_STORE=/nowhere
            exec bash -c '. "\(bash)"; COMP_WORDS=(hk stats stepC); COMP_CWORD=2; COMP_LINE="hk stats stepC"; COMP_POINT=14
            COMP_TYPE=9; COMP_KEY=9; "$(complete -p hk | sed "s/.*-F \\([^ ]*\\).*/\\1/")" hk stepC hk; echo "${COMPREPLY[*]}"'
            """)
        #expect(completed.lines.last?.contains("stepCount") == true, "\(completed.lines)")
    }

    @Test("DESTDIR is honored, folders can be chosen, and an older page is replaced as a whole")
    func staging() async throws {
        let folder = try TemporaryServerFolder()
        let old = folder.path + "/opt/hk/share/openhealthkit/page"
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: old + "/gone.js"))
        let variables = ["DESTDIR=\(folder.path)", "PREFIX=/opt/hk", "SYSUSERSDIR=", "UNITDIR=/etc/systemd/system"]
        for target in ["install", "uninstall"] {
            _ = try await Self.make(target, variables[0], variables[1], variables[2], variables[3])
            let files = try Self.list(folder.path)
            guard target == "install" else {
                #expect(files.isEmpty)
                continue
            }
            #expect(!files.contains { $0.hasSuffix("gone.js") || $0.contains("sysusers") })
            #expect(files.contains("opt/hk/bin/hk") && files.contains("etc/systemd/system/openhealthkit.service"))
            let unit = try String(
                contentsOfFile: folder.path + "/etc/systemd/system/openhealthkit.service", encoding: .utf8)
            #expect(unit.contains("ExecStart=/opt/hk/bin/hk serve"))
        }
    }

    @Test("The backup of the documentation copies every store and the tokens while the server runs")
    func backup() async throws {
        let document = try String(contentsOf: Self.root.appendingPathComponent("Docs/Operating.md"), encoding: .utf8)
        let script = try #require(document.firstMatch(of: /InstallTests.swift -->\n```sh\n((?s).*?)```/)?.1)
        let folder = try TemporaryServerFolder()
        try Data(script.utf8).write(to: URL(fileURLWithPath: folder.path + "/backup"))
        let (data, copy) = (folder.path + "/data", folder.path + "/a copy")
        #expect(try await HKProcess.run(["person", "add", "anna", "--name", "Anna Berg", "--data", data]).status == 0)
        #expect(try await HKProcess.run(["person", "add", "ben", "--data", data]).status == 0)
        // Before there is a token.
        let early = try await Self.shell("sh '\(folder.path)/backup' '\(data)' '\(folder.path)/early'")
        #expect(early.status == 0, "\(early.lines)")
        let made = try await HKProcess.run(["token", "add", "Script", "--person", "anna", "--all", "--data", data])
        let server = try HKProcess(["serve", "--data", data, "--port", "0", "--json"])
        var lines = server.lines.makeAsyncIterator()
        let answer = try JSONSerialization.jsonObject(with: Data((await lines.next() ?? "").utf8)) as? [String: Any]
        let url = try #require((answer?["url"] as? String).flatMap { URL(string: $0) })
        let client = TestClient(port: try #require(url.port), token: made.lines.first)
        let saved = try await client.post(
            "/v1/people/anna/samples",
            json: #"[{"type":"bodyMass","startDate":"2025-11-16T08:00:00+01:00","quantity":71.4,"unit":"kg"}]"#)
        #expect(saved.status == 200 || saved.status == 201, "\(saved.text)")

        let run = try await Self.shell("sh '\(folder.path)/backup' '\(data)' '\(copy)'")
        #expect(run.status == 0, "\(run.lines)")
        server.terminate()
        #expect(await server.status() == 0)
        let people = try await HKProcess.run(["person", "list", "--json", "--data", copy])
        #expect(people.lines == [#"[{"name":"Anna Berg","person":"anna"},{"name":"ben","person":"ben"}]"#])
        let store = ["--store", copy + "/anna/health.sqlite"]
        let samples = try await HKProcess.run(["samples", "bodyMass", "--json"] + store)
        #expect(samples.lines.first?.contains("71.4") == true)
        #expect(try await HKProcess.run(["doctor"] + store).status == 0)
        #expect(try await HKProcess.run(["token", "list", "--data", copy]).lines.contains { $0.contains("Script") })
    }
}
