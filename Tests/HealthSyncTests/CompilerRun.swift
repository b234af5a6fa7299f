import Foundation
import ProcessTestSupport
import Testing

/// A run of the Swift compiler against the modules beside the tests, as an application's own package sees them: without
/// a package name, declarations with package access are not visible.
struct CompilerRun {
    let status: Int32
    let messages: String

    /// - Parameter folder: The current folder, which is also searched for modules.
    init(_ arguments: [String], in folder: URL) throws {
        var products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        while !FileManager.default.fileExists(
            atPath: products.appendingPathComponent("Modules/HealthSync.swiftmodule").path)
        {
            try #require(products.path != "/", "The modules are not beside the tests.")
            products.deleteLastPathComponent()
        }
        // The database and the client of HTTP have C modules, which a client has to find although it does not use them.
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "checkouts")
        func contents(_ folder: URL) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
        let generated = try contents(products).map { $0.appendingPathComponent("module.modulemap") }
        let written = try ["swift-nio", "swift-numerics", "swift-atomics", "swift-system"].flatMap {
            try contents(checkouts.appendingPathComponent("\($0)/Sources")).map {
                $0.appendingPathComponent("include/module.modulemap")
            }
        }
        let maps = (generated + written).filter { FileManager.default.fileExists(atPath: $0.path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-swift-version", "6", "-parse-as-library", "-I", folder.path,
                "-I", products.appendingPathComponent("Modules").path,
                "-I", checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite").path,
            ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + arguments
        process.currentDirectoryURL = folder
        let end = try process.finish()
        (messages, status) = (end.output + end.errors, end.status)
    }
}
