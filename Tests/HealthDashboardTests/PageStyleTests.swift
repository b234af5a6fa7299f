import Foundation
import Testing

/// The sources of the page and of the documents' site, which no compiler and no `swift format` reads.
@Suite("JavaScript and style sheets of the page and of the site")
struct PageStyleTests {
    private static let files = [
        PageSources.page, PageSources.browser, PageSources.root.appendingPathComponent("Scripts/docs-site"),
    ].flatMap { PageSources.files(["js", "css", "html"], in: $0) }
        .filter { !$0.lastPathComponent.hasPrefix("GENERATED-") }

    @Test("Lines have at most 120 columns, and files at most 500 lines", arguments: files)
    func lengths(file: URL) throws {
        let lines = try PageSources.text(file).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 500, "\(file.lastPathComponent) has \(lines.count) lines")
        for (index, line) in lines.enumerated() {
            #expect(line.count <= 120, "\(file.lastPathComponent):\(index + 1) has \(line.count) columns")
            #expect(
                line.last != " " && !line.contains("\t"),
                "\(file.lastPathComponent):\(index + 1) has a tab or trailing space"
            )
        }
    }

    @Test("A line has one statement or one declaration", arguments: files.filter { $0.pathExtension != "html" })
    func statements(file: URL) throws {
        // What follows a semicolon, but in the head of a loop, in a string or in a comment.
        for (index, line) in try PageSources.text(file).split(separator: "\n").enumerated() {
            let code = line.replacing(/\/\/.*|\/?\*.*|"[^"]*"|`[^`]*`|\/[^\/]+\/[a-z]*|for \(.*/, with: "")
            #expect(code.matches(of: /;\s*\S/).isEmpty, "\(file.lastPathComponent): “\(line)” (line \(index + 1))")
        }
    }

    @Test("There are files to read")
    func isNotEmpty() {
        #expect(Self.files.count > 40)
        #expect(Set(Self.files.map(\.pathExtension)) == ["js", "css", "html"])
    }
}
