import Foundation
import Testing

@Suite("The license, and those of what is linked or shipped")
struct LicenseTests {
    private static func text(_ name: String) throws -> String {
        try SourceTree.text(SourceTree.root.appendingPathComponent(name))
    }

    /// The rows of NOTICE: names and SPDX expressions, by heading.
    private static func notices() throws -> [(name: String, license: String)] {
        try text("NOTICE").matches(of: /(?m)^ (\S.*?) {2,}(\S.*?) {2,}(\S.*)$/).map { (String($0.1), String($0.2)) }
    }

    @Test("The license is the Apache License 2.0, as Debian has it")
    func license() throws {
        let license = try Self.text("LICENSE")
        #expect(license.contains("Apache License") && license.contains("Version 2.0, January 2004"))
        let debian = URL(fileURLWithPath: "/usr/share/common-licenses/Apache-2.0")
        guard FileManager.default.fileExists(atPath: debian.path) else { return }
        #expect(try license == SourceTree.text(debian))
    }

    @Test(
        "Documents and packages name it",
        arguments: [
            "README.md", "NOTICE", "CONTRIBUTING.md", "Scripts/make-manual", "Scripts/make-deb", "Scripts/make-release",
        ])
    func named(file: String) throws {
        #expect(try Self.text(file).contains(/Apache(?: License(?:, Version)? |-)2\.0/))
    }

    @Test("NOTICE lists every resolved package, and nothing that isn't resolved")
    func packages() throws {
        let resolved = try Self.text("Scripts/tables/package-versions.tsv").split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: "\t").first.map(String.init) }
        let inside = ["Swift runtime and Foundation", "ICU", "SQLite", "Chart.js"] + Self.copies.values
        #expect(try Set(Self.notices().map(\.name)) == Set(resolved + inside))
    }

    /// The C code of others that packages contain and hk is linked with: folders, and names in NOTICE.
    private static let copies = [
        "swift-crypto/Sources/CCryptoBoringSSL": "BoringSSL", "swift-nio-ssl/Sources/CNIOBoringSSL": "BoringSSL",
        "swift-crypto/Sources/CXKCP": "XKCP", "swift-nio/Sources/CNIOLLHTTP": "llhttp",
        "swift-nio-extras/Sources/CNIOExtrasZlib": "zlib",
    ]

    /// That of a target that hk doesn't depend on: WebSockets.
    private static let unlinked: Set = ["swift-nio/Sources/CNIOSHA1"]

    @Test("NOTICE lists the C code of others that packages contain")
    func copies() throws {
        let checkouts = SourceTree.root.appendingPathComponent(".build/checkouts")
        var found: Set<String> = []
        for package in (try? FileManager.default.contentsOfDirectory(atPath: checkouts.path)) ?? [] {
            let sources = checkouts.appendingPathComponent(package + "/Sources")
            for target in (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? [] {
                let folder = sources.appendingPathComponent(target)
                for file in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }) ?? []
                where file.hasSuffix(".c") || file.hasSuffix(".cc") {
                    let text = try SourceTree.text(folder.appendingPathComponent(file))
                    // A package's own file says so, or has next to no code.
                    guard !text.prefix(600).contains("open source project") && text.utf8.count > 400 else { continue }
                    found.insert("\(package)/Sources/\(target)")
                    // It had other terms until 2025.
                    #expect(!target.hasSuffix("BoringSSL") || !text.contains("Eric Young"), "\(file)")
                }
            }
        }
        #expect(found.subtracting(Self.unlinked).isSubset(of: Self.copies.keys))
    }

    @Test("A package's license is the one that NOTICE names")
    func terms() throws {
        let checkouts = SourceTree.root.appendingPathComponent(".build/checkouts")
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: checkouts.path)) ?? []
        for (name, license) in try Self.notices() {
            guard let folder = folders.first(where: { $0.lowercased() == name }) else { continue }
            let files = try FileManager.default.contentsOfDirectory(atPath: checkouts.path + "/" + folder)
            let file = try #require(files.first { $0.hasPrefix("LICENSE") }, "\(name)")
            let text = try SourceTree.text(checkouts.appendingPathComponent("\(folder)/\(file)"))
            let isApache = text.contains("Apache License")
            #expect(isApache == license.hasPrefix("Apache-2.0"), "\(name)")
            #expect(text.contains("Runtime Library Exception") == license.hasSuffix("Swift-exception"), "\(name)")
            #expect(isApache != (license == "MIT"), "\(name)")
        }
    }

    @Test("A newcomer finds the usual files")
    func files() throws {
        for name in [
            "LICENSE", "NOTICE", "SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", ".github/CODEOWNERS",
            ".github/PULL_REQUEST_TEMPLATE.md", ".github/ISSUE_TEMPLATE/bug.yml", ".github/dependabot.yml", ".spi.yml",
        ] {
            #expect(
                FileManager.default.fileExists(atPath: SourceTree.root.appendingPathComponent(name).path), "\(name)")
        }
        // One page: who is trusted with what.
        let security = try Self.text("SECURITY.md")
        #expect(security.utf8.count < 6 * 1024)
        for part in ["Store", "Server", "Database", "Daemon", "Sync", "Import", "Release"] {
            #expect(security.contains("\n| **\(part)**"), "\(part)")
        }
        #expect(try Self.text(".github/CODEOWNERS").contains(/(?m)^\/LICENSE +@\S+owner$/))
    }
}
