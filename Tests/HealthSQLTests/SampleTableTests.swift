import Foundation
import HealthModel
import HealthSQL
import HealthTesting
import Testing

/// Queries over `samples`, compared with a naive evaluation of the same samples.
@Suite struct SampleTableTests {
    private static let unix = 978_307_200.0

    @Test(arguments: [1, 2, 3] as [UInt64])
    func sumsByDay(_ seed: UInt64) throws {
        let store = try SQLStore.seeded(seed)
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let clock = LocalClock(timeZone: berlin)
        var sums: [(day: String, sum: Double, count: Int64)] = []
        for record in try store.records(SQLStore.steps) {
            let day = clock.dayText(record.start)
            if sums.last?.day != day { sums.append((day, 0, 0)) }
            sums[sums.count - 1].sum += record.value
            sums[sums.count - 1].count += 1
        }
        let sql = "SELECT day, total(value), count(*) FROM step_count GROUP BY day"
        let answer = try store.ask(sql, zone: berlin)
        #expect(answer.rows.count == sums.count)
        for (row, sum) in zip(answer.rows, sums) {
            guard case .text(let day) = row[0], case .real(let total) = row[1], case .integer(let count) = row[2] else {
                Issue.record("unexpected kinds of values")
                return
            }
            #expect(day == sum.day && count == sum.count)
            #expect(abs(total - sum.sum) <= 1e-9 * abs(sum.sum))
        }
        // Rows arrive in order of their days, so nothing is sorted.
        #expect(!(try store.plan(sql)).contains("B-TREE"))
    }

    @Test(arguments: [11, 12] as [UInt64])
    func columns(_ seed: UInt64) throws {
        let store = try SQLStore.seeded(seed, count: 120)
        for type in [SQLStore.steps, SQLStore.sleep] {
            let name = try #require(TypeCatalog.description(for: type)).shortName
            let rows = try store.ask(
                """
                SELECT sequence, start_time, end_time, value, unit, uuid, duration, metadata, value_name, rowid, source
                FROM samples WHERE type = '\(name)'
                """
            ).rows
            let records = try store.records(type)
            #expect(rows.count == records.count)
            for (row, record) in zip(rows, records) {
                #expect(row[0] == .integer(record.sequence) && row[9] == row[0])
                #expect(row[1] == .real(record.start + Self.unix) && row[2] == .real(record.end + Self.unix))
                #expect(row[3] == (record.unit.isEmpty ? .integer(Int64(record.value)) : .real(record.value)))
                #expect(row[4] == (record.unit.isEmpty ? .null : .text(record.unit)))
                #expect(row[5] == .text(try #require(record.uuid).uuidString))
                #expect(row[6] == .real(record.end - record.start))
                #expect((row[7] == .null) == record.metadata.isEmpty)
                #expect((row[8] == .null) == !record.unit.isEmpty)
                #expect(row[10] == .text("Journal"))
            }
        }
    }

