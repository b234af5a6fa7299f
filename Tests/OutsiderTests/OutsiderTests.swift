import Foundation
import ProcessTestSupport
import Testing

/// The template of an app, copied to another folder as an outsider does, and dependent on a clone of this package without the trait Server.
@Suite("A package that depends on this one", .serialized)
final class OutsiderTests {
    // As short as a folder of an application usually is: files of a build contain its path many thousand times.
    private let root = FileManager.default.temporaryDirectory
        .appendingPathComponent("outsider-\(UUID().uuidString.prefix(8))")
    private let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private var folder: URL { root.appendingPathComponent("App") }
    private var clone: URL { root.appendingPathComponent("OpenHealthKit") }
    /// The downloads of SwiftPM, for the next run; the clone changes with every run.
    private var cache: URL { checkout.appendingPathComponent(".build/outsider-cache") }

    init() async throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: checkout.appendingPathComponent("Examples/AppTemplate"), to: folder)
        try FileManager.default.copyItem(
            at: checkout.appendingPathComponent("Examples/AppleModules"),
            to: root.appendingPathComponent("AppleModules"))
        for name in ["Sources/Serving", "Sources/AppLog", "Tests/SyncTests"] {
            try FileManager.default.copyItem(
                at: checkout.appendingPathComponent("Tests/OutsiderTests/Package/\(name)"),
                to: folder.appendingPathComponent(name))
        }
        for name in ["Sources/CompanionFeature", "Tests/CompanionFeatureTests"] {
            try FileManager.default.copyItem(
                at: checkout.appendingPathComponent("Examples/CompanionApp/\(name)"),
                to: folder.appendingPathComponent(name))
        }
        let repositories = cache.path + "/repositories"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: repositories)) ?? []
        where name.hasPrefix("OpenHealthKit-") {
            try FileManager.default.removeItem(atPath: "\(repositories)/\(name)")
        }
        try await cloneCheckout()
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// The template's manifest. What the tests also use is in the variable USES.
    private func manifest() throws -> String {
        try String(
            contentsOf: checkout.appendingPathComponent("Examples/AppTemplate/Package.swift"), encoding: .utf8)
                + """

                if Context.environment["USES"] != "HealthFixtures" {
                    package.targets.removeAll { $0.name == "FixtureTests" }
                }
                if let product = Context.environment["USES"], product == "os" {
                    package.dependencies.append(.package(path: "../AppleModules"))
                    package.targets.append(
                        .target(
                            name: "AppLog",
                            dependencies: [
                                .product(name: "HealthKit", package: "OpenHealthKit"),
                                .product(name: "os", package: "AppleModules"),
                                .product(name: "OSLog", package: "AppleModules"),
                            ]))
                } else if let product = Context.environment["USES"], !product.isEmpty, product != "HealthFixtures" {
                    let uses: [Target.Dependency] = [.product(name: product, package: "OpenHealthKit")]
                    let tests: [Target.Dependency] = ["HealthKit", "HealthTesting"].map {
                        .product(name: $0, package: "OpenHealthKit")
                    }
                    package.targets +=
                        product == "HealthSync"
                        ? [
                            .testTarget(name: "SyncTests", dependencies: uses),
                            .target(name: "CompanionFeature", dependencies: uses + tests.prefix(1)),
                            .testTarget(
                                name: "CompanionFeatureTests", dependencies: ["CompanionFeature"] + uses + tests),
                        ] : [.target(name: "Serving", dependencies: uses)]
                }

                """
    }

    private func writeManifest(_ text: String) throws {
        let address = "https://github.com/openhealthkit/OpenHealthKit"
        try #require(text.contains(address))
        try Data(text.replacing(address, with: "file://\(clone.path)").utf8)
            .write(to: folder.appendingPathComponent("Package.swift"))
    }

    /// A repository with the files of the checkout, changes that aren't committed included, and the version that the template asks for.
    private func cloneCheckout() async throws {
        let version = try #require(try manifest().firstMatch(of: /from: "([^"]+)"/)).1
        let script = """
            set -e
            export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org
            git init --quiet '\(clone.path)'
            git() { command git --git-dir='\(clone.path)/.git' --work-tree='\(checkout.path)' "$@"; }
            git add --all
            git -c commit.gpgsign=false commit --quiet --message 'A version'
            git tag '\(version)'
            """
        try await expectSuccess(run("/bin/bash", ["-c", script], [:]))
    }

    @Test(
        "It resolves at most 4 packages and writes at most 300 MB; an app's tests and sync work; what needs a trait says so"
    )
    func builds() async throws {
        try writeManifest(manifest())
        let build = try await swift("build", "--build-tests")
        try expectSuccess(build)
        let megabytes = try size(of: folder) / 1_000_000
        print("An app's package: \(try packages()), \(megabytes) MB, built for debugging in \(build.time)")
        #expect(try packages() == ["GRDB.swift", "OpenHealthKit", "swift-log"])
        #expect(megabytes <= 300)
        let test = try await swift("test", "--skip-build")
        try expectSuccess(test)
        #expect(test.output.contains("with 4 tests"), "\(test.output.suffix(500))")
        let fixtures = try await swift("test", "--filter", "FixtureTests", uses: "HealthFixtures")
        try expectSuccess(fixtures)
        #expect(fixtures.output.contains("with 3 tests"), "\(fixtures.output.suffix(500))")
        print("With fixtures: \(try size(of: folder) / 1_000_000) MB, built in \(fixtures.time) more")

        // The command for a Mac, with a program that shows what it would be asked to run in a container.
        let container = try await run(
            "/bin/sh", ["test-on-linux", "--filter", "StepsModelTests"], ["CONTAINER": "echo"])
        try expectSuccess(container)
        #expect(container.output.contains("swift test --scratch-path /build --filter StepsModelTests"))

        let server = try WebServer(in: folder)
        let sync = try await swift(
            "test", "--filter", "SyncTests|CompanionFeatureTests", uses: "HealthSync", server: server.address)
        try expectSuccess(sync)
        #expect(sync.output.contains("with 5 tests"), "\(sync.output.suffix(500))")

        let modules = try await swift("build", "--target", "AppLog", uses: "os")
        try expectSuccess(modules)
        let logging = try await swift("test", "--package-path", "../AppleModules")
        try expectSuccess(logging)
        #expect(logging.output.contains("with 14 tests"), "\(logging.output.suffix(500))")

        let serving = try await swift("build", "--target", "Serving", uses: "HealthServer")
        #expect(serving.status != 0)
        #expect(serving.output.contains("error: This product of OpenHealthKit needs the trait “Server”"))
    }

    private func packages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.build/checkouts").sorted()
    }

    /// A finished run of a program.
    private struct Run {
        var status: Int32
        var output: String
        /// Seconds in all, and of the processor.
        var time: String
    }

    private func swift(_ arguments: String..., uses: String = "", server: String = "") async throws -> Run {
        try await run(
            "/bin/bash",
            ["-c", #"time "${SWIFT:-swift}" "$@" 2>&1"#, "swift"] + arguments + ["--cache-path", cache.path],
            ["USES": uses, "SERVER": server])
    }

    private func run(_ program: String, _ arguments: [String], _ variables: [String: String]) async throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // The options of this package's own test build are for no dependency.
        process.environment = ProcessInfo.processInfo.environment
            .merging([
                "LC_ALL": "C", "TIMEFORMAT": "%0R s (%0U s of the processor)", "OPENHEALTHKIT_TEST_BUILD": "",
            ]) { $1 }
            .merging(variables) { $1 }
        let (output, time, status) = try await process.finished()
        return Run(status: status, output: output, time: time.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func expectSuccess(_ run: Run, at location: SourceLocation = #_sourceLocation) throws {
        try #require(run.status == 0, "\(run.output.suffix(4_000)) \(run.time)", sourceLocation: location)
    }

    /// The bytes of all files in a folder, without the sources of this package.
    private func size(of folder: URL) throws -> Int {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return try (files?.compactMap { $0 as? URL } ?? []).reduce(0) { sum, file in
            guard !file.path.contains("/checkouts/OpenHealthKit/"), !file.path.contains("/repositories/OpenHealthKit-")
            else { return sum }
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
