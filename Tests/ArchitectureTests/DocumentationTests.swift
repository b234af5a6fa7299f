import Foundation
import Testing

@Suite("Public declarations are documented")
struct DocumentationTests {
    /// The layers other modules use; `hk` is used by people.
    private static let targets = SourceTree.layers.map(\.target).filter { $0 != "hk" }

    @Test("Every public declaration has a comment that says what it is", arguments: targets)
    func comments(target: String) throws {
        for file in SourceTree.swiftFiles("Sources/\(target)") where !file.lastPathComponent.hasPrefix("GENERATED-") {
            for declaration in PublicDeclaration.all(in: try SourceTree.text(file)) {
                #expect(declaration.isDocumented, "\(SourceTree.name(file)):\(declaration.line): \(declaration.text)")
            }
        }
    }

    @Test("No doc comment begins with “What”: it begins with the name of the thing")
    func beginnings() throws {
        for file in ["Sources", "Tests"].flatMap(SourceTree.swiftFiles) {
            for line in Self.questions(in: try SourceTree.text(file)) {
                Issue.record("\(SourceTree.name(file)):\(line): Write “The result of …”, not “What … returns”.")
            }
        }
        #expect(Self.questions(in: "/// What it is.\nlet a = 0\n    /// A page.\n    /// What it has.") == [1])
    }

