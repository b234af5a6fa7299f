import Foundation
import Testing

@Suite("Files and folders")
struct FileTests {
    private static var handWritten: [URL] {
        ["Sources", "Examples", "Tests"].flatMap { House.handWrittenFiles($0) }
    }

    private static func lineCount(_ file: URL) throws -> Int {
        try House.text(file).split(separator: "\n", omittingEmptySubsequences: false).count
    }

    @Test("No hand-written file has more than 700 lines")
    func lengths() throws {
        for file in Self.handWritten {
            let lines = try Self.lineCount(file)
            #expect(lines <= 700, "\(House.name(file)) has \(lines) lines")
        }
    }

    /// The sources that one reads to follow a sample or a statistic, and those that serve it to others.
    @Test(
        "At most 880 files in 108 folders, and 200 in 30 for the server, ingest and sync; a median of 90 to 160 lines",
        arguments: [false, true])
    func aims(ofServer: Bool) throws {
        func belongs(_ file: URL) -> Bool {
            let target = House.name(file).split(separator: "/")[1]
            return ["HealthServer", "HealthIngest", "HealthSync"].contains(target) == ofServer
        }
        let files = House.handWrittenFiles("Sources").filter(belongs)
        let lengths = try files.map(Self.lineCount).sorted()
        let folders = Dictionary(grouping: House.swiftFiles("Sources").filter(belongs)) {
            $0.deletingLastPathComponent().path
        }
        let median = lengths[lengths.count / 2]
        let short = lengths.filter { $0 < 40 }.count
        print(
            "\(ofServer ? "Server, ingest and sync" : "Sources"): \(files.count) hand-written files in \(folders.count) folders; lines: median \(median), "
                + "95th percentile \(lengths[lengths.count * 95 / 100]), maximum \(lengths.last ?? 0), \(short) files under 40."
        )
        #expect(files.count <= (ofServer ? 200 : 880))
        #expect(folders.count <= (ofServer ? 30 : 108))
        #expect((90...160).contains(median))
        #expect(lengths[lengths.count * 95 / 100] <= 450)
        #expect(short * 10 <= files.count, "\(short) files have fewer than 40 lines")
    }

    @Test("A folder of one or two files joins its neighbors")
    func folders() {
        let targets = Set(House.layers.map { "Sources/\($0.target)" } + ["Sources/\(House.traitGuard)"])
        let folders = Dictionary(grouping: House.swiftFiles("Sources").map(House.name)) { name in
            name.split(separator: "/").dropLast().joined(separator: "/")
        }
        for (folder, files) in folders where !targets.contains(folder) {
            #expect(files.count >= 3, "\(folder) has \(files.count) files")
        }
    }

    @Test("No file or folder is named for miscellany")
    func names() {
        for file in Self.handWritten {
            for part in House.name(file).split(separator: "/") {
                #expect(
                    !["Utils", "Utilities", "Helpers", "Misc", "Common"].contains(
                        String(part.split(separator: ".")[0])), "\(House.name(file))")
            }
        }
    }

    @Test("One name, one concept: targets don't reuse each other's type names")
    func typeNames() throws {
        var owners: [Substring: Set<String>] = [:]
        for file in House.handWrittenFiles("Sources") {
            let name = House.name(file)
            let target = String(name.split(separator: "/")[1])
            for match in House.code(try House.text(file)).matches(
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
        for file in House.swiftFiles("Sources") {
            let lines = try House.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains("@unchecked Sendable") && !line.contains("//") {
                // A reason can take several lines; its first names what it is a reason for.
                let comment = lines[..<index].reversed().prefix { $0.drop { $0 == " " }.hasPrefix("// ") }
                let reason = comment.reversed().joined(separator: " ")
                let words = reason.split { !$0.isLetter }.count
                #expect(reason.contains("Unchecked: ") && words >= 6, "\(House.name(file)):\(index + 1)")
            }
        }
    }

    @Test("Tests wait for events, not for time")
    func sleeps() throws {
        let words = ["Task.sleep", "usleep(", "Thread.sleep", " sleep("]
        for file in House.swiftFiles("Tests") where file.lastPathComponent != "FileTests.swift" {
            let text = try House.text(file)
            for word in words { #expect(!text.contains(word), "\(House.name(file))") }
        }
    }
}
