import ArchiveTestSupport
import Foundation
import Testing

/// The export of a Garmin account is all that someone has.
@Suite("Garmin’s export alone fills Today, Sleep and Workouts")
struct GarminOnlyTests {
    private let scratch = Scratch()
    /// 2025-11-16 00:00 UTC, in seconds since 1989-12-31.
    private static let today: Int64 = 1_132_185_600
    private static let day: Int64 = 86_400
    /// The time of the commands.
    private static let now = "2025-11-16T20:00:00Z"

    /// The counts of a watch until a second of a day: every quarter of an hour from seven to ten in the evening.
    private static func monitoring(_ start: Int64, until end: Int64) -> [UInt8] {
        var writer = FITFileWriter(type: 32)
        writer.define(1, 103, [.uint32(253), .uint32(0), .uint16(5)])
        writer.add(1, [start, start, 1_728])
        writer.define(2, 55, [.uint32(253), .enumeration(5), .uint32(3), .uint32(2), .uint16(19)])
        writer.define(3, 55, [.uint32(253), .uint16(33), .uint32(31)])
        writer.define(4, 55, [.uint32(253), .uint8(27)])
        writer.define(5, 297, [.uint32(253), .uint16(0)])
        var count: Int64 = 0
        for second in stride(from: Int64(900), to: end, by: 900) {
            let isAwake = (7 * 3_600..<22 * 3_600).contains(second)
            if isAwake {
                count += 1
                // Totals since midnight; distances are in centimeters.
                writer.add(2, [start + second, 6, count * 240, count * 9_000, count * 8])
                writer.add(3, [start + second, count, count * 1_000])
            }
            writer.add(4, [start + second, isAwake ? 75 : 58])
            writer.add(5, [start + second, 1_400])
        }
        writer.define(6, 211, [.uint32(253), .uint8(1)])
        writer.add(6, [start + end - 900, 52])
        return writer.file()
    }

    /// A night from eleven in the evening to ten past six.
    private static func night(_ midnight: Int64) -> [UInt8] {
        var writer = FITFileWriter(type: 49)
        writer.define(1, 275, [.uint32(253), .enumeration(0)])
        for (second, level) in [(0, 2), (3_600, 3), (7_200, 2), (14_400, 4), (18_000, 2), (25_200, 1)]
            as [(Int64, Int64)]
        {
            writer.add(1, [midnight - 3_600 + second, level])
        }
        writer.define(2, 21, [.uint32(253), .enumeration(0), .enumeration(1)])
        writer.add(2, [midnight - 3_600 + 25_800, 74, 1])
        return writer.file()
    }

