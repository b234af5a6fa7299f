import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import Testing

@testable import AppleHealthExport

/// The same history exported twice: in other units, in another time zone, by a later version of iOS. Whatever the order
/// of the two imports, nothing is stored twice.
@Suite struct SecondExportTests {
    private let folder: TemporaryFolder
    private let store: ImportedStore

    init() throws {
        folder = try TemporaryFolder()
        store = try ImportedStore()
    }

    private func run(_ elements: [String], exported: String? = nil, batchSize: Int = 500, mirrors: Bool = false) throws
        -> ImportReport
    {
        var text = ArchiveText.file(elements)
        if let exported { text = text.replacingOccurrences(of: "2026-01-15 09:12:33 +0100", with: exported) }
        return try ArchiveImporter(
            engine: store.engine, options: .init(batchSize: batchSize), archive: .init(mirrors: mirrors)
        ).run(path: folder.write(text, as: "export.xml"))
    }

    /// Imports one archive and then the other, and the first one again; only the first import adds anything.
    private func expectSame(_ one: [String], _ other: [String], batchSize: Int = 500, count: Int? = nil) throws {
        let first = try run(one, batchSize: batchSize)
        #expect(first.added.values.reduce(0, +) == count ?? one.count && first.skipped == [:])
        for elements in [other, one, other] {
            let report = try run(elements, batchSize: batchSize)
            #expect(report.added == [:] && report.alreadyThere == first.added && report.skipped == [:])
        }
        #expect(try run(other, batchSize: batchSize, mirrors: true).removed == [:])
        try store.expectWhole()
    }

    private func quantity(_ type: String, _ value: String, _ unit: String, minute: Int = 0, entries: [String] = [])
        -> String
    {
        ArchiveText.record(
            type: "HKQuantityTypeIdentifier" + type, unit: unit, start: "2024-03-01 10:\(10 + minute):00 +0100",
            end: "2024-03-01 10:\(10 + minute):30 +0100", value: value, children: entries)
    }

    // MARK: - Units

    @Test(
        "A value in another unit is the same sample",
        arguments: [
            ("ActiveEnergyBurned", ("0.318", "kcal"), ("0.318", "Cal")),
            ("ActiveEnergyBurned", ("12.345", "kcal"), ("51.6515", "kJ")),
            ("BodyMass", ("154.324", "lb"), ("70.0002", "kg")),
            ("DistanceWalkingRunning", ("0.0639", "mi"), ("0.102837", "km")),
            ("BodyTemperature", ("98.6", "degF"), ("37", "degC")),
            ("BodyTemperature", ("32.02", "degF"), ("0.0111111", "degC")),
            ("BloodGlucose", ("90", "mg/dL"), ("4.99568", "mmol&lt;180.1558800000541&gt;/L")),
            ("HeartRate", ("60", "count/min"), ("1", "count/s")),
        ])
    func units(type: String, one: (String, String), other: (String, String)) throws {
        try expectSame([quantity(type, one.0, one.1)], [quantity(type, other.0, other.1)])
    }

