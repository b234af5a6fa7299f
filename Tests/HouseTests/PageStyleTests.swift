import Foundation
import Testing

/// The sources of the page, which no compiler and no `swift format` reads.
@Suite("JavaScript and style sheets of the page")
struct PageStyleTests {
    private static let files = ["Sources/HealthServer/Page", "Scripts/page-tests", "Scripts/docs-site"].flatMap {
        folder in
        let start = House.root.appendingPathComponent(folder)
        let found = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { ["js", "css", "html"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }

    @Test("Lines have at most 120 columns, and files at most 500 lines", arguments: files)
    func lengths(file: URL) throws {
        let lines = try House.text(file).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 500, "\(House.name(file)) has \(lines.count) lines")
        for (index, line) in lines.enumerated() {
            #expect(line.count <= 120, "\(House.name(file)):\(index + 1) has \(line.count) columns")
            #expect(
                line.last != " " && !line.contains("\t"), "\(House.name(file)):\(index + 1) has a tab or trailing space"
            )
        }
    }

    @Test("A line has one statement or one declaration", arguments: files.filter { $0.pathExtension != "html" })
    func statements(file: URL) throws {
        // What follows a semicolon, but in the head of a loop, in a string or in a comment.
        for (index, line) in try House.text(file).split(separator: "\n").enumerated() {
            let code = line.replacing(/\/\/.*|\/?\*.*|"[^"]*"|`[^`]*`|\/[^\/]+\/[a-z]*|for \(.*/, with: "")
            #expect(code.matches(of: /;\s*\S/).isEmpty, "\(House.name(file)): “\(line)” (line \(index + 1))")
        }
    }

    @Test("There are files to read")
    func isNotEmpty() {
        #expect(Self.files.count > 40)
        #expect(Set(Self.files.map(\.pathExtension)) == ["js", "css", "html"])
    }
}
