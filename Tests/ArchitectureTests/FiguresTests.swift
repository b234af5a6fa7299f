import Foundation
import Testing

@Suite("The figures of every target")
struct FiguresTests {
    /// The counts of a target, without generated files.
    struct Figures {
        var lines = 0
        var files = 0
        var folders = 0
        /// Pairs of folders that name each other's types.
        var pairs = 0
        /// Declarations that say `public` or `open`.
        var publicDeclarations = 0

        static func + (left: Figures, right: Figures) -> Figures {
            Figures(
                lines: left.lines + right.lines, files: left.files + right.files,
                folders: left.folders + right.folders, pairs: left.pairs + right.pairs,
                publicDeclarations: left.publicDeclarations + right.publicDeclarations)
        }

        var row: [String] { [lines, files, folders, pairs, publicDeclarations].map(String.init) }
    }

    static func figures(of target: String) throws -> Figures {
        let files = SourceTree.handWrittenFiles("Sources/\(target)")
        let texts = try files.map { try SourceTree.text($0) }
        return Figures(
            lines: texts.reduce(0) { $0 + $1.count { $0 == "\n" } }, files: files.count,
            folders: Set(files.map { $0.deletingLastPathComponent() }).count,
            pairs: try SourceTree.twoWayPairs(of: target).count,
            publicDeclarations: texts.reduce(0) {
                $0 + PublicDeclaration.all(in: $1).count { $0.text.contains(#/\b(public|open) /#) }
            })
    }

    /// Lines, files and folders grow with features, so they are printed, and no limit is set for them.
    @Test("Every target's lines, files, folders, two-way folder pairs and public declarations are printed")
    func limits() throws {
        let targets = SourceTree.layers.map(\.target)
        let figures = try targets.map(Self.figures)
        let sum = figures.reduce(Figures(), +)
        let rows =
            [["target", "lines", "files", "folders", "two-way pairs", "public"]]
            + zip(targets, figures).map { [$0] + $1.row } + [["all"] + sum.row]
        for row in rows {
            let cells = zip(row, [24, 8, 6, 8, 14, 7]).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
                return index == 0 ? cell.0 + padding : padding + cell.0
            }
            print(cells.joined())
        }
        let lengths = try SourceTree.handWrittenFiles("Sources").map(FileTests.lineCount).sorted()
        print(
            "Lines of a file: median \(lengths[lengths.count / 2]), 95th percentile "
                + "\(lengths[lengths.count * 95 / 100]), maximum \(lengths.last ?? 0).")

        // Public is what the products of the package need below HealthKit: SQL, formats, cohorts and errors.
        let below = zip(targets, figures).filter { Self.belowTheAPI.contains($0.0) }
        let exposed = below.reduce(0) { $0 + $1.1.publicDeclarations }
        print("Public declarations below HealthKit: \(exposed)")
        #expect(exposed <= 150)
    }

    /// The layers that applications reach through HealthKit only: not its sister modules, and not archives or the server.
    private static let belowTheAPI = Set(LayerTests.belowTheAPI)
        .subtracting(["CoreLocation", "UniformTypeIdentifiers", "PredicateTypes"])
        .subtracting(["HealthAccess", "HealthFiles", "AppleHealthExport", "AppleHealthGenerator"])
}

extension SourceTree {
    /// The pairs of folders of a target that name each other's types.
    ///
    /// Files that are not in a folder define the target's main types, which every folder may name. A folder's own files define what its
    /// subfolders share.
    static func twoWayPairs(of target: String) throws -> Set<Set<String>> {
        let root = root.appendingPathComponent("Sources/\(target)").path + "/"
        var code: [String: [String]] = [:]
        for file in handWrittenFiles("Sources/\(target)") {
            let path = file.path.replacingOccurrences(of: root, with: "").split(separator: "/")
            guard path.count > 1 else { continue }
            code[path.dropLast().joined(separator: "/"), default: []].append(Self.code(try text(file)))
        }
        let definition =
            /(?m)^(?:public |package |open |indirect |final )*(?:struct|class|enum|protocol|typealias) +(\w+)/
        let defined = code.mapValues { texts in
            Set(texts.flatMap { $0.matches(of: definition).map { String($0.1) } })
        }
        let named = code.mapValues { texts in
            Set(texts.flatMap { $0.matches(of: /\b[A-Z]\w+/).map { String($0.0) } })
        }
        var pairs: Set<Set<String>> = []
        for (left, types) in defined {
            for (right, others) in defined where left < right && !right.hasPrefix(left + "/") {
                guard !named[left, default: []].isDisjoint(with: others.subtracting(types)),
                    !named[right, default: []].isDisjoint(with: types.subtracting(others))
                else { continue }
                pairs.insert([left, right])
            }
        }
        return pairs
    }
}
