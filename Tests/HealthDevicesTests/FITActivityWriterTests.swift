import Foundation
import HealthEngine
import HealthFiles
import HealthFormats
import HealthModel
import HealthStorage
import HealthTesting
import Testing

@testable import HealthDevices

/// Workouts as FIT files, read again.
@Suite("Workouts as FIT files")
struct FITActivityWriterTests {
    private let engine: HealthEngine
    private let uuid = UUID()
    private static let start = 700_000_000.0
    private static let watch = Caller(
        revision: SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "com.apple.health.1", name: "Alex’s Watch"), version: "10.1.1"),
        permission: .owner)

    init() throws {
        engine = try HealthEngine(
            storage: StorageProviders.shared.openInMemory(), configuration: EngineConfiguration(now: { 0 }))
    }

    private static func sample(
        _ name: String, _ unit: String, _ start: Double, _ end: Double, _ value: Double
    ) -> SampleRecord {
        SampleRecord(
            type: MeasuredType.code("HKQuantityTypeIdentifier" + name), start: Self.start + start,
            end: Self.start + end, value: value, unit: unit)
    }

    private func save(
        _ body: WorkoutBody, seconds: Double, metadata: Metadata = .empty, _ samples: [SampleRecord],
        route: [(time: Double, speed: Double)] = []
    ) throws {
        try engine.save(samples.map { .sample($0) }, as: Self.watch)
        var parts: [ObjectRecord] = []
        if !route.isEmpty {
            parts.append(
                ObjectRecord(
                    type: MeasuredType.code("HKWorkoutRouteTypeIdentifier"), start: Self.start,
                    end: Self.start + seconds,
                    body: .document(
                        DocumentBody(
                            series: [
                                "timestamps": route.map { Self.start + $0.time },
                                "latitudes": route.map { 52.5 + $0.time / 100_000 },
                                "longitudes": route.map { -13.5 - $0.time / 100_000 },
                                "altitudes": route.map { 30 + $0.time / 10 }, "speeds": route.map(\.speed),
                                "horizontalAccuracies": route.map { _ in 4 },
                                "verticalAccuracies": route.map { _ in 3 },
                            ]))))
        }
        try engine.save(
            ObjectRecord(
                uuid: uuid, type: MeasuredType.code("HKWorkoutTypeIdentifier"), start: Self.start,
                end: Self.start + seconds, device: DeviceRecord(name: "Apple Watch", softwareVersion: "10.1.1"),
                metadata: metadata, body: .workout(body)), owning: [], parts: parts, as: Self.watch)
    }

    /// The workout, written and read, with the damages that its reader finds.
    private func read() throws -> (
        workout: ObjectRecord, body: WorkoutBody, route: DocumentBody?, content: FileContent
    ) {
        let file = try WorkoutFileExporter(.fit, FormatOptions(timeZone: TimeZone(identifier: "Europe/Berlin")!)).file(
            of: uuid, in: engine, as: Self.watch)
        #expect(file.name.hasSuffix(".fit"))
        let reading = FITReader.read(file.bytes, recoversDamaged: false)
        #expect(reading.damages.isEmpty && reading.objects.count == 1)
        let workout = try #require(reading.wholeObjects.first)
        guard case .workout(let body) = workout.body else { throw CancellationError() }
        var route: DocumentBody?
        if case .document(let document)? = reading.parts.first?.object.body { route = document }
        return (workout, body, route, reading)
    }

    private func values(_ name: String, _ samples: [SampleRecord]) -> [Double] {
        samples.filter { $0.type == MeasuredType.code("HKQuantityTypeIdentifier" + name) }.map(\.value)
    }

    private func event(_ type: Int, _ start: Double, _ end: Double? = nil) -> WorkoutBody.Event {
        WorkoutBody.Event(type: type, start: Self.start + start, end: Self.start + (end ?? start))
    }

    @Test("A run comes back with its time, distance, heart rates, pauses, laps, segments and route")
    func run() throws {
        var body = WorkoutBody(
            activityType: 37, duration: 500.25, totalEnergyBurned: QuantityRecord(90, unit: "kcal"),
            totalDistance: QuantityRecord(1.5, unit: "km"))
        body.events = [
            event(1, 100), event(2, 200), event(3, 0, 150), event(5, 300), event(6, 310), event(7, 20, 80),
        ]
        let contact = "HKQuantityTypeIdentifierRunningGroundContactTime"
        body.statistics = [
            .init(type: contact, start: Self.start, end: Self.start + 610.25, unit: "s", average: 0.2515)
        ]
        let rates = [0, 7, 45, 99, 205, 206, 480].map { Self.sample("HeartRate", "count/min", $0, $0, 100 + $0 / 10) }
        try save(
            body, seconds: 610.25,
            metadata: Metadata([
                .init(key: "HKElevationAscended", value: .quantity(2_300, unit: "cm")),
                .init(key: "HKTimeZone", value: .string("Asia/Kolkata")),
            ]),
            rates + [
                Self.sample("DistanceWalkingRunning", "m", 0, 100, 300),
                Self.sample("DistanceWalkingRunning", "m", 200, 610, 1_200),
                Self.sample("RunningPower", "W", 45, 45, 210), Self.sample("RunningStrideLength", "m", 45, 45, 1.1),
            ], route: stride(from: 0, through: 610, by: 5).map { ($0, 2.5) })
        let (workout, read, route, content) = try read()
        #expect(workout.start == Self.start && workout.end == Self.start + 610.25)
        #expect(read.activityType == 37 && read.duration == 500.25)
        #expect(read.totalDistance == QuantityRecord(1_500, unit: "m"))
        #expect(read.totalEnergyBurned == QuantityRecord(90, unit: "kcal"))
        // What is left after the only lap is none.
        let expected = body.events.sorted { ($0.start, $0.end, $0.type) < ($1.start, $1.end, $1.type) }
        #expect(read.events == expected)
        let found = Dictionary(
            workout.members.filter { $0.type == MeasuredType.heartRate.code }.map { ($0.start, $0.value) }
        ) { $1 }
        for rate in rates { #expect(found[rate.start] == rate.value.rounded()) }
        let distance = values("DistanceWalkingRunning", workout.members).reduce(0, +)
        #expect(abs(distance - 1_500) < 0.001)
        #expect(values("RunningPower", workout.members).contains(210))
        #expect(values("RunningStrideLength", workout.members).contains(1.1))
        #expect(read.statistics.first { $0.type == contact }?.average == 251.5)
        #expect(read.statistics.first { $0.type.hasSuffix("RunningStrideLength") }?.average == 1.1)
        #expect(workout.metadata["HKElevationAscended"] == .quantity(23, unit: "m"))
        #expect(workout.metadata["HKTimeZone"] == .string("GMT+0530"))
        #expect(workout.revision?.source.name == "Apple Watch" && workout.revision?.version == "10.01")
        let series = try #require(route).series
        #expect(series["timestamps"]?.count == 103 && series["speeds"]?.first == 2.5)
        #expect(abs((series["latitudes"]?.last ?? 0) - 52.5061) < 1e-6 && series["altitudes"]?.first == 30)
        #expect(content.leftOut.keys.allSatisfy { !$0.contains("outside") }, "\(content.leftOut)")
    }

    @Test("Heart rates of one second have a record each, and parts of a second are cut off")
    func fractions() throws {
        try save(
            WorkoutBody(activityType: 20, duration: 59.5), seconds: 59.5,
            [(10.2, 101), (10.4, 102), (10.9, 103), (59.4, 104)].map {
                Self.sample("HeartRate", "count/min", $0, $0, $1)
            })
        let (workout, body, _, _) = try read()
        #expect(body.activityType == 20 && body.events.isEmpty)
        #expect(workout.end == Self.start + 59.5)
        #expect(values("HeartRate", workout.members) == [101, 102, 103, 104])
        #expect(
            workout.members.filter { $0.type == MeasuredType.heartRate.code }.map { $0.start - Self.start } == [
                10, 10, 10, 59,
            ])
    }

    @Test("The end of a workout repeats no heart rate")
    func end() throws {
        try save(
            WorkoutBody(activityType: 37, duration: 600), seconds: 600,
            [
                Self.sample("HeartRate", "count/min", 0, 0, 100), Self.sample("HeartRate", "count/min", 590, 590, 101),
                Self.sample("RunningSpeed", "m/s", 595, 595, 3),
                Self.sample("DistanceWalkingRunning", "m", 0, 598, 900),
            ])
        let (workout, _, _, _) = try read()
        let rates = workout.members.filter { $0.type == MeasuredType.heartRate.code }
        #expect(rates.last.map { $0.start - Self.start } != 600 && values("RunningSpeed", workout.members).last == 3)
        #expect(workout.members.filter { $0.start == Self.start + 600 } == [])
        let distance = values("DistanceWalkingRunning", workout.members).reduce(0, +)
        #expect(abs(distance - 900) < 0.001)
    }

    @Test(
        "A triathlon has a session for each sport, also if one ends a moment after the next one begins",
        arguments: [0, 0.4])
    func triathlon(overlap: Double) throws {
        var body = WorkoutBody(activityType: 82, duration: 300)
        let legs: [(UInt, Double, Double, String)] = [
            (46, 0, 100, "DistanceSwimming"), (13, 100, 200, "DistanceCycling"),
            (37, 200, 300, "DistanceWalkingRunning"),
        ]
        body.activities = legs.map {
            var activity = WorkoutBody.Activity(
                uuid: UUID(), activityType: $0.0, swimmingLocationType: $0.0 == 46 ? 2 : 0, start: Self.start + $0.1,
                end: Self.start + min($0.2 + overlap, 300), duration: 100)
            activity.statistics = [
                .init(
                    type: "HKQuantityTypeIdentifier" + $0.3, start: Self.start + $0.1, end: Self.start + $0.2,
                    unit: "m",
                    sum: $0.2 * 10)
            ]
            return activity
        }
        try save(
            body, seconds: 300,
            [
                Self.sample("DistanceSwimming", "m", 0, 100, 1_000),
                Self.sample("DistanceCycling", "m", 100, 200, 2_000),
                Self.sample("DistanceWalkingRunning", "m", 200, 300, 3_000),
                Self.sample("HeartRate", "count/min", 100, 100, 130),
            ])
        let (workout, read, _, _) = try read()
        #expect(read.activityType == 82 && read.duration == 300)
        #expect(read.activities.map(\.activityType) == [46, 13, 37])
        #expect(read.activities.map(\.swimmingLocationType) == [2, 0, 0])
        #expect(read.activities.map { $0.start - Self.start } == [0, 100, 200])
        for (name, meters) in [
            ("DistanceSwimming", 1_000.0), ("DistanceCycling", 2_000), ("DistanceWalkingRunning", 3_000),
        ] {
            #expect(values(name, workout.members).reduce(0, +) == meters, "\(name)")
        }
        #expect(values("HeartRate", workout.members).first == 130)
    }

    @Test("Activities of a triathlon in Apple’s archives have no sport: what was measured tells it")
    func unnamedActivities() throws {
        var body = WorkoutBody(activityType: 82, duration: 300)
        let legs: [(start: Double, end: Double, name: String?)] = [
            (0, 100, "DistanceSwimming"), (100, 120, nil), (120, 300, "DistanceCycling"),
        ]
        body.activities = legs.map { leg in
            var activity = WorkoutBody.Activity(
                uuid: UUID(), activityType: 82, start: Self.start + leg.start, end: Self.start + leg.end,
                duration: leg.end - leg.start)
            activity.statistics = [leg.name].compactMap(\.self).map {
                .init(
                    type: "HKQuantityTypeIdentifier" + $0, start: activity.start, end: Self.start + leg.end, unit: "m",
                    sum: 500)
            }
            return activity
        }
        body.statistics = body.activities.flatMap(\.statistics)
        try save(
            body, seconds: 300,
            [Self.sample("DistanceSwimming", "m", 0, 100, 500), Self.sample("DistanceCycling", "m", 120, 300, 500)])
        let (workout, read, _, content) = try read()
        #expect(read.activityType == 82 && read.activities.map(\.activityType) == [46, 83, 13])
        #expect(read.totalDistance == QuantityRecord(1_000, unit: "m"))
        #expect(workout.start == Self.start && workout.end == Self.start + 300 && content.objects.count == 1)
        let tcx = try WorkoutFileExporter(.tcx, FormatOptions(timeZone: .gmt)).file(
            of: uuid, in: engine, as: Self.watch)
        let text = String(decoding: tcx.bytes, as: UTF8.self)
        // A sport each, whose times and distances add up.
        let times = text.matches(of: /<TotalTimeSeconds>(\d+)</).map { String($0.1) }
        #expect(text.contains("<MultiSportSession>") && times == ["100", "20", "180"])
        #expect(text.matches(of: /<DistanceMeters>500<\/DistanceMeters>\s*<Calories>/).count == 2)
    }

    @Test("A route that begins before the workout and ends after it doesn’t move it")
    func longRoute() throws {
        try save(
            WorkoutBody(activityType: 37, duration: 600), seconds: 600,
            [Self.sample("HeartRate", "count/min", 300, 300, 120)],
            route: stride(from: -40, through: 645, by: 5).map { ($0, 2.5) })
        let (workout, body, route, _) = try read()
        #expect(workout.start == Self.start && workout.end == Self.start + 600 && body.duration == 600)
        let times = try #require(route?.series["timestamps"])
        #expect(times == stride(from: 0, through: 600, by: 5).map { Self.start + $0 })
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("route-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = try WorkoutFileExporter(.fit, FormatOptions(timeZone: .gmt)).export(
            of: engine, to: folder.path, as: Self.watch)
        #expect(report.leftOut == ["location": 17])
    }

    @Test("The meters on foot that a phone counts aren’t those of a ride or of lifting weights", arguments: [13, 50])
    func otherDistance(activity: UInt) throws {
        var body = WorkoutBody(activityType: activity, duration: 600)
        if activity == 13 { body.totalDistance = QuantityRecord(5, unit: "km") }
        try save(body, seconds: 600, [Self.sample("DistanceWalkingRunning", "m", 100, 160, 30)])
        let (workout, read, _, _) = try read()
        #expect(read.totalDistance == (activity == 13 ? QuantityRecord(5_000, unit: "m") : nil))
        #expect(values("DistanceCycling", workout.members) == (activity == 13 ? [5_000] : []))
        #expect(values("DistanceWalkingRunning", workout.members).isEmpty)
    }

    @Test("Of a distance that began before the workout or ends after it, its share counts")
    func shares() throws {
        try save(
            WorkoutBody(activityType: 52, duration: 600), seconds: 600,
            [(-300, 300), (300, 900), (-900, 0)].map { Self.sample("DistanceWalkingRunning", "m", $0, $1, 600) })
        let (workout, read, _, _) = try read()
        #expect(read.totalDistance == QuantityRecord(600, unit: "m"))
        let distance = values("DistanceWalkingRunning", workout.members).reduce(0, +)
        #expect(abs(distance - 600) < 0.02)
    }

    @Test("Times of laps add up to the duration, and a run has the averages of its strides")
    func figures() throws {
        var body = WorkoutBody(activityType: 37, duration: 493.5)
        body.events = [event(1, 100), event(2, 200), event(3, 0, 300)]
        let averages = [
            ("RunningStrideLength", "m", 1.1), ("RunningGroundContactTime", "ms", 245.5),
            ("RunningVerticalOscillation", "cm", 8.3),
        ]
        body.statistics =
            averages.map {
                .init(
                    type: "HKQuantityTypeIdentifier" + $0.0, start: Self.start, end: Self.start + 600, unit: $0.1,
                    average: $0.2)
            } + [
                .init(
                    type: "HKQuantityTypeIdentifierRunningSpeed", start: Self.start, end: Self.start + 600,
                    unit: "km/hr", average: 10.8, maximum: 14.4)
            ]
        try save(body, seconds: 600, [])
        let (_, read, _, _) = try read()
        for (name, unit, average) in averages {
            let found = read.statistics.first { $0.type == "HKQuantityTypeIdentifier" + name }
            #expect(found?.unit == unit && abs((found?.average ?? 0) - average) < 1e-9, "\(name)")
        }
        #expect(read.statistics.first { $0.type.hasSuffix("RunningSpeed") }?.maximum == 4)
        let file = try WorkoutFileExporter(.fit, FormatOptions(timeZone: .gmt)).file(
            of: uuid, in: engine, as: Self.watch)
        let laps = try #require(FITFile.files(in: file.bytes).first).messages[FITMessageNumber.lap]
        let times = laps.compactMap { $0.number(FITField.Lap.totalTimerTime) }
        #expect(times.count == 2 && abs(times.reduce(0, +) - 493.5) < 0.002)
    }

    @Test("A swim in a pool has its lengths")
    func pool() throws {
        var body = WorkoutBody(activityType: 46, duration: 120)
        body.events = [0.0, 60].map {
            var event = event(3, $0, $0 + 50)
            event.metadata = Metadata([.init(key: "HKSwimmingStrokeStyle", value: .integer($0 == 0 ? 2 : 4))])
            return event
        }
        try save(
            body, seconds: 120,
            metadata: Metadata([
                .init(key: "HKSwimmingLocationType", value: .integer(1)),
                .init(key: "HKLapLength", value: .quantity(25, unit: "m")),
            ]), [Self.sample("SwimmingStrokeCount", "count", 0, 50, 18)])
        let (workout, read, _, _) = try read()
        #expect(read.events == body.events)
        #expect(values("SwimmingStrokeCount", workout.members) == [18])
        #expect(values("DistanceSwimming", workout.members) == [25, 25])
        #expect(workout.metadata["HKLapLength"] == .quantity(25, unit: "m"))
    }

    @Test("Laps whose times are rounded follow each other")
    func rounded() throws {
        var body = WorkoutBody(activityType: 37, duration: 180)
        body.events = [event(3, 0, 60.9), event(3, 62, 121.4), event(3, 120, 180)]
        try save(body, seconds: 180, [Self.sample("HeartRate", "count/min", 10, 10, 120)])
        #expect(try read().body.events == [event(3, 0, 62), event(3, 62, 120), event(3, 120, 180)])
    }

    @Test("Two lengths of a drill with the same times stay two")
    func drill() throws {
        var body = WorkoutBody(activityType: 46, duration: 120)
        body.events = [event(3, 0, 50), event(3, 0, 50), event(3, 60, 110)]
        try save(
            body, seconds: 120,
            metadata: Metadata([
                .init(key: "HKSwimmingLocationType", value: .integer(1)),
                .init(key: "HKLapLength", value: .quantity(25, unit: "m")),
            ]), [])
        let (workout, read, _, _) = try read()
        #expect(read.events == body.events)
        #expect(values("DistanceSwimming", workout.members) == [25, 25, 25])
    }

    @Test("Every activity has a sport of which the reader makes it again")
    func sports() {
        for raw in (1...90 as ClosedRange<UInt>) + [3_000] where ValueNames.activity(raw) != nil {
            let sport = FITSport(activity: raw, nil)
            let track = WorkoutTrack(start: 0, end: 1, workout: WorkoutBody(activityType: raw, duration: 1))
            let again = FITSport(sport: sport.sport, subSport: sport.subSport ?? 0).named(track.words)
            #expect(again.activity == raw, "\(track.words)")
        }
        #expect(FITSport(activity: 37, .indoor).place == .indoor && FITSport(activity: 46, .pool).place == .pool)
    }

    @Test("What a field can’t represent is left out")
    func encoder() throws {
        var encoder = FITEncoder()
        typealias Names = FITField.Record
        encoder.add(
            FITMessageNumber.record,
            [
                (FITField.timestamp, .integer(1_000_000_000)), (Names.heartRate, .integer(255)),
                (Names.power, .integer(-1)),
            ])
        for number in 0..<20 as Range<UInt8> {
            let fields = (0...number).map {
                (number: FITField.Session.avgHeartRate + $0, value: FITValue.integer(1) as FITValue?)
            }
            encoder.add(FITMessageNumber.session, fields.filter { FITProfile.messages[18]?[$0.number]?.base == .uint8 })
        }
        let file = try #require(FITFile.files(in: encoder.file()).first)
        let messages = file.messages.ordered(file.messages.numbers)
        #expect(file.damages.isEmpty && messages.count == 21)
        #expect(messages[0].fields.map(\.number) == [FITField.timestamp])
    }
}
