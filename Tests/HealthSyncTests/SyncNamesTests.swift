import Foundation
import Testing

/// HealthSync is built against Apple's framework on iOS, so it may use nothing that this HealthKit adds.
@Suite("Names of HealthKit that a sync uses")
struct SyncNamesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func files(_ folder: String) throws -> [URL] {
        let found = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    }

    /// The code of a file without comments and the contents of strings.
    private static func code(_ file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8)
            .replacing(/(?s)"""(.*?)"""/, with: "\"\"")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"").replacing(/\/\/.*/, with: "") }
            .joined(separator: "\n")
    }

    /// The paths in the table of public names, such as `HKQuantity.doubleValue(for:)`.
    private static func paths() throws -> [Substring] {
        let table = try String(
            contentsOf: root.appendingPathComponent("Scripts/tables/healthkit-names.tsv"), encoding: .utf8)
        return table.split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: "\t").last.map { Substring(String($0)) }
        }
    }

    @Test("Only Foundation, HealthKit and, for locations, Core Location are imported; a client of HTTP on Linux")
    func imports() throws {
        var found: Set<Substring> = []
        for file in try Self.files("Sources/HealthSync") {
            let modules = try Self.code(file).matches(of: /(?m)^\s*(?:public )?import (\w+)/).map(\.1)
            found.formUnion(modules)
            if modules.contains("CoreLocation") { #expect(file.lastPathComponent == "RouteLocations.swift") }
            if modules.contains("AsyncHTTPClient") {
                #expect(try Self.code(file).contains("#if Server && !canImport(Darwin)\n    import AsyncHTTPClient"))
            }
        }
        #expect(
            found == [
                "Foundation", "FoundationNetworking", "AsyncHTTPClient", "NIOCore", "NIOFoundationCompat", "NIOHTTP1",
                "HealthKit", "CoreLocation",
            ])
    }

    @Test("Every type, constant and function that begins with HK is in the table")
    func topLevelNames() throws {
        let known = Set(try Self.paths().map { $0.prefix { $0 != "." && $0 != "(" } })
        #expect(known.count > 300 && known.contains("HKAnchoredObjectQueryDescriptor"))
        var used: Set<Substring> = []
        for file in try Self.files("Sources/HealthSync") {
            used.formUnion(try Self.code(file).matches(of: /\bHK[A-Z]\w*/).map { Substring(String($0.0)) })
        }
        #expect(used.count > 50)
        #expect(used.subtracting(known) == [])
    }

    @Test("No member is one that only this HealthKit declares")
    func members() throws {
        func name(_ path: Substring) -> Substring {
            (path.split(separator: ".").last ?? path).prefix { $0 != "(" }
        }
        let apples = Set(try Self.paths().map(name))
        let declaration =
            /(?m)^\s*(?:@\w+(?:\([^)]*\))? )*(?:public|open|package)(?:\(set\))? (?:[a-z]+(?:\([a-z]+\))? )*(?:func|var|let|case|struct|class|enum|init) ?`?(\w*)/
        var ours: Set<Substring> = []
        for file in try Self.files("Sources/HealthKit") {
            ours.formUnion(try Self.code(file).matches(of: declaration).map { Substring(String($0.1)) })
        }
        #expect(ours.count > 500)
        let own = /\b(?:func|var|let|case|struct|class|enum|typealias) +`?(\w+)/
        var (used, declared): (Set<Substring>, Set<Substring>) = ([], [])
        for file in try Self.files("Sources/HealthSync") {
            let code = try Self.code(file)
            used.formUnion(code.matches(of: /\.(\w+)/).map { Substring(String($0.1)) })
            declared.formUnion(code.matches(of: own).map { Substring(String($0.1)) })
        }
        let foundation: Set<Substring> = [
            "description", "hash", "uuidString", "init", "seconds", "archivedData", "unarchivedObject",
        ]
        let additions = used.intersection(ours).subtracting(apples).subtracting(declared).subtracting(foundation)
        #expect(additions == [])
    }

    /// Members with package access, such as the unit of a quantity, are visible to the targets of this package only.
    /// Without a package name, the compiler sees what an application's own target sees.
    @Test("The sources compile outside of this package")
    func outsideOfThePackage() throws {
        let features = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]
        let run = try CompilerRun(
            ["-typecheck", "-module-name", "HealthSync"] + features.flatMap { ["-enable-upcoming-feature", $0] }
                + (try Self.files("Sources/HealthSync").map(\.path)), in: FileManager.default.temporaryDirectory)
        #expect(run.status == 0, "\(run.messages)")
    }
}
