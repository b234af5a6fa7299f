import Foundation

/// The demo archive and a store with its content, created once and only read by the tests.
final class Demo: Sendable {
    static let shared: Demo = {
        do {
            return try Demo()
        } catch {
            fatalError("The demo can’t be created: \(error)")
        }
    }()

    let folder: URL
    let store: URL
    /// The import into the store.
    let importRun: CommandRun

    static let options = [
        "--records", "3000", "--seed", "7", "--until", "2025-11-16T12:00", "--time-zone", "America/New_York",
    ]

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hk-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = folder.appendingPathComponent("demo.sqlite")
        for name in ["demo.zip", "demo.xml", "demo"] {
            let path = folder.appendingPathComponent(name).path
            let run = try CommandRun(["generate", path] + Self.options, store: store)
            precondition(run.status == 0, run.errors)
        }
        importRun = try CommandRun(["import", folder.appendingPathComponent("demo.zip").path], store: store)
        precondition(importRun.status == 0, importRun.errors)
        // A C function pointer can’t capture, so this uses the shared instance.
        atexit { try? FileManager.default.removeItem(at: Demo.shared.folder) }
    }

    func file(_ name: String) -> URL {
        folder.appendingPathComponent(name)
    }
}
