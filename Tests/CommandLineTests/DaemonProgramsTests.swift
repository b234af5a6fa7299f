import Foundation
import ProcessTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Programs that end other than expected, and daemons that must notice.
extension DaemonTests {
    private func isRunning(_ process: pid_t) -> Bool {
        let state = FileManager.default.contents(atPath: "/proc/\(process)/stat").map {
            String(decoding: $0, as: UTF8.self)
        }
        // The process that adopts an ended one may never wait for it.
        return state.map { !$0.contains(") Z ") } ?? false
    }

    private func waitForEnd(of process: pid_t) throws {
        while isRunning(process) { _ = try registration() }
    }

    /// The numbers that a program has written to a file, when there are this many.
    private func processes(_ name: String, count: Int = 1) throws -> [pid_t] {
        while true {
            let text = (try? String(contentsOf: scratch.file(name), encoding: .utf8)) ?? ""
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if lines.count >= count { return lines.compactMap { pid_t($0) } }
            _ = try CommandRun(["background"], store: scratch.store)
        }
    }

    /// Starts a process that stays, and waits until it has written its number.
    private func child(_ preparation: String = "") -> String {
        let file = scratch.file("child").path
        return
            "rm -f \(file); sh -c '\(preparation) echo $$ >> \(file); exec tail -f /dev/null' & while [ ! -s \(file) ]; do :; done; "
    }

    // MARK: What programs leave behind

    @Test(
        "Processes that a failed program has left behind are ended before the next attempt",
        arguments: ["", "trap \"\" TERM;"])
    func leftBehind(_ preparation: String) throws {
        try registerShell(child(preparation) + "exit 3")
        try add(1)
        for (offset, attempt) in [(0.0, 1), (60, 2)] {
            let lines = try hk(["daemon", "--once"], at: offset)
            #expect(lines.first == "\(Self.app): delivery started (attempt \(attempt)).")
            #expect(lines.last?.contains("(attempt \(attempt)). The program ended with status 3") == true)
            for process in try processes("child") { #expect(!isRunning(process)) }
        }
    }

    @Test("When its time is over, a program is ended with all that it has started")
    func groupEnds() throws {
        try registerShell(child("trap \"\" TERM;") + "wait")
        try add(1)
        let daemon = try RunningCommand(process(["daemon", "--delay", "0", "--time-limit", "1"], at: nil))
        let lines = daemon.lines(until: "ended by signal")
        #expect(lines.contains("\(Self.app): delivery failed (attempt 1). It wasn’t acknowledged in time."))
        for process in try processes("child") { try waitForEnd(of: process) }
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("A program that has acknowledged may leave a helper behind, and is started again")
    func helper() throws {
        let program = BuiltProgram.named("BackgroundSteps").path
        let helper = "tail -f /dev/null & echo $! >> \(scratch.file("child").path)"
        try registerShell("\(program) \(scratch.folder.path) once; \(helper); exit 0")
        let daemon = try RunningCommand(process(["daemon", "--delay", "0.1"], at: nil))
        for steps in 1...2 {
            try add(steps)
            #expect(daemon.lines(until: "ended with").last == "\(Self.app): ended with status 0.")
        }
        #expect(handled() == [1, 2])
        #expect(daemon.end(SIGTERM) == 0)
        for process in try processes("child", count: 2) {
            #expect(isRunning(process))
            kill(process, SIGKILL)
        }
    }

    @Test("Of what a program prints, the last mebibyte is kept")
    func longOutput() throws {
        try registerShell("head -c 3000000 /dev/zero; echo end; exit 3")
        try add(1)
        try hk(["daemon", "--once"])
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).first { $0.hasSuffix(".log") })
        let output = try Data(contentsOf: scratch.file(name))
        #expect(output.count == 1 << 20)
        #expect(output.suffix(4) == Data("end\n".utf8))
    }

    // MARK: Programs of which no delivery knows

