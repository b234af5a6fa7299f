import HealthFiles
import ArchiveTestSupport
import HealthModel
import Testing

@testable import HealthDevices

@Suite("FIT files in HealthKit's model")
struct FITReaderTests {
    private static let start = Double(FITFileWriter.start) - 347_241_600

    private func read(_ writer: FITFileWriter) -> FileContent {
        FITReader.read(writer.file(), recoversDamaged: false)
    }

    private func values(_ type: MeasuredType, _ samples: [SampleRecord]) -> [Double] {
        samples.filter { $0.type == type.code }.map(\.value)
    }

    @Test("A run is a workout with samples, laps, a pause, a route and the device's figures")
    func run() throws {
        let content = read(.run)
        let workout = try #require(content.wholeObjects.first)
        guard case .workout(let body) = workout.body else {
            Issue.record("no workout")
            return
        }
        #expect(body.activityType == 37 && body.duration == 99)
        #expect(workout.start == Self.start && workout.end == Self.start + 109)
        #expect(body.events.map(\.type) == [3, 1, 2, 3])
        #expect(body.totalDistance == QuantityRecord(297, unit: "m"))
        #expect(body.totalEnergyBurned == QuantityRecord(21, unit: "kcal"))
        #expect(values(.heartRate, workout.members).count == 99)
        #expect(values(.activeEnergy, workout.members) == [10, 11])
        let distance = try #require(MeasuredType.distance(of: 37))
        #expect(values(distance, workout.members).reduce(0, +) == 297)
        #expect(workout.metadata["HKElevationAscended"] == .quantity(42, unit: "m"))
        #expect(workout.revision?.source.name == "Garmin Forerunner 255")
        #expect(workout.device?.localIdentifier == "12345")
        let route = try #require(content.parts.first?.object)
        guard case .document(let document) = route.body else { return }
        #expect(document.series["latitudes"]?.count == 100)
        #expect(document.series["altitudes"]?.first == 500)
    }

