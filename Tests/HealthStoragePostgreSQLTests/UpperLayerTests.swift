import Foundation
import HealthStorage
import HealthStoragePostgreSQL
import HealthStorageSQLite
import PostgreSQLTestSupport
import Testing

/// The suites of the HealthKit API and of all other layers over the engine use stores in memory. Here they run again,
/// as they are, over SQLite files and over PostgreSQL: in a separate process, in which ``Backend/Registration``
/// puts stores in memory there.
///
/// What can't run over other backends has a separate file to be about: system calls, kills, modes and encryption of
/// files.
@Suite("Upper layers over other backends") struct UpperLayerTests {
    enum Backend: String, CaseIterable, Sendable {
        case sqlite, postgresql
        /// A cluster, where it is installed.
        case citus

        /// The backend of this process; `nil` in the process that starts the others.
        static let ofThisRun = environment["TEST_BACKEND"].flatMap(Backend.init)
        /// The folder that the process which started this one removes.
        static let folder = environment["TEST_BACKEND_FOLDER"] ?? ""

        /// Those that are installed, in the process that starts the others.
        static func all() -> [Backend] {
            guard ofThisRun == nil else { return [] }
            return PostgreSQLServer.hasCluster ? allCases : [.sqlite, .postgresql]
        }

        private static var environment: [String: String] { ProcessInfo.processInfo.environment }

        /// Runs before the first test of the process, because traits are prepared when the run is planned.
        struct Registration: TestTrait {
            func prepare(for test: Test) throws { try Backend.ofThisRun?.register() }
        }

        /// Opens stores in memory over this backend from now on, and writes a byte for each to a file.
        private func register() throws {
            let file = URL(fileURLWithPath: Self.folder + "/stores")
            try Data().write(to: file)
            let count = try FileHandle(forWritingTo: file)
            let open: @Sendable () throws -> any HealthStorage
            switch self {
            case .sqlite: open = { try SQLiteStorage(path: "\(Self.folder)/\(UUID()).sqlite") }
            case .postgresql, .citus:
                var options = PostgreSQLOptions()
                options.maximumConnections = 100
                let server = self == .citus ? try PostgreSQLServer.cluster() : try PostgreSQLServer.shared()
                let address = try PostgreSQLAddress(server.url("schema=upper_layers"))
                let database = try PostgreSQLDatabase(address, options: options)
                open = { try database.storage(ofPerson: UUID().uuidString) }
            }
            StorageProviders.shared.register(scheme: "memory") { _, _ in
                count.write(Data([1]))
                return try open()
            }
        }
    }

    /// The API, and what is built with it.
    private static let modules = [
        "HealthKitTests", "HealthInsightsTests", "HealthWatcherTests", "HealthTestingTests", "SnippetTests",
        "SnippetTestsSwift5",
        "HealthSQLTests", "HealthFormatsTests", "HealthCohortTests",
    ]
    /// Suites of archives that store something.
    private static let archives = [
        "ArchiveImporterTests", "MirrorImportTests", "KnownArchiveImportTests", "OwnerCheckTests",
        "ArchiveAuxiliaryFileTests", "ImportedDocumentsTests", "ExportedAuxiliaryFilesTests", "UnknownContentTests",
        "SupplementRoundTripTests",
    ]
    /// Suites of deeper layers, which take longer. Tests of the engine that matter to SQLite run over its files already.
    private static let deeper = [
        "HealthEngineTests", "AppleHealthExportTests\\.(\(archives.joined(separator: "|")))",
    ]
    private static let skipped = [
        // Processes that end by a programming error on purpose, before they come to a store.
        "MisuseTests",
        // These choose their backends, among them both of here, or count what a store in memory does.
        "RandomProgramTests", "StoreTransferTests", "ChangeTraversalTests", "PageEditorTests", "ContentMatcherTests",
        // These compute for long, and store nothing, or one sample.
        "DamagedArchiveTests", "DamagedPartTests", "LargePredicateTests", "UsualRangeTests",
    ]

    @Test(.timeLimit(.minutes(60)), arguments: Backend.all())
    func allPass(_ backend: Backend) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("UpperLayerTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = folder.appendingPathComponent("log")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments =
            ["--testing-library", "swift-testing", "--filter", "UpperLayerTests"]
            + (Self.modules + (backend == .sqlite ? [] : Self.deeper)).flatMap { ["--filter", "^\($0)[./]"] }
            + Self.skipped.flatMap { ["--skip", $0] }
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TEST_BACKEND": backend.rawValue, "TEST_BACKEND_FOLDER": folder.path]) { $1 }
        let output = try FileHandle(forWritingTo: log)
        process.standardOutput = output
        process.standardError = output
        let status = try await withCheckedThrowingContinuation { (done: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { done.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        let lines = try String(decoding: Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
        let failures = lines.filter { $0.contains("✘") || $0.contains("error:") }
        #expect(
            status == 0, "\(failures.prefix(40).joined(separator: "\n"))\n\(lines.suffix(3).joined(separator: "\n"))")
        // They ran, and over this backend.
        let stores = try Data(contentsOf: folder.appendingPathComponent("stores")).count
        let summary = lines.last { $0.contains("Test run with ") } ?? ""
        print("\(backend.rawValue): \(stores) stores; \(summary)")
        #expect(stores > (backend == .sqlite ? 700 : 1_000))
        let tests = try #require(summary.firstMatch(of: /with (\d+) tests/)?.1)
        #expect(Int(tests) ?? 0 > 800)
    }

    @Test("The suites that are named here are declared")
    func suites() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var found: Set<String> = []
        for module in ["AppleHealthExportTests", "HealthEngineTests", "HealthInsightsTests", "HealthKitTests"] {
            let paths = FileManager.default.enumerator(
                at: tests.appendingPathComponent(module), includingPropertiesForKeys: nil)
            for case let url as URL in paths ?? .init() where url.pathExtension == "swift" {
                let text = try String(contentsOf: url, encoding: .utf8)
                found.formUnion(text.matches(of: /\b(?:struct|class) (\w+Tests)\b/).map { String($0.1) })
            }
        }
        #expect(Set(Self.archives + Self.skipped).subtracting(found) == [])
    }

    @Test("Stores in memory are where this run wants them", Backend.Registration())
    func storesOfThisRun() throws {
        let storage = try StorageProviders.shared.openInMemory()
        switch Backend.ofThisRun {
        case .sqlite: #expect(storage is SQLiteStorage)
        case .postgresql, .citus: #expect(storage is PostgreSQLStorage)
        case nil: #expect(storage is InMemoryStorage)
        }
        try storage.close()
    }
}
