import Foundation
import Testing

@Suite("Folders of a target depend on each other in one direction")
struct FolderTests {
    /// The pairs of folders that name each other's types, with the reason.
    static let exceptions: [String: [Set<String>: String]] = [
        "HealthEngine": [
            ["Samples", "Statistics"]:
                "A predicate on a workout's statistics must give the figures of a statistics query, which selects its pages like a sample query."
        ],
        "HealthKit": [
            ["Series", "Workouts"]: "A route belongs to a workout, and a workout builder creates routes.",
            ["Statistics", "Workouts"]:
                "A workout has statistics, and statistics and workouts keep quantities in the same form.",
        ],
        "HealthModel": [
            ["Records", "Samples"]:
                "An object's record contains its member samples, whose sources, devices and metadata are records."
        ],
    ]

    /// The folders that may be in a pair with any other of their target, with the reason.
    static let hubs: [String: [String: String]] = [
        "HealthKit": [
            "Records": "The bridge converts the objects of every family, and they are created and archived by it.",
            "Store": "A store saves, reads and deletes the objects of every family, whose queries and builders use its connection.",
            "Queries": "The query reader returns the objects of every family, and a family's queries are subclasses of HKQuery.",
        ]
    ]

    static let targets = [
        "HealthModel", "HealthPages", "HealthStorage", "HealthStorageSQLite", "HealthEngine", "HealthFormats", "HealthTesting",
        "HealthKit",
    ]

    @Test("No two folders name each other's types without a reason", arguments: targets)
    func directions(target: String) throws {
        // Files that are not in a folder define the target's main types, which every folder may name.
        let root = House.root.appendingPathComponent("Sources/\(target)").path + "/"
        var code: [String: [String]] = [:]
        for file in House.handWrittenFiles("Sources/\(target)") {
            let path = file.path.replacingOccurrences(of: root, with: "").split(separator: "/")
            guard path.count > 1 else { continue }
            code[String(path[0]), default: []].append(House.code(try House.text(file)))
        }
        let definition = /(?m)^(?:public |package |open |indirect |final )*(?:struct|class|enum|protocol|typealias) +(\w+)/
        let defined = code.mapValues { texts in
            Set(texts.flatMap { $0.matches(of: definition).map { String($0.1) } })
        }
        let named = code.mapValues { texts in
            Set(texts.flatMap { $0.matches(of: /\b[A-Z]\w+/).map { String($0.0) } })
        }
        var found: Set<Set<String>> = []
        for (left, types) in defined {
            for (right, others) in defined where left < right {
                let (fromLeft, fromRight) = (named[left, default: []], named[right, default: []])
                guard !fromLeft.isDisjoint(with: others.subtracting(types)),
                    !fromRight.isDisjoint(with: types.subtracting(others))
                else { continue }
                let hubs = Self.hubs[target, default: [:]]
                if hubs[left] == nil, hubs[right] == nil { found.insert([left, right]) }
            }
        }
        #expect(found == Set(Self.exceptions[target, default: [:]].keys))
    }
}
