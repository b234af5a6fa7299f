import Foundation
import Testing

@Suite("Files and folders")
struct FileTests {
    private static var handWritten: [URL] {
        ["Sources", "Examples", "Tests"].flatMap { SourceTree.handWrittenFiles($0) }
    }

    static func lineCount(_ file: URL) throws -> Int {
        try SourceTree.text(file).split(separator: "\n", omittingEmptySubsequences: false).count
    }

    @Test("No hand-written file has more than 700 lines")
    func lengths() throws {
        for file in Self.handWritten {
            let lines = try Self.lineCount(file)
            #expect(lines <= 700, "\(SourceTree.name(file)) has \(lines) lines")
        }
    }

    @Test("A folder of one or two files joins its neighbors")
    func folders() {
        let targets = Set(SourceTree.layers.map { "Sources/\($0.target)" } + ["Sources/\(SourceTree.traitGuard)"])
        let folders = Dictionary(grouping: SourceTree.swiftFiles("Sources").map(SourceTree.name)) { name in
            name.split(separator: "/").dropLast().joined(separator: "/")
        }
        for (folder, files) in folders where !targets.contains(folder) {
            #expect(files.count >= 3, "\(folder) has \(files.count) files")
        }
    }

    @Test("No file or folder is named for miscellany")
    func names() {
        for file in Self.handWritten {
            for part in SourceTree.name(file).split(separator: "/") {
                #expect(
                    !["Utils", "Utilities", "Helpers", "Misc", "Common"].contains(
                        String(part.split(separator: ".")[0])), "\(SourceTree.name(file))")
            }
        }
    }

    @Test("One name, one concept: targets don't reuse each other's type names")
    func typeNames() throws {
        var owners: [Substring: Set<String>] = [:]
        for file in SourceTree.handWrittenFiles("Sources") {
            let name = SourceTree.name(file)
            let target = String(name.split(separator: "/")[1])
            for match in SourceTree.code(try SourceTree.text(file)).matches(
                of: /(?m)^(?:[a-z@()]+ )*(?:struct|class|enum|protocol|actor) ([A-Z]\w*)/)
            where !match.0.contains("private ") {
                owners[match.1, default: []].insert(target)
            }
        }
        #expect(owners.count > 500)
        for (name, targets) in owners { #expect(targets.count == 1, "\(name) is declared in \(targets.sorted())") }
    }

    @Test("Every @unchecked Sendable gives its reason on the line above")
    func unchecked() throws {
        for file in SourceTree.swiftFiles("Sources") {
            let lines = try SourceTree.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains("@unchecked Sendable") && !line.contains("//") {
                // A reason can take several lines; its first names what it is a reason for.
                let comment = lines[..<index].reversed().prefix { $0.drop { $0 == " " }.hasPrefix("// ") }
                let reason = comment.reversed().joined(separator: " ")
                let words = reason.split { !$0.isLetter }.count
                #expect(reason.contains("Unchecked: ") && words >= 6, "\(SourceTree.name(file)):\(index + 1)")
            }
        }
    }

    @Test("Tests wait for events, not for time")
    func sleeps() throws {
        let words = ["Task.sleep", "usleep(", "Thread.sleep", " sleep("]
        for file in SourceTree.swiftFiles("Tests") where file.lastPathComponent != "FileTests.swift" {
            let text = try SourceTree.text(file)
            for word in words { #expect(!text.contains(word), "\(SourceTree.name(file))") }
        }
    }
}
