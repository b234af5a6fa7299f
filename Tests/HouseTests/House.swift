import Foundation

/// The sources of this package, as the house tests read them.
enum House {
    /// The package's folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A target of `Sources` and the targets it depends on.
    struct Layer: Sendable {
        var target: String
        var dependencies: Set<String>
    }

    /// The targets of `Sources` with their dependencies, in the order of Package.swift, which states the dependency
    /// graph: from the bottom of the house to the top.
    static let layers: [Layer] = {
        guard let manifest = try? text(root.appendingPathComponent("Package.swift")),
            let start = manifest.range(of: "let house: [Target] = ["),
            let end = manifest.range(of: "\n]\n", range: start.upperBound..<manifest.endIndex)
        else { return [] }
        let house = manifest[start.upperBound..<end.lowerBound]
        return house.split(separator: "    .").compactMap { declaration in
            // Products of other packages have a `package:` label and are not part of the house.
            let text = declaration.replacing(/\.product\([^)]*\)/, with: "")
            guard text.hasPrefix("target(") || text.hasPrefix("executableTarget(") else { return nil }
            let names = text.replacing(/\/\/.*/, with: "").matches(of: /"([A-Za-z]+)"/).map { String($0.1) }
            guard let target = names.first else { return nil }
            return Layer(target: target, dependencies: Set(names.dropFirst()).subtracting(systemLibraries))
        }
    }()

    /// Module maps for C libraries.
    static let systemLibraries: Set<String> = ["CPostgreSQL", "CZlib"]

    /// All Swift files below a folder of the package.
    static func swiftFiles(_ folder: String) -> [URL] {
        let start = root.appendingPathComponent(folder)
        let found = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
    }

    /// The Swift files below a folder that are written by hand.
    static func handWrittenFiles(_ folder: String) -> [URL] {
        swiftFiles(folder).filter { !$0.lastPathComponent.hasPrefix("GENERATED-") }
    }

    static func text(_ url: URL) throws -> String {
        try String(contentsOf: url, encoding: .utf8)
    }

    /// A file's path from the package's folder.
    static func name(_ url: URL) -> String {
        String(url.path.dropFirst(root.path.count + 1))
    }

    /// The modules a file imports.
    static func imports(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                words[..<index].allSatisfy({
                    ["public", "internal", "private", "package", "fileprivate"].contains($0) || $0.hasPrefix("@")
                })
            else { return nil }
            return words.last?.split(separator: ".").first.map(String.init)
        }
    }

    /// A file's text without comments and string literals: what is left are names, keywords and punctuation.
    static func code(_ text: String) -> String {
        var code = ""
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if rest.hasPrefix("\"\"\"") {
                rest = rest.dropFirst(3)
                while !rest.isEmpty, !rest.hasPrefix("\"\"\"") { rest = rest.dropFirst() }
                rest = rest.dropFirst(3)
            } else if character == "\"" {
                rest = rest.dropFirst()
                var depth = 0
                while let next = rest.first, next != "\"" || depth > 0, next != "\n" {
                    if rest.hasPrefix("\\(") { depth += 1 }
                    if next == ")", depth > 0 { depth -= 1 }
                    rest = rest.dropFirst(next == "\\" ? 2 : 1)
                }
                rest = rest.dropFirst()
                code.append("\"\"")
            } else {
                code.append(character)
                rest = rest.dropFirst()
            }
        }
        return code
    }
}
