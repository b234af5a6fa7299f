import Foundation
import HealthEngine
import HealthStorage
import HealthStorageSQLite
import HealthTesting
import PostgreSQLTestSupport
import ProcessTestSupport
import Synchronization
import Testing

@testable import HealthDaemon

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A started `hk daemon` or webhook whose output is read line by line.
final class RunningCommand {
    let process: Process
    private let output = Pipe()
    private var rest = ""

    init(_ process: Process) throws {
        self.process = process
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // A process that never prints the expected line must not block the test run.
        let identifier = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 1_800) { [weak process] in
            if process?.isRunning == true { kill(identifier, SIGKILL) }
        }
    }

    /// Returns the lines up to and including the first that contains these words, or all lines if none does.
    @discardableResult
    func lines(until words: String?) -> [String] {
        var lines: [String] = []
        while true {
            while let end = rest.firstIndex(of: "\n") {
                lines.append(String(rest[..<end]))
                rest = String(rest[rest.index(after: end)...])
                record(lines[lines.count - 1])
                if let words, lines[lines.count - 1].contains(words) { return lines }
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return lines }
            rest += String(decoding: data, as: UTF8.self)
        }
    }

    func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Records a line of the daemon, and searches it for health data.
    private func record(_ line: String) {
        guard let arguments = process.arguments, arguments.first == "daemon" else { return }
        ChildMessages.record(line, of: arguments)
    }
}

@Suite("hk background and hk daemon", .timeLimit(.minutes(30)))
struct DaemonTests {
    static let app = "org.example.steps"
    let scratch = Scratch()
    /// The present, because webhooks refuse old time stamps.
    private let start = Date()

    private func instant(_ offset: Double) -> String {
        (start + offset).formatted(.iso8601)
    }

    func process(_ arguments: [String], at offset: Double? = 0) -> Process {
        let process = CommandRun.process(arguments, store: scratch.store)
        process.environment?["HEALTHKIT_NOW"] = offset.map(instant) ?? ""
        process.environment?["HEALTHKIT_AUTHORIZATION"] = "allow"
        return process
    }

    /// Runs `hk` to its end, and returns its lines.
    @discardableResult
    func hk(_ arguments: [String], at offset: Double = 0, status: Int32 = 0) throws -> [String] {
        let running = try RunningCommand(process(arguments, at: offset))
        let lines = running.lines(until: nil)
        running.process.waitUntilExit()
        #expect(running.process.terminationStatus == status, "\(arguments): \(lines)")
        return lines
    }

