import Foundation
import HealthCohort
import HealthEngine
import HealthModel
import HealthStorage
import Synchronization
import Testing

/// People with stores in memory, and a count of how often each was opened.
final class CohortPeople: CohortStores {
    private let engines: [String: HealthEngine]
    private let openings = Mutex<[String: Int]>([:])
    let names: [String]

    /// Creates people whose samples a closure returns, by source.
    init(_ count: Int, samples: (Int) throws -> [(source: String, samples: [SampleRecord])]) throws {
        var engines: [String: HealthEngine] = [:]
        for index in 0..<count {
            let engine = try HealthEngine(
                storage: StorageProviders.shared.openInMemory(), configuration: EngineConfiguration(now: { 0 }))
            for (source, samples) in try samples(index) where !samples.isEmpty {
                try engine.save(
                    samples.map { .sample($0) },
                    as: Caller(
                        revision: SourceRevisionRecord(
                            source: SourceRecord(bundleIdentifier: "com.apple.health.\(source)", name: source),
                            productType: source.hasSuffix("watch") ? "Watch6,1" : "iPhone15,2"),
                        permission: .allowAll))
            }
            engines["person\(index)"] = engine
        }
        self.engines = engines
        names = (0..<count).map { "person\($0)" }
    }

    /// Batches of three. Who doesn't exist is left out.
    func batches(of people: [String]) -> [[String]] {
        let found = people.filter { engines[$0] != nil }
        return stride(from: 0, to: found.count, by: 3).map { Array(found[$0..<min($0 + 3, found.count)]) }
    }

    /// Opens each person's store; fails for one that doesn't exist.
    func read(
        _ people: [String], for request: CohortRequest, _ body: (Int, HealthEngine) throws -> Void,
        failed: (Int, any Error) -> Void
    ) {
        for (place, person) in people.enumerated() {
            openings.withLock { $0[person, default: 0] += 1 }
            do {
                guard let engine = engines[person] else { throw StorageError(.unreachable, "No store found.") }
                try body(place, engine)
            } catch {
                failed(place, error)
            }
        }
    }

    var openingCount: Int { openings.withLock { $0.values.reduce(0, +) } }

    static let steps = TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")
    static let heartRate = TypeCatalog.description(for: "HKQuantityTypeIdentifierHeartRate")
}

extension SampleRecord {
    static func steps(_ value: Double, from start: Double, for seconds: Double) throws -> SampleRecord {
        SampleRecord(
            type: try #require(CohortPeople.steps).code, start: start, end: start + seconds, value: value, unit: "count"
        )
    }

    static func heartRate(_ value: Double, at start: Double) throws -> SampleRecord {
        SampleRecord(
            type: try #require(CohortPeople.heartRate).code, start: start, end: start, value: value, unit: "count/min")
    }
}