    @Test("Each of many samples of one moment finds its own", arguments: [1, 7, 500])
    func manyOfOneMoment(batchSize: Int) throws {
        var pounds: [String] = []
        var kilograms: [String] = []
        for value in 0..<40 {
            let mass = 100 + Double(value / 2) * 0.01
            pounds.append(quantity("BodyMass", DecimalText.print((mass * 1e3).rounded() / 1e3), "lb"))
            kilograms.append(quantity("BodyMass", DecimalText.print((mass * 0.45359237 * 1e4).rounded() / 1e4), "kg"))
        }
        try expectSame(pounds, kilograms.reversed(), batchSize: batchSize)
        #expect(
            try run(kilograms + [kilograms[0]]).added == ["HKQuantityTypeIdentifierBodyMass": 1],
            "three are one more than two")
    }

    @Test("Another value in another unit, another source or other metadata is another sample")
    func others() throws {
        _ = try run([quantity("BodyMass", "154.324", "lb")])
        let added = try run([
            quantity("BodyMass", "70.001", "kg"),
            quantity("BodyMass", "70.0002", "kg", entries: [ArchiveText.entry("k", "v")]),
            quantity("BodyMass", "70.0002", "kg").replacingOccurrences(of: "iPhone", with: "Scale"),
            quantity("BodyMass", "154.325", "lb"),
        ]).added
        #expect(added.values.reduce(0, +) == 4)
    }

    @Test(
        "A meal whose energy is in another unit is the same correlation, and its members are stored once",
        arguments: [1, 500])
    func correlations(batchSize: Int) throws {
        func meal(_ value: String, _ unit: String) -> [String] {
            let energy = quantity("DietaryEnergyConsumed", value, unit)
            let frame =
                "sourceName=\"iPhone\" sourceVersion=\"17.2\" creationDate=\"2024-03-01 10:15:00 +0100\" startDate=\"2024-03-01 10:10:00 +0100\" endDate=\"2024-03-01 10:10:30 +0100\""
            return [
                energy,
                "<Correlation type=\"HKCorrelationTypeIdentifierFood\" \(frame)>\(energy)\(quantity("DietaryProtein", "3.5", "g"))</Correlation>",
            ]
        }
        try expectSame(meal("250", "kcal"), meal("1046", "kJ"), batchSize: batchSize, count: 3)
        let food = try store.objects("HKCorrelationTypeIdentifierFood")
        #expect(food.count == 1 && food[0].members.count == 2)
    }

    // MARK: - Time zones

    @Test("Dates in metadata and in content that is kept as text are compared as instants", arguments: [1, 500])
    func timeZones(batchSize: Int) throws {
        func elements(_ date: String) -> [String] {
            [
                quantity(
                    "StepCount", "7", "count", entries: [ArchiveText.entry("HKDateOfEarliestDataUsedForEstimate", date)]
                ),
                quantity(
                    "StepCount", "8", "count",
                    entries: [ArchiveText.entry("Modified Date", date), "<Thing seen=\"\(date)\" n=\"1\"/>"]),
                quantity("StepCount", "9", "count").replacingOccurrences(
                    of: "unit=", with: "updated=\"\(date)\" unit="),
                "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"30\" durationUnit=\"min\" sourceName=\"Watch\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:30:00 +0100\"><MetadataEntry key=\"Modified Date\" value=\"\(date)\"/><WorkoutEvent type=\"HKWorkoutEventTypeLap\" date=\"2024-03-01 10:10:00 +0100\"><MetadataEntry key=\"at\" value=\"\(date)\"/></WorkoutEvent><Thing seen=\"\(date)\"/></Workout>",
                "<VisionPrescription type=\"glasses\" dateIssued=\"2024-03-01 10:00:00 +0100\" seen=\"\(date)\"/>",
                "<StateOfMind date=\"\(date)\"><Label date=\"\(date)\"/></StateOfMind>",
            ]
        }
        let one = elements("2024-02-29 23:30:00 +0100")
        let first = try run(one, batchSize: batchSize).added
        for date in ["2024-02-29 17:30:00 -0500", "2024-03-01 00:30:00 +0200"] {
            let again = try run(elements(date), batchSize: batchSize)
            #expect(again.added == [:] && again.alreadyThere == first)
        }
        #expect(try run(elements("2024-02-29 23:30:01 +0100"), batchSize: batchSize).alreadyThere == [:])
        try store.expectWhole()
    }

    // MARK: - Workouts

    private func workout(_ attributes: String, _ children: String = "", minutes: Int = 30) -> String {
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"30.25\" durationUnit=\"min\" \(attributes) sourceName=\"Watch\" creationDate=\"2021-03-01 11:00:05 +0100\" startDate=\"2021-03-01 10:00:00 +0100\" endDate=\"2021-03-01 10:\(minutes):30 +0100\"><MetadataEntry key=\"HKIndoorWorkout\" value=\"0\"/>\(children)</Workout>"
    }

    private func statistics(_ type: String, _ figures: String) -> String {
        "<WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\" startDate=\"2021-03-01 10:00:00 +0100\" endDate=\"2021-03-01 10:30:30 +0100\" \(figures)/>"
    }

    private var withTotals: String {
        workout(
            "totalDistance=\"5.01234567\" totalDistanceUnit=\"km\" totalEnergyBurned=\"312\" totalEnergyBurnedUnit=\"kcal\""
        )
    }

    private func withStatistics(_ distance: String = "sum=\"5.01235\" unit=\"km\"") -> String {
        let figures =
            statistics("ActiveEnergyBurned", "sum=\"312\" unit=\"Cal\"")
            + statistics("DistanceWalkingRunning", distance)
            + statistics("HeartRate", "average=\"140.2\" minimum=\"98\" maximum=\"171\" unit=\"count/min\"")
        return workout(
            "",
            "<WorkoutActivity uuid=\"6C2A1B7E-0B1E-4C8A-9B1D-111111111111\" startDate=\"2021-03-01 10:00:00 +0100\" endDate=\"2021-03-01 10:30:30 +0100\" duration=\"30.25\" durationUnit=\"min\">\(figures)</WorkoutActivity>\(figures)"
        )
    }

    @Test(
        "A workout of an archive before iOS 16 is the one that later archives have with statistics",
        arguments: [true, false])
    func versions(earlierFirst: Bool) throws {
        let archives = [[withTotals], [withStatistics()]]
        try expectSame(archives[earlierFirst ? 0 : 1], archives[earlierFirst ? 1 : 0])
        let workouts = try store.objects("HKWorkoutTypeIdentifier")
        guard workouts.count == 1, case .workout(let body) = workouts[0].body else {
            throw ImportError(.unreadable, "no workout")
        }
        #expect(body.statistics.map(\.type).count == 3 && body.activities.count == 1, "the stored one gained them")
        #expect(body.totalEnergyBurned == QuantityRecord(312, unit: earlierFirst ? "kcal" : "Cal"))
        #expect(body.totalDistance == QuantityRecord(earlierFirst ? 5.01234567 : 5.01235, unit: "km"))
    }

    @Test func statisticsInOtherUnitsAreTheSame() throws {
        try expectSame([withStatistics()], [withStatistics("sum=\"3.11453\" unit=\"mi\"")])
    }

    @Test("Workouts whose figures differ, or whose end does, are others")
    func otherWorkouts() throws {
        _ = try run([withTotals])
        #expect(try run([withStatistics("sum=\"5.02\" unit=\"km\"")]).added.values.reduce(0, +) == 1)
        #expect(try run([workout("", minutes: 31)]).added.values.reduce(0, +) == 1)
    }

    @Test("Of two workouts of the same time, each finds the one that is equal in all")
    func twins() throws {
        let plain = workout("")
        #expect(try run([withStatistics(), plain]).added.values.reduce(0, +) == 2)
        let again = try run([plain, withStatistics()])
        #expect(again.added == [:])
        #expect(try store.objects("HKWorkoutTypeIdentifier").count == 2)
        let bodies = try store.objects("HKWorkoutTypeIdentifier").map {
            if case .workout(let body) = $0.body { body.statistics.count } else { -1 }
        }
        #expect(bodies.sorted() == [0, 3])
    }

    @Test("The route of an early archive, which is inside it, is that of the file of a later one")
    func routes() throws {
        let frame = "sourceName=\"Watch\" startDate=\"2021-03-01 10:00:00 +0100\" endDate=\"2021-03-01 10:00:01 +0100\""
        let inline = workout(
            "",
            "<WorkoutRoute \(frame)><Location date=\"2021-03-01 10:00:00 +0100\" latitude=\"52.50012345678\" longitude=\"13.2501234567\" altitude=\"34.5123456789\" horizontalAccuracy=\"5\" verticalAccuracy=\"4\" course=\"90.5\" speed=\"2.5\"/><Location date=\"2021-03-01 10:00:01 +0100\" latitude=\"52.6\" longitude=\"13.35\" altitude=\"35\" horizontalAccuracy=\"5\" verticalAccuracy=\"4\" course=\"90.5\" speed=\"2.5\"/></WorkoutRoute>"
        )
        let named = workout("", "<WorkoutRoute \(frame)><FileReference path=\"/workout-routes/a.gpx\"/></WorkoutRoute>")
        func point(_ latitude: String, _ longitude: String, _ altitude: String, _ second: Int) -> String {
            "<trkpt lon=\"\(longitude)\" lat=\"\(latitude)\"><ele>\(altitude)</ele><time>2021-03-01T09:00:0\(second)Z</time><extensions><speed>2.500000</speed><course>90.500000</course><hAcc>5.000000</hAcc><vAcc>4.000000</vAcc></extensions></trkpt>"
        }
        try folder.write(
            "<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk><trkseg>\(point("52.500123", "13.250123", "34.512346", 0))\(point("52.600000", "13.350000", "35.000000", 1))</trkseg></trk></gpx>",
            as: "later/workout-routes/a.gpx")
        _ = try run([inline])
        try folder.write(ArchiveText.file([named]), as: "later/export.xml")
        let report = try store.run(folder.path + "/later")
        #expect(report.added == [:] && report.skipped == [:])
        #expect(try store.objects("HKWorkoutRouteTypeIdentifier").count == 1)
    }

    // MARK: - Activity summaries

    private func rings(_ day: Int, _ energy: String) -> String {
        "<ActivitySummary dateComponents=\"2024-03-0\(day)\" activeEnergyBurned=\"\(energy)\" activeEnergyBurnedGoal=\"500\" activeEnergyBurnedUnit=\"kcal\" appleExerciseTime=\"30\" appleExerciseTimeGoal=\"30\" appleStandHours=\"12\" appleStandHoursGoal=\"12\"/>"
    }

    private func energies() throws -> [Double?] {
        let summaries = try store.objects("HKActivitySummaryTypeIdentifier").compactMap {
            object -> ActivitySummaryBody? in
            if case .activitySummary(let summary) = object.body { summary } else { nil }
        }
        return summaries.sorted { $0.day < $1.day }.map(\.activeEnergyBurned?.value)
    }

    @Test("Rings of an archive that was exported earlier don't replace those of a later one")
    func summaries() throws {
        let summary = "HKActivitySummaryTypeIdentifier"
        let (earlier, later) = ("2024-03-02 12:00:00 +0100", "2024-03-05 09:00:00 +0100")
        #expect(try run([rings(2, "520"), rings(3, "610")], exported: later).added == [summary: 2])
        let old = try run([rings(1, "480"), rings(2, "170")], exported: earlier)
        #expect(old.added == [summary: 1] && old.alreadyThere == [summary: 1])
        #expect(try energies() == [480, 520, 610])
        #expect(try run([rings(2, "530")], exported: "2024-03-06 09:00:00 +0100").added == [summary: 1])
        #expect(try energies() == [480, 530, 610])
        #expect(try run([rings(1, "480"), rings(2, "170")], exported: earlier, mirrors: true).removed == [summary: 1])
        #expect(try energies() == [480, 170])
        // The stored one is from the earlier archive now.
        #expect(try run([rings(2, "160")], exported: "2024-03-02 11:00:00 +0100").added == [:])
        #expect(try run([rings(2, "180")], exported: "2024-03-02 13:00:00 +0100").added == [summary: 1])
        #expect(try energies() == [480, 180])
    }

    @Test("An archive that was exported after a day was over has all of it, whatever other archives say of their date")
    func completeSummaries() throws {
        #expect(try run([rings(1, "480")], exported: "2099-01-01 00:00:00 +0100").addedCount == 1)
        #expect(try run([rings(1, "490")], exported: "2024-03-20 09:00:00 +0100").addedCount == 1)
        #expect(try run([rings(1, "200")], exported: "2024-03-01 12:00:00 +0100").addedCount == 0)
        #expect(try run([rings(1, "500")], exported: "unknown").addedCount == 1)
        #expect(try energies() == [500])
    }

    @Test func anEmptyArchiveRemovesNothing() throws {
        _ = try run([quantity("StepCount", "7", "count"), rings(1, "480")])
        let report = try run([], mirrors: true)
        #expect(report.removed == [:] && report.irregularities["nothing removed, because the archive is empty"] == 1)
        #expect(
            try run([quantity("StepCount", "7", "count")], mirrors: true).removed == [
                "HKActivitySummaryTypeIdentifier": 1
            ])
    }

    @Test("A correlation of which a member was deleted gets it again, and the others stay", arguments: [1, 500])
    func deletedMember(batchSize: Int) throws {
        func pressure(_ value: String) -> String {
            let members = [
                quantity("BloodPressureSystolic", "120", "mmHg"), quantity("BloodPressureDiastolic", value, "mmHg"),
            ].joined()
            return
                "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"iPhone\" sourceVersion=\"17.2\" creationDate=\"2024-03-01 10:15:00 +0100\" startDate=\"2024-03-01 10:10:00 +0100\" endDate=\"2024-03-01 10:10:30 +0100\">\(members)</Correlation>\(members)"
        }
        _ = try run([pressure("80"), pressure("90")], batchSize: batchSize)
        let type = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierBloodPressureSystolic"))
        let owner = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "iPhone", name: "iPhone")),
            permission: .owner)
        let member = try #require(
            store.objects("HKCorrelationTypeIdentifierBloodPressure")[0].members.first { $0.type == type.code })
        try store.engine.delete([#require(member.uuid)], as: owner)
        let again = try run([pressure("80"), pressure("90")], batchSize: batchSize)
        #expect(again.added == ["HKQuantityTypeIdentifierBloodPressureSystolic": 1])
        let pressures = try store.objects("HKCorrelationTypeIdentifierBloodPressure")
        #expect(pressures.map(\.members.count) == [2, 2])
        #expect(try run([pressure("80"), pressure("90")], batchSize: batchSize, mirrors: true).removed == [:])
        try store.expectWhole()
    }

    @Test func ofTwoSummariesOfADayTheLastStays() throws {
        let twice = [rings(1, "480"), rings(1, "490")]
        let first = try run(twice)
        #expect(first.added == ["HKActivitySummaryTypeIdentifier": 1] && first.alreadyThere == [:])
        #expect(try run(twice + [rings(2, "500")]).added == ["HKActivitySummaryTypeIdentifier": 1])
        #expect(try energies() == [490, 500])
    }
}
