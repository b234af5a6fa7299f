import Foundation

/// A temporary folder for one test, removed when the instance is deinitialized.
final class Scratch: Sendable {
    let folder: URL

    init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hk-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func file(_ name: String) -> URL {
        folder.appendingPathComponent(name)
    }

    /// The path of a store, which doesn’t exist at first.
    var store: URL { file("health.sqlite") }

    /// Creates an empty store.
    func emptyStore() throws -> URL {
        _ = try CommandRun(["sources", "--type", "stepCount", "--reset"], store: store)
        return store
    }

    /// Where the commands of this process keep what isn't part of a store. Removed when the process ends.
    static let state: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hk-state-\(UUID().uuidString)")
        atexit { try? FileManager.default.removeItem(at: Scratch.state) }
        return folder
    }()

    /// Copies the demo store, for tests that change it.
    func demoStore() throws -> URL {
        // The import that filled it checkpointed its whole log into the file.
        try FileManager.default.copyItem(at: Demo.shared.store, to: store)
        return store
    }

    /// Writes an archive that consists of these elements.
    func archive(_ elements: String, name: String = "export.xml") throws -> URL {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
             <ExportDate value="2025-11-16 12:00:00 -0500"/>
             <Me HKCharacteristicTypeIdentifierDateOfBirth="1987-05-04" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
            \(elements)
            </HealthData>

            """
        try Data(text.utf8).write(to: file(name))
        return file(name)
    }
}
