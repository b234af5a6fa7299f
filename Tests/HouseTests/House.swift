import Foundation

/// The sources of this package as the tests of the house read them.
enum House {
    /// The package's folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Targets from the bottom up; each with those it may import. Nothing else is below it.
    static let layers: [(target: String, below: Set<String>)] = [
        ("HealthModel", []),
        ("HealthPages", ["HealthModel"]),
        ("HealthStorage", ["HealthModel"]),
        ("HealthStorageSQLite", ["HealthModel", "HealthStorage"]),
        ("HealthEngine", ["HealthModel", "HealthPages", "HealthStorage"]),
        ("HealthSQL", ["HealthModel", "HealthStorage", "HealthEngine"]),
        ("HealthFormats", ["HealthModel", "HealthStorage", "HealthEngine", "HealthSQL"]),
        ("CoreLocation", []),
        ("UniformTypeIdentifiers", []),
        (
            "HealthKit",
            [
                "CoreLocation", "UniformTypeIdentifiers", "HealthModel", "HealthEngine", "HealthStorage",
                "HealthStorageSQLite",
            ]
        ),
        ("HealthKitUI", ["HealthKit"]),
        ("AppleHealthExport", ["UniformTypeIdentifiers", "HealthModel", "HealthPages", "HealthEngine"]),
        ("HealthInsights", ["HealthKit"]),
        ("HealthWatcher", ["HealthKit"]),
        ("HealthTesting", ["HealthModel", "HealthPages", "HealthStorage", "HealthEngine", "HealthKit"]),
        (
            "hk",
            [
                "HealthModel", "HealthStorage", "HealthStorageSQLite", "HealthEngine", "HealthKit", "HealthKitUI",
                "AppleHealthExport", "HealthInsights", "HealthWatcher", "HealthSQL", "HealthFormats",
            ]
        ),
    ]

    /// All Swift files below a folder of the package.
    static func swiftFiles(_ folder: String) -> [URL] {
        let start = root.appendingPathComponent(folder)
        let found = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
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
                words[..<index].allSatisfy({ ["public", "internal", "private", "package", "fileprivate"].contains($0) || $0.hasPrefix("@") })
            else { return nil }
            return words.last?.split(separator: ".").first.map(String.init)
        }
    }
}
