import Foundation
import Testing

@Suite("Docs/DataPath.md is true")
struct DataPathTests {
    private struct Stop {
        var traversal: String
        var file: String
        var symbol: String
    }

    /// The rows of the traversals: under a heading, a number, what happens, a file, and symbols declared in it.
    private static func stops() throws -> [Stop] {
        var traversal = ""
        var stops: [Stop] = []
        for line in try SourceTree.text(SourceTree.root.appendingPathComponent("Docs/DataPath.md")).split(
            separator: "\n")
        {
            if line.hasPrefix("## ") { traversal = String(line.dropFirst(3)) }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, Int(cells[0]) != nil else { continue }
            for symbol in cells[3].split(separator: ",") {
                stops.append(
                    Stop(
                        traversal: traversal, file: cells[2].trimmingCharacters(in: ["`"]),
                        symbol: symbol.trimmingCharacters(in: [" ", "`"])))
            }
        }
        return stops
    }

    @Test("Every stop names an existing file and symbols declared in it")
    func stops() throws {
        let stops = try Self.stops()
        #expect(stops.count >= 20)
        for stop in stops {
            let text = try SourceTree.text(SourceTree.root.appendingPathComponent(stop.file))
            let declared = SourceTree.code(text).matches(
                of: /\b(?:func|class|struct|enum|protocol|extension|actor) `?(\w+)/
            ).map(\.1)
            #expect(declared.contains(Substring(stop.symbol)), "\(stop.file) doesn't declare \(stop.symbol)")
        }
    }

    /// The files listed below the traversals, by heading: `- Below stop 5, in `FOLDER`: `NAME`, `NAME`.`
    private static func served() throws -> [(traversal: String, file: String)] {
        var traversal = ""
        var files: [(traversal: String, file: String)] = []
        for line in try SourceTree.text(SourceTree.root.appendingPathComponent("Docs/DataPath.md")).split(
            separator: "\n")
        {
            if line.hasPrefix("## ") { traversal = String(line.dropFirst(3)) }
            guard line.hasPrefix("- Below stop ") else { continue }
            let names = line.matches(of: /`([^`]+)`/).map { String($0.1) }
            guard let folder = names.first else { continue }
            files += names.dropFirst().map { (traversal, "\(folder)/\($0).swift") }
        }
        return files
    }

    @Test("Every file listed below a traversal is in the folder that is named")
    func folders() throws {
        let served = try Self.served()
        #expect(served.count >= 20)
        for (_, file) in served {
            #expect(
                FileManager.default.fileExists(atPath: SourceTree.root.appendingPathComponent(file).path), "\(file)")
        }
    }

    @Test(
        "A save and a statistics query each cross at most 35 files, everything counted",
        arguments: ["HKHealthStore.save", "HKStatisticsQuery"])
    func crossings(call: String) throws {
        let stops = try Self.stops().filter { $0.traversal.contains(call) }.map(\.file)
        let served = try Self.served().filter { $0.traversal.contains(call) }.map(\.file)
        let files = Set(stops + served)
        print("\(call) crosses \(files.count) files.")
        #expect(stops.count >= 15 && served.count >= 10)
        #expect(files.count <= 35)
    }

    @Test("Files and folders that documents name exist")
    func paths() throws {
        let documents =
            FileManager.default.enumerator(
                at: SourceTree.root.appendingPathComponent("Docs"), includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "md" } ?? []
        #expect(documents.count >= 10)
        var count = 0
        for document in documents + [SourceTree.root.appendingPathComponent("README.md")] {
            for match in try SourceTree.text(document).matches(
                of: /(?:Sources|Tests|Examples|Scripts|Benchmarks|Packaging)\/[A-Za-z0-9_+.\/-]*[A-Za-z0-9_+]/)
            where !match.0.hasSuffix("/TARGET") {
                count += 1
                #expect(
                    FileManager.default.fileExists(
                        atPath: SourceTree.root.appendingPathComponent(String(match.0)).path),
                    "\(SourceTree.name(document)) names \(match.0)")
            }
        }
        #expect(count > 100)
    }
}
