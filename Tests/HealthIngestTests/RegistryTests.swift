import Foundation
import HealthFiles
import Testing

@testable import HealthIngest

@Suite("The registry of readers and its documentation agree")
struct RegistryTests {
    private static let document: String = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return (try? String(contentsOf: root.appendingPathComponent("Docs/Devices.md"), encoding: .utf8)) ?? ""
    }()

    @Test("The first table of Docs/Devices.md is that of the registry")
    func table() throws {
        // Apple's archive has a document of its own.
        let registry = FileRegistry(try FileImport.readers().filter { !type(of: $0).format.isComplete })
        for reader in registry.readers {
            let format = type(of: reader).format
            #expect(!format.title.isEmpty && !format.files.isEmpty)
        }
        let first = try #require(Self.document.range(of: "\n|"))
        #expect(Self.document[first.lowerBound...].dropFirst().hasPrefix(registry.table + "\n"))
    }

    @Test("Docs/Devices.md has every rule on copies", arguments: CopyRule.allCases)
    func copies(rule: CopyRule) throws {
        let sections = Self.document.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("Copies\n") })
        #expect(section.contains("\n\(rule.row)\n"))
    }
}
