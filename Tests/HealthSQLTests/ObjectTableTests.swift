import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthSQL

/// Workouts, correlations and documents as rows.
@Suite struct ObjectTableTests {
    private static let workout = SQLStore.type("HKWorkoutTypeIdentifier")
    private static let route = SQLStore.type("HKWorkoutRouteTypeIdentifier")
    private static let pressure = SQLStore.type("HKCorrelationTypeIdentifierBloodPressure")
    private static let ecg = SQLStore.type("HKDataTypeIdentifierElectrocardiogram")
    private static let clinical = SQLStore.type("HKClinicalTypeIdentifierLabResultRecord")

    private static func filled() throws -> SQLStore {
        let store = try SQLStore()
        var body = WorkoutBody(activityType: 37, duration: 1_700, totalDistance: QuantityRecord(5, unit: "km"))
        body.events = [WorkoutBody.Event(type: 3, start: 700_000_100, end: 700_000_200)]
        body.statistics = [
            WorkoutBody.Statistics(
                type: "HKQuantityTypeIdentifierActiveEnergyBurned", start: 700_000_000, end: 700_001_800, unit: "kJ",
                sum: 418.4)
        ]
        let points = Dictionary(
            uniqueKeysWithValues: [
                "timestamps", "latitudes", "longitudes", "altitudes", "horizontalAccuracies", "verticalAccuracies",
                "courses", "courseAccuracies", "speeds", "speedAccuracies",
            ].map { ($0, [700_000_000.0, 700_000_001]) })
        try store.engine.save(
            ObjectRecord(type: workout, start: 700_000_000, end: 700_001_800, body: .workout(body)), owning: [],
            parts: [
                ObjectRecord(
                    type: route, start: 700_000_000, end: 700_000_001, body: .document(DocumentBody(series: points)))
            ], as: SQLStore.owner)
        func member(_ identifier: String, _ value: Double) -> SampleRecord {
            SampleRecord(
                type: SQLStore.type(identifier), start: 700_100_000, end: 700_100_000, value: value, unit: "mmHg")
        }
        try store.engine.save(
            [
                .object(
                    ObjectRecord(
                        type: pressure, start: 700_100_000, end: 700_100_000,
                        metadata: Metadata([.init(key: "HKWasUserEntered", value: .bool(true))]),
                        members: [
                            member("HKQuantityTypeIdentifierBloodPressureSystolic", 121),
                            member("HKQuantityTypeIdentifierBloodPressureDiastolic", 79),
                        ])),
                .object(
                    ObjectRecord(
                        type: ecg, start: 700_200_000, end: 700_200_030,
                        body: .document(
                            DocumentBody(
                                fields: [
                                    "classification": .integer(2),
                                    "averageHeartRate": .quantity(QuantityRecord(1, unit: "Hz")),
                                ], series: ["times": [0, 0.5], "voltages.1": [0.000_25, .nan]])))),
                .object(
                    ObjectRecord(
                        type: clinical, start: 700_300_000, end: 700_300_000,
                        body: .document(
                            DocumentBody(fields: [
                                "displayName": .string("Lab \"A\""), "FHIRResourceType": .string("Observation"),
                                "FHIRData": .data(Array("{\"resourceType\":\"Observation\"}".utf8)),
                            ])))),
            ], as: SQLStore.owner)
        return store
    }