    /// A run of half an hour at six in the evening.
    private static func run(_ midnight: Int64) -> [UInt8] {
        let start = midnight + 18 * 3_600
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .sint32(0), .sint32(1), .uint8(3), .uint32(5)])
        for second in stride(from: Int64(0), through: 1_800, by: 10) {
            writer.add(
                1, [start + second, 573_845_000 + second * 300, 137_200_000 + second * 300, 145, second * 300])
        }
        writer.define(2, 19, [.uint32(253), .uint32(2), .uint32(7), .uint32(8), .uint32(9), .uint16(11)])
        writer.add(2, [start + 1_800, start, 1_800_000, 1_800_000, 540_000, 400])
        writer.define(
            3, 18,
            [
                .uint32(253), .uint32(2), .uint32(7), .uint32(8), .uint32(9), .enumeration(5), .enumeration(6),
                .uint16(11),
                .uint8(16), .uint8(17),
            ])
        writer.add(3, [start + 1_800, start, 1_800_000, 1_800_000, 540_000, 1, 0, 400, 145, 160])
        return writer.file()
    }

    /// The export’s folder, with five weeks until eight in the evening of today.
    private func export() throws -> URL {
        let folder = scratch.file("garmin")
        func write(_ bytes: [UInt8], _ name: String) throws {
            let file = folder.appendingPathComponent("DI_CONNECT/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        for number in 0..<35 as Range<Int64> {
            let start = Self.today - number * Self.day
            let files = "DI-Connect-Uploaded-Files/\(number)"
            try write(Self.monitoring(start, until: number == 0 ? 20 * 3_600 : Self.day), files + "-monitoring.fit")
            try write(Self.night(start), files + "-sleep.fit")
            if number % 2 == 1 { try write(Self.run(start), files + "-activity.fit") }
        }
        try write(
            Array(#"[{"userProfilePK": 1, "calendarDate": "2025-11-16", "totalSteps": 99999}]"#.utf8),
            "DI-Connect-Aggregator/UDSFile_2025-10-01_2025-11-16.json")
        return folder
    }

    private func hk(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, store: scratch.store, timeZone: "UTC", now: Self.now)
    }

    private func value(_ answer: [String: Any], _ path: String) -> Any? {
        path.split(separator: ".").reduce(answer as Any?) { ($0 as? [String: Any])?[String($1)] }
    }

    @Test("Nothing that a watch measures is empty, and nothing counts twice")
    func screens() throws {
        let imported = try hk(["import", export().path])
        #expect(imported.status == 0 && imported.output.contains("is Garmin’s document of daily totals"))
        let today = try #require(try hk(["today", "--json"]).json() as? [String: Any])
        func number(_ path: String) -> Double { (value(today, path) as? Double ?? .nan).rounded() }
        // 52 quarters of an hour with 240 steps and eight kilocalories each.
        #expect(number("steps.quantity") == 12_480)
        #expect(number("energy.active.quantity") == 416)
        // From midnight to the last message, of 1,728 kilocalories a day.
        #expect(number("energy.resting.quantity") == 1_422)
        #expect((value(today, "energy.missing") as? [Any])?.isEmpty == true)
        #expect(number("energy.burned.quantity") == 1_838)
        #expect(number("heartRate.latest") == 75 && number("heartRate.resting") == 52)
        #expect(number("sleep.totalTimeAsleep") == 25_200)
        #expect(number("rings.today.appleExerciseTime.quantity") == 52)
        let text = try hk(["today"]).output
        #expect(text.contains("resting energy      1,422 kcal") && text.contains("resting heart rate  52 count/min"))
        #expect(text.contains("deep 1:00, core 5:00, REM 1:00, awake 0:10"))
        #expect(text.contains("Latest workout:  2025-11-15 18:00 running, 30 min, 5.4 km, 400 kcal"))
        #expect(!text.contains("can’t be calculated"))

        let nights = try hk(["sleep", "--json"]).objects()
        #expect(nights.count == 14 && nights.allSatisfy { value($0, "main.stages.rem") as? Double == 3_600 })
        let workouts = try hk(["workouts", "--limit", "50", "--json"]).objects()
        #expect(workouts.count == 17)
        #expect(value(workouts[0], "totalDistance.quantity") as? Double == 5.4)
        #expect(workouts[0]["averageHeartRate"] as? Double == 145)

        // A day with a run: its 400 kilocalories in place of those that the watch counted meanwhile.
        func sum(_ type: String) throws -> Double? {
            let day = ["--from", "2025-11-15", "--to", "2025-11-15", "--every", "day", "--json"]
            return try hk(["stats", type] + day).objects().first?["sumQuantity"] as? Double
        }
        let energy: Double = 60 * 8 - 2 * 8 + 400
        #expect(try sum("activeEnergyBurned") == energy)
        #expect(try sum("stepCount") == 60 * 240)
        // 60 meters of ascent have 19 floors of ten feet.
        #expect(try sum("flightsClimbed") == 19)
        let breaths = try hk(["stats", "respiratoryRate", "--last", "1d", "--json"]).objects()
        #expect((breaths.first?["averageQuantity"] as? Double)?.rounded() == 14)
    }
}
