import Foundation

/// A folder of its own for one test, removed with it.
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

    /// A store that is not there yet.
    var store: URL { file("health.sqlite") }

    /// A store that is there and has nothing in it.
    func emptyStore() throws -> URL {
        _ = try CommandRun(["profile"], store: store)
        return store
    }

    /// A copy of the demo store, to be changed.
    func demoStore() throws -> URL {
        // The import that filled it has moved all of its log into the file.
        try FileManager.default.copyItem(at: Demo.shared.store, to: store)
        return store
    }

    /// Writes an archive of these elements.
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
