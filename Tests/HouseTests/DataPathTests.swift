import Foundation
import Testing

@Suite("Docs/DataPath.md is true")
struct DataPathTests {
    private struct Stop {
        var file: String
        var symbol: String
    }

    private static func stops() throws -> [Stop] {
        try House.text(House.root.appendingPathComponent("Docs/DataPath.md"))
            .split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count == 4, Int(cells[0]) != nil else { return nil }
                return Stop(
                    file: cells[2].trimmingCharacters(in: ["`"]), symbol: cells[3].trimmingCharacters(in: ["`"]))
            }
    }

    @Test("Every stop names a file that is there and a symbol that is declared in it")
    func stops() throws {
        let stops = try Self.stops()
        #expect(stops.count >= 20)
        for stop in stops {
            let text = try House.text(House.root.appendingPathComponent(stop.file))
            let declared = ["func", "class", "struct", "enum"].contains { text.contains("\($0) \(stop.symbol)") }
            #expect(declared, "\(stop.file) declares no \(stop.symbol)")
        }
    }

    @Test("Files named in other documents are there", arguments: ["README.md", "Docs/Compatibility.md", "Docs/Format/README.md"])
    func links(document: String) throws {
        let url = House.root.appendingPathComponent(document)
        let text = try House.text(url)
        for match in text.matches(of: /\]\(([^)#:]+)\)/) {
            let target = url.deletingLastPathComponent().appendingPathComponent(String(match.1))
            #expect(FileManager.default.fileExists(atPath: target.path), "\(document) names \(match.1)")
        }
    }
}
