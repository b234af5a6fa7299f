package import Foundation
import Synchronization

/// The folder of the page: its files, each in the language of its reader, and Chart.js.
package final class PageFolder: Sendable {
    /// A file of the page.
    package struct File: Sendable {
        /// The path on disk.
        package let path: String
        /// The time of the last change.
        package let modified: Date
        /// The language of a file that depends on its reader.
        package fileprivate(set) var language: DashboardLanguage?
        fileprivate var languages: [String] = []

        /// The bytes; `nil` if the file is gone.
        package var contents: Data? {
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            guard let language else { return data }
            let text = String(decoding: data, as: UTF8.self)
            return Data((path.hasSuffix(".html") ? language.index(text, languages) : language.manifest(text)).utf8)
        }
    }

    /// The path of the URL at which the page loads Chart.js.
    package static let chart = "/vendor/chart.js"
    /// Where Debian's libjs-chart.js has Chart.js.
    package static let chartPaths = [
        "/usr/share/javascript/chart.js/chart.min.js", "/usr/share/javascript/chart.js/Chart.min.js",
        "/usr/share/nodejs/chart.js/dist/chart.min.js",
    ]

    /// The path of the folder.
    private let path: String
    private let charts: [String]
    private let catalogues = Mutex<[String: DashboardLanguage]>([:])

    /// The page at a path; `nil` if there is none.
    ///
    /// - Parameter charts: Where Chart.js may be, unless the folder has it, in the order of preference.
    package init?(path: String, charts: [String] = PageFolder.chartPaths) {
        guard FileManager.default.fileExists(atPath: path + "/index.html") else { return nil }
        self.path = path
        self.charts = charts
    }

    /// The page of this program: that of `$OPENHEALTHKIT_PAGE`, the one that is installed with it, or the one in the folder
    /// in which it was built; `nil` if there is none.
    package static func ofProgram() -> PageFolder? {
        let program = URL(fileURLWithPath: ProcessInfo.processInfo.arguments.first ?? "hk")
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let folders = [executable, program].map { $0.deletingLastPathComponent() }
        let candidates =
            [ProcessInfo.processInfo.environment["OPENHEALTHKIT_PAGE"]].compactMap { $0 }
            + folders.map { $0.deletingLastPathComponent().appendingPathComponent("share/openhealthkit/page").path }
            + folders.map { $0.appendingPathComponent("OpenHealthKit_HealthDashboard.resources/Page").path }
        return candidates.lazy.compactMap { PageFolder(path: $0) }.first
    }

    // MARK: Files

    /// The file at a path of the URL; `nil` if there is none.
    ///
    /// - Parameter accepted: The languages that its reader wants, as in the field `Accept-Language`.
    package func file(_ urlPath: String, accepted: String? = nil) -> File? {
        if urlPath == Self.chart {
            return ([path + Self.chart] + charts).lazy.compactMap { self.file(at: $0) }.first
        }
        let parts = urlPath.split(separator: "/", omittingEmptySubsequences: true)
        // Only names that the page can have: no hidden files and no way out of the folder.
        guard parts.allSatisfy({ $0.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*/) != nil }) else { return nil }
        let name = parts.isEmpty ? "index.html" : parts.joined(separator: "/")
        guard var file = file(at: path + "/" + name) else { return nil }
        if ["index.html", "offline.html", "manifest.webmanifest"].contains(name) {
            file.languages = languages
            file.language = language(accepted)
        }
        return file
    }

    private func file(at path: String) -> File? {
        let target = (path as NSString).resolvingSymlinksInPath
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        return File(path: path, modified: attributes[.modificationDate] as? Date ?? .distantPast)
    }

    // MARK: Languages

    /// The languages besides English: those with a catalogue.
    package var languages: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/languages")) ?? []
        return names.compactMap { try? /([a-z]{2,3})\.json/.wholeMatch(in: $0)?.output.1 }.map(String.init).sorted()
    }

    /// The language in which a reader wants the page, as in the field `Accept-Language`.
    package func language(_ accepted: String?) -> DashboardLanguage {
        let name = DashboardLanguage.preferred(accepted ?? "", of: languages)
        guard name != "en", let file = file(at: path + "/languages/\(name).json") else { return .english }
        if let known = catalogues.withLock({ $0[name] }), known.modified == file.modified { return known }
        guard let catalogue = file.contents else { return .english }
        let language = DashboardLanguage(name: name, modified: file.modified, catalogue: catalogue)
        catalogues.withLock { $0[name] = language }
        return language
    }
}
