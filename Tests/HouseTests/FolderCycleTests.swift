import Foundation
import Testing

/// Folders of `HealthKit` are layers of their own. Where two of them use each other's types, there is a reason.
@Suite("Folders that use each other have a reason")
struct FolderCycleTests {
    /// Folders that every other folder uses, and that use most of them.
    private static let hubs: [String: String] = [
        "Records": "The bridge converts every class, and every class is created from and archived by it.",
        "Store": "A store saves, reads and deletes objects of every family, whose builders, queries and attachments work on its connection.",
        "Queries": "HKQuery and the query reader know every class of results; families declare their own queries and predicates as subclasses and extensions of it.",
    ]

    /// Other pairs, in alphabetical order, each with its reason.
    private static let reasons: [String: String] = [
        "Enumerations Heart": "Apple nests enumerations of electrocardiograms in their class; the generated file extends it.",
        "Enumerations Medications": "Apple nests enumerations of dose events in their class; the generated file extends it.",
        "Enumerations MentalHealth": "Apple nests enumerations of assessments and states of mind in their classes; the generated file extends them.",
        "Enumerations Predicates": "Apple's category values conform to a protocol of predicates, and predicates take options.",
        "Series Workouts": "A route belongs to a workout, and a workout builder creates routes.",
        "Statistics Workouts": "A workout has statistics, which are calculated from its samples.",
    ]

    @Test("Every cycle of two folders has a reason, and every reason a cycle")
    func cycles() throws {
        let uses = try Self.uses()
        #expect(uses["Objects"]?.contains("Types") == true)
        var found: Set<String> = []
        for (folder, others) in uses {
            for other in others where folder < other && uses[other]?.contains(folder) == true {
                guard Self.hubs[folder] == nil, Self.hubs[other] == nil else { continue }
                found.insert("\(folder) \(other)")
            }
        }
        #expect(found == Set(Self.reasons.keys), "not alike: \(found.symmetricDifference(Self.reasons.keys).sorted())")
    }

    /// The folders whose types each folder names.
    private static func uses() throws -> [String: Set<String>] {
        let files = House.swiftFiles("Sources/HealthKit")
        let declaration = /^(?:@\w+(?:\([^)]*\))? )*(?:[a-z]+(?:\([a-z]+\))? )*(?:struct|class|enum|protocol|actor|typealias) ([A-Z]\w*)/
        var owners: [Substring: String] = [:]
        for file in files {
            for line in try House.text(file).split(separator: "\n") {
                if let match = line.prefixMatch(of: declaration) { owners[match.1] = folder(of: file) }
            }
        }
        var uses: [String: Set<String>] = [:]
        for file in files {
            for line in try House.text(file).split(separator: "\n") {
                let code = line.replacing(/"(?:[^"\\]|\\.)*"/, with: "").split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
                for match in code.matches(of: /\b[A-Z]\w+/) {
                    if let owner = owners[match.0], owner != folder(of: file) { uses[folder(of: file), default: []].insert(owner) }
                }
            }
        }
        return uses
    }

    private static func folder(of file: URL) -> String {
        let parts = House.name(file).split(separator: "/")
        return parts.count > 3 ? String(parts[2]) : ""
    }
}
