import Foundation
import Testing

@Suite("Documents, comments and messages use the field's own words")
struct WordingTests {
    /// The twenty phrases that readers stumbled over most, as regular expressions, and what to write instead. A space matches
    /// any white space and the marks of a comment, so that a phrase is found across lines.
    private static let phrases: [(pattern: String, instead: String)] = [
        (
            #"(?<!there\s)(?<!/\s)(?:is|are|was|were) no (?!longer|more|way|reason|obstacle|problem|better|secret)[a-z]+"#,
            "isn't a …"
        ),
        (#"(?:that|which|itself) is none"#, "isn't one"),
        (
            #"(?:thread|transaction|source|workout|file|folder|connection|server|store|column|group|package|module|queue|"#
                + #"limit|device|key)s? of (?:its|their|our|your) own|(?:process|processes|identity|layout) of its own"#,
            "a separate …, a dedicated …, its own …"
        ),
        (#"(?-i:Who) (?:acts|begins|can|has|may|moves|reads|sends|uses|wants|writes)"#, "A caller who, a program that"),
        (#"whoever"#, "the caller, the writer, users with access"),
        (#"(?:some|no|any)body else"#, "another person, another process, no other writer"),
        (
            #"(?:some|no|every)body (?:has .{0,20}open|knows|writes|reads|listens|uses|needs)"#,
            "no process, another writer, unknown, unused"
        ),
        (#"hears? (?:of|at once)|heard of|(?:is|are) heard"#, "receives, is notified of"),
        (#"learns? of"#, "is notified of, notices"),
        (#"(?:is|are|be|was|were|been) told"#, "is notified, is reported, is distinguished"),
        (#"(?:read|type|another) is silence"#, "is silently empty"),
        (#"what (?:has |can )?(?:becomes?|became|comes?|came) of|makes of"#, "the result, the state, the mapping of"),
        (#"(?<!nothing\s)but for|lets? go of"#, "except; releases"),
        (#"from then on"#, "then, later"),
        (#"goes? round"#, "survives a round trip"),
        (#"(?:is|was|were|are|been) cut(?! (?:off|into))"#, "is truncated"),
        (#"(?:is|are|was|were|be|bit) (?:put right|mended)|mends?"#, "is corrected, is repaired"),
        (#"loss(?:es)? of power"#, "power failure"),
        (#"former"#, "previous"),
        (#"the (?:slow )?twin"#, "the counterpart, the reference implementation"),
    ]

    /// All phrases as one expression.
    private static let search = try! NSRegularExpression(
        pattern: "(?<![A-Za-z])(?:"
            + phrases.map { $0.pattern.replacingOccurrences(of: " ", with: #"[\s/*#>]+"#) }.joined(separator: "|")
            + ")(?![A-Za-z])",
        options: .caseInsensitive)

    /// Documents, scripts and sources, without data and this file.
    private static var files: [URL] {
        let folders = [
            "Docs", "Sources", "Tests", "Scripts", "Packaging", "Benchmarks", "Examples", "Python", "Compatibility",
        ]
        let found = folders.flatMap { folder -> [URL] in
            let start = SourceTree.root.appendingPathComponent(folder)
            let paths = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
            return paths.map { start.appendingPathComponent($0) }
        }
        let top = [
            "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Makefile", "Package.swift", "Dockerfile",
        ]
        let extensions: Set = [
            "md", "swift", "py", "js", "css", "html", "c", "h", "sh", "service", "conf", "tutorial", "postinst", "",
        ]
        return (found + top.map { SourceTree.root.appendingPathComponent($0) }).filter { file in
            let path = SourceTree.name(file)
            return extensions.contains(file.pathExtension)
                && !["/Fixtures/", "/Corpus/", "/.build", "GENERATED-", "WordingTests"].contains { path.contains($0) }
        }
    }

    @Test("No document, comment or message has a phrase of the list")
    func phrases() throws {
        var count = 0
        for file in Self.files {
            guard var bytes = (try? Data(contentsOf: file)).map(Array.init) else { continue }
            count += 1
            if file.pathExtension == "swift" { Self.maskCode(&bytes) }
            let text = String(decoding: bytes, as: UTF8.self)
            for (line, phrase) in Self.found(in: text) {
                Issue.record("\(SourceTree.name(file)):\(line): “\(phrase)”: \(Self.advice(for: phrase))")
            }
        }
        #expect(count > 800)
    }

    @Test("No test's name has a phrase of the list, or begins with a relative clause")
    func testNames() throws {
        let names = try SourceTree.swiftFiles("Tests").filter { $0.lastPathComponent != "WordingTests.swift" }
            .flatMap { Self.testNames(in: try SourceTree.text($0)) }
        #expect(names.count > 2_000)
        for name in names {
            for (_, phrase) in Self.found(in: Self.words(of: name)) {
                Issue.record("\(name): “\(phrase)”: \(Self.advice(for: phrase))")
            }
            #expect(!name.contains(/^(?:what|who|whoever)[A-Z]/), "\(name)")
        }
    }

    /// The names of test functions.
    private static func testNames(in source: String) -> [String] {
        source.components(separatedBy: "@Test").dropFirst().compactMap { text in
            text.firstMatch(of: /\bfunc (\w+)[(<]/).map { String($0.1) }
        }
    }

    /// The words of a name in camel case, in lowercase.
    private static func words(of name: String) -> String {
        name.replacing(/[A-Z]/) { " \($0.0.lowercased())" }
    }

    @Test("Links between documents lead to a file and a heading")
    func links() throws {
        var count = 0
        for document in Self.files where document.pathExtension == "md" {
            for match in try SourceTree.text(document).matches(of: #/\]\(([^)#:\s]*)(?:#([^)\s]+))?\)/#) {
                // DocC finds the files of its catalogs by their names.
                if document.path.contains(".docc/"), !match.1.contains(/[.\/]/) { continue }
                let target =
                    match.1.isEmpty ? document : document.deletingLastPathComponent().appending(path: String(match.1))
                count += 1
                guard FileManager.default.fileExists(atPath: target.path) else {
                    Issue.record("\(SourceTree.name(document)) links to \(match.1), which doesn't exist")
                    continue
                }
                guard let anchor = match.2 else { continue }
                let headings = try SourceTree.text(target).matches(of: #/(?m)^#+ (.+)$/#).map { Self.anchor($0.1) }
                #expect(headings.contains(String(anchor)), "\(SourceTree.name(document)) links to \(match.1)#\(anchor)")
            }
        }
        #expect(count > 50)
    }

    /// The anchor of a heading, as in GitHub's Markdown.
    private static func anchor(_ heading: Substring) -> String {
        heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
    }

    @Test("The search finds phrases in comments and texts, across lines, and nothing in code")
    func search() {
        let source = """
                /// The commit is
                /// heard.
            let former = "a process of its own \\(former) but for"  // whoever
            """
        var bytes = Array(source.utf8)
        Self.maskCode(&bytes)
        let found = Self.found(in: String(decoding: bytes, as: UTF8.self))
        #expect(found.map(\.line) == [1, 3, 3, 3])
        #expect(found.map(\.phrase) == ["is heard", "process of its own", "but for", "whoever"])
        #expect(Self.found(in: "There is no file; it is no longer there, wherever it was.").isEmpty)
        #expect(Self.advice(for: "Is heard") == "receives, is notified of")
        let tests = Self.testNames(
            in: "@Test(arguments: [1, 2]) func anyObjectGoesRound(_ x: Int) {}\n@Test func whole() {}")
        #expect(tests == ["anyObjectGoesRound", "whole"])
        #expect(Self.words(of: tests[0]) == "any object goes round")
    }

    @Test(
        "The changelog has one page, and the page about reliability three",
        arguments: [("CHANGELOG.md", 6), ("Docs/Reliability.md", 9)])
    func length(document: String, kilobytes: Int) throws {
        let size = try SourceTree.text(SourceTree.root.appendingPathComponent(document)).utf8.count
        #expect(size <= kilobytes * 1024, "\(document) has \(size) bytes")
    }

    private static func found(in text: String) -> [(line: Int, phrase: String)] {
        let string = text as NSString
        return search.matches(in: text, range: NSRange(location: 0, length: string.length)).map { match in
            let before = string.substring(to: match.range.location)
            let phrase = string.substring(with: match.range).replacing(#/[\s\/*#>]+/#, with: " ")
            return (before.utf8.count { $0 == UInt8(ascii: "\n") } + 1, phrase)
        }
    }

    private static func advice(for phrase: String) -> String {
        phrases.first {
            phrase.range(of: "^(?:\($0.pattern))$", options: [.regularExpression, .caseInsensitive]) != nil
        }?
        .instead ?? ""
    }

    /// Replaces what is neither a comment nor a string literal with `;`, and keeps white space.
    private static func maskCode(_ bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\""), newline = UInt8(ascii: "\n"), backslash = UInt8(ascii: "\\")
        let slash = UInt8(ascii: "/"), open = UInt8(ascii: "("), close = UInt8(ascii: ")"), space = UInt8(ascii: " ")
        var index = 0
        func has(_ byte: UInt8, at offset: Int) -> Bool { offset < bytes.count && bytes[offset] == byte }
        while index < bytes.count {
            if bytes[index] == slash, has(slash, at: index + 1) {
                while index < bytes.count, bytes[index] != newline { index += 1 }
            } else if bytes[index] == quote {
                let isLong = has(quote, at: index + 1) && has(quote, at: index + 2)
                index += isLong ? 3 : 1
                var depth = 0
                while index < bytes.count {
                    let byte = bytes[index]
                    if depth > 0, byte != newline { bytes[index] = UInt8(ascii: ";") }
                    if byte == backslash, has(open, at: index + 1) {
                        depth += 1
                        index += 2
                    } else if byte == backslash {
                        index += 2
                    } else if depth > 0, byte == open || byte == close {
                        depth += byte == open ? 1 : -1
                        index += 1
                    } else if byte == quote, depth == 0,
                        !isLong || has(quote, at: index + 1) && has(quote, at: index + 2)
                    {
                        index += isLong ? 3 : 1
                        break
                    } else if byte == newline, !isLong {
                        break
                    } else {
                        index += 1
                    }
                }
            } else {
                // White space stays, so that a phrase is found across lines of an indented comment.
                if bytes[index] != newline, bytes[index] != space { bytes[index] = UInt8(ascii: ";") }
                index += 1
            }
        }
    }
}