    @Test("The program of a killed daemon has its time limit, and is ended by the next daemon")
    func outlivesDaemon() throws {
        try registerShell("echo $$ > \(scratch.file("child").path); exec tail -f /dev/null")
        try add(1)
        let killed = try RunningCommand(process(["daemon", "--delay", "0", "--time-limit", "5"], at: nil))
        killed.lines(until: "started")
        _ = killed.end(SIGKILL)
        let program = try #require(try processes("child").first)
        let next = try RunningCommand(process(["daemon"], at: nil))
        #expect(
            next.lines(until: ": ended") == [
                "\(Self.app): delivery failed (attempt 1). It wasn’t acknowledged in time.", "\(Self.app): ended.",
            ])
        #expect(!isRunning(program))
        #expect(next.end(SIGTERM) == 0)
        #expect(try registration()["misses"] as? Int == 1)
    }

    @Test("Processes that the program of a killed daemon has left behind are ended before the next attempt")
    func leftBehindByKilledDaemon() throws {
        // It ends when its daemon has, and fails at once when it is started again.
        let flag = scratch.file("flag").path
        try registerShell(
            "[ -e \(flag) ] && exit 3; touch \(flag); \(child())echo $$ > \(scratch.file("leader").path); "
                + "while kill -0 $PPID 2> /dev/null; do :; done")
        try add(1)
        let killed = try RunningCommand(process(["daemon", "--delay", "0"], at: nil))
        killed.lines(until: "started")
        let leader = try #require(try processes("leader").first)
        _ = killed.end(SIGKILL)
        try waitForEnd(of: leader)
        let child = try #require(try processes("child").first)
        #expect(isRunning(child))
        let lines = try hk(["daemon", "--once"])
        #expect(lines.first == "\(Self.app): delivery started (attempt 1).")
        #expect(lines.last?.contains("The program ended with status 3") == true)
        #expect(!isRunning(child))
    }

    @Test(
        "A program whose types are suspended or unregistered has its time limit, and nothing counts as acknowledged",
        arguments: ["suspend", "unregister"])
    func withdrawn(_ command: String) throws {
        try registerShell("exec tail -f /dev/null")
        try add(1)
        let daemon = try RunningCommand(process(["daemon", "--delay", "0", "--time-limit", "10"], at: nil))
        daemon.lines(until: "started")
        try hk(["background", command, Self.app])
        #expect(
            daemon.lines(until: ": ended") == [
                "\(Self.app): delivery withdrawn (attempt 1): it was suspended or unregistered.",
                "\(Self.app): ended by signal 15.",
            ])
        #expect(daemon.end(SIGTERM) == 0)
    }

    // MARK: The store and options

    @Test("A daemon whose store is replaced or removed says so and ends", arguments: [false, true])
    func replaced(_ isRemoved: Bool) throws {
        try registerExample()
        try add(1)
        let daemon = try RunningCommand(process(["daemon", "--delay", "0"], at: nil))
        daemon.lines(until: "acknowledged")
        if isRemoved {
            try FileManager.default.removeItem(at: scratch.store)
        } else {
            let copy = scratch.file("copy.sqlite")
            try FileManager.default.copyItem(at: scratch.store, to: copy)
            #expect(rename(copy.path, scratch.store.path) == 0)
        }
        #expect(
            daemon.lines(until: nil).last
                == "Error: The store at \(scratch.store.path) was replaced or removed while the daemon ran.")
        daemon.process.waitUntilExit()
        #expect(daemon.process.terminationStatus == 1)
    }

    @Test("A failed backup with --once is an exit status of 1, after the deliveries")
    func failedBackup() throws {
        try registerExample()
        try add(1)
        let file = scratch.file("file")
        try Data().write(to: file)
        let lines = try hk(["daemon", "--once", "--backup", file.path + "/backups"], status: 1)
        #expect(lines.first?.hasPrefix("The backup failed: ") == true)
        #expect(lines.last == "\(Self.app): delivery acknowledged (attempt 1).")
    }

    @Test(
        "Times that can’t be waited for are refused",
        arguments: [
            (
                ["--webhook-time-limit", "1e18"],
                "--webhook-time-limit must be greater than 0 and at most 86400 seconds, a day."
            ),
            (["--webhook-time-limit", "inf"], "--webhook-time-limit must be greater than 0"),
            (["--time-limit", "nan"], "--time-limit must be greater than 0"),
            (["--time-limit", "0"], "--time-limit must be greater than 0"),
            (["--delay", "inf"], "--delay must be 0 or more and at most 86400 seconds, a day."),
            (["--delay", "1e30"], "--delay must be 0 or more"),
            (["--delay=-1"], "--delay must be 0 or more"),
            (["--backup", "x", "--keep", "0"], "--keep must be at least 1."),
            (["--backup", "x", "--backup-every", "99999999999999999999d"], "isn’t an interval"),
        ])
    func wrongNumbers(_ arguments: [String], _ words: String) throws {
        _ = try scratch.emptyStore()
        let run = try CommandRun(["daemon", "--once"] + arguments, store: scratch.store)
        #expect(run.status == 64)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    // MARK: Webhooks

    @Test("With --once, all deliveries of an application that are due are made")
    func everythingDue() throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        try hk(["background", "register", Self.app, "--type", "bodyMass"])
        try add(1)
        #expect(try hk(["daemon", "--once"]).last?.contains("can’t be reached") == true)
        #expect(try CommandRun(["add", "bodyMass", "72", "kg"], store: scratch.store).status == 0)
        #expect(try hk(["daemon", "--once"], at: 1).last?.contains("can’t be reached") == true)
        let receiver = try webhook(port, secret: secret)
        let lines = try hk(["daemon", "--once"], at: 100)
        #expect(lines.filter { $0 == "\(Self.app): delivery acknowledged (attempt 2)." }.count == 2, "\(lines)")
        #expect(try hk(["daemon", "--once"], at: 100) == [])
        _ = receiver.end(SIGKILL)
    }

    /// A receiver in Python that says when it listens.
    private func receiver(_ code: String) throws -> RunningCommand {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", code]
        let running = try RunningCommand(process)
        running.lines(until: "listening")
        return running
    }

    @Test("Webhooks on the same host are called at the same time, however many there are")
    func manyWebhooks() throws {
        let port = try freePort()
        _ = try registerWebhook(port)
        let count = 20
        for number in 2...count {
            try hk([
                "background", "register", "\(Self.app)\(number)", "--type", "steps", "--webhook",
                "http://127.0.0.1:\(port)/health",
                "--secret-file", scratch.file("key").path,
            ])
        }
        try add(1)
        // No call is answered before all have come.
        let receiver = try receiver(
            """
            import http.server, threading
            everyone = threading.Barrier(\(count))
            class Webhook(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    everyone.wait()
                    self.send_response(204), self.end_headers()
            class Server(http.server.ThreadingHTTPServer):
                request_queue_size = 100
            server = Server(("127.0.0.1", \(port)), Webhook)
            print("listening", flush=True)
            server.serve_forever()
            """)
        let lines = try hk(["daemon", "--once", "--webhook-time-limit", "120"])
        #expect(lines.filter { $0.hasSuffix("delivery acknowledged (attempt 1).") }.count == count, "\(lines)")
        _ = receiver.end(SIGKILL)
    }

    @Test("An answer that isn’t HTTP is a failure that says so")
    func notHTTP() throws {
        let port = try freePort()
        _ = try registerWebhook(port)
        try add(1)
        let receiver = try receiver(
            """
            import socket
            server = socket.create_server(("127.0.0.1", \(port)))
            print("listening", flush=True)
            while True:
                connection = server.accept()[0]
                connection.recv(65536), connection.sendall(b"garbage\\r\\n\\r\\n")
            """)
        #expect(
            try hk(["daemon", "--once"]).last
                == "\(Self.app): delivery failed (attempt 1). The webhook’s answer isn’t HTTP.")
        _ = receiver.end(SIGKILL)
    }

    @Test("The key is the file without white space at both ends, and isn’t cut")
    func keys() throws {
        let port = try freePort()
        let secret = scratch.file("key")
        try Data(" \tsome key with spaces in it \u{0B}\r\n".utf8).write(to: secret)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path)
        _ = try registerWebhook(port, secret: secret)
        let receiver = try webhook(port, secret: secret)
        try add(1)
        #expect(try hk(["daemon", "--once"]).last == "\(Self.app): delivery acknowledged (attempt 1).")
        #expect(receiver.lines(until: "valid").last?.hasPrefix("valid") == true)
        _ = receiver.end(SIGKILL)
        let spaces = String(repeating: " ", count: 90)
        for (text, words) in [
            (String(repeating: "k", count: 4_097), "4096 bytes at most"),
            ("fifteen letters" + spaces, "16 bytes at least"),
        ] {
            try Data(text.utf8).write(to: secret)
            let run = try CommandRun(
                ["background", "register", "b", "--webhook", "https://example.org/", "--secret-file", secret.path],
                store: scratch.store)
            #expect(run.status != 0 && run.errors.contains(words), "\(run.errors)")
        }
    }

    // MARK: hk background

    @Test("A type that was delivered says from when on it is delivered again")
    func notBefore() throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        try hk(["background", "register", Self.app, "--type", "steps", "--frequency", "hourly"])
        let receiver = try webhook(port, secret: secret)
        try add(1)
        try hk(["daemon", "--once"])
        #expect(try hk(["background"], at: 60).last?.contains("  hourly   not before ") == true)
        #expect(try hk(["background"], at: 3_601).last?.contains("  hourly   waiting for changes  ") == true)
        _ = receiver.end(SIGKILL)
    }

    @Test("With --json, changes of registrations print them")
    func changesAsJSON() throws {
        try registerExample()
        func types(_ arguments: [String]) throws -> [[String: Any]]? {
            let run = try CommandRun(["background"] + arguments + ["--json"], store: scratch.store)
            #expect(run.status == 0, "\(run.errors)")
            return try run.objects().first?["types"] as? [[String: Any]]
        }
        #expect(try types(["register", Self.app, "--type", "sleep"])?.count == 2)
        #expect(try types(["suspend", Self.app])?.map { $0["isSuspended"] as? Bool } == [true, true])
        #expect(try types(["resume", Self.app])?.map { $0["isSuspended"] as? Bool } == [false, false])
        #expect(try types(["unregister", Self.app, "--type", "sleep"])?.count == 1)
        #expect(
            try CommandRun(["background", "unregister", Self.app, "--json"], store: scratch.store).output == "[]\n")
    }
}