    /// The numbers of the lines on which a doc comment begins with “What”.
    private static func questions(in text: String) -> [Int] {
        var isComment = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            let content = line.drop { $0 == " " }
            defer { isComment = content.hasPrefix("///") }
            return !isComment && content.hasPrefix("/// What ") ? index + 1 : nil
        }
    }

    /// The DocC catalogs, one a library.
    private static let catalogs = targets.map { SourceTree.root.appendingPathComponent("Sources/\($0)/\($0).docc") }
        .filter { FileManager.default.fileExists(atPath: $0.path) }

    @Test(
        "The landing page leads to every article and tutorial, and articles only to what is there", arguments: catalogs)
    func articles(catalog: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
        let names = Set(files.map { $0.deletingPathExtension().lastPathComponent })
        let module = catalog.deletingPathExtension().lastPathComponent
        for file in files {
            let text = try SourceTree.text(file)
            let links = Set(text.matches(of: /[<"]doc:([A-Za-z]+)[>"]/).map { String($0.1) })
            #expect(links.isSubset(of: names), "\(SourceTree.name(file))")
            guard file.lastPathComponent == "\(module).md" else { continue }
            #expect(text.hasPrefix("# ``\(module)``\n") && text.contains("\n## Overview\n"), "\(module)")
            #expect(links == names.subtracting([module]), "\(module)")
        }
    }

    @Test("The code of tutorials is that of the template, and their pictures are those of the documents")
    func tutorials() throws {
        let images = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path + "/Docs/Images")
        let template = SourceTree.root.appendingPathComponent("Examples/AppTemplate")
        let code = (FileManager.default.enumerator(atPath: template.path)?.compactMap { $0 as? String } ?? [])
            .filter { !$0.hasPrefix(".build/") }.map { URL(fileURLWithPath: $0).lastPathComponent }
        var count = 0
        for catalog in Self.catalogs {
            for file in try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
            where file.pathExtension == "tutorial" {
                for resource in try SourceTree.text(file).matches(of: /(file|source): "?([^",)]+)/) {
                    count += 1
                    let found = (resource.1 == "file" ? code : images).filter { $0 == resource.2 }
                    #expect(found.count == 1, "\(SourceTree.name(file)): \(resource.2)")
                }
            }
        }
        #expect(count >= 12)
    }

    @Test("README, the template's workflow and its container install the same system packages")
    func systemPackages() throws {
        let template = "Examples/AppTemplate/"
        for name in ["README.md", template + ".github/workflows/linux.yml", template + ".devcontainer/Dockerfile"] {
            let text = try SourceTree.text(SourceTree.root.appendingPathComponent(name))
            #expect(text.contains(" git libsqlite3-dev zlib1g-dev tzdata"), "\(name)")
        }
    }

    @Test("The picture of swift test has every test of the template")
    func templateTests() throws {
        let picture = try SourceTree.text(SourceTree.root.appendingPathComponent("Docs/Images/swift-test.svg"))
        let shown = picture.replacing(/<tspan[^>]*>|<\/tspan>/, with: "")
        for file in SourceTree.swiftFiles("Examples/AppTemplate/Tests") {
            for name in try SourceTree.text(file).matches(of: /@Test\("([^"]+)"\)/) {
                #expect(shown.contains("Test \"\(name.1)\" passed"), "\(name.1)")
            }
        }
    }

    @Test("Each library that Swift Package Index documents has a catalog, and no other")
    func indexed() throws {
        let index = try SourceTree.text(SourceTree.root.appendingPathComponent(".spi.yml"))
        let documented = index.matches(of: /(?m)^ {8}- (\w+)$/).map { String($0.1) }
        #expect(documented.sorted() == Self.catalogs.map { $0.deletingPathExtension().lastPathComponent }.sorted())
        #expect(documented.count >= 9)
    }

    @Test("Documents name only commands and options of hk that exist")
    func commands() throws {
        let source = try SourceTree.swiftFiles("Sources/hk").map { try SourceTree.text($0) }.joined()
        let commands = Set(source.matches(of: /commandName: "([a-z]+)"/).map { String($0.1) }).union(["help"])
        let declared = Set(
            source.matches(of: /\b(?:var|case) ((?:\w+, )*\w+)/).flatMap { $0.1.components(separatedBy: ", ") })
        func name(_ words: ArraySlice<Substring>) -> String {
            words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.capitalized }
        }
        let folder = SourceTree.root.appendingPathComponent("Docs")
        let pages = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let documents =
            pages.filter { $0.hasSuffix(".md") }.map { folder.appendingPathComponent($0) }
            + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map { SourceTree.root.appendingPathComponent($0) }
            + Self.catalogs.flatMap {
                (try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? []
            }
        var count = 0
        for document in documents {
            for use in try SourceTree.text(document).matches(
                of: /(?m)(?:^|[`$(&|'“] ?|openhealthkit )hk ([a-z]+)((?: [^`|#\n]*)?)/)
            {
                count += 1
                #expect(commands.contains(String(use.1)), "\(SourceTree.name(document)) names hk \(use.1)")
                for option in use.2.matches(of: /\s--([a-z][a-z-]*)/) {
                    let words = option.1.split(separator: "-")[...]
                    #expect(
                        declared.contains(name(words))
                            || words.first == "no" && declared.contains(name(words.dropFirst())),
                        "\(SourceTree.name(document)) names hk \(use.1)\(option.0)")
                }
            }
        }
        #expect(count > 150)
    }

    @Test("The search finds what it looks for")
    func search() {
        let source = """
            /// Documented.
            // Unchecked: a reason.
            public final class Known: Base, @unchecked Sendable {
                public let bare: Int
                /// Documented.
                @available(
                    *, deprecated,
                    renamed: "other(_:)"
                )
                public static func spelled(_ value: Int) {}
                func inner() {}
                public override var hash: Int { 0 }
                open class func made() -> Int { 0 }
            }

            public enum Kind: Int,
                Sendable
            {
                case first
                /// Documented.
                case second
                var isFirst: Bool {
                    switch self {
                    case .first: true
                    case .second: false
                    }
                }
            }

            /// Documented.
            @MainActor public protocol Rule {
                func holds() -> Bool
                /// Documented.
                @discardableResult mutating func settle() -> Bool
            }

            enum Inner {
                case hidden
            }
            """
        let found = PublicDeclaration.all(in: source)
        let bare = found.filter { !$0.isDocumented }.map { "\($0.line) \($0.text)" }
        #expect(
            bare == [
                "4 public let bare: Int", "13 open class func made() -> Int { 0 }", "16 public enum Kind: Int,",
                "19 case first", "32 func holds() -> Bool",
            ])
        #expect(
            found.filter(\.isDocumented).map(\.text) == [
                "public final class Known: Base, @unchecked Sendable {", "public static func spelled(_ value: Int) {}",
                "case second", "@MainActor public protocol Rule {", "@discardableResult mutating func settle() -> Bool",
            ])
    }
}
