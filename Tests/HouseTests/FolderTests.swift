import Foundation
import Testing

@Suite("Folders of a target depend on each other in one direction")
struct FolderTests {
    /// The pairs of folders that name each other's types, with the reason.
    static let exceptions: [String: [Set<String>: String]] = [
        "AppleHealthExport": [
            ["Export", "Import/Objects"]: twins, ["Export/Objects", "Import/Objects"]: twins,
            ["Export/Objects", "Import/Companions"]: twins,
            ["Export", "Supplement"]: supplement, ["Export/Elements", "Supplement"]: supplement,
            ["Import/Reimport", "Supplement"]:
                "An archive's fingerprint covers the supplement, whose lines have the same digest.",
            ["Export/Elements", "Export/Objects"]:
                "Records and objects share the text of dates, sources and devices, and records contain lists of beats.",
            ["Import", "Zip"]: "A zip file is read through the byte source of an import, which reports its damage.",
            ["Import/Input", "Zip"]: "A zip file is read from a byte source, and its entries are byte sources.",
            ["Import/Objects", "Import/Parser"]:
                "The parser collects the elements of an object, and an object's reader uses the header of its archive.",
            ["Import/Objects", "Import/Records"]:
                "A record contains a list of beats, which is read like an object's elements.",
        ],
        "AppleHealthGenerator": [
            ["Content", "Dialects"]: "A dialect decides what content looks like, and has the words of its language."
        ],
        "HealthEngine": [
            ["Samples", "Statistics"]:
                "A predicate on a workout's statistics must give the figures of a statistics query, which selects its pages like a sample query."
        ],
        "HealthKit": [
            ["Medications", "Predicates"]:
                "A predicate compares health concepts, and dose events have predicates of their own.",
            ["Statistics", "Workouts"]:
                "A workout has statistics, and statistics and workouts keep quantities in the same form.",
        ],
        "HealthModel": [
            ["Records", "Samples"]:
                "An object's record contains its member samples, whose sources, devices and metadata are records."
        ],
    ]

    private static let twins =
        "Reading and writing are twins: a writer asks the reader what it would restore, to know what the supplement must add."
    private static let supplement =
        "The supplement contains what the elements can't represent, so its writer compares both and is part of an export."

    /// The folders that may be in a pair with any other of their target, with the reason.
    static let hubs: [String: [String: String]] = [
        "HealthKit": [
            "Records": "The bridge converts the objects of every family, and they are created and archived by it.",
            "Store":
                "A store saves, reads and deletes the objects of every family, whose queries and builders use its connection.",
            "Queries":
                "The query reader returns the objects of every family, and a family's queries are subclasses of HKQuery.",
        ]
    ]

    static let targets = [
        "HealthModel", "HealthPages", "HealthStorage", "HealthStorageSQLite", "HealthStoragePostgreSQL", "HealthEngine",
        "HealthSQL", "HealthFormats", "HealthTesting", "HealthKit",
        "AppleHealthExport", "AppleHealthGenerator", "HealthIngest", "HealthServer", "hk",
    ]

    @Test("No two folders name each other's types without a reason", arguments: targets)
    func directions(target: String) throws {
        let hubs = Self.hubs[target, default: [:]]
        let found = try House.twoWayPairs(of: target).filter { $0.allSatisfy { hubs[$0] == nil } }
        let expected = Set(Self.exceptions[target, default: [:]].keys)
        for pair in found.subtracting(expected) { Issue.record("\(pair.sorted()) name each other's types") }
        for pair in expected.subtracting(found) { Issue.record("\(pair.sorted()) no longer need an exception") }
    }
}