    @Test func categoryNames() throws {
        let store = try SQLStore.seeded(5)
        let rows = try store.ask("SELECT DISTINCT value, value_name FROM sleep_analysis ORDER BY value").rows
        #expect(
            rows.prefix(6).map { $0[1] }
                == ["inBed", "asleepUnspecified", "awake", "asleepCore", "asleepDeep", "asleepREM"].map { .text($0) })
    }

    /// Conditions on times give the same rows as a scan of all samples.
    @Test(arguments: 0..<40)
    func timeConditions(_ number: Int) throws {
        let store = try SQLStore.seeded(21)
        let records = try store.records(SQLStore.steps)
        var random = SplitMix64(seed: UInt64(number) + 100)
        let one = records[Int(random.next() % UInt64(records.count))].start + Self.unix
        let other = records[Int(random.next() % UInt64(records.count))].end + Self.unix
        let (low, high) = (min(one, other), max(one, other))
        let clock = LocalClock(timeZone: .gmt)
        let (first, last) = (clock.dayText(low - Self.unix), clock.dayText(high - Self.unix))
        let cases: [(String, (SampleRecord) -> Bool)] = [
            (
                "start_time >= \(low) AND start_time < \(high)",
                { $0.start + Self.unix >= low && $0.start + Self.unix < high }
            ),
            ("start_time BETWEEN \(low) AND \(high)", { $0.start + Self.unix >= low && $0.start + Self.unix <= high }),
            ("start_time = \(one)", { $0.start + Self.unix == one }),
            (
                "end_time > \(low) AND start_time <= \(high)",
                { $0.end + Self.unix > low && $0.start + Self.unix <= high }
            ),
            ("end_time < \(low)", { $0.end + Self.unix < low }),
            (
                "day BETWEEN '\(first)' AND '\(last)'",
                { clock.dayText($0.start) >= first && clock.dayText($0.start) <= last }
            ),
            ("day = '\(first)'", { clock.dayText($0.start) == first }),
            ("start_date LIKE '\(first)%'", { clock.dayText($0.start) == first }),
            ("start_date > '\(first)T12:00'", { clock.text($0.start) > first + "T12:00" }),
            ("end_date <= '\(last)'", { clock.text($0.end) <= last }),
            (
                "start_time >= instant('\(first)') AND day < '\(last)'",
                { clock.dayText($0.start) >= first && clock.dayText($0.start) < last }
            ),
            ("start_time < NULL", { _ in false }),
            ("start_time > 'tomorrow'", { _ in false }),
        ]
        let (condition, matches) = cases[number % cases.count]
        let expected = records.filter(matches).map { SQLValue.integer($0.sequence) }
        let answer = try store.ask("SELECT sequence FROM samples WHERE type = 'stepCount' AND \(condition)")
        #expect(answer.rows.map { $0[0] } == expected, "\(condition)")
        // The same without an index on the type, sorted by SQLite.
        let sorted = try store.ask(
            "SELECT sequence FROM samples WHERE \(condition) AND +type = 'stepCount' ORDER BY start_time, +sequence")
        #expect(sorted.rows.map { $0[0] } == expected, "\(condition)")
    }

    @Test func readsOnlyMatchingPages() throws {
        let store = try SQLStore.seeded(31)
        let records = try store.records(SQLStore.steps)
        let middle = records[350].start + Self.unix
        // 14 pages of 50 samples.
        let all = try store.ask("SELECT sum(value) FROM samples WHERE type = 'stepCount'")
        #expect(all.pages == 14 && all.visited == 700)
        let some = try store.ask(
            "SELECT sum(value) FROM samples WHERE type = 'stepCount' AND start_time BETWEEN \(middle) AND \(middle + 60)"
        )
        #expect(some.pages <= 2 && some.visited < 30)
        // Counting needs no page, and the latest sample needs one.
        let count = try store.ask("SELECT count(*) FROM samples WHERE type = 'stepCount'")
        #expect(count.rows == [[.integer(700)]] && count.pages == 0)
        let latest = try store.ask("SELECT sequence FROM step_count ORDER BY start_time DESC LIMIT 1")
        #expect(latest.pages == 1)
        let start = try #require(records.last).start
        #expect(records.filter { $0.start == start }.map { [SQLValue.integer($0.sequence)] }.contains(latest.rows[0]))
        // Over all types, one page of each.
        let newest = try store.ask("SELECT sequence FROM samples ORDER BY start_time DESC LIMIT 5")
        #expect(newest.pages <= 3 && newest.rows.count == 5)
        // A single sequence or UUID needs only the pages whose sequences include it.
        let uuid = try #require(records[10].uuid).uuidString
        #expect(try store.ask("SELECT value FROM samples WHERE uuid = '\(uuid)'").rows == [[.real(records[10].value)]])
        let single = try store.ask("SELECT value FROM samples WHERE sequence = \(records[10].sequence)")
        #expect(single.rows == [[.real(records[10].value)]] && single.pages <= 2)
    }

    @Test func orders() throws {
        let store = try SQLStore.seeded(41)
        let all = try [SQLStore.steps, SQLStore.mass, SQLStore.sleep].flatMap { try store.records($0) }
        func starts(_ sql: String) throws -> [Double] {
            try store.ask(sql).rows.map { row in
                if case .real(let start) = row[0] { start } else { .nan }
            }
        }
        let ascending = all.map { $0.start + Self.unix }.sorted()
        #expect(try starts("SELECT start_time FROM samples ORDER BY start_time") == ascending)
        #expect(try starts("SELECT start_time FROM samples ORDER BY start_time DESC") == ascending.reversed())
        #expect(try starts("SELECT start_time FROM samples ORDER BY day, start_time") == ascending)
        #expect(!(try store.plan("SELECT * FROM samples ORDER BY start_time")).contains("B-TREE"))
        #expect(!(try store.plan("SELECT * FROM samples ORDER BY type, start_time, sequence")).contains("B-TREE"))
        #expect((try store.plan("SELECT * FROM samples ORDER BY value")).contains("B-TREE"))
        let groups = try store.ask("SELECT type, count(*) FROM samples GROUP BY type").rows
        #expect(
            groups == [
                [.text("bodyMass"), .integer(700)], [.text("sleepAnalysis"), .integer(700)],
                [.text("stepCount"), .integer(700)],
            ])
        // Several types are in order, whether SQLite or the table sorts them.
        let two = try starts(
            "SELECT start_time FROM samples WHERE type IN ('stepCount', 'bodyMass') ORDER BY start_time")
        #expect(two == two.sorted() && two.count == 1_400)
    }

    @Test func typeNamesIgnoreCase() throws {
        let store = try SQLStore.seeded(51, count: 10)
        for name in ["stepCount", "STEPCOUNT", "StepCount"] {
            #expect(try store.ask("SELECT count(*) FROM samples WHERE type = '\(name)'").rows == [[.integer(10)]])
        }
        let identifier = "HKQuantityTypeIdentifierStepCount"
        #expect(
            try store.ask("SELECT count(*) FROM samples WHERE identifier = '\(identifier)'").rows == [[.integer(10)]])
        #expect(
            try store.ask("SELECT count(*) FROM samples WHERE type = 'stepCount' COLLATE BINARY").rows == [
                [.integer(10)]
            ])
        #expect(
            try store.ask("SELECT count(*) FROM samples WHERE type = 'STEPCOUNT' COLLATE BINARY").rows == [
                [.integer(0)]
            ])
    }

    @Test func metadataHasOneRowPerKey() throws {
        let store = try SQLStore.seeded(61)
        let records = try [SQLStore.steps, SQLStore.mass, SQLStore.sleep].flatMap { try store.records($0) }
        let expected = records.filter { $0.metadata["HKTimeZone"] != nil }.count
        #expect(expected > 0)
        #expect(
            try store.ask("SELECT count(*) FROM metadata WHERE key = 'HKTimeZone' AND value = 'Europe/Zurich'").rows
                == [[.integer(Int64(expected))]])
        let steps = try store.records(SQLStore.steps).filter { $0.metadata["HKWasUserEntered"] != nil }.count
        #expect(
            try store.ask("SELECT count(*) FROM metadata WHERE key = 'HKWasUserEntered' AND type = 'stepCount'").rows
                == [[.integer(Int64(steps))]])
    }
}
