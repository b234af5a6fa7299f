import Foundation
import HealthEngine
import HealthModel
import HealthSQL
import HealthStorage
import HealthTesting
import StorageContract

/// An in-memory store with seeded samples, queried with SQL.
final class SQLStore {
    let engine: HealthEngine
    static let owner = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.journal", name: "Journal")),
        permission: .owner)

    static func type(_ identifier: String) -> TypeCode {
        guard let type = TypeCatalog.description(for: identifier) else { fatalError(identifier) }
        return type.code
    }

    static let steps = type("HKQuantityTypeIdentifierStepCount")
    static let mass = type("HKQuantityTypeIdentifierBodyMass")
    static let sleep = type("HKCategoryTypeIdentifierSleepAnalysis")

    init(pageCapacity: Int = 50) throws {
        engine = try HealthEngine(
            storage: StorageProviders.shared.openInMemory(),
            configuration: EngineConfiguration(pageCapacity: pageCapacity, now: { 0 }))
    }

    /// Creates a store with seeded samples of three types.
    static func seeded(_ seed: UInt64, count: Int = 700) throws -> SQLStore {
        let store = try SQLStore()
        var samples = SeededSamples(seed: seed)
        for type in [steps, mass, sleep] {
            // The engine assigns sequences and the source.
            try store.engine.save(samples.records(of: type, count: count).map { .sample($0) }, as: owner)
        }
        return store
    }

    /// Returns all samples of a type as the engine reads them.
    func records(_ type: TypeCode) throws -> [SampleRecord] {
        try engine.withReader(as: Self.owner) { reading in
            var records: [SampleRecord] = []
            for page in try reading.pages(of: type) {
                let rows = try reading.rows(of: page, columns: .all)
                for row in 0..<rows.count {
                    records.append(
                        SampleRecord(
                            uuid: rows.uuid(at: row) ?? reading.identities.uuid(for: rows.sequences[row]), type: type,
                            start: rows.starts[row], end: rows.ends[row], value: rows.values[row],
                            unit: reading.dictionaries.unit(rows.units[row]), metadata: rows.metadata(at: row),
                            sequence: rows.sequences[row]))
                }
            }
            return records
        }
    }

    /// Runs a statement and returns its rows, with the numbers of pages read, rows visited and days computed.
    func ask(
        _ sql: String, zone: TimeZone = .gmt
    ) throws -> (rows: [[SQLValue]], pages: Int, visited: Int, days: Int) {
        try engine.withReader(as: Self.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: zone)
            let statement = try database.statement(sql)
            var rows: [[SQLValue]] = []
            while try statement.step() { rows.append(statement.values) }
            return (rows, database.pagesRead, database.rowsVisited, database.daysComputed)
        }
    }

    /// Returns SQLite's query plan for a statement.
    func plan(_ sql: String) throws -> String {
        try ask("EXPLAIN QUERY PLAN " + sql).rows.map { row in
            if case .text(let text) = row.last { text } else { "" }
        }.joined(separator: "\n")
    }
}
