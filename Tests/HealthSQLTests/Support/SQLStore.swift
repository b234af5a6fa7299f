import Foundation
import HealthEngine
import HealthModel
import HealthSQL
import HealthStorage
import HealthTesting

/// A store in memory with seeded samples, asked in SQL.
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
            storage: InMemoryStorage(), configuration: EngineConfiguration(pageCapacity: pageCapacity, now: { 0 }))
    }

    /// Three types with samples that follow from the seed.
    static func seeded(_ seed: UInt64, count: Int = 700) throws -> SQLStore {
        let store = try SQLStore()
        var samples = SeededSamples(seed: seed)
        for type in [steps, mass, sleep] {
            // The engine gives its own sequences and source.
            try store.engine.save(samples.records(of: type, count: count).map { .sample($0) }, as: owner)
        }
        return store
    }

    /// All samples of a type as the engine gives them.
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

    /// The answer to a statement, with what it took.
    func ask(
        _ sql: String, zone: TimeZone = .gmt
    ) throws -> (rows: [[SQLValue]], pages: Int, visited: Int) {
        try engine.withReader(as: Self.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: zone)
            let statement = try database.statement(sql)
            var rows: [[SQLValue]] = []
            while try statement.step() { rows.append(statement.values) }
            return (rows, database.pagesRead, database.rowsVisited)
        }
    }

    /// How SQLite goes about a statement.
    func plan(_ sql: String) throws -> String {
        try ask("EXPLAIN QUERY PLAN " + sql).rows.map { row in
            if case .text(let text) = row.last { text } else { "" }
        }.joined(separator: "\n")
    }
}
