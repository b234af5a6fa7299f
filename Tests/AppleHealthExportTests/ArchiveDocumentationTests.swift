import Foundation
import Testing

@testable import AppleHealthExport

/// `Docs/Archive.md` documents the mapping of every element and attribute.
@Suite struct ArchiveDocumentationTests {
    /// The page's sections by heading.
    private static func sections() throws -> [String: String] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Docs/Archive.md"), encoding: .utf8)
        var sections: [String: String] = [:]
        var heading = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("### ") || line.hasPrefix("## ") {
                heading = String(line.drop { $0 == "#" || $0 == " " })
            } else {
                sections[heading, default: ""] += line + "\n"
            }
        }
        return sections
    }

    @Test func everyElementAndAttributeIsExplained() throws {
        let sections = try Self.sections()
        #expect(ArchiveDefinition.elements.count > 20)
        for element in ArchiveDefinition.elements {
            let section = try #require(sections[element.name], "no section on \(element.name)")
            for attribute in element.required + element.implied {
                #expect(section.contains("`\(attribute)`"), "\(element.name) \(attribute)")
            }
        }
    }

    /// Attributes that older versions had and the current one has not.
    @Test(arguments: [
        ("Location", "speed"), ("ActivitySummary", "appleMoveMinutes"), ("ActivitySummary", "appleMoveMinutesGoal"),
        ("Workout", "totalDistance"), ("Workout", "totalEnergyBurnedUnit"),
    ])
    func contentOfOlderVersionsIsExplained(_ element: String, _ attribute: String) throws {
        #expect(try #require(Self.sections()[element]).contains("`\(attribute)`"))
    }

    @Test func noOtherElementIsExplained() throws {
        let names = Set(ArchiveDefinition.elements.map(\.name))
        let text = try Self.sections()
        let elements = text.keys.filter { $0.first?.isUppercase == true && !$0.contains(" ") }
        #expect(Set(elements).subtracting(names).subtracting(["Versions", "Limits"]).isEmpty)
    }

    @Test func everyNumberedDefectIsThere() throws {
        let defects = try #require(Self.sections()["Defects of real archives"])
        for number in 1...10 {
            #expect(defects.contains("\n\(number). ") || defects.hasPrefix("\(number). "), "\(number)")
        }
    }
}
