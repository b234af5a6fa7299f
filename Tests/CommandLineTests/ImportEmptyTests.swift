import Foundation
import ProcessTestSupport
import Testing

/// The store after an import that can’t be done or is interrupted.
@Suite("hk import of nothing")
struct ImportEmptyTests {
    private let scratch = Scratch()

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
    }

    @Test(
        "A file that isn't an archive leaves no store",
        arguments: ["text", "empty", "zip", "cut", "folder", "missing", "database", "page", "-"])
    func noArchive(kind: String) throws {
        let url = scratch.file("in")
        switch kind {
        case "text": try Data("Dear diary".utf8).write(to: url)
        case "empty": try Data().write(to: url)
        case "zip": try (Data("PK\u{3}\u{4}".utf8) + Data(count: 400)).write(to: url)
        case "cut":
            let whole = try Data(contentsOf: Demo.shared.file("demo.zip"))
            try (whole[..<10_000] + Data(count: 5_000) + whole[15_000...]).write(to: url)
        case "database": try (Data("SQLite format 3\0".utf8) + Data(count: 84)).write(to: url)
        case "page": try Data("\n<!DOCTYPE html><title>Sign in</title>".utf8).write(to: url)
        case "folder": try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        default: break
        }
        let before = try names()
        let run = try CommandRun(["import", kind == "-" ? "-" : url.path], store: scratch.store)
        #expect(run.status == 1 && run.errors.hasPrefix("Error: "))
        #expect(try names() == before)
        // A store that was there stays.
        let store = try scratch.emptyStore()
        #expect(try CommandRun(["import", kind == "-" ? "-" : url.path], store: store).status == 1)
        #expect(try CommandRun(["doctor"], store: store).status == 0)
    }

    /// Imports with small batches, which take long, and sends a signal when some are in.
    private func interrupted(_ signal: Int32, _ arguments: [String] = []) throws -> (errors: String, status: Int32) {
        let path = scratch.file("big.xml").path
        _ = try CommandRun(["generate", path, "--records", "60000"], store: scratch.store)
        let process = CommandRun.process(
            ["import", path, "--batch-size", "50", "--quiet"] + arguments, store: scratch.store)
        process.environment?["TMPDIR"] = scratch.file("temporary").path
        try FileManager.default.createDirectory(at: scratch.file("temporary"), withIntermediateDirectories: false)
        let errors = try ChildErrors(of: ["import"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors.handle
        try process.run()
        var status = stat()
        while process.isRunning, stat(scratch.store.path + "-wal", &status) != 0 || status.st_size < 1 << 20 {
            sched_yield()
        }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return (errors.text, process.terminationStatus)
    }

    /// A process that was started in the background ignores SIGINT, and so do its children.
    private static let signals = [SIGINT, SIGTERM].filter { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            != unsafeBitCast(SIG_IGN, to: Int.self)
    }

    @Test("An interrupted import says what is in, and is continued", arguments: signals)
    func interruption(signal: Int32) throws {
        let (errors, status) = try interrupted(signal)
        #expect(status == 128 + signal)
        #expect(
            errors.contains(
                /^Interrupted\. [0-9,]+ samples and objects were imported and stay in the store\. Run the command again to import the rest\.\n$/
            ))
        #expect(try names() == ["big.xml", "health.sqlite", "temporary"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("temporary").path) == [])
        let rest = try CommandRun(["import", scratch.file("big.xml").path, "--json"], store: scratch.store)
        let answer = try #require(try rest.json() as? [String: Any])
        let said = Int(errors.filter(\.isNumber)) ?? 0
        #expect(said > 0 && answer["alreadyThere"] as? Int == said)
        #expect(answer["added"] as? Int ?? 0 > 0)
    }
}
