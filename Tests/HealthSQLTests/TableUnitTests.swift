import Foundation
import HealthEngine
import HealthModel
import HealthSQL
import Testing

@Suite("A type has one unit in all tables")
struct TableUnitTests {
    private static let heartRate = SQLStore.type("HKQuantityTypeIdentifierHeartRate")

    /// A weight on each of three days, one of them in pounds, and heart rates.
    private func filled() throws -> SQLStore {
        let store = try SQLStore()
        func sample(_ type: TypeCode, _ day: Double, _ value: Double, _ unit: String) -> SaveItem {
            let start = 700_000_000 + day * 86_400
            return .sample(SampleRecord(type: type, start: start, end: start, value: value, unit: unit))
        }
        try store.engine.save(
            [
                sample(SQLStore.mass, 0, 70.1, "kg"), sample(SQLStore.mass, 1, 154, "lb"),
                sample(SQLStore.mass, 2, 71.3, "kg"), sample(Self.heartRate, 0, 61, "count/min"),
                sample(Self.heartRate, 1, 63, "count/min"),
            ], as: SQLStore.owner)
        return store
    }

    private func units(_ store: SQLStore, _ type: String) throws -> [[SQLValue]] {
        try store.ask(
            """
            SELECT unit FROM samples WHERE type = '\(type)' UNION SELECT unit FROM daily WHERE type = '\(type)'
            UNION SELECT unit FROM types WHERE type = '\(type)'
            """
        ).rows
    }

    private func values(_ store: SQLStore, _ sql: String) throws -> [Double] {
        try store.ask(sql).rows.compactMap {
            if case .real(let value)? = $0.first { value } else { nil }
        }
    }

    @Test("It is the one of most samples, whose values stay as they were written")
    func written() throws {
        let store = try filled()
        #expect(try units(store, "bodyMass") == [[.text("kg")]])
        #expect(try units(store, "heartRate") == [[.text("count/min")]])
        let weights = try values(store, "SELECT value FROM samples WHERE type = 'bodyMass' ORDER BY start_time")
        #expect(weights.count == 3 && weights[0] == 70.1 && weights[2] == 71.3)
        #expect(abs(weights[1] - 154 * 0.453_592_37) < 1e-9)
        let days = try values(store, "SELECT average FROM daily WHERE type = 'bodyMass' ORDER BY day")
        #expect(days.count == 3 && zip(days, weights).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(try values(store, "SELECT value FROM heart_rate ORDER BY start_time") == [61, 63])
    }

    @Test("It is the one that the person chose")
    func chosen() throws {
        let store = try filled()
        try store.engine.profile.update { $0.preferredUnits["HKQuantityTypeIdentifierBodyMass"] = "lb" }
        #expect(try units(store, "bodyMass") == [[.text("lb")]])
        let weights = try values(store, "SELECT value FROM samples WHERE type = 'bodyMass' ORDER BY start_time")
        #expect(weights.count == 3 && weights[1] == 154 && abs(weights[0] - 70.1 / 0.453_592_37) < 1e-9)
    }
}
