import Foundation
import PostgreSQLTestSupport
import ProcessTestSupport
import Testing

/// The Python package as people install it: a wheel with the library that was built beside the tests.
@Suite("The Python package")
struct PythonPackageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let python = root.appendingPathComponent(".build/python/bin/python")
    private static let hasPackages = FileManager.default.isExecutableFile(atPath: python.path)

    private static func run(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = root
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors, status) = try await process.finished()
        #expect(status == 0, "\(program.lastPathComponent) \(arguments.joined(separator: " ")): \(output)\(errors)")
        return output
    }

    /// Makes the wheel in a folder, and returns its path.
    private static func makeWheel(in folder: URL) async throws -> String {
        let library = BuiltProgram.named("libopenhealthkit.so")
        try #require(FileManager.default.fileExists(atPath: library.path), "The library isn't built.")
        let output = try await run(
            root.appendingPathComponent("Scripts/make-wheel"), [library.path, folder.path])
        return output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(
        "The wheel works in an empty environment, and in notebooks with pyarrow, pandas, polars and DuckDB",
        .enabled(if: hasPackages))
    func wheel() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wheel-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let wheel = try await Self.makeWheel(in: folder)
        #expect(wheel.contains("-py3-none-"))
        let empty = folder.appendingPathComponent("empty")
        _ = try await Self.run(Self.python, ["-m", "venv", empty.path])
        _ = try await Self.run(
            empty.appendingPathComponent("bin/python"), ["-m", "pip", "install", "--quiet", "--no-index", wheel])
        _ = try await Self.run(
            empty.appendingPathComponent("bin/python"),
            [Self.root.appendingPathComponent("Python/tests/check_plain.py").path])
        // The library contains SQLite, GRDB and others, whose licenses ask for their notices.
        let files = try await Self.run(
            empty.appendingPathComponent("bin/python"), ["-m", "pip", "show", "-f", "openhealthkit"])
        #expect(files.contains("dist-info/licenses/LICENSE\n") && files.contains("dist-info/licenses/NOTICE\n"))

        let site = folder.appendingPathComponent("site").path
        _ = try await Self.run(
            Self.python, ["-m", "pip", "install", "--quiet", "--no-index", "--target", site, wheel])
        _ = try await Self.run(
            Self.python, ["-m", "pytest", "-q", "-p", "no:cacheprovider", "Python/tests"],
            environment: [
                "PYTHONPATH": site, "PYTHONDONTWRITEBYTECODE": "1", "HK_PROGRAM": BuiltProgram.hk.path,
                "HK_DATABASE": try PostgreSQLServer.shared().url("schema=python_cohort"),
            ])
    }

    @Test("mypy finds nothing in the package under its strict rules", .enabled(if: hasPackages))
    func types() async throws {
        let cache = FileManager.default.temporaryDirectory.appendingPathComponent("mypy-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: cache) }
        _ = try await Self.run(
            Self.python, ["-m", "mypy", "--strict", "--cache-dir", cache, "Python/openhealthkit"])
    }
}
