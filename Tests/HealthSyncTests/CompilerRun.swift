import Foundation
import Testing

/// A run of the Swift compiler against the modules beside the tests, as an application's own package sees them: without a
/// package name, declarations with package access are not visible.
struct CompilerRun {
    let status: Int32
    let messages: String

    /// - Parameter folder: The current folder, which is also searched for modules.
    init(_ arguments: [String], in folder: URL) throws {
        var products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: products.appendingPathComponent("Modules/HealthSync.swiftmodule").path) {
            try #require(products.path != "/", "The modules are not beside the tests.")
            products.deleteLastPathComponent()
        }
        // The store's database has a C module, which a client has to find although it does not use it.
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("checkouts")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-swift-version", "6", "-parse-as-library", "-I", folder.path,
                "-I", products.appendingPathComponent("Modules").path,
                "-I", checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite").path,
            ] + arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        messages = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
