import Foundation
import ProcessTestSupport
import Testing

/// The C library as a program in C uses it, under valgrind.
@Suite("The C library's memory")
struct LibraryMemoryTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let tools = ["/usr/bin/valgrind", "/usr/bin/gcc", "/usr/bin/strip"]

    private static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (output: String, errors: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        return try await process.finished()
    }

    @Test(
        "Streams, half-read streams, errors, imports and closed stores leave nothing behind, with several threads",
        .enabled(if: tools.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }))
    func leaks() async throws {
        let library = BuiltProgram.named("libopenhealthkit.so")
        try #require(FileManager.default.fileExists(atPath: library.path), "The library isn't built.")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("memory-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (program, stripped) = (folder.path + "/use-library", folder.path + "/library.so")
        let compiled = try await Self.run(
            Self.tools[1],
            [
                "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-pthread", "-o", program,
                Self.tests.appendingPathComponent("use-library.c").path, "-ldl",
            ])
        #expect(compiled.status == 0, "\(compiled.errors)")
        // valgrind doesn't understand the compiler's information for debuggers.
        let copied = try await Self.run(Self.tools[2], ["--strip-debug", "-o", stripped, library.path])
        #expect(copied.status == 0, "\(copied.errors)")
        let run = try await Self.run(
            Self.tools[0],
            [
                "--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite",
                "--errors-for-leak-kinds=definite", "--num-callers=40", "--log-file=\(folder.path)/log",
                "--suppressions=\(Self.tests.appendingPathComponent("valgrind.supp").path)",
                program, stripped, folder.path,
            ],
            // The libraries beside the one that is copied.
            environment: ["LD_LIBRARY_PATH": library.deletingLastPathComponent().path])
        let log = (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? ""
        #expect(run.status == 0 && run.output == "done\n", "\(run.errors)\(log.prefix(20_000))")
    }
}