    func add(_ steps: Int) throws {
        #expect(
            try CommandRun(
                ["add", "stepCount", "\(steps)", "count", "--start", "2025-11-16T08:00"], store: scratch.store
            ).status == 0)
    }

    /// A store with a registration for steps, for the example program that keeps running or ends.
    func registerExample(once: Bool = true) throws {
        _ = try scratch.emptyStore()
        let program = BuiltProgram.named("BackgroundSteps").path
        try hk(
            ["background", "register", Self.app, "--type", "steps", "--command", program, scratch.folder.path]
                + (once ? ["once"] : []))
    }

    func registerShell(_ script: String) throws {
        _ = try scratch.emptyStore()
        try hk(["background", "register", Self.app, "--type", "steps", "--command", "/bin/sh", "-c", script])
    }

    /// The steps that the example program has handled.
    func handled() -> [Int] {
        let text = try? String(contentsOf: scratch.file("steps.txt"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").compactMap { Int($0) }
    }

    /// How far the example program has read, which it stores after it has handled the steps.
    private func anchor() -> Data? {
        try? Data(contentsOf: scratch.file("anchor"))
    }

    /// The programs and addresses that the commands of this process have confirmed.
    func targets(of engine: HealthEngine) throws -> ConfirmedTargets {
        ConfirmedTargets(
            folder: Scratch.state.path + "/openhealthkit/background",
            store: try engine.storage.read { try $0.identity().uuid })
    }

    func registration() throws -> [String: Any] {
        let run = try CommandRun(["background", "--json"], store: scratch.store)
        let types = try run.objects().first?["types"] as? [[String: Any]]
        return try #require(types?.first)
    }

    /// Ends the programs of killed daemons, which continue.
    private func endPrograms() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let identifier = pid_t(name), identifier != getpid(),
                let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline"),
                String(decoding: words, as: UTF8.self).contains("BackgroundSteps\0\(scratch.folder.path)")
            else { continue }
            kill(identifier, SIGKILL)
        }
    }

    // MARK: Programs

    @Test("A program is started for new data, and acknowledges it with its observer's completion handler")
    func program() throws {
        try registerExample()
        #expect(try hk(["daemon", "--once"]) == [])
        try add(5)
        #expect(
            try hk(["daemon", "--once"]) == [
                "\(Self.app): delivery started (attempt 1).", "\(Self.app): delivery acknowledged (attempt 1).",
            ])
        #expect(handled() == [5])
        #expect(try hk(["daemon", "--once"]) == [])
        try add(6)
        try add(7)
        #expect(try hk(["daemon", "--once"], at: 1).count == 2)
        #expect(handled() == [5, 6, 7])
    }

    @Test(
        "The daemon delivers as data arrives, to a program that keeps running too, and ends on SIGTERM with its programs"
    )
    func follows() throws {
        try registerExample(once: false)
        let daemon = try RunningCommand(process(["daemon", "--delay", "0.1"], at: nil))
        try add(1)
        daemon.lines(until: "delivery acknowledged")
        #expect(handled() == [1])
        for steps in 2...3 {
            let before = anchor()
            try add(steps)
            // The program may acknowledge it before the daemon looks, which then has nothing to say. It is asked to end
            // only when its anchor is written: until then it would, rightly, handle the same steps again.
            while !handled().contains(steps) || anchor() == before { _ = try registration() }
        }
        #expect(daemon.end(SIGTERM) == 0)
        #expect(handled() == [1, 2, 3])
        // The daemon has ended the program: it begins again.
        try add(4)
        #expect(try hk(["daemon", "--once"]).first == "\(Self.app): delivery started (attempt 1).")
        #expect(handled() == [1, 2, 3, 4])
    }

    @Test("A program gets the store, its identifier and the delivery in its environment, and its output isn't logged")
    func environment() throws {
        try registerShell(#"env | grep HEALTHKIT_ | sort; echo secret; exit 3"#)
        try add(1)
        let lines = try hk(["daemon", "--once"])
        #expect(lines.count == 2)
        let output = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).first { $0.hasSuffix(".log") })
        let file = scratch.file(output)
        #expect(
            lines.last
                == "\(Self.app): delivery failed (attempt 1). The program ended with status 3 without acknowledging the delivery; see \(file.path)."
        )
        #expect(try hk(["background", "attempts", Self.app]).last?.contains("  1        The program ended ") == true)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("HEALTHKIT_APPLICATION=\(Self.app)\n"))
        #expect(text.contains("HEALTHKIT_STORE=\(scratch.store.path)\n"))
        #expect(text.contains("HEALTHKIT_DELIVERY_TYPES=HKQuantityTypeIdentifierStepCount\n"))
        #expect(text.contains("HEALTHKIT_DELIVERY_ATTEMPT=1\n"))
        #expect(text.contains("HEALTHKIT_DELIVERY=\(try #require(try registration()["delivery"] as? String))\n"))
        #expect(text.hasSuffix("secret\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("A program that crashes is retried with growing delays, then suspended until it is resumed; nothing is lost")
    func crashes() throws {
        try registerShell("kill -SEGV $$")
        try add(1)
        for (offset, attempt) in [(0.0, 1), (60, 2), (1_860, 3)] {
            if offset > 0 { #expect(try hk(["daemon", "--once"], at: offset - 1) == []) }
            let lines = try hk(["daemon", "--once"], at: offset)
            #expect(lines.first == "\(Self.app): delivery started (attempt \(attempt)).")
            #expect(lines.last?.contains("by signal 11") == true)
        }
        #expect(try registration()["isSuspended"] as? Bool == true)
        #expect(try hk(["background"]).last?.contains("suspended") == true)
        try add(2)
        #expect(try hk(["daemon", "--once"], at: 1_000_000) == [])
        try registerExample()
        // The command registers the type again, which ends the suspension.
        #expect(try hk(["daemon", "--once"], at: 2_000_000).count == 2)
        #expect(handled() == [1, 2])
    }

    @Test("A program that doesn't acknowledge in time is ended")
    func hangs() throws {
        try registerShell("echo started; exec tail -f /dev/null")
        try add(1)
        let daemon = try RunningCommand(process(["daemon", "--delay", "0", "--time-limit", "0.5"], at: nil))
        let lines = daemon.lines(until: "ended by signal")
        #expect(lines.contains("\(Self.app): delivery failed (attempt 1). It wasn’t acknowledged in time."))
        #expect(lines.last == "\(Self.app): ended by signal 15.")
        #expect(daemon.end(SIGINT) == 0)
        #expect(try registration()["misses"] as? Int == 1)
    }

    @Test("The store can follow the program; after --, everything is the program's")
    func registerOptions() throws {
        let other = scratch.file("other.sqlite").path
        for (arguments, command) in [
            (["/bin/true", "one", "--store", other], ["/bin/true", "one"]),
            (["/bin/true", "-x", "--store=\(other)", "--json"], ["/bin/true", "-x"]),
            (["/bin/true", "--", "--store", "mine", "--"], ["/bin/true", "--store", "mine", "--"]),
        ] {
            let store = arguments.contains("--") ? scratch.store.path : other
            try hk(["background", "register", "a", "--command"] + arguments)
            let listed = try hk(["background", "list", "--json", "--store", store]).joined()
            let answer = try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [[String: Any]]
            #expect(answer?.first?["command"] as? [String] == command, "\(listed)")
        }
        #expect(
            try hk(["background", "register", "a", "--command", "/bin/true", "--store"], status: 64).joined()
                .contains("--store"))
    }

    @Test("A program that can't be started is a failed attempt; one that can't be found isn't registered")
    func missing() throws {
        _ = try scratch.emptyStore()
        let program = scratch.file("program")
        try Data("#!/bin/sh\n".utf8).write(to: program)
        #expect(
            try hk(["background", "register", "a", "--command", program.path], status: 64).first
                == "Error: “\(program.path)” is not a program that can be started.")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        try hk(["background", "register", "a", "--type", "steps", "--command", program.path])
        try FileManager.default.removeItem(at: program)
        try add(1)
        #expect(
            try hk(["daemon", "--once"]) == [
                "a: delivery failed (attempt 1). The program \(program.path) can’t be started: No such file or directory."
            ])
    }

    @Test("kill -9 of the daemon at any moment loses no delivery", arguments: 1...2)
    func killed(_ seed: UInt64) throws {
        print("hk daemon killed: seed \(seed)")
        var state = seed
        func random(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        try registerExample(once: seed % 2 == 0)
        for steps in 1...8 {
            let isFirst = random(2) == 0
            if isFirst { try add(steps) }
            let daemon = try RunningCommand(process(["daemon", "--delay", "0"], at: nil))
            if !isFirst { try add(steps) }
            // Immediately, when the program was started, or when it has acknowledged.
            switch random(3) {
            case 0: break
            case 1 where isFirst && steps == 1: daemon.lines(until: "started")
            default: if isFirst, steps == 1 { daemon.lines(until: "acknowledged") }
            }
            _ = daemon.end(SIGKILL)
        }
        // A program that was started by a killed daemon may still run, and is waited for.
        let last = try RunningCommand(process(["daemon", "--delay", "0", "--time-limit", "5"], at: nil))
        try add(9)
        while Set(handled()) != Set(1...9) { _ = try registration() }
        // The program of a killed daemon may have handled everything before this daemon catches signals: how a daemon
        // ends is tested by `follows()`.
        _ = last.end(SIGTERM)
        endPrograms()
        #expect(try registration()["isSuspended"] as? Bool == false)
    }

    @Test("The daemon backs up the store when a backup is due, and keeps the requested number")
    func backups() throws {
        try add(100)
        let folder = scratch.file("backups").path
        let arguments = ["daemon", "--once", "--backup", folder, "--backup-every", "1d", "--keep", "2"]
        #expect(try hk(arguments).contains { $0.hasPrefix("Backup ") })
        #expect(try hk(arguments, at: 3_600).isEmpty)
        for day in 1...3 { #expect(try hk(arguments, at: Double(day) * 86_400 + 60).count == 1) }
        #expect(try CommandRun(["backup", folder, "--list", "--json"], store: scratch.store).objects().count == 2)
        let restored = scratch.file("restored.sqlite")
        #expect(try CommandRun(["restore", folder], store: restored).status == 0)
        #expect(
            try CommandRun(["stats", "steps", "--last", "2d"], store: restored, now: instant(60)).output
                == CommandRun(["stats", "steps", "--last", "2d"], store: scratch.store, now: instant(60)).output)
        let wrong = try CommandRun(["daemon", "--backup-every", "1d"], store: scratch.store)
        #expect(wrong.status != 0 && wrong.errors.contains("--backup-every and --keep need --backup."))
        // While it runs, too.
        let daemon = try RunningCommand(process(["daemon", "--backup", scratch.file("others").path], at: nil))
        #expect(daemon.lines(until: "Backup ").last?.hasPrefix("Backup ") == true)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("A second daemon for the same store says so and ends")
    func second() throws {
        try registerExample()
        try add(1)
        let daemon = try RunningCommand(process(["daemon", "--delay", "0"], at: nil))
        daemon.lines(until: "acknowledged")
        #expect(
            try hk(["daemon", "--once"], status: 1) == [
                "Error: Another daemon delivers the changes of this store. It has locked \(scratch.store.path).daemon-lock."
            ])
        #expect(daemon.end(SIGTERM) == 0)
    }

    // MARK: Webhooks

    /// The receiver of Docs/Background.md on a port.
    func webhook(_ port: UInt16, secret: URL) throws -> RunningCommand {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(contentsOf: root.appendingPathComponent("Docs/Background.md"), encoding: .utf8)
        let code = try #require(document.firstMatch(of: /DaemonTests.swift -->\n```python\n((?s).*?)```/)?.1)
        // It says when it listens, so that nobody has to wait for a time.
        let listening =
            code.replacing("Webhook).serve_forever()", with: "Webhook)")
            .replacing("http.server.HTTPServer(", with: "server = http.server.HTTPServer(")
            + "print('listening', flush=True)\nserver.serve_forever()\n"
        #expect(listening != code)
        let script = scratch.file("webhook.py")
        try Data(listening.utf8).write(to: script)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, secret.path, "\(port)"]
        let running = try RunningCommand(process)
        #expect(running.lines(until: "listening").last == "listening")
        return running
    }

    /// A port without a listener.
    func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        try #require(bound)
        return UInt16(bigEndian: address.sin_port)
    }

    /// - Parameters:
    ///   - address: That of a database; `nil` for the store in a file.
    ///   - secret: The file of the key; by default one in a folder that doesn't exist, as on a new system.
    func registerWebhook(_ port: UInt16, address: String? = nil, secret: URL? = nil) throws -> URL {
        if address == nil { _ = try scratch.emptyStore() }
        let secret = secret ?? scratch.file("keys/key")
        try hk(
            [
                "background", "register", Self.app, "--type", "steps", "--webhook", "http://127.0.0.1:\(port)/health",
                "--secret-file", secret.path,
            ] + (address.map { ["--store", $0] } ?? []))
        let mode = try FileManager.default.attributesOfItem(atPath: secret.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        return secret
    }

    @Test("A webhook is called with a valid signature; one that is down gets the delivery when it is back")
    func webhook() throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        try add(1)
        let lines = try hk(["daemon", "--once"])
        #expect(lines.first == "\(Self.app): delivery started (attempt 1).")
        #expect(lines.last?.hasPrefix("\(Self.app): delivery failed (attempt 1). The webhook can’t be reached") == true)
        let delivery = try registration()["delivery"] as? String
        let receiver = try webhook(port, secret: secret)
        #expect(try hk(["daemon", "--once"], at: 59) == [])
        #expect(try registration()["delivery"] as? String == delivery)
        #expect(try hk(["daemon", "--once"], at: 61).last == "\(Self.app): delivery acknowledged (attempt 2).")
        #expect(receiver.lines(until: "valid").last == "valid ['HKQuantityTypeIdentifierStepCount']")
        #expect(try registration()["delivery"] == nil)
        try add(2)
        #expect(try hk(["daemon", "--once"], at: 62).last == "\(Self.app): delivery acknowledged (attempt 1).")
        _ = receiver.end(SIGKILL)
    }

    @Test(
        "A wrong signature is refused, and three refusals suspend the webhook until it is resumed, even with the clock set back"
    )
    func refused() throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        let other = scratch.file("other")
        try Data("another key of some length".utf8).write(to: other)
        var receiver = try webhook(port, secret: other)
        try add(1)
        for offset in [0.0, 61, 1_862] {
            #expect(
                try hk(["daemon", "--once"], at: offset).last?.hasSuffix("The webhook answered with status 403.")
                    == true)
            #expect(receiver.lines(until: "valid").last?.hasPrefix("invalid") == true)
        }
        _ = receiver.end(SIGKILL)
        #expect(try registration()["isSuspended"] as? Bool == true)
        receiver = try webhook(port, secret: secret)
        #expect(try hk(["daemon", "--once"], at: 10) == [])
        try hk(["background", "resume", Self.app])
        #expect(try hk(["daemon", "--once"], at: 10).last == "\(Self.app): delivery acknowledged (attempt 1).")
        #expect(receiver.lines(until: "valid").last == "valid ['HKQuantityTypeIdentifierStepCount']")
        // A time stamp that is too old is refused by the receiver, whatever the signature.
        try add(2)
        #expect(try hk(["daemon", "--once"], at: -3_600).last?.hasSuffix("status 403.") == true)
        _ = receiver.end(SIGKILL)
    }

    @Test("kill -9 of the daemon during a call repeats it with the same identifier, and doesn't count it")
    func killedDuringACall() throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        try add(1)
        // A receiver that accepts connections and never answers.
        let silent = Process()
        silent.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        silent.arguments = [
            "python3", "-c",
            "import socket, sys\ns = socket.create_server(('127.0.0.1', \(port)))\nprint('listening', flush=True)\nc = s.accept()[0]\nc.recv(1)\nprint('called', flush=True)\ns.accept()",
        ]
        let running = try RunningCommand(silent)
        running.lines(until: "listening")
        let daemon = try RunningCommand(process(["daemon"], at: nil))
        running.lines(until: "called")
        _ = daemon.end(SIGKILL)
        _ = running.end(SIGKILL)
        let delivery = try registration()["delivery"] as? String
        #expect(delivery != nil)
        let receiver = try webhook(port, secret: secret)
        let again = try hk(["daemon", "--once", "--json"], at: 1)
        #expect(again.allSatisfy { $0.contains(delivery ?? "none") && $0.contains(#""attempt":1"#) }, "\(again)")
        #expect(again.last?.contains(#""kind":"acknowledged""#) == true)
        _ = receiver.end(SIGKILL)
    }

    @Test(
        "A webhook that has answered isn't called again, although the daemon is stopped before it reads the answer")
    func answeredAtTheEnd() async throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        try add(1)
        let receiver = try webhook(port, secret: secret)
        let engine = try HealthEngine(storage: SQLiteStorage(path: scratch.store.path))
        let events = Mutex<[DeliveryEvent.Kind]>([])
        var options = DeliveryDaemon.Options(
            store: scratch.store.path, programsFile: scratch.file("programs").path, targets: try targets(of: engine)
        ) { [scratch] in scratch.file($0).path }
        options.report = { event in events.withLock { $0.append(event.kind) } }
        // What the calls say goes elsewhere, as if it came after the signal to end.
        let (signals, end) = AsyncStream.makeStream(of: DeliverySignal.self)
        let (unread, sender) = AsyncStream.makeStream(of: DeliverySignal.self)
        let webhooks = WebhookClient()
        let daemon = Task { [options] in
            var loop = DeliveryLoop(engine: engine, options: options, webhooks: webhooks, sender: sender)
            try await loop.run(signals, once: false)
        }
        for await signal in unread { if case .answered = signal { break } }
        end.yield(.stop)
        try await daemon.value
        try await webhooks.shutdown()
        try engine.close()
        let kinds = events.withLock { $0 }
        #expect(kinds == [.started, .acknowledged])
        #expect(try registration()["delivery"] == nil)
        #expect(receiver.lines(until: "valid").last == "valid ['HKQuantityTypeIdentifierStepCount']")
        _ = receiver.end(SIGKILL)
    }

    @Test("An attempt that was recorded although the store failed is made again at once, and isn't a miss")
    func recordedAttempt() async throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        try add(1)
        let receiver = try webhook(port, secret: secret)
        let storage = FaultStorage(try SQLiteStorage(path: scratch.store.path))
        let engine = try HealthEngine(storage: storage)
        storage.inject(
            Fault(at: .afterCommit, after: 0, error: StorageError(.unknownOutcome, "The connection was lost.")))
        let events = Mutex<[DeliveryEvent.Kind]>([])
        var options = DeliveryDaemon.Options(
            store: scratch.store.path, programsFile: scratch.file("programs").path, targets: try targets(of: engine)
        ) { [scratch] in scratch.file($0).path }
        options.report = { event in events.withLock { $0.append(event.kind) } }
        let (signals, sender) = AsyncStream.makeStream(of: DeliverySignal.self)
        let (unread, answers) = AsyncStream.makeStream(of: DeliverySignal.self)
        let webhooks = WebhookClient()
        let daemon = Task { [options] in
            var loop = DeliveryLoop(engine: engine, options: options, webhooks: webhooks, sender: answers)
            try await loop.run(signals, once: false)
        }
        // Something else than time lets the daemon look again.
        sender.yield(.gone("org.example.other"))
        for await signal in unread { if case .answered = signal { break } }
        sender.yield(.stop)
        try await daemon.value
        try await webhooks.shutdown()
        try engine.close()
        #expect(events.withLock { $0 } == [.storeFailed, .started, .acknowledged])
        #expect(receiver.lines(until: "valid").last == "valid ['HKQuantityTypeIdentifierStepCount']")
        _ = receiver.end(SIGKILL)
    }

    @Test("A redirect is a failure and isn't followed")
    func redirect() throws {
        let port = try freePort()
        _ = try registerWebhook(port)
        try add(1)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            import http.server
            class Redirect(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    print(self.path, flush=True)
                    self.send_response(307), self.send_header("Location", "/other"), self.end_headers()
            server = http.server.HTTPServer(("127.0.0.1", \(port)), Redirect)
            print("listening", flush=True)
            server.serve_forever()
            """,
        ]
        let receiver = try RunningCommand(process)
        receiver.lines(until: "listening")
        #expect(try hk(["daemon", "--once"]).last?.hasSuffix("The webhook answered with status 307.") == true)
        _ = receiver.end(SIGKILL)
        #expect(!receiver.lines(until: nil).contains("/other"))
    }

    @Test(
        "Over PostgreSQL, the daemon is notified of another process's save, also after the database was restarted or has crashed"
    )
    func database() throws {
        // A separate server, because it is stopped.
        let server = try PostgreSQLServer()
        let address = server.url("person=anna")
        // Creates the tables and the person's store.
        try hk(["add", "bodyMass", "72", "kg", "--store", address])
        let port = try freePort()
        let secret = try registerWebhook(port, address: address)
        let receiver = try webhook(port, secret: secret)
        let daemon = try RunningCommand(process(["daemon", "--delay", "0.1", "--store", address], at: nil))
        func deliver(_ steps: Int) throws {
            let run = try CommandRun(
                ["add", "stepCount", "\(steps)", "count", "--start", "2025-11-16T08:00", "--store", address],
                store: scratch.store)
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                daemon.lines(until: "delivery acknowledged").last == "\(Self.app): delivery acknowledged (attempt 1).")
            #expect(receiver.lines(until: "valid").last == "valid ['HKQuantityTypeIdentifierStepCount']")
        }
        try deliver(1)
        try server.stop()
        try server.start()
        try deliver(2)
        try server.kill()
        try server.start()
        try deliver(3)
        #expect(daemon.end(SIGTERM) == 0)
        _ = receiver.end(SIGKILL)
    }

    @Test("A key that others can read isn't used")
    func openKey() throws {
        let secret = try registerWebhook(9)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret.path)
        try add(1)
        #expect(
            try hk(["daemon", "--once"]).last
                == "\(Self.app): delivery failed (attempt 1). The file \(secret.path) with the webhook’s key must be readable by its owner only: use “chmod 600”."
        )
    }

    // MARK: hk background

    @Test("hk background lists, suspends, resumes and forgets")
    func listing() throws {
        try registerExample()
        #expect(try hk(["background"]).count == 2)
        #expect(
            try hk(["background"]).last?.hasPrefix("org.example.steps  stepCount  immediate  waiting for changes  /")
                == true)
        try hk(["background", "register", Self.app, "--type", "heartRate,sleep", "--frequency", "daily"])
        try hk(["background", "suspend", Self.app, "--type", "sleep"])
        let rows = try hk(["background", "list"])
        #expect(rows.count == 4)
        #expect(rows.contains { $0.contains("sleepAnalysis  daily      suspended") })
        let answer = try CommandRun(["background", "list", "--json"], store: scratch.store).objects()
        #expect(answer.count == 1)
        #expect((answer[0]["command"] as? [String])?.last == "once")
        let types = try #require(answer[0]["types"] as? [[String: Any]])
        #expect(types.map { $0["frequency"] as? String } == ["daily", "daily", "immediate"])
        #expect(types.map { $0["isSuspended"] as? Bool } == [true, false, false])
        try hk(["background", "resume", Self.app])
        try hk(["background", "unregister", Self.app, "--type", "heartRate"])
        #expect(try hk(["background"]).count == 3)
        try hk(["background", "unregister", Self.app])
        #expect(try hk(["background"]) == ["No application is registered. Register one with “hk background register”."])
        #expect(try CommandRun(["background", "--json"], store: scratch.store).output == "[]\n")
    }

    @Test(
        "Mistakes are reported",
        arguments: [
            (["register", "a"], "Give --command, --webhook or --type."),
            (
                ["register", "a", "--type", "steps", "--secret-file", "/nowhere/key"],
                "--secret-file, --samples and --allow-private are for --webhook."
            ),
            (["register", "a", "--webhook", "http://example.org/x", "--secret-file", "/nowhere/key"], "needs https"),
            (
                ["register", "a", "--webhook", "ftp://example.org", "--secret-file", "/nowhere/key"],
                "is not the URL of a webhook"
            ),
            (
                ["register", "a", "--webhook", "http://localhost:99999/x", "--secret-file", "/nowhere/key"],
                "a port that doesn’t exist"
            ),
            (
                ["register", "a", "--webhook", "https://example.org:0", "--secret-file", "/nowhere/key"],
                "a port that doesn’t exist"
            ),
            (
                ["register", "a", "--webhook", "http://localhost/ x", "--secret-file", "/nowhere/key"],
                "characters that a URL can’t have"
            ),
            (
                ["register", "a", "--webhook", "https://example.org/%zz", "--secret-file", "/nowhere/key"],
                "characters that a URL can’t have"
            ),
            (["register", "a", "--type", "dateOfBirth"], "“dateOfBirth” can’t be delivered in the background."),
            (["register", "a", "--type", "food"], "“food” can’t be delivered in the background."),
            (["register", "a", "--type", "steps", "--frequency", "often"], "often"),
            (["register", "a", "--command", "no-such"], "“no-such” is not a program that can be started."),
            (["resume", "b"], "Application “b” isn’t registered."),
            (["attempts", "b"], "Application “b” isn’t registered."),
            (["test", "b"], "“b” has no webhook. List what is registered with “hk background”."),
        ])
    func mistakes(_ arguments: [String], _ words: String) throws {
        _ = try scratch.emptyStore()
        let run = try CommandRun(["background"] + arguments, store: scratch.store)
        #expect(run.status != 0)
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}
