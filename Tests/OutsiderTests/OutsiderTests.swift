import Foundation
import Testing

/// A package in another folder that depends on this one without its trait, as an application that tests its HealthKit code does.
@Suite("A package that depends on this one", .serialized)
final class OutsiderTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("outsider-\(UUID().uuidString)")
    private let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init() throws {
        try FileManager.default.copyItem(
            at: checkout.appendingPathComponent("Tests/OutsiderTests/Package"), to: folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("It resolves at most 4 packages and writes at most 300 MB; sync works; what needs the trait says so")
    func builds() throws {
        try expectSuccess(run("package", "resolve"))
        let packages = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.build/checkouts").sorted()
        #expect((2...4).contains(packages.count), "\(packages)")

        let build = try run("build", "--build-tests")
        try expectSuccess(build)
        let megabytes = try size(of: folder) / 1_000_000
        print("An outsider's package: \(packages), \(megabytes) MB, built for debugging in \(build.time)")
        #expect(megabytes <= 300)
        let test = try run("test", "--skip-build")
        try expectSuccess(test)
        #expect(test.output.contains("1 test"), "\(test.output.suffix(500))")

        let server = try WebServer(in: folder)
        let sync = try run("test", "--filter", "SyncTests", uses: "HealthSync", server: server.address)
        try expectSuccess(sync)
        #expect(sync.output.contains("1 test"), "\(sync.output.suffix(500))")

        let serving = try run("build", "--target", "Serving", uses: "HealthServer")
        #expect(serving.status != 0)
        #expect(serving.output.contains("error: This product of OpenHealthKit needs the trait “Server”"))
    }

    /// A finished run of `swift`.
    private struct Run {
        var status: Int32
        var output: String
        /// Seconds in all, and of the processor.
        var time: String
    }

    private func run(_ arguments: String..., uses: String = "", server: String = "") throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", #"time "${SWIFT:-swift}" "$@" 2>&1"#, "swift"] + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging([
            "OPENHEALTHKIT": checkout.path, "USES": uses, "SERVER": server, "LC_ALL": "C",
            "TIMEFORMAT": "%0R s (%0U s of the processor)",
        ]) { $1 }
        let (out, time) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = time
        try process.run()
        let output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let seconds = String(decoding: time.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, output: output,
            time: seconds.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func expectSuccess(_ run: Run, at location: SourceLocation = #_sourceLocation) throws {
        try #require(run.status == 0, "\(run.output.suffix(4_000))", sourceLocation: location)
    }

    /// The bytes of all files in a folder.
    private func size(of folder: URL) throws -> Int {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return try (files?.compactMap { $0 as? URL } ?? []).reduce(0) { sum, file in
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return sum }
            return sum + (attributes[.size] as? Int ?? 0)
        }
    }
}

/// Python's server of a folder's files.
private final class WebServer {
    private let process = Process()
    let address: String

    init(in folder: URL) throws {
        let out = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
        process.currentDirectoryURL = folder
        process.standardOutput = out
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = ""
        while !line.contains("/)") {
            let bytes = out.fileHandleForReading.availableData
            guard !bytes.isEmpty else { break }
            line += String(decoding: bytes, as: UTF8.self)
        }
        address = try #require(line.firstMatch(of: /http:\/\/[\d.:]+/), "\(line)").output.description
    }

    deinit { process.terminate() }
}
