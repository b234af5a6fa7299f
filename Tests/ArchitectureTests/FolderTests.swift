import Foundation
import Testing

@Suite("Folders of a target depend on each other in one direction")
struct FolderTests {
    /// The pairs of folders that name each other's types, with the reason.
    static let exceptions: [String: [Set<String>: String]] = [
        "AppleHealthExport": [
            ["Export", "Import/Objects"]: twins, ["Export/Objects", "Import/Objects"]: twins,
            ["Export/Objects", "Import/Auxiliary"]: twins,
            ["Export", "Supplement"]: supplement, ["Export/Elements", "Supplement"]: supplement,
            ["Export/Elements", "Export/Objects"]:
                "Records and objects share the text of dates, sources and devices, and records contain lists of beats.",
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
            ["Predicates", "Queries"]:
                "The predicates of the original are class methods of HKQuery, and a query translates its predicate.",
            ["Queries", "Store"]:
                "A store executes queries, and a query reads through the store's connection.",
            ["Objects", "Types"]: coding, ["Objects", "Units"]: coding,
            ["Store", "Workouts"]: workouts, ["Store", "Workouts/Live"]: workouts,
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

    private static let coding =
        "An object has a type and units, which are coded in an archive as an object is."

    private static let workouts =
        "A store has methods for workouts and their sessions, which only its class can declare, and workouts are saved through it."

    @Test("No two folders name each other's types without a reason", arguments: SourceTree.layers.map(\.target))
    func directions(target: String) throws {
        let found = try SourceTree.twoWayPairs(of: target)
        let expected = Set(Self.exceptions[target, default: [:]].keys)
        for pair in found.subtracting(expected) { Issue.record("\(pair.sorted()) name each other's types") }
        for pair in expected.subtracting(found) { Issue.record("\(pair.sorted()) no longer need an exception") }
    }

    @Test("Exceptions are of targets that exist")
    func names() {
        #expect(Set(Self.exceptions.keys).isSubset(of: SourceTree.layers.map(\.target)))
        #expect(Self.exceptions["HealthKit", default: [:]].count <= 8)
        #expect(Self.exceptions["HealthServer", default: [:]].count <= 4)
    }

    @Test("A pair is found")
    func rule() throws {
        // The reason for some exception: without the pair, nothing is known of the search.
        #expect(try SourceTree.twoWayPairs(of: "HealthKit").contains(["Queries", "Store"]))
    }
}
