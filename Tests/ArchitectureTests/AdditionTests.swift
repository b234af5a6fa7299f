import Foundation
import Testing

@Suite("The lists of CONTRIBUTING.md that say how to add something are true")
struct AdditionTests {
    /// The steps below a heading, such as “A command”.
    private static func steps(_ heading: String) throws -> [Substring] {
        let guide = try SourceTree.text(SourceTree.root.appendingPathComponent("CONTRIBUTING.md"))
        let section = try #require(guide.components(separatedBy: "\n### \(heading)\n").dropFirst().first)
        let end = section.range(of: "\n#")?.lowerBound ?? section.endIndex
        return section[..<end].matches(of: /(?m)^\d+\. .*(?:\n {3}.*)*/).map(\.0)
    }

    private static func text(_ path: String) throws -> String {
        try SourceTree.text(SourceTree.root.appendingPathComponent(path))
    }

    @Test("Every step of a list names a file or a folder that exists", arguments: ["A command", "A question"])
    func files(heading: String) throws {
        let steps = try Self.steps(heading)
        #expect(steps.count >= 5)
        for step in steps {
            let paths = step.matches(of: /`((?:[A-Za-z.-]+\/)*[A-Za-z.-]+\/?[A-Za-z.-]*)`/).map { String($0.1) }
                .filter { $0.contains("/") || $0.hasSuffix(".md") }
            let examples = ["NameCommand.swift", "NameQuestion.swift", "help-NAME.txt"]
            #expect(!paths.isEmpty, "\(step)")
            for path in paths where !path.hasPrefix("/") {
                let url = SourceTree.root.appendingPathComponent(path)
                let isExample = examples.contains(url.lastPathComponent)
                let file = isExample ? url.deletingLastPathComponent() : url
                #expect(FileManager.default.fileExists(atPath: file.path), "\(heading): \(path)")
            }
        }
    }

    /// The command files of hk, with the types and names of their commands.
    private static let commands: [(type: String, name: String)] = SourceTree.swiftFiles("Sources/hk/Commands").flatMap {
        let text = (try? SourceTree.text($0)) ?? ""
        let pattern = /struct (\w+Command): (?:Async)?ParsableCommand \{[\s\S]*?commandName: "([a-z]+)"/
        return text.matches(of: pattern).map { (String($0.1), String($0.2)) }
    }

    @Test("Every command has what the list says")
    func command() throws {
        let program = try Self.text("Sources/hk/Program.swift")
        let registered = Set(program.matches(of: /(\w+Command)\.self/).map { String($0.1) })
        #expect(Set(Self.commands.map(\.type)) == registered)
        let help = try Self.text("Tests/CommandLineTests/HelpTests.swift")
        let runs = try Self.text("Tests/CommandLineTests/PrivateOutputTests.swift")
        let table = try Self.text("Docs/CommandLine.md")
        let suites = try ["Tests/CommandLineTests", "Tests/HealthServerTests", "Tests/HealthStoragePostgreSQLTests"]
            .flatMap(SourceTree.swiftFiles)
            .filter { !["HelpTests.swift", "PrivateOutputTests.swift"].contains($0.lastPathComponent) }
            .map(SourceTree.text)
        for (_, name) in Self.commands {
            let fixture = SourceTree.root.appendingPathComponent("Tests/Fixtures/CommandLine/help-\(name).txt")
            #expect(FileManager.default.fileExists(atPath: fixture.path), "\(name)")
            #expect(help.contains("\"\(name)\""), "HelpTests doesn't list \(name)")
            #expect(
                runs.contains("\"\(name)\":") || runs.contains("\"\(name) "), "PrivateOutputTests doesn't run \(name)")
            #expect(table.contains(try Regex("`hk \(name)\\b")), "Docs/CommandLine.md has no row of hk \(name)")
            #expect(
                suites.contains { $0.contains("\"\(name)\"") || $0.contains("\"\(name) ") }, "No suite runs \(name)")
        }
    }

    /// The questions that no command asks, with the reason.
    private static let withoutCommand = [
        "TrendsQuestion": "hk stats --compare compares two periods of a type.",
        "LabResultsQuestion": "hk sql has the resources in clinical_records.",
    ]

    @Test("Every question is reachable from the API, from assistants and from hk, and the reference describes it")
    func question() throws {
        let sources = try SourceTree.swiftFiles("Sources/HealthAnswers").map(SourceTree.text)
        let declared = Set(sources.flatMap { $0.matches(of: /struct (\w+Question): Question\b/).map { String($0.1) } })
        let all = try Self.text("Sources/HealthAnswers/Question.swift")
        let list = try #require(all.firstMatch(of: /static let all[^\[]*\[any Question\.Type\] = \[([^\]]*)\]/)?.1)
        #expect(Set(list.matches(of: /(\w+)\.self/).map { String($0.1) }) == declared)
        #expect(declared.count >= 13)
        // Each of these makes something of every question.
        for file in [
            "Sources/HealthServer/API/AnswersResource.swift", "Sources/HealthServer/OpenAPI/OpenAPIOperations.swift",
            "Sources/HealthServer/MCP/AssistantTools.swift", "Sources/HealthArrow/ArrowQuestion.swift",
        ] {
            #expect(try Self.text(file).contains("Questions.all"), "\(file)")
        }
        let program = try SourceTree.swiftFiles("Sources/hk").map(SourceTree.text).joined()
        let reference = try Self.text("Scripts/tables/api-reference.md")
        let paths = Dictionary(
            uniqueKeysWithValues: try Self.text("Scripts/tables/questions.tsv").split(separator: "\n").map { row in
                let cells = row.split(separator: "\t", omittingEmptySubsequences: false)
                return (String(cells[0]), String(cells[1]))
            })
        for name in declared {
            let isAsked = program.contains("\(name).self")
            #expect(isAsked == (Self.withoutCommand[name] == nil), "\(name)")
            let path = try #require(paths[name])
            #expect(reference.contains("\n## GET …/\(path)\n"), "api-reference.md doesn't describe \(path)")
        }
    }
}
