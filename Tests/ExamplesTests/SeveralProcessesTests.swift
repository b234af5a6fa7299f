import Foundation
import HealthKit
import Synchronization
import Testing

/// Calls of handlers by name, which a test waits for.
private final class Heard: Sendable {
    private struct State {
        var names: [String] = []
        var waiting: (isDone: @Sendable ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    var names: [String] { state.withLock { $0.names } }

    func add(_ name: String) {
        let done = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.names.append(name)
            guard let waiting = state.waiting, waiting.isDone(state.names) else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        done?.resume()
    }

    func clear() { state.withLock { $0.names = [] } }

    /// Waits until the names satisfy a condition. One task at a time.
    func wait(until isDone: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDoneNow = state.withLock { state in
                if isDone(state.names) { return true }
                state.waiting = (isDone, continuation)
                return false
            }
            if isDoneNow { continuation.resume() }
        }
    }
}

/// Long-running queries of this process, and commits of `hk`, another one.
@Suite("Several processes with one store", .timeLimit(.minutes(15)))
struct SeveralProcessesTests {
    private let store = TestStore()

    /// Fifty types, with a unit each.
    private static let types: [(identifier: String, unit: String)] = {
        let grams = [
            "FatTotal", "FatPolyunsaturated", "FatMonounsaturated", "FatSaturated", "Cholesterol", "Sodium",
            "Carbohydrates",
            "Fiber", "Sugar", "Protein", "VitaminA", "VitaminB6", "VitaminB12", "VitaminC", "VitaminD", "VitaminE",
            "VitaminK",
            "Calcium", "Iron", "Thiamin", "Riboflavin", "Niacin", "Folate", "Biotin", "PantothenicAcid", "Phosphorus",
            "Iodine",
            "Magnesium", "Zinc", "Selenium", "Copper", "Manganese", "Chromium", "Molybdenum", "Chloride", "Potassium",
            "Caffeine",
        ].map { ("Dietary\($0)", "g") }
        let meters = ["WalkingRunning", "Cycling", "Swimming", "Wheelchair", "DownhillSnowSports"].map {
            ("Distance\($0)", "m")
        }
        let counts = [
            "StepCount", "FlightsClimbed", "PushCount", "SwimmingStrokeCount", "NumberOfTimesFallen", "InhalerUsage",
            "NikeFuel",
        ].map { ($0, "count") }
        return (grams + meters + counts + [("BodyMass", "kg")]).map { ("HKQuantityTypeIdentifier\($0.0)", $0.1) }
    }()

    private func hk(_ arguments: [String]) throws {
        let run = try store.run("hk", arguments)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("200 observers of 50 types are notified of another process's commit, each of its own types only")
    func observers() async throws {
        #expect(Self.types.count == 50)
        _ = try await store.health.save(TestStore.quantity(.height, 1.7, .meter(), at: TestStore.today(1)))
        let heard = Heard()
        var queries: [HKQuery] = []
        for (identifier, _) in Self.types {
            let type = try #require(
                HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier)))
            for number in 0..<4 {
                let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
                    if error == nil { heard.add("\(identifier) \(number)") }
                    completion()
                }
                store.health.execute(query)
                queries.append(query)
            }
        }
        let records = Self.types.map { identifier, unit in
            """
             <Record type="\(identifier)" sourceName="Phone" unit="\(unit)" creationDate="2025-11-16 08:00:00 +0000" \
            startDate="2025-11-16 08:00:00 +0000" endDate="2025-11-16 08:01:00 +0000" value="1"/>
            """
        }
        let archive = store.folder.appendingPathComponent("export.xml")
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
             <ExportDate value="2025-11-16 12:00:00 +0000"/>
             <Me HKCharacteristicTypeIdentifierDateOfBirth="1987-05-04"/>
            \(records.joined(separator: "\n"))
            </HealthData>

            """.utf8
        ).write(to: archive)
        try hk(["import", archive.path])
        await heard.wait { Set($0).count == 200 }
        heard.clear()

        for (name, identifier) in [
            ("stepCount", "HKQuantityTypeIdentifierStepCount"), ("bodyMass", "HKQuantityTypeIdentifierBodyMass"),
        ] {
            try hk(["add", name, "60", name == "bodyMass" ? "kg" : "count", "--start", "2025-11-16T09:00"])
            let expected = Set((0..<4).map { "\(identifier) \($0)" })
            await heard.wait { expected.isSubset(of: Set($0)) }
            #expect(Set(heard.names) == expected)
            heard.clear()
        }
        for query in queries { store.health.stop(query) }
    }

    @Test("Anchored, collection and summary queries are updated with another process's commit")
    func longRunning() async throws {
        try store.profile(["--move-goal", "500"])
        let steps = HKQuantityType(.stepCount)
        try await store.health.save(TestStore.quantity(.activeEnergyBurned, 10, .kilocalorie(), at: TestStore.today(1)))
        let heard = Heard()
        let anchored = HKAnchoredObjectQuery(type: steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit) {
            _, _, _, _, _ in
            heard.add("anchored begins")
        }
        anchored.updateHandler = { _, samples, _, _, _ in heard.add("anchored \(samples?.count ?? 0)") }
        let collection = HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum, anchorDate: TestStore.today(0),
            intervalComponents: DateComponents(day: 1))
        collection.initialResultsHandler = { _, _, _ in heard.add("collection begins") }
        collection.statisticsUpdateHandler = { _, statistics, _, _ in
            heard.add("collection \(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)")
        }
        let summaries = HKActivitySummaryQuery(predicate: nil) { _, _, _ in heard.add("summaries begin") }
        summaries.updateHandler = { _, found, _ in
            heard.add("summaries \(found?.last?.activeEnergyBurned.doubleValue(for: .kilocalorie()) ?? 0)")
        }
        for query in [anchored, collection, summaries] as [HKQuery] { store.health.execute(query) }
        await heard.wait { $0.count == 3 }
        heard.clear()

        let start = TestStore.today(2).formatted(.iso8601)
        try hk(["add", "stepCount", "7", "count", "--start", start])
        await heard.wait { Set($0).isSuperset(of: ["anchored 1", "collection 7.0"]) }
        try hk(["add", "activeEnergyBurned", "30", "kcal", "--start", start])
        await heard.wait { $0.contains("summaries 40.0") }
        for query in [anchored, collection, summaries] as [HKQuery] { store.health.stop(query) }
    }
}
