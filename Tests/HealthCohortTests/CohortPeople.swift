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
    convenience init(_ count: Int, samples: (Int) throws -> [(source: String, samples: [SampleRecord])]) throws {
        try self.init((0..<count).map { try Self.engine(samples($0)) })
    }

    private init(_ engines: [HealthEngine]) {
        names = engines.indices.map { "person\($0)" }
        self.engines = Dictionary(uniqueKeysWithValues: zip(names, engines))
    }

    /// The stores of these people, and of another one.
    func joined(by samples: [(source: String, samples: [SampleRecord])]) throws -> CohortPeople {
        CohortPeople(names.compactMap { engines[$0] } + [try Self.engine(samples)])
    }

    private static func engine(_ samples: [(source: String, samples: [SampleRecord])]) throws -> HealthEngine {
        let engine = try HealthEngine(
            storage: StorageProviders.shared.openInMemory(), configuration: EngineConfiguration(now: { 0 }))
        for (source, samples) in samples where !samples.isEmpty {
            try engine.save(
                samples.map { .sample($0) },
                as: Caller(
                    revision: SourceRevisionRecord(
                        source: SourceRecord(bundleIdentifier: "com.apple.health.\(source)", name: source),
                        productType: source.hasSuffix("watch") ? "Watch6,1" : "iPhone15,2"),
                    permission: .allowAll))
        }
        return engine
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
