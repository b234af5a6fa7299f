import Foundation
import HealthStorageFiles
import HealthStorageSQLite
import ProcessTestSupport
import Testing

/// The short form of `make torture`; Docs/Reliability.md has the results of the long one.
@Suite("A store whose writer is killed") struct TortureTests {
    private struct Run {
        let output: String
        let errors: String
        let status: Int32

        /// Runs the program beside the test bundle.
        init(_ words: [String], environment: [String: String] = [:]) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("torture-\(UUID().uuidString)")
                .path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let process = Process()
            process.executableURL = BuiltProgram.named("torture")
            process.arguments = words + [folder]
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            (output, errors, status) = try await process.finished()
        }
    }

    @Test("Kills and power failures lose nothing that was acknowledged, and leave no operation partially stored")
    func kills() async throws {
        let run = try await Run(["kills", "15", "20251116"])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let line =
            /^15 kills, 5 of them with a power failure: (\d+) operations acknowledged, 0 lost, 0 partial, 0 changes missed, 0 repeated, 0 other problems; seed 20251116\.\n$/
        let found = try #require(try line.wholeMatch(in: run.output), "\(run.output)")
        #expect(Int(found.1) ?? 0 > 50)
    }

    @Test("The same over an encrypted store")
    func encryptedKills() async throws {
        let key = FileManager.default.temporaryDirectory.appendingPathComponent("torture-\(UUID().uuidString).key")
        defer { try? FileManager.default.removeItem(at: key) }
        try StoreKey.makeFile(at: key.path)
        let run = try await Run(["kills", "15", "12"], environment: ["HEALTHKIT_KEY_FILE": key.path])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(
            run.output.contains(
                /^15 kills, 5 of them with a power failure: \d+ operations acknowledged, 0 lost, 0 partial, 0 changes missed, 0 repeated, 0 other problems; seed 12\.\n$/
            ))
    }

    @Test("A disk that doesn’t sync is found out, so the checks see what they are made for")
    func lyingDisk() async throws {
        let run = try await Run(["kills", "9", "1"], environment: ["TORTURE_DISK_LIES": "1"])
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        // Every kill comes with a power failure, after which a disk that syncs would have lost nothing.
        let line = /9 kills, 9 of them with a power failure: [1-9]\d* operations acknowledged, [1-9]\d* lost/
        #expect(run.output.contains(line), "\(run.output)")
    }

    @Test(
        "A disk that is full, broken, read-only or forbidden at any system call ends in a typed error, and nothing is lost"
    )
    func failingDisk() async throws {
        let run = try await Run(["disk", "29", "3"])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(
            run.output.contains(
                /^\d+ runs on a disk that fails: \d+ operations acknowledged, 0 lost, 0 partial, 0 changes missed, 0 repeated, 0 other problems; seed 3\.\n$/
            ))
    }
}
