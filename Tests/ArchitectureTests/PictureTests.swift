import Foundation
import ProcessTestSupport
import Testing

@Suite("The picture of the architecture")
struct PictureTests {
    private static let picture = SourceTree.root.appendingPathComponent("Docs/Images/architecture.svg")

    @Test("The picture names every target of Package.swift, and the contributors' guide shows it")
    func targets() throws {
        let picture = try SourceTree.text(Self.picture)
        for target in SourceTree.layers.map(\.target) + SourceTree.cLibraries {
            #expect(picture.contains(">\(target)<"), "\(target) is missing. Run Scripts/draw-architecture.")
        }
        #expect(picture.contains(SourceTree.traitGuard))
        let guide = try SourceTree.text(SourceTree.root.appendingPathComponent("CONTRIBUTING.md"))
        #expect(guide.contains("(Docs/Images/architecture.svg)"))
    }

    @Test("The picture is the one that Scripts/draw-architecture draws from the manifest")
    func drawing() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).svg")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = SourceTree.root.appendingPathComponent("Scripts/draw-architecture")
        process.arguments = [file.path]
        let end = try process.finish()
        #expect(end.status == 0, "\(end.errors)")
        let isEqual = try SourceTree.text(file) == SourceTree.text(Self.picture)
        #expect(isEqual, "Docs/Images/architecture.svg is out of date. Run Scripts/draw-architecture.")
    }
}
