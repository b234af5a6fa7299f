import Foundation
import HealthStoragePostgreSQL

/// What people's phones send: an hour's samples with UUIDs of many people in turn, in random order, to a server with a
/// database. Most stores aren't open; for comparison, the same of fewer people than stores stay open.
enum ColdMixMeasurement {
    private static let openStores = 64
    private static let (coldPeople, warmPeople) = (600, 40)
    /// The samples of an hour, 114 of a phone and a watch: the type, the unit and the number.
    private static let types = [
        ("stepCount", "count", 12), ("heartRate", "count/min", 40), ("activeEnergyBurned", "kcal", 30),
        ("basalEnergyBurned", "kcal", 8), ("distanceWalkingRunning", "m", 12), ("respiratoryRate", "count/min", 5),
        ("flightsClimbed", "count", 1), ("environmentalAudioExposure", "dBASPL", 6),
    ]
    private static let samples = types.reduce(0) { $0 + $1.2 }

    /// What a batch takes.
    private struct Usage {
        var statements: Double
        var database: Double
        var server: Double
        var log: Double
    }

    static func lines(_ setting: Setting, _ server: DatabaseServer) throws -> [Line] {
        _ = try server.run("psql", ["-qc", "CREATE EXTENSION pg_stat_statements"])
        let count = setting.thoroughness == 1 ? coldPeople : coldPeople / 4
        let cold = try usage(count, "cold", setting, server)
        let warm = try usage(warmPeople, "warm", setting, server)
        let what = "an hour of one of \(count) people in turn, \(samples) samples with UUIDs"
        func line(
            _ name: String, _ value: (Usage) -> Double, _ unit: String, _ target: Line.Target
        ) -> Line {
            Line(
                what: "\(what): \(name)", ours: Figure.with(unit, value(cold.usage)),
                other: "\(Figure.with(unit, value(warm.usage))) of one of \(warmPeople)", figure: value(cold.usage),
                unit: unit, target: target)
        }
        return [
            line("statements", \.statements, "", .atMost(6)),
            line("processor time of the database", { $0.database * 1e3 }, "ms", .atMost(2)),
            line("processor time of hk", { $0.server * 1e3 }, "ms", .atMost(3)),
            line("write-ahead log", { $0.log / 1e3 }, "kB", .atMost(15)),
            Line(
                what: "\(what): size of a sample in the database", ours: "", figure: cold.bytes, unit: "B"),
        ]
    }

    private static func usage(
        _ people: Int, _ schema: String, _ setting: Setting, _ server: DatabaseServer
    ) throws -> (usage: Usage, bytes: Double) {
        let address = server.address(schema: schema)
        let database = try PostgreSQLDatabase(PostgreSQLAddress(address))
        for person in 1...people { _ = try database.storage(ofPerson: "p\(person)") }
        database.close()
        let serving = try RunningServer(["--data", address], options: ["--open-stores", "\(openStores)"], in: setting)
        defer { serving.stop() }
        let token = try serving.token("--owner")
        let connection = try serving.connection()
        var random = SplitMix(state: 1)
        var hour = 0
        func turn() throws {
            var order = Array(1...people)
            for place in order.indices.dropLast() {
                order.swapAt(place, place + Int(random.below(UInt64(order.count - place))))
            }
            for person in order {
                try connection.answer(
                    to: HTTPConnection.request(
                        "POST", "/v1/people/p\(person)/samples?allowImplausible=true", token: token,
                        body: Array(batch(ofHour: hour).utf8)))
            }
            hour += 1
        }
        func query(_ sql: String) throws -> Double {
            let text = try server.run("psql", ["-qAtc", sql])
            guard let number = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw BenchError("psql answered \(text)")
            }
            return number
        }
        let position = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"
        let statements =
            "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query !~ 'pg_stat_statements|wal_lsn'"
        // Enough that the pages of a batch aren't the first ones, and that new full images aren't written.
        for _ in 0..<8 { try turn() }
        func used() throws -> Usage {
            Usage(
                statements: try query(statements), database: try server.processorSeconds(),
                server: try serving.program.processorSeconds(), log: try query(position))
        }
        let before = try used()
        let turns = max(setting.pairs(8), 2)
        for _ in 0..<turns { try turn() }
        let after = try used()
        let batches = Double(turns * people)
        let size = try query(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE relkind = 'r' "
                + "AND relnamespace = '\(schema)'::regnamespace")
        return (
            Usage(
                statements: (after.statements - before.statements) / batches,
                database: (after.database - before.database) / batches,
                server: (after.server - before.server) / batches, log: (after.log - before.log) / batches),
            size / Double(hour * people * samples)
        )
    }

    private static func batch(ofHour hour: Int) -> String {
        let start = 780_000_000 + Double(hour) * 3_600
        let entries = types.flatMap { type, unit, count in
            (0..<count).map { number in
                let date = Date(timeIntervalSinceReferenceDate: start + Double(number) * 3_500 / Double(count))
                    .formatted(.iso8601)
                return
                    "{\"uuid\":\"\(UUID().uuidString)\",\"type\":\"\(type)\",\"startDate\":\"\(date)\",\"endDate\":\"\(date)\","
                    + "\"quantity\":\(number % 9 + 60),\"unit\":\"\(unit)\"}"
            }
        }
        return "[\(entries.joined(separator: ","))]"
    }
}
