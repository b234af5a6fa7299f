import Foundation
import Testing

@Suite("Docs/Compatibility.md is true")
struct CompatibilityTests {
    /// The requirements of delegates with a default implementation, such as `session(_:didBegin:)`.
    private static func defaults(in text: String) -> [String] {
        text.matches(of: /(?s)\nextension HK\w+Delegate \{\n(.*?)\n\}/).flatMap { body in
            body.1.matches(of: /public func (\w+)\(([^)]*)/).map { function -> String in
                let labels = function.2.split(separator: ",").map { parameter -> String in
                    let label = parameter.drop { $0.isWhitespace }.prefix { $0.isLetter || $0 == "_" }
                    return "\(label):"
                }
                return "\(function.1)(\(labels.joined()))"
            }
        }
    }

    @Test("The optional requirements of delegates are listed, each of which has a default implementation")
    func optionalRequirements() throws {
        let page = try SourceTree.text(SourceTree.root.appendingPathComponent("Docs/Compatibility.md"))
        let section = try #require(page.firstMatch(of: /(?s)\n## Exceptions in the API\n(.*?)\n##\s/)?.1)
        let listed = section.matches(of: /`(\w+\(\S+:\))`/).map { String($0.1) }
        let found = try SourceTree.swiftFiles("Sources/HealthKit").flatMap {
            Self.defaults(in: try SourceTree.text($0))
        }
        #expect(listed.count >= 8 && listed.sorted() == found.sorted())
    }

    /// The tests that a Mac runs against Apple's framework; a simulator has no exit tests.
    @Test("The package Compatibility has tests of HealthKitTests that use nothing but the original's API")
    func links() throws {
        let folder = SourceTree.root.appendingPathComponent("Compatibility/Tests/ValueTests")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count >= 6)
        for name in names {
            let file = folder.appendingPathComponent(name)
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: file.path)
            #expect(target.hasPrefix("../../../Tests/HealthKitTests/") && target.hasSuffix("/\(name)"))
            let text = try SourceTree.text(file)
            #expect(Set(SourceTree.imports(text)).isSubset(of: ["Foundation", "HealthKit", "Testing"]), "\(name)")
            for word in ["processExitsWith", "validated(", "validatedValue", "parsed(", "#if", "Configuration("] {
                #expect(!text.contains(word), "\(name) contains \(word)")
            }
        }
    }

    @Test("A default implementation is found")
    func rule() {
        let source = """

            extension HKGateDelegate {
                /// Does nothing.
                public func gate(_ gate: Gate, didOpenWithError error: (any Error)?) {}

                public func gate(
                    _ gate: Gate, didCloseFor reason: Reason,
                    date: Date
                ) {}
            }

            """
        #expect(Self.defaults(in: source) == ["gate(_:didOpenWithError:)", "gate(_:didCloseFor:date:)"])
    }
}
