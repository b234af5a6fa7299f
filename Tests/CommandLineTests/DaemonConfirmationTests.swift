import Foundation
import HealthDaemon
import HealthEngine
import HealthStorageSQLite
import ProcessTestSupport
import Testing

/// The programs that a store may start on the machine that it was copied to, and the variables they are given.
extension DaemonTests {
    /// As another machine or user runs a command: with nothing of what was confirmed here.
    private func elsewhere(_ arguments: [String], at offset: Double = 0) throws -> [String] {
        let process = self.process(arguments, at: offset)
        process.environment?["XDG_STATE_HOME"] = scratch.file("elsewhere").path
        let running = try RunningCommand(process)
        let lines = running.lines(until: nil)
        running.process.waitUntilExit()
        #expect(running.process.terminationStatus == 0, "\(lines)")
        return lines
    }

    @Test("Programs that a copied or restored store names are started only after they were confirmed")
    func confirmation() throws {
        try registerExample()
        try add(5)
        let app = Self.app
        let sentence =
            "\(app): nothing is delivered, because it was registered elsewhere. Look at it with “hk background”, and confirm it with “hk background confirm \(app)”."
        #expect(try elsewhere(["daemon", "--once"]) == [sentence])
        #expect(handled() == [])
        #expect(try elsewhere(["background"]).last?.hasSuffix(" (not confirmed)") == true)
        // A backup has it, too, and is the same store wherever it is restored.
        let backups = scratch.file("backups").path
        _ = try elsewhere(["backup", backups])
        let restored = try elsewhere(["restore", backups, "--replace"])
        #expect(
            restored.last
                == "What \(app) registered elsewhere is not started here. Look at it with “hk background”, and confirm it with “hk background confirm \(app)”."
        )
        #expect(try elsewhere(["daemon", "--once"]) == [sentence])
        // A daemon that runs notices the confirmation.
        let process = self.process(["daemon", "--delay", "0"], at: nil)
        process.environment?["XDG_STATE_HOME"] = scratch.file("elsewhere").path
        let daemon = try RunningCommand(process)
        daemon.lines(until: sentence)
        let program = BuiltProgram.named("BackgroundSteps").path
        #expect(
            try elsewhere(["background", "confirm", app])
                == ["Confirmed. \(app) is reached by \(program) \(scratch.folder.path) once."])
        daemon.lines(until: "acknowledged")
        #expect(daemon.end(SIGTERM) == 0 && handled() == [5])
        // What is confirmed here isn't spoken of.
        let again = try elsewhere(["restore", backups, "--store", scratch.file("again.sqlite").path])
        #expect(again.allSatisfy { !$0.contains("is not started here") })
        // Where it was registered, it is the same; other words aren't.
        #expect(try hk(["background"]).last?.contains("not confirmed") == false)
        try hk(["background", "register", app, "--command", "/bin/sh", "-c", "exit 7"])
        try add(6)
        #expect(try elsewhere(["daemon", "--once"], at: 100) == [sentence])
        #expect(try hk(["background", "confirm", "b"], status: 64).count == 1)
    }

    @Test("Webhooks that a copied store names are called only after they were confirmed")
    func webhookConfirmation() throws {
        _ = try registerWebhook(try freePort())
        try add(1)
        #expect(try elsewhere(["daemon", "--once"]).allSatisfy { $0.contains("nothing is delivered") })
        #expect(try registration()["misses"] as? Int == 0)
    }

    @Test("A webhook isn't called after the time for which it was confirmed")
    func webhookEnd() throws {
        let port = try freePort()
        let secret = try registerWebhook(port)
        try add(1)
        let engine = try HealthEngine(storage: SQLiteStorage(path: scratch.store.path))
        let target = try #require(try engine.backgroundDelivery.application(Self.app)?.target)
        let end = Date().timeIntervalSinceReferenceDate + 1_000
        try targets(of: engine).confirm(target, of: Self.app, until: end)
        try engine.close()
        let receiver = try webhook(port, secret: secret)
        #expect(try hk(["daemon", "--once"], at: 2_000) == [])
        #expect(try hk(["daemon", "--once"], at: 60).last == "\(Self.app): delivery acknowledged (attempt 1).")
        _ = receiver.end(SIGKILL)
    }

    @Test(
        "Programs don't inherit the key of an encrypted store",
        arguments: ["HEALTHKIT_PASSPHRASE", "HEALTHKIT_KEY_FILE"])
    func keyStaysWithTheDaemon(variable: String) throws {
        try registerShell("env | grep -e KEY_FILE -e PASSPHRASE -e horse; exit 3")
        try add(1)
        let file = scratch.file("key").path
        try hk(["key", "make", file])
        let value = variable.hasSuffix("FILE") ? file : "a horse and a battery"
        func run(_ arguments: [String]) throws -> [String] {
            let process = self.process(arguments)
            process.environment?[variable] = value
            return try RunningCommand(process).lines(until: nil)
        }
        #expect(try run(["key", "add"]).count == 1)
        #expect(try run(["daemon", "--once"]).last?.contains("ended with status 3") == true)
        let output = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).first { $0.hasSuffix(".log") })
        #expect(try String(contentsOf: scratch.file(output), encoding: .utf8) == "")
    }
}