    @Test(
        "A triathlon is one workout, whether the distance of each sport begins at 0 or continues",
        arguments: [true, false])
    func triathlon(startsAgain: Bool) throws {
        var writer = FITFileWriter(type: 4)
        let start = FITFileWriter.start
        writer.define(1, 20, [.uint32(253), .uint32(5)])
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6)])
        writer.define(3, 142, [.uint32(253), .uint32(2), .uint32(7)])
        writer.define(4, 20, [.uint32(253), .sint32(0), .sint32(1)])
        for (leg, sport) in [(5, 18), (3, 0), (2, 0)].enumerated() {
            let first = start + Int64(leg) * 100
            for place in 0..<10 as Range<Int64> {
                writer.add(1, [first + place * 10, place * 1_000 + (startsAgain ? 0 : Int64(leg) * 9_000)])
            }
            if leg == 2 { for place in 0..<3 as Range<Int64> { writer.add(4, [first + place, place + 1, place + 1]) } }
            // To the millisecond, so that it ends after the rounded start of the next one.
            writer.add(2, [first + 100, first, 100_600, 9_000, Int64(sport.0), Int64(sport.1)])
        }
        writer.add(3, [start + 250, start + 220, 20_000])
        let content = read(writer)
        let workout = try #require(content.wholeObjects.first)
        guard case .workout(let body) = workout.body else { return }
        #expect(content.objects.count == 1 && body.activityType == 82)
        #expect(body.activities.map(\.activityType) == [46, 83, 13])
        #expect(body.activities.map(\.locationType) == [1, 1, 3])
        #expect(body.activities.map(\.swimmingLocationType) == [2, 0, 0])
        #expect(body.activities.allSatisfy { abs($0.duration - 100.6) < 1e-6 })
        #expect(body.events.map(\.type) == [7])
        for activity in [46, 13] as [UInt] {
            let type = try #require(MeasuredType.distance(of: activity))
            #expect(values(type, workout.members).reduce(0, +) == 90)
        }
    }

    @Test("What has no type for its sport, and records outside of a session, are counted")
    func untyped() {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint16(7), .uint8(4)])
        for place in [0, 1, 2, 90] as [Int64] { writer.add(1, [FITFileWriter.start + place, 250, 24]) }
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .enumeration(5), .enumeration(6)])
        writer.add(2, [FITFileWriter.start + 2, FITFileWriter.start, 2_000, 15, 0])
        #expect(
            read(writer).leftOut == [
                "power in a sport without a type for it, left out": 3,
                "cadence in a sport without a type for it, left out": 3,
                "record outside of every session, left out": 1,
            ])
    }

    @Test("Records a moment after a session, before it or within the next one's gap belong to one session each")
    func spans() throws {
        var writer = FITFileWriter(type: 4)
        let start = FITFileWriter.start
        writer.define(1, 20, [.uint32(253), .uint8(3), .uint32(5)])
        for second in (-2...121) as ClosedRange<Int64> {
            writer.add(1, [start + second, 100 + second / 2, (second + 2) * 200])
        }
        // A minute and more later: of something else.
        writer.add(1, [start + 300, 90, 24_700])
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(8), .enumeration(5), .enumeration(6)])
        // The first ends too late, the second too early, and its time without pauses is the longer one.
        writer.add(2, [start + 60, start, 75_500, 60_000, 1, 0])
        writer.add(2, [start + 119, start + 60, 58_500, 58_900, 11, 0])
        let content = read(writer)
        try #require(content.objects.count == 2)
        let rates = content.wholeObjects.map { values(.heartRate, $0.members).count }
        #expect(rates == [62, 62] && content.leftOut["record outside of every session, left out"] == 1)
        #expect(content.objects.map { $0.start - Self.start } == [-2, 60])
        #expect(content.objects.map { $0.end - Self.start } == [60, 121])
        let durations = content.objects.map { object -> Double in
            guard case .workout(let body) = object.body else { return 0 }
            return body.duration
        }
        #expect(durations == [60, 58.9])
        let distances = content.wholeObjects.flatMap { values(.distanceOnFoot, $0.members) }
        #expect(distances.reduce(0, +) == 246)
    }

    @Test("A runner who stands has no stride, and a record that is late isn't a new beginning")
    func standing() throws {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint32(5), .uint16(39), .uint16(41), .uint16(85)])
        for (second, meters) in [0, 30, 60, 40, 70, 50, 80].enumerated() {
            let isRunning: Int64 = second > 0 ? 1 : 0
            writer.add(
                1,
                [
                    FITFileWriter.start + Int64(second), Int64(meters) * 100, 900 * isRunning, 2_400 * isRunning,
                    11_000 * isRunning,
                ])
        }
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(8), .enumeration(5), .enumeration(6)])
        writer.add(2, [FITFileWriter.start + 6, FITFileWriter.start, 6_000, 6_000, 1, 0])
        let object = try #require(read(writer).wholeObjects.first)
        for type in [MeasuredType.strideLength, .groundContact, .oscillation] {
            #expect(values(type, object.members).count == 6 && !values(type, object.members).contains(0))
        }
        #expect(values(.distanceOnFoot, object.members) == [30, 30, 10, 10])
    }

    @Test("A session without times has those of its records, and one with times since power-on that of the file")
    func untimed() throws {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint8(3)])
        for second in 0..<20 as Range<Int64> { writer.add(1, [FITFileWriter.start + second, 120]) }
        writer.define(2, 18, [.uint32(9), .enumeration(5), .enumeration(6)])
        writer.add(2, [55_000, 2, 0])
        let object = try #require(read(writer).wholeObjects.first)
        guard case .workout(let body) = object.body else { return }
        #expect(body.activityType == 13 && body.totalDistance == QuantityRecord(550, unit: "m"))
        #expect(object.end - object.start == 19)
        // The records have no distance, so the session's counts.
        let type = try #require(MeasuredType.distance(of: 13))
        #expect(values(type, object.members) == [550])
        var system = FITFileWriter(type: 4)
        system.define(1, 20, [.uint32(253), .uint8(3)])
        system.add(1, [1_000, 120])
        system.define(2, 18, [.uint32(253), .uint32(2), .uint32(7)])
        system.add(2, [1_100, 1_000, 100_000])
        // Times since the device was switched on are dated by the time of the file.
        #expect(read(system).objects.map { $0.end - $0.start } == [100])
    }

    @Test(
        "A file without a session has the distance of its records, also in an unknown sport", arguments: [true, false])
    func unfinished(hasSport: Bool) throws {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint32(5)])
        for second in 0..<20 as Range<Int64> { writer.add(1, [FITFileWriter.start + second, second * 300]) }
        writer.define(2, 12, [.enumeration(0), .enumeration(1)])
        if hasSport { writer.add(2, [1, 0]) }
        let content = read(writer)
        guard case .workout(let body) = try #require(content.objects.first).body else { return }
        #expect(body.activityType == (hasSport ? 37 : 3_000))
        #expect(body.totalDistance == QuantityRecord(57, unit: "m") && body.statistics.count == (hasSport ? 1 : 0))
        let left = content.leftOut["distance in a sport without a type for it, left out"]
        #expect(left == (hasSport ? nil : 19))
    }

    @Test("A drill is one length with the distance that its lap tells, and rest is none")
    func drill() throws {
        let start = FITFileWriter.start
        var writer = FITFileWriter(type: 4)
        writer.define(1, 101, [.uint32(2), .uint32(3), .uint16(5), .enumeration(7), .enumeration(12)])
        for place in 0..<4 as Range<Int64> { writer.add(1, [start + place * 30, 30_000, 12, 0, 1]) }
        writer.add(1, [start + 120, 20_000, 0xFFFF, 0xFF, 0])
        writer.add(1, [start + 140, 150_000, 0xFFFF, 4, 1])
        writer.define(2, 19, [.uint32(2), .uint32(7), .uint32(9)])
        for (first, seconds, meters) in [(0, 120, 100), (120, 20, 0), (140, 150, 125)] as [(Int64, Int64, Int64)] {
            writer.add(2, [start + first, seconds * 1_000, meters * 100])
        }
        writer.define(3, 18, [.uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6), .uint16(44)])
        writer.add(3, [start, 290_000, 22_500, 5, 17, 2_500])
        let object = try #require(read(writer).wholeObjects.first)
        let type = try #require(MeasuredType.distance(of: 46))
        #expect(values(type, object.members) == [25, 25, 25, 25, 125])
        guard case .workout(let body) = object.body else { return }
        #expect(body.events.filter { $0.type == 3 }.count == 5)
    }

    @Test("A beat that fills up the last message of a chest strap is one heart rate")
    func storedRates() throws {
        var writer = FITFileWriter(type: 4)
        let start = FITFileWriter.start
        writer.define(1, 132, [.uint32(253), .uint16(0), .uint8(6), .uint32(9)])
        writer.add(1, [start, 0, 100, 1_024])
        writer.define(3, 18, [.uint32(253), .uint32(2), .uint32(7), .enumeration(5)])
        writer.define(4, 132, [Self.rates(4), Self.clocks(4)])
        writer.add(4, [101, 102, 103, 103] + [2_048, 3_072, 4_096, 4_096])
        writer.add(3, [start + 60, start, 60_000, 5])
        let object = try #require(read(writer).wholeObjects.first)
        #expect(values(.heartRate, object.members) == [100, 101, 102, 103])
    }

    @Test("What a strap stored follows in files without an identity, and counts for sessions whose records have none")
    func appendedRates() throws {
        let start = FITFileWriter.start
        var watch = FITFileWriter(type: 4)
        watch.define(1, 20, [.uint32(253), .uint8(3)])
        for second in 60...62 as ClosedRange<Int64> { watch.add(1, [start + second, 150]) }
        watch.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .enumeration(5)])
        watch.add(2, [start + 60, start, 60_000, 5])
        watch.add(2, [start + 70, start + 60, 10_000, 2])
        let straps = [[(5, 100)], [(30, 110), (65, 120)]].map { rates -> FITFileWriter in
            var strap = FITFileWriter(type: nil)
            strap.define(1, 132, [.uint32(253), .uint16(0), .uint8(6), .uint32(9)])
            for (second, rate) in rates { strap.add(1, [start + Int64(second), 0, Int64(rate), 1_024]) }
            return strap
        }
        let bytes = ([watch] + straps).flatMap { $0.file() }
        let content = FITReader.read(bytes, recoversDamaged: false)
        #expect(content.objects.count == 1 && content.leftOut.isEmpty)
        #expect(values(.heartRate, content.wholeObjects[0].members) == [100, 110, 150, 150, 150])
    }

    private static func rates(_ count: Int) -> FITFileWriter.Field {
        FITFileWriter.Field(number: 6, type: 2, size: 1, count: count)
    }
    private static func clocks(_ count: Int) -> FITFileWriter.Field {
        FITFileWriter.Field(number: 9, type: 0x86, size: 4, count: count)
    }

    @Test("A virtual ride has no route")
    func virtual() {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .sint32(0), .sint32(1)])
        for place in 0..<3 as Range<Int64> { writer.add(1, [FITFileWriter.start + place, place + 1, place + 1]) }
        // Zeros aren't a place.
        writer.add(1, [FITFileWriter.start + 2, 0, 0])
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .enumeration(5), .enumeration(6)])
        writer.add(2, [FITFileWriter.start + 2, FITFileWriter.start, 2_000, 2, 58])
        let content = read(writer)
        #expect(content.objects.count == 1 && content.parts.isEmpty)
        #expect(content.leftOut["place of an indoor workout, left out"] == 3)
    }

    @Test("Totals start again at midnight, and the minutes of intensity are exercise time, of a separate source")
    func midnight() throws {
        var writer = FITFileWriter(type: 32)
        // 2021-09-08 22:00:00 UTC, which is midnight two hours east of it.
        let midnight: Int64 = 1_000_072_800
        writer.define(1, 103, [.uint32(253), .uint32(0)])
        writer.add(1, [midnight - 3_600, midnight + 3_600])
        writer.define(2, 55, [.uint32(253), .bytes(24, 1), .uint32(3), .uint16(33)])
        writer.add(2, [midnight - 600, 6, 2_000, 10])
        writer.add(2, [midnight + 600, 6, 100, 5])
        let samples = read(writer).samples
        let steps = samples.filter { $0.type == MeasuredType.steps.code }
        #expect(steps.map(\.value) == [2_000, 100])
        #expect(steps.last?.start == Double(midnight) - 347_241_600)
        #expect(values(.exerciseTime, samples) == [10, 5])
        #expect(steps.first?.revision?.source.bundleIdentifier == "fit.1.3992.12345.monitoring")
        #expect(steps.first?.revision?.source.name == "Garmin Forerunner 255")
    }

    @Test("A total that is greater than the day before's began at midnight, too", arguments: [true, false])
    func secondDay(hasInfo: Bool) throws {
        var writer = FITFileWriter(type: 32)
        // Midnight two hours east of Greenwich.
        let midnight: Int64 = 1_000_072_800
        writer.define(1, 103, [.uint32(253), .uint32(0)])
        writer.add(1, [midnight - 50_400, midnight - 43_200])
        writer.define(2, 55, [.uint32(253), .enumeration(5), .uint32(3)])
        writer.add(2, [midnight - 36_000, 1, 2_000])
        writer.add(2, [midnight, 6, 9_000])
        // What tells of the new day is a message of it, or that another total became less.
        if hasInfo { writer.add(1, [midnight, midnight + 7_200]) } else { writer.add(2, [midnight + 3_600, 6, 100]) }
        writer.add(2, [midnight + 36_000, 1, 2_500])
        let steps = read(writer).samples.filter { $0.type == MeasuredType.steps.code }
        #expect(steps.map(\.value) == (hasInfo ? [2_000, 9_000, 2_500] : [2_000, 9_000, 100, 2_500]))
        #expect(steps.last?.start == Double(midnight) - 347_241_600)
    }

    @Test(
        "A local time that no place has is none",
        arguments: [
            (7_200, "GMT+0200"), (20_700, "GMT+0545"), (-12_600, "GMT-0330"), (7_203, "GMT+0200"), (50_400, "GMT+1400"),
            (2_700, nil), (54_000, nil), (3_200, nil), (-800_000_000, nil),
        ] as [(Int64, String?)])
    func timeZone(offset: Int64, identifier: String?) throws {
        var writer = FITFileWriter(type: 4)
        let start = FITFileWriter.start
        writer.define(1, 18, [.uint32(253), .uint32(2), .uint32(7), .enumeration(5)])
        writer.add(1, [start + 60, start, 60_000, 1])
        writer.define(2, 34, [.uint32(253), .uint32(5)])
        writer.add(2, [start + 60, start + 60 + offset])
        let workout = try #require(read(writer).objects.first)
        #expect(workout.metadata["HKTimeZone"] == identifier.map { .string($0) })
    }

    @Test("A day's totals become what was added, with times of 16 bits")
    func monitoring() {
        var writer = FITFileWriter(type: 32)
        let start = FITFileWriter.start
        writer.define(1, 103, [.uint32(253), .uint16(5)])
        writer.add(1, [start, 1_728])
        writer.define(2, 55, [.uint32(253), .uint32(3), .bytes(24, 1), .uint16(19)])
        for place in 1...4 as ClosedRange<Int64> { writer.add(2, [start + place * 900, place * 200, 6, place * 10]) }
        writer.define(3, 55, [.uint16(26), .uint8(27)])
        writer.add(3, [(start + 3_700) & 0xFFFF, 61])
        // 3.5, 7 and 12.2 meters are one, two and four floors.
        writer.define(4, 55, [.uint32(253), .uint32(31)])
        for (place, ascent) in [3_500, 7_000, 12_200].enumerated() {
            writer.add(4, [start + 3_710 + Int64(place) * 10, Int64(ascent)])
        }
        let samples = read(writer).samples
        #expect(values(.steps, samples) == [200, 200, 200, 200])
        #expect(values(.activeEnergy, samples) == [10, 10, 10, 10])
        #expect(samples.filter { $0.type == MeasuredType.heartRate.code }.map(\.start) == [Self.start + 3_700])
        #expect(values(.flights, samples) == [1, 1, 2])
        let rest = samples.filter { $0.type == MeasuredType.basalEnergy.code }
        #expect(rest.map(\.start) == [Self.start] && rest.map(\.end) == [Self.start + 3_730])
        #expect(rest.map { ($0.value * 100).rounded() } == [7_460])
    }

    @Test("Sleep levels last until the next one, measurements are samples, and stress is counted")
    func health() {
        var writer = FITFileWriter(type: 49)
        let start = FITFileWriter.start
        writer.define(1, 275, [.uint32(253), .enumeration(0)])
        for (place, level) in [1, 2, 2, 3, 4].enumerated() { writer.add(1, [start + Int64(place) * 60, Int64(level)]) }
        writer.define(2, 21, [.uint32(253), .enumeration(0), .enumeration(1)])
        writer.add(2, [start + 600, 74, 1])
        writer.define(3, 30, [.uint32(253), .uint16(0), .uint16(1)])
        writer.add(3, [start, 7_250, 2_010])
        writer.define(4, 51, [.uint32(253), .uint16(0), .uint16(1)])
        writer.add(4, [start, 121, 79])
        writer.define(5, 227, [.uint32(1), .uint16(0)])
        writer.add(5, [start, 25])
        let content = read(writer)
        let levels = content.samples.filter { $0.type == MeasuredType.code("HKCategoryTypeIdentifierSleepAnalysis") }
        #expect(levels.map(\.value) == [2, 3, 4, 5])
        #expect(levels.map { $0.end - $0.start } == [60, 120, 60, 360])
        #expect(values(.bodyMass, content.samples) == [72.5])
        #expect(content.wholeObjects.first?.members.map(\.value) == [121, 79])
        #expect(content.leftOut == ["FIT message stress_level, left out": 1])
    }

    @Test("A course is recognized and has nothing to import")
    func course() {
        var writer = FITFileWriter(type: 6)
        writer.define(1, 20, [.uint32(253), .uint8(3)])
        writer.add(1, [FITFileWriter.start, 100])
        let content = read(writer)
        #expect(content.count == 0 && content.leftOut == ["file of type course, left out": 1])
    }
}

extension FileContent {
    /// The objects, with all of their members in their records.
    var wholeObjects: [ObjectRecord] {
        objects.enumerated().map { place, object in
            var object = object
            for (_, series) in members.filter({ $0.owner == place }) {
                object.members += (0..<series.count).map { row in
                    SampleRecord(
                        type: series.type, start: series.starts[row], end: series.ends[row], value: series.values[row],
                        unit: series.unit, revision: series.origin.revision, device: series.origin.device)
                }
            }
            return object
        }
    }
}
