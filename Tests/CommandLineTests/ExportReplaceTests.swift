import Foundation
import ProcessTestSupport
import Testing

/// The files that an export may replace: those that an earlier one wrote, and no others.
@Suite("hk export over something")
struct ExportReplaceTests {
    private let scratch = Scratch()

    /// Names and formats that make one file.
    static let files = [
        ["out.zip"], ["out.xml"], ["out.ndjson", "--format", "ndjson"], ["out.db", "--format", "sqlite"],
    ]
    /// Names and formats that make a folder.
    static let folders = [["out"], ["out", "--format", "csv"], ["out", "--format", "fhir"]]

    private func export(_ arguments: [String], _ more: [String] = []) throws -> CommandRun {
        try CommandRun(
            ["export"] + arguments + more + ["--quiet"], store: Demo.shared.store, folder: scratch.folder)
    }

    private func write(_ text: String, _ name: String) throws {
        let url = scratch.file(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// The paths and contents of everything in the scratch folder.
    private func contents() throws -> [String: Data] {
        try FileManager.default.subpathsOfDirectory(atPath: scratch.folder.path).reduce(into: [:]) {
            $0[$1] = FileManager.default.contents(atPath: scratch.file($1).path) ?? Data()
        }
    }

    @Test(
        "Foreign folders stay as they are, also with --force", arguments: files + folders.dropFirst(),
        [[], ["--force"]])
    func foreignFolder(arguments: [String], force: [String]) throws {
        let name = arguments[0]
        try write("a year’s work", "\(name)/thesis.txt")
        try write("ref: refs/heads/main", "\(name)/.git/HEAD")
        let before = try contents()
        let run = try export(arguments, force)
        #expect(run.status == 1 && run.output == "")
        let what =
            Self.files.contains(arguments)
            ? "“\(name)” is a folder, and the export is a file"
            : "“out” contains “.git”, “thesis.txt”, which no export wrote"
        #expect(run.errors == "Error: \(what). Nothing was changed; choose another path.\n")
        #expect(try contents() == before)
    }

    @Test("An archive is written into a folder with other files only with --force, beside them")
    func besideOthers() throws {
        try write("a year’s work", "out/thesis.txt")
        let refused = try export(["out"])
        #expect(refused.status == 1)
        #expect(refused.errors == "Error: The folder “out” isn’t empty. Use --force to write into it.\n")
        #expect(try contents().keys.sorted() == ["out", "out/thesis.txt"])
        for _ in 0..<2 { #expect(try export(["out", "--force"]).status == 0) }
        #expect(try String(contentsOf: scratch.file("out/thesis.txt"), encoding: .utf8) == "a year’s work")
        #expect(FileManager.default.fileExists(atPath: scratch.file("out/apple_health_export/export.xml").path))
    }

    @Test("Foreign files stay as they are, also with --force", arguments: files + folders, [[], ["--force"]])
    func foreignFile(arguments: [String], force: [String]) throws {
        let name = arguments[0]
        // An iPhone’s archives aren’t ours either.
        if let kind = ["zip", "xml"].first(where: name.hasSuffix) {
            try FileManager.default.copyItem(at: Demo.shared.file("demo.\(kind)"), to: scratch.file(name))
        } else {
            try write("{\"a\":1}\n", name)
        }
        let before = try contents()
        let run = try export(arguments, force)
        #expect(run.status == 1 && run.errors.contains("“\(name)") && run.errors.split(separator: "\n").count == 1)
        #expect(!run.errors.contains("--force"))
        #expect(try contents() == before)
    }

    @Test("A store isn’t an export")
    func store() throws {
        _ = try scratch.demoStore()
        let run = try CommandRun(
            ["export", scratch.store.path, "--format", "sqlite", "--force"], store: scratch.store)
        #expect(run.status == 1 && run.errors.contains("wasn’t written by an export"))
        #expect(try CommandRun(["doctor"], store: scratch.store).status == 0)
    }

    @Test("An earlier export is replaced with --force, and only then", arguments: files + folders)
    func again(arguments: [String]) throws {
        #expect(try export(arguments, ["--type", "stepCount"]).status == 0)
        let first = try contents()
        let refused = try export(arguments)
        let name = arguments == ["out"] ? "out/apple_health_export" : arguments[0]
        #expect(refused.status == 1)
        #expect(refused.errors == "Error: “\(name)” already exists. Use --force to replace it.\n")
        #expect(try contents() == first)
        let run = try export(arguments, ["--force", "--type", "heartRate"])
        #expect(run.status == 0 && run.errors == "")
        #expect(try contents() != first)
        #expect(try contents().keys.allSatisfy { $0.hasPrefix(arguments[0]) })
    }

    @Test(
        "A file to whose end something was added is kept",
        arguments: [
            (["out.csv", "--type", "stepCount"], "2024-01-01,my,own\n"), (["out.ndjson"], "{\"mine\":1}\n"),
            (["out.xml"], "<!-- mine -->\n"),
        ])
    func appended(arguments: [String], mine: String) throws {
        #expect(try export(arguments).status == 0)
        let url = scratch.file(arguments[0])
        let whole = try Data(contentsOf: url)
        // Only the heading of a CSV file is that of an export.
        let heading = whole.prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")] + Data(mine.utf8)
        for changed in [whole + Data(mine.utf8)] + (arguments.count > 1 ? [heading] : []) {
            try changed.write(to: url)
            let run = try export(arguments, ["--force"])
            #expect(run.status == 1 && run.errors.contains("or was changed since. Nothing was changed"))
            #expect(try Data(contentsOf: url) == changed)
        }
        try whole.write(to: url)
        #expect(try export(arguments, ["--force"]).status == 0)
    }

    @Test("In an exported folder, what was added or changed since is kept", arguments: folders)
    func changed(arguments: [String]) throws {
        #expect(try export(arguments).status == 0)
        let folder = arguments.count == 1 ? "out/apple_health_export" : "out"
        try write("mine", "\(folder)/notes.txt")
        let added = try export(arguments, ["--force"])
        #expect(
            added.errors
                == "Error: “\(folder)” contains “notes.txt”, which no export wrote. Nothing was changed; choose another path.\n"
        )
        try FileManager.default.removeItem(at: scratch.file("\(folder)/notes.txt"))
        let file = try #require(
            FileManager.default.contentsOfDirectory(atPath: scratch.file(folder).path).sorted().first {
                $0.hasSuffix("v") || $0.hasSuffix("n") || $0.hasSuffix("l")
            })
        try write("mine", "\(folder)/\(file)")
        let edited = try export(arguments, ["--force"])
        #expect(edited.status == 1 && edited.errors.contains("“\(file)”"))
        #expect(try String(contentsOf: scratch.file("\(folder)/\(file)"), encoding: .utf8) == "mine")
    }

    @Test("An empty folder is written into", arguments: folders)
    func empty(arguments: [String]) throws {
        try FileManager.default.createDirectory(at: scratch.file("out"), withIntermediateDirectories: false)
        #expect(try export(arguments).status == 0)
        #expect(try contents().count > 2)
    }

    @Test("A link leads to what is replaced")
    func link() throws {
        try write("mine", "real.txt")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file("out.ndjson").path, withDestinationPath: "real.txt")
        let run = try export(["out.ndjson", "--format", "ndjson", "--force"])
        #expect(run.status == 1)
        #expect(try String(contentsOf: scratch.file("real.txt"), encoding: .utf8) == "mine")
        try FileManager.default.removeItem(at: scratch.file("real.txt"))
        #expect(try export(["real.txt", "--format", "ndjson"]).status == 0)
        #expect(try export(["out.ndjson", "--format", "ndjson", "--force"]).status == 0)
        let type = try FileManager.default.attributesOfItem(atPath: scratch.file("out.ndjson").path)[.type]
        #expect(type as? FileAttributeType == .typeSymbolicLink)
    }

