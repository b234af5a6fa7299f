import Foundation
import HealthAccess
import HealthEngine
import HealthKit
import HealthServer
import HealthStorageSQLite
import HealthTesting
import Synchronization
import Testing

/// `KILLS=500` kills more often than the default of 100, `SEED=…` repeats a run.
@Suite("A sync between processes that are killed", .serialized)
struct SyncKillTests {
    @Test("A phone and a server, killed at random: in the end both stores are equal, and nothing came twice")
    func kills() async throws {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["KILLS"].flatMap { Int($0) } ?? 100
        let seed = environment["SEED"].flatMap { UInt64($0) } ?? 20_261_122
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryServerFolder()
        let (phonePath, serverPath) = (folder.path + "/phone.sqlite", folder.path + "/server.sqlite")
        try HealthEngine(storage: SQLiteStorage(path: serverPath)).close()
        func connection(_ application: String) -> HKHealthStore {
            HKHealthStore(
                configuration: HKHealthStore.Configuration(
                    location: .file(URL(fileURLWithPath: phonePath)),
                    application: .init(bundleIdentifier: application, name: application, version: "2.1"),
                    authorization: .allowAll))
        }
        let life = PhoneLife(store: connection("org.example.phone"), seed: seed, connection: connection)
        for _ in 0..<3 { try await life.fullDay() }
        for _ in 0..<40 { try await life.step() }

        let token = try TokenIssuer(location: .store(serverPath))
            .issue(TokenIssuer.Request(name: "phone", scope: .sync, people: ["me"])).secret
        let proxy = try KillingProxy()
        defer { proxy.stop() }
        let server = ServedStore(path: serverPath)
        defer { server.process?.killNow() }
        func startPhone() throws -> CommandProcess {
            try CommandProcess(
                [
                    "sync", "http://127.0.0.1:\(proxy.port)", "--store", phonePath, "--page-size", "25", "--attempts",
                    "4",
                ],
                environment: ["HK_SYNC_TOKEN": token])
        }

        var killed = (server: 0, phone: 0)
        var rounds = 0
        while killed.server + killed.phone < kills {
            rounds += 1
            try #require(rounds < 40 * kills + 100, "seed \(seed)")
            for _ in 0..<Int.random(in: 1...4, using: &random) { try await life.step() }
            proxy.setUpstream(try server.start())
            let phone = try startPhone()
            let victims = Int.random(in: 0..<5, using: &random)
            let (hitsServer, hitsPhone) = (victims != 0 && victims != 1, victims != 2 && victims != 3)
            let serverProcess = server.process
            let fired = Mutex(false)
            // Most passes are small. Some kills come right at the end of a message.
            let bytes = Int.random(in: 1...(Bool.random(using: &random) ? 3_000 : 60_000), using: &random)
            await withCheckedContinuation { continuation in
                let once = Once(continuation)
                proxy.arm(after: bytes) {
                    fired.withLock { $0 = true }
                    if hitsServer { serverProcess?.killNow() }
                    if hitsPhone { phone.killNow() }
                    once.resume()
                }
                Task {
                    _ = await phone.status()
                    once.resume()
                }
            }
            proxy.disarm()
            guard fired.withLock({ $0 }) else { continue }
            if hitsServer { killed.server += 1 }
            if hitsPhone { killed.phone += 1 } else { phone.killNow() }
            if hitsServer { _ = await serverProcess?.status() }
        }

        proxy.setUpstream(try server.start())
        for _ in 0..<2 {
            let phone = try startPhone()
            let status = await phone.status()
            let printed = phone.printed()
            #expect(status == 0, "\(printed.errors), seed \(seed)")
            #expect(printed.errors.isEmpty, "seed \(seed)")
        }
        let last = try startPhone()
        _ = await last.status()
        let nothing = "Nothing has changed since the server’s last acknowledgement.\n"
        #expect(last.printed().output == nothing, "seed \(seed)")

        let (one, other) = (try await StoreImage(path: phonePath), try await StoreImage(path: serverPath))
        print(
            "Killed the server \(killed.server) and the phone \(killed.phone) times in \(rounds) rounds, seed \(seed): "
                + "\(one.objects.count) objects.")
        #expect(one.objects.count > 100)
        #expect(one.differences(from: other) == [], "seed \(seed)")
        #expect(other.duplicates.isEmpty && one.objects.count == other.objects.count, "seed \(seed)")
        #expect(killed.server > 0 && killed.phone > 0)
    }

    /// Resumes a continuation once.
    private final class Once: Sendable {
        private let continuation: Mutex<CheckedContinuation<Void, Never>?>

        init(_ continuation: CheckedContinuation<Void, Never>) {
            self.continuation = Mutex(continuation)
        }

        func resume() {
            let found = continuation.withLock { kept in
                defer { kept = nil }
                return kept
            }
            found?.resume()
        }
    }
}
