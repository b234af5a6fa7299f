import Foundation
import Testing

/// The page’s table of types, which is generated, and its readers.
@Suite("Types of the page")
struct PageTypesTests {
    private static let types: [String: (category: String, name: String)] = {
        let found = FileManager.default.enumerator(
            at: SourceTree.root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil)
        let file = found?.compactMap { $0 as? URL }.first { $0.lastPathComponent == "GENERATED-types.js" }
        let text = file.flatMap { try? SourceTree.text($0) } ?? ""
        let rows = text.matches(of: /(?m)^  (\w+): \{ category: "(\w+)", name: "([^"]+)"/)
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), (String($0.2), String($0.3))) })
    }()

    @Test(
        "A type is in the category in which the Health app shows it",
        arguments: [
            // Words of the identifiers once decided.
            ("heartburn", "symptoms"), ("skippedHeartbeat", "symptoms"),
            ("rapidPoundingOrFlutteringHeartbeat", "symptoms"), ("sleepChanges", "symptoms"),
            ("abdominalCramps", "symptoms"), ("bladderIncontinence", "symptoms"), ("breastPain", "symptoms"),
            ("heartRate", "heart"), ("sleepAnalysis", "sleep"), ("sleepApneaEvent", "respiratory"),
            ("environmentalSoundReduction", "hearing"), ("sixMinuteWalkTestDistance", "mobility"),
            ("appleSleepingWristTemperature", "body"), ("runningSpeed", "activity"), ("workout", "activity"),
            ("bleedingDuringPregnancy", "cycle"), ("insulinDelivery", "other"), ("stateOfMind", "mindfulness"),
        ])
    func categories(type: String, category: String) {
        #expect(Self.types[type]?.category == category)
    }

    @Test("The journal offers the symptoms that Trends shows, by the table")
    func symptoms() throws {
        #expect(Self.types.values.count { $0.category == "symptoms" } == 39)
        let found = FileManager.default.enumerator(
            at: SourceTree.root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil)
        let scripts = (found?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == "js" && !$0.lastPathComponent.hasPrefix("GENERATED-")
        }
        #expect(scripts.count > 60)
        for script in scripts {
            #expect(
                try !SourceTree.text(script).contains("abdominalCramps"), "\(SourceTree.name(script)) lists symptoms")
        }
    }
}
