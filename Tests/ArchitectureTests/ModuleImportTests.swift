import Foundation
import Testing

/// The modules of the page and of the Python package, whose imports no compiler checks.
@Suite("Modules of the page and of the Python package import each other in one direction")
struct ModuleImportTests {
    /// The modules that each module imports, by name.
    typealias Graph = [String: Set<String>]

    /// The page's modules by their paths. A module that is loaded when it is needed is imported, too.
    private static func page() throws -> Graph {
        let root = SourceTree.root.appendingPathComponent("Sources/HealthDashboard/Page").standardized
        return try graph(root, "js") { name, text in
            let folder = root.appendingPathComponent(name).deletingLastPathComponent()
            return text.matches(of: /(?:\bfrom |\bimport |\bimport\()"(\.[^"]+\.js)"/).map {
                String(folder.appendingPathComponent(String($0.1)).standardized.path.dropFirst(root.path.count + 1))
            }
        }
    }

    /// The Python package's modules by their files, with imports in functions and for types.
    private static func package() throws -> Graph {
        try graph(SourceTree.root.appendingPathComponent("Python/openhealthkit"), "py") { _, text in
            text.matches(of: /(?m)^ *from \.(\w*) import (.*)/).flatMap { match in
                match.1.isEmpty ? match.2.split(separator: ", ") : [match.1]
            }.map { $0 + ".py" }
        }
    }

    private static func graph(
        _ root: URL, _ type: String, _ imports: (_ name: String, _ text: String) -> [String]
    ) throws -> Graph {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix("." + type) }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, Set(imports(name, try SourceTree.text(root.appendingPathComponent(name)))))
            })
    }

    /// The modules that import each other, directly or not.
    static func cycles(_ graph: Graph) -> [String] {
        var rest = graph
        // What imports nothing that is left is in no cycle, and neither is what nothing that is left imports.
        while true {
            let imported = rest.values.reduce(into: Set()) { $0.formUnion($1) }
            let inside = rest.filter { imported.contains($0.key) && !$0.value.isDisjoint(with: rest.keys) }
            if inside.count == rest.count { return inside.keys.sorted() }
            rest = inside
        }
    }

    @Test("No module of the page imports one that imports it")
    func pageCycles() throws {
        let graph = try Self.page()
        #expect(graph.count > 70 && graph["main.js"]?.contains("screens/today.js") == true)
        #expect(graph["screens/trends.js"]?.isSuperset(of: ["screens/type.js", "app/dom.js"]) == true)
        for (name, imports) in graph { #expect(imports.isSubset(of: graph.keys), "\(name)") }
        #expect(Self.cycles(graph) == [])
    }

    @Test("Folders of the page import those before them: app, components, records, screens")
    func pageFolders() throws {
        let order = ["app", "components", "records", "screens"]
        for (name, imports) in try Self.page() where name.contains("/") {
            let folder = try #require(order.firstIndex(of: String(name.prefix { $0 != "/" })), "\(name)")
            for other in imports {
                let isLower = order[...folder].contains(String(other.prefix { $0 != "/" }))
                #expect(isLower, "\(name) imports \(other)")
            }
        }
    }

    @Test("No module of the Python package imports one that imports it")
    func packageCycles() throws {
        let graph = try Self.package()
        #expect(graph.count > 10 && graph["_store.py"]?.isSuperset(of: ["_library.py", "_errors.py"]) == true)
        for (name, imports) in graph { #expect(imports.isSubset(of: graph.keys), "\(name)") }
        #expect(Self.cycles(graph) == [])
    }

    @Test("Modules that import each other are found")
    func rule() {
        let graph: Graph = ["a": ["b"], "b": ["c"], "c": ["b", "d"], "d": [], "e": ["b"]]
        #expect(Self.cycles(graph) == ["b", "c"])
        #expect(Self.cycles(["a": ["a"]]) == ["a"])
        #expect(Self.cycles(["a": ["b"], "b": []]) == [])
    }
}
