import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthImport
import HealthStorage
import HealthStorageSQLite

/// A store with everything in it, and the answers it gives.
struct DamagedStore: Sendable {
    static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    static let person = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.person", name: "person")),
        permission: .owner)
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ReliabilityTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Creates the store and returns its bytes: some days of steps and heart rates, sleep, blood pressure, deletions.
    func create(_ name: String = "whole.sqlite", days: Int = 14) async throws -> [UInt8] {
        let path = path(name)
        func quantity(
            _ type: HKQuantityTypeIdentifier, _ unit: String, _ value: Double, _ offset: Double, _ length: Double = 0
        ) -> HKQuantitySample {
            let date = Self.start + offset
            return HKQuantitySample(
                type: HKQuantityType(type), quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: value),
                start: date, end: date + length)
        }
        do {
            for application in ["watch", "phone"] {
                let store = HKHealthStore(
                    configuration: HKHealthStore.Configuration(
                        location: .file(URL(fileURLWithPath: path)),
                        application: HKHealthStore.Configuration.Application(
                            bundleIdentifier: "org.example.\(application)"),
                        authorization: .allowAll))
                for day in 0..<days {
                    let offset = Double(day) * 86_400
                    try await store.save(
                        (0..<48).map { (number: Int) -> HKQuantitySample in
                            let start = offset + Double(number) * 1_800
                            return quantity(.stepCount, "count", Double(10 + number % 7), start, 900)
                        })
                    try await store.save(
                        (0..<288).map { (number: Int) -> HKQuantitySample in
                            let start = offset + Double(number) * 300
                            return quantity(.heartRate, "count/min", Double(50 + number % 61), start)
                        })
                    try await store.save(
                        HKCategorySample(
                            type: HKCategoryType(.sleepAnalysis),
                            value: HKCategoryValueSleepAnalysis.asleepDeep.rawValue,
                            start: Self.start + offset, end: Self.start + offset + 3_600,
                            metadata: ["note": "night \(day)"]))
                    let members: Set<HKSample> = [
                        quantity(.bloodPressureSystolic, "mmHg", 120, offset),
                        quantity(.bloodPressureDiastolic, "mmHg", 80, offset),
                    ]
                    try await store.save(
                        HKCorrelation(
                            type: HKCorrelationType(.bloodPressure), start: Self.start + offset,
                            end: Self.start + offset, objects: members))
                    let water = quantity(.dietaryWater, "mL", 250, offset)
                    try await store.save([water, quantity(.dietaryWater, "mL", 330, offset + 60)])
                    try await store.delete(water)
                }
            }
        }
        // The last connection moves the log to the file.
        let storage = try SQLiteStorage(path: path)
        try storage.close()
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Creates the store and its log as a program leaves them that is killed, with the commits of a week in the log.
    /// Returns their bytes.
    func createKilled(_ name: String = "whole.sqlite") async throws -> (file: [UInt8], log: [UInt8]) {
        _ = try await create(name)
        let path = path(name)
        let store = HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .file(URL(fileURLWithPath: path)), authorization: .allowAll))
        for day in 14..<21 {
            let date = Self.start + Double(day) * 86_400
            try await store.save(
                (0..<100).map { (second: Int) -> HKQuantitySample in
                    let start = date + Double(second)
                    return HKQuantitySample(
                        type: HKQuantityType(.heartRate),
                        quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: Double(60 + second % 40)),
                        start: start, end: start)
                })
        }
        let (file, log) = try withExtendedLifetime(store) {
            (
                try Data(contentsOf: URL(fileURLWithPath: path)),
                try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            )
        }
        return ([UInt8](file), [UInt8](log))
    }

    /// Writes bytes as the only file of a store, or beside a log.
    func write(_ bytes: [UInt8], log: [UInt8]? = nil, as name: String) throws -> String {
        let path = path(name)
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        if let log { try Data(log).write(to: URL(fileURLWithPath: path + "-wal")) }
        return path
    }

    /// Every sample and object, each as a text.
    static func rows(_ path: String) throws -> [String] {
        let engine = try HealthEngine(storage: SQLiteStorage(path: path))
        defer { try? engine.close() }
        return try rows(engine)
    }

    /// Every sample and object, each as a text.
    static func rows(_ engine: HealthEngine) throws -> [String] {
        try engine.typeOverview(as: person).flatMap { overview in
            let found = try engine.samples(
                SampleRequest(parts: [SampleRequest.Part(type: overview.type.code)]), as: person)
            let samples = found.batches.flatMap { batch in
                batch.starts.indices.map { row in
                    "\(overview.type.identifier) \(batch.starts[row]) \(batch.ends[row]) \(batch.values[row]) "
                        + "\(batch.sequences.isEmpty ? 0 : batch.sequences[row]) \(batch.uuids.isEmpty ? "" : batch.uuids[row]?.uuidString ?? "")"
                }
            }
            return samples + found.objects.map { "\(overview.type.identifier) \($0.start) \($0.end) \($0.sequence)" }
        }
    }

    /// The answers that a program reads, one text for each question; `nil` for an error. An error that isn't typed is thrown.
    static func answers(_ path: String) throws -> [String?] {
        func typed(_ body: () throws -> String) throws -> String? {
            do {
                return try body()
            } catch is StorageError {
                return nil
            } catch is EngineError {
                return nil
            } catch let error where "\(type(of: error))" == "PageError" {
                return nil
            }
        }
        let names = [
            "HKQuantityTypeIdentifierStepCount", "HKQuantityTypeIdentifierHeartRate",
            "HKQuantityTypeIdentifierDietaryWater",
            "HKCategoryTypeIdentifierSleepAnalysis", "HKCorrelationTypeIdentifierBloodPressure",
        ]
        var engine: HealthEngine?
        let opened = try typed {
            engine = try HealthEngine(storage: SQLiteStorage(path: path))
            return "opened"
        }
        guard let engine, opened != nil else { return Array(repeating: nil, count: deletions + 1) }
        defer { try? engine.close() }
        let types = names.compactMap { TypeCatalog.description(for: $0)?.code }
        let days = (0...14).map { start.timeIntervalSinceReferenceDate + Double($0) * 86_400 }
        var answers: [String?] = []
        let figures: [(TypeCode, StatisticsOptions)] = [
            (types[0], .cumulativeSum), (types[1], [.discreteAverage, .discreteMin, .discreteMax]),
            (types[2], .cumulativeSum),
        ]
        for (type, options) in figures {
            answers.append(
                try typed {
                    "\(try engine.statistics(StatisticsRequest(type: type, options: options, buckets: .bounds { _ in days }), as: person))"
                })
        }
        answers.append(
            try typed {
                try engine.typeOverview(as: person).map { "\($0.type.identifier) \($0.count) \($0.start) \($0.end)" }
                    .joined()
            })
        for type in types {
            answers.append(
                try typed {
                    let found = try engine.changes(ChangesRequest(parts: [SampleRequest.Part(type: type)]), as: person)
                    let rows = found.added.batches.map {
                        "\($0.starts) \($0.ends) \($0.values) \($0.sequences) \($0.uuids.count)"
                    }
                    let objects = found.added.objects.map { "\($0)" }
                    return "\(rows) \(objects)"
                })
            answers.append(
                try typed {
                    let found = try engine.samples(SampleRequest(parts: [SampleRequest.Part(type: type)]), as: person)
                    return "\(found.batches.map { "\($0.starts) \($0.values)" }) \(found.objects.map { "\($0)" })"
                })
        }
        answers.append(
            try typed {
                try
                    "\(engine.changes(ChangesRequest(parts: types.map { SampleRequest.Part(type: $0) }), as: person).deleted)"
            })
        return answers
    }

    /// The answer that nothing but SQLite's structure protects: the UUIDs of deletions, which have no checksum.
    static let deletions = 14
}
