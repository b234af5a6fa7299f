import Foundation

/// The sources of this package, as the house tests read them.
enum SourceTree {
    /// The package's folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A target of `Sources` and the targets it depends on.
    struct Layer: Sendable {
        var target: String
        var dependencies: Set<String>
        /// Whether it has dependencies that only the trait brings.
        var usesTrait: Bool
        /// Whether it can't be compiled without the trait.
        var isGuarded: Bool
    }

    /// The targets of `Sources` with their dependencies, in the order of Package.swift, which states the dependency
    /// graph: from the bottom to the top.
    static let layers: [Layer] = {
        guard let manifest = try? text(root.appendingPathComponent("Package.swift")),
            let start = manifest.range(of: "let house: [Target] = ["),
            let end = manifest.range(of: "\n]\n", range: start.upperBound..<manifest.endIndex)
        else { return [] }
        // The first declaration begins with a line break, too.
        let declarations = manifest[start.upperBound..<end.lowerBound].replacing(/\/\/.*/, with: "")
            .split(separator: "\n    .").filter { $0.hasPrefix("target(") || $0.hasPrefix("executableTarget(") }
        let names = declarations.map { $0.matches(of: /"([A-Za-z]+)"/).map { String($0.1) } }
        let targets = Set(names.compactMap(\.first)).subtracting([traitGuard]).subtracting(cLibraries)
        return zip(declarations, names).compactMap { declaration, names in
            guard let target = names.first, targets.contains(target) else { return nil }
            return Layer(
                target: target, dependencies: targets.intersection(names.dropFirst()),
                usesTrait: declaration.contains("condition: server"), isGuarded: names.contains(traitGuard))
        }
    }()

    /// The target that is compiled with the trait only, on which others depend and which none imports.
    static let traitGuard = "ServerTrait"

    /// Module maps for C libraries, and what is written in C.
    static let cLibraries: Set<String> = ["COpenHealthKit", "CPostgreSQL", "CQREncode", "CSQLiteBounds", "CZlib"]

    /// The targets that a target depends on, directly or not.
    static func closure(_ target: String) -> Set<String> {
        let own = layers.first { $0.target == target }?.dependencies ?? []
        return own.reduce(into: own) { $0.formUnion(closure($1)) }
    }

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