    @Test("A link to nothing isn’t a target", arguments: files + folders)
    func linkToNothing(arguments: [String]) throws {
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file(arguments[0]).path, withDestinationPath: "nowhere")
        let run = try export(arguments, ["--force"])
        #expect(
            run.errors
                == "Error: “\(arguments[0])” is a link to nothing. Nothing was changed; choose another path.\n")
        #expect(try contents().keys.sorted() == [arguments[0]])
    }

    @Test("A device isn’t a target", arguments: ["apple", "csv", "ndjson", "sqlite", "fhir"])
    func device(format: String) throws {
        for force in [[], ["--force"]] {
            let run = try export(["/dev/full", "--format", format], force)
            #expect(run.status == 1 && run.output == "")
            #expect(run.errors.hasPrefix("Error: “/dev/full") && run.errors.split(separator: "\n").count == 1)
            var status = stat()
            #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        }
    }

    @Test("A signal ends an export, which leaves nothing and says nothing else", arguments: [files[0], folders[1]])
    func signal(arguments: [String]) throws {
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) }
        for _ in 0..<3 {
            let process = CommandRun.process(["export"] + arguments + ["--quiet"], store: Demo.shared.store)
            process.currentDirectoryURL = scratch.folder
            let errors = try ChildErrors(of: ["export"])
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors.handle
            try process.run()
            while process.isRunning, try names().isEmpty { sched_yield() }
            kill(process.processIdentifier, SIGTERM)
            process.waitUntilExit()
            #expect(errors.text == "")
            // It may have been faster.
            guard process.terminationReason == .uncaughtSignal else {
                #expect(process.terminationStatus == 0)
                for name in try names() { try FileManager.default.removeItem(at: scratch.file(name)) }
                continue
            }
            #expect(process.terminationStatus == SIGTERM)
            #expect(try names().isEmpty)
        }
    }

    @Test("A full disk leaves nothing, and the target as it was", arguments: files + folders)
    func fullDisk(arguments: [String]) throws {
        // Of a limit of sizes, the system tells like of a full disk.
        func full(_ more: String) throws -> CommandRun {
            try CommandRun(
                shell: """
                    cd '\(scratch.folder.path)' && ulimit -f 80 && \
                    '\(BuiltProgram.hk.path)' export \(arguments.joined(separator: " ")) \(more)
                    """, store: Demo.shared.store)
        }
        let run = try full("")
        #expect(run.status == 1 && run.output == "")
        #expect(run.errors.hasPrefix("Error: ") && run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains(arguments[0]) && !run.errors.contains("partial"))
        #expect(try contents().isEmpty)
        #expect(try export(arguments).status == 0)
        let before = try contents()
        #expect(try full("--force").status == 1)
        #expect(try contents() == before)
    }
}