    @Test func workouts() throws {
        let store = try Self.filled()
        #expect(
            try store.ask("SELECT activity, duration, distance_m, round(energy_kcal, 6), source, day FROM workouts")
                .rows
                == [[.text("running"), .real(1_700), .real(5_000), .real(100), .text("Journal"), .text("2023-03-08")]])
        #expect(
            try store.ask(
                "SELECT e.event, e.end_time - e.start_time FROM workout_events e JOIN workouts w ON e.workout = w.sequence"
            ).rows
                == [[.text("lap"), .real(100)]])
        #expect(
            try store.ask("SELECT type, sum, unit FROM workout_statistics").rows == [
                [.text("activeEnergyBurned"), .real(418.4), .text("kJ")]
            ])
        #expect(
            try store.ask("SELECT m.type FROM workout_members m, workouts w WHERE m.workout = w.sequence").rows == [
                [.text("workoutRoute")]
            ])
        #expect(
            try store.ask("SELECT w.activity, r.points FROM workout_routes r JOIN workouts w ON w.sequence = r.workout")
                .rows
                == [[.text("running"), .integer(2)]])
        #expect(
            try store.ask("SELECT p.latitude, p.time FROM workout_routes r JOIN route_points p ON p.route = r.sequence")
                .rows
                == [[.real(700_000_000), .real(1_678_307_200)], [.real(700_000_001), .real(1_678_307_201)]])
        #expect(
            try store.ask("SELECT body ->> 'workoutActivityTypeName' FROM objects WHERE kind = 'workout'").rows == [
                [.text("running")]
            ])
    }

    @Test func correlations() throws {
        let store = try Self.filled()
        #expect(
            try store.ask("SELECT systolic, diastolic, unit FROM blood_pressure").rows == [
                [.real(121), .real(79), .text("mmHg")]
            ])
        #expect(
            try store.ask("SELECT members, metadata FROM correlations").rows == [
                [.integer(2), .text("{\"HKWasUserEntered\":true}")]
            ])
        #expect(
            try store.ask(
                "SELECT s.value FROM correlations c JOIN correlation_members m ON m.correlation = c.sequence JOIN samples s ON s.sequence = m.sequence ORDER BY s.value"
            ).rows == [[.real(79)], [.real(121)]])
    }

    @Test func documents() throws {
        let store = try Self.filled()
        #expect(
            try store.ask("SELECT classification, average_heart_rate, voltages FROM ecgs").rows
                == [[.text("atrialFibrillation"), .real(60), .integer(2)]])
        #expect(
            try store.ask("SELECT lead, \"offset\", microvolts FROM ecg_voltages").rows == [
                [.integer(1), .real(0), .real(250)], [.integer(1), .real(0.5), .null],
            ])
        #expect(
            try store.ask("SELECT display_name, resource_type, resource ->> 'resourceType' FROM clinical_records").rows
                == [[.text("Lab \"A\""), .text("Observation"), .text("Observation")]])
        #expect(try store.ask("SELECT type, count(*) FROM objects GROUP BY type ORDER BY type").rows.count == 5)
        #expect(
            try store.ask("SELECT type FROM objects WHERE type = 'electrocardiogram'").rows == [
                [.text("electrocardiogram")]
            ])
        #expect(try store.ask("SELECT count(*) FROM objects WHERE start_time >= 1678507000").rows == [[.integer(2)]])
    }

    @Test func smallTables() throws {
        let store = try Self.filled()
        #expect(
            try store.ask("SELECT type, count FROM types WHERE kind = 'quantity'").rows == [
                [.text("bloodPressureDiastolic"), .integer(1)], [.text("bloodPressureSystolic"), .integer(1)],
            ])
        #expect(
            try store.ask("SELECT name, bundle_identifier FROM sources").rows == [
                [.text("Journal"), .text("org.example.journal")]
            ])
        #expect(try store.ask("SELECT count(*) FROM source_revisions").rows == [[.integer(1)]])
        try store.engine.profile.update { profile in
            profile.bloodType = 7
            profile.dateOfBirth = Profile.Day(year: 1987, month: 5, day: 4)
        }
        #expect(
            try store.ask("SELECT * FROM characteristics").rows == [
                [.text("dateOfBirth"), .text("1987-05-04")], [.text("bloodType"), .text("O+")],
            ])
    }

    @Test func activitySummaries() throws {
        let store = try SQLStore()
        let energy = SQLStore.type("HKQuantityTypeIdentifierActiveEnergyBurned")
        try store.engine.save(
            [0, 1, 26].map { hours in
                .sample(
                    SampleRecord(
                        type: energy, start: 700_000_000 + hours * 3_600, end: 700_000_100 + hours * 3_600, value: 100,
                        unit: "kcal"))
            }, as: SQLStore.owner)
        #expect(
            try store.ask("SELECT day, move_kcal FROM activity_summaries").rows
                == [[.text("2023-03-08"), .real(200)], [.text("2023-03-09"), .real(100)]])
    }

    /// Days between remote samples are never computed, and those of a sample that lasts for millennia come in portions.
    @Test(arguments: [false, true])
    func daysOfMillennia(isOneSample: Bool) throws {
        let store = try SQLStore()
        let energy = SQLStore.type("HKQuantityTypeIdentifierActiveEnergyBurned")
        let clock = LocalClock(timeZone: .gmt)
        let (first, last) = (
            CivilDate.dayNumber(year: 1, month: 6, day: 1), CivilDate.dayNumber(year: 3_999, month: 6, day: 1)
        )
        func instant(_ day: Int) -> Double { Double(clock.start(ofDay: day)) + 3_600 }
        for type in [SQLStore.steps, energy] {
            let unit = type == energy ? "kcal" : "count"
            func sample(_ start: Double, _ end: Double) -> SaveItem {
                .sample(SampleRecord(type: type, start: start, end: end, value: (end - start) / 86_400, unit: unit))
            }
            let spans =
                isOneSample
                ? [(instant(first), instant(last))] : [first, 0, last].map { (instant($0), instant($0) + 43_200) }
            try store.engine.save(spans.map { sample($0.0, $0.1) }, as: SQLStore.owner)
        }
        for (table, column) in [
            ("daily WHERE type = 'stepCount'", "sum"), ("activity_summaries WHERE true", "move_kcal"),
        ] {
            let rows = try store.ask("SELECT day, \(column) FROM \(table) LIMIT 3")
            let value = isOneSample ? 1.0 : 0.5
            #expect(rows.visited <= 3 && rows.rows.count == 3)
            #expect(rows.rows.first?.first == .text("0001-06-01"))
            #expect(rows.rows.last?.last == .real(value))
            let one = try store.ask("SELECT \(column) FROM \(table) AND day = '2001-01-01' LIMIT 1")
            #expect(one.rows == [[.real(value)]])
            #expect(one.visited <= 5 && one.days <= 8)
            guard !isOneSample else { continue }
            let all = try store.ask("SELECT day FROM \(table)")
            #expect(all.rows == [[.text("0001-06-01")], [.text("2001-01-01")], [.text("3999-06-01")]])
            #expect(all.visited == 3)
        }
    }

    /// A join computes the days that it asks for, and all of them once if it has no condition on the day.
    @Test(arguments: ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
    func joinedDays(zone: String) throws {
        let store = try SQLStore()
        let timeZone = try #require(TimeZone(identifier: zone))
        let clock = LocalClock(timeZone: timeZone)
        let summary = SQLStore.type("HKActivitySummaryTypeIdentifier")
        let energy = SQLStore.type("HKQuantityTypeIdentifierActiveEnergyBurned")
        var items: [SaveItem] = []
        for day in 0..<300 {
            let (start, midnight) = (Double(clock.start(ofDay: day)), Double(day) * 86_400)
            let date = CivilDate.date(dayNumber: day)
            var body = ActivitySummaryBody(year: date.year, month: date.month, day: date.day)
            body.activeEnergyBurnedGoal = QuantityRecord(Double(day), unit: "kcal")
            items.append(
                .object(
                    ObjectRecord(type: summary, start: midnight, end: midnight + 86_400, body: .activitySummary(body))))
            // Some days have only an imported summary.
            if day % 3 > 0 {
                items.append(
                    .sample(SampleRecord(type: energy, start: start + 60, end: start + 120, value: 100, unit: "kcal")))
            }
            if day % 30 == 0 {
                let body = WorkoutBody(activityType: 37, duration: 600)
                items.append(
                    .object(
                        ObjectRecord(type: Self.workout, start: start + 3_600, end: start + 4_200, body: .workout(body))
                    ))
            }
        }
        try store.engine.save(items, as: SQLStore.owner)
        let join = "FROM workouts w LEFT JOIN activity_summaries a ON"
        let byDay = try store.ask("SELECT a.move_goal_kcal \(join) a.day = w.day ORDER BY w.start_time", zone: timeZone)
        let goals = (0..<10).map { day -> [SQLValue] in [.real(Double(day) * 30)] }
        #expect(byDay.rows == goals)
        #expect(byDay.visited <= 70 && byDay.days <= 60)
        let any = try store.ask("SELECT count(*), count(a.move_kcal) \(join) a.move_goal_kcal >= 0", zone: timeZone)
        #expect(any.rows == [[.integer(3_000), .integer(2_000)]])
        #expect(any.days == 300)
        let some = try store.ask(
            "SELECT min(day), max(day), count(*) FROM activity_summaries WHERE day >= '2001-02-01' AND day < '2001-03-01'",
            zone: timeZone)
        #expect(some.rows == [[.text("2001-02-01"), .text("2001-02-28"), .integer(28)]])
        #expect(some.days < 36)
        #expect(try store.plan("SELECT day FROM activity_summaries ORDER BY day").contains("TEMP B-TREE") == false)
    }

    @Test func dayPortions() {
        var portions = DayBatches([5...9, 1...3, 4...4, 10_000...20_000, 30_000...30_000])
        #expect(portions.next() == [1...9, 10_000...14_086])
        #expect(portions.next() == [14_087...18_182])
        #expect(portions.next() == [18_183...20_000, 30_000...30_000])
        #expect(portions.next().isEmpty)
    }

    @Test func dailySumsMergeSources() throws {
        let store = try SQLStore()
        let other = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.other", name: "Other")),
            permission: .owner)
        func steps(_ value: Double, _ hours: Double) -> SaveItem {
            .sample(
                SampleRecord(
                    type: SQLStore.steps, start: 700_000_000 + hours * 3_600, end: 700_003_600 + hours * 3_600,
                    value: value,
                    unit: "count"))
        }
        // Both sources count the same hour; the sample that spans midnight is split.
        try store.engine.save([steps(100, 0), steps(60, 3)], as: SQLStore.owner)
        try store.engine.save([steps(80, 0)], as: other)
        let midnight = Double(
            LocalClock(timeZone: .gmt).start(ofDay: LocalClock(timeZone: .gmt).dayNumber(at: 700_000_000)))
        let expected = try store.engine.statistics(
            StatisticsRequest(
                type: SQLStore.steps, options: .cumulativeSum,
                buckets: .bounds { _ in [midnight, midnight + 86_400, midnight + 2 * 86_400] }), as: SQLStore.owner
        ).compactMap { $0.values.sum }
        #expect(expected.count == 2 && expected.reduce(0, +) < 240)
        func rows(_ condition: String) throws -> [[SQLValue]] {
            try store.ask("SELECT day, sum, unit FROM daily WHERE \(condition)").rows
        }
        let first: [SQLValue] = [.text("2023-03-08"), .real(expected[0]), .text("count")]
        let second: [SQLValue] = [.text("2023-03-09"), .real(expected[1]), .text("count")]
        #expect(try rows("type = 'stepCount'") == [first, second])
        // A sample that began the day before counts, whatever the condition.
        #expect(try rows("type = 'STEPCOUNT' AND day > '2023-03-08'") == [second])
        #expect(try rows("day = '2023-03-09'") == [second] && rows("day < '2023-03-09'") == [first])
        #expect(try rows("type = 'heartRate'") == [])
    }

    @Test func hidesTypesWithoutReadPermission() throws {
        let store = try Self.filled()
        let stranger = Caller(
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "org.example.stranger", name: "Stranger")),
            permission: .table)
        try store.engine.withReader(as: stranger) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            for table in ["samples", "objects", "types", "activity_summaries"] {
                let statement = try database.statement("SELECT count(*) FROM \(table)")
                #expect(try statement.step())
                #expect(statement.integer(0) == 0)
            }
        }
    }
}
