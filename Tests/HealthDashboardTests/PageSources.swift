import Foundation
import Testing

/// The sources of the page, as its tests read them.
enum PageSources {
    /// The package's folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The page's folder.
    static let page = root.appendingPathComponent("Sources/HealthDashboard/Page")
    /// The folder of the scripts that drive the page in Chromium.
    static let browser = root.appendingPathComponent("Tests/HealthDashboardTests/Browser")

    /// All files with an extension below a folder.
    static func files(_ extensions: Set<String>, in folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { extensions.contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }

    static func text(_ file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8)
    }

    /// Replaces the first occurrence of a text in a file.
    static func write(_ text: String, to file: URL, inPlaceOf old: String) throws {
        var whole = try self.text(file)
        whole.replaceSubrange(try #require(whole.firstRange(of: old), "\(file.path) has no “\(old)”"), with: text)
        try Data(whole.utf8).write(to: file)
    }
}

/// A copy of the page, which a test may change; removed when it is released.
final class DashboardCopy {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
    let page: URL
    let browser: URL

    init() throws {
        page = folder.appendingPathComponent("Page")
        browser = folder.appendingPathComponent("Browser")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: PageSources.page, to: page)
        try FileManager.default.copyItem(at: PageSources.browser, to: browser)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
