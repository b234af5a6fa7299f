import Foundation
import HealthEngine
import HealthFiles
import HealthFormats
import HealthModel
import HealthStorage
import HealthTesting
import Testing

@testable import HealthDevices

/// Workouts as files for programs that people train with, as exact texts.
@Suite("Workouts as GPX and TCX") struct WorkoutFileTests {
    private let engine: HealthEngine
    private let uuid = UUID(uuidString: "5B1C1A0E-0000-4000-8000-000000000001")!
    /// 2023-03-08T20:26:40Z.
    private static let start = 700_000_000.0
    private static let workoutType = MeasuredType.code("HKWorkoutTypeIdentifier")
    private static let routeType = MeasuredType.code("HKWorkoutRouteTypeIdentifier")

    private static func caller(_ name: String) -> Caller {
        Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.\(name)", name: name)),
            permission: .owner)
    }

    private let watch = Self.caller("watch")
    private static let owner = caller("owner")

    init() throws {
        engine = try HealthEngine(
            storage: StorageProviders.shared.openInMemory(), configuration: EngineConfiguration(now: { 0 }))
    }

    private func save(
        _ name: String, _ unit: String, _ values: [(Double, Double, Double)], as caller: Caller? = nil
    ) throws {
        try engine.save(
            values.map { start, end, value in
                .sample(
                    SampleRecord(
                        type: MeasuredType.code("HKQuantityTypeIdentifier" + name), start: Self.start + start,
                        end: Self.start + end,
                        value: value, unit: unit))
            }, as: caller ?? watch)
    }

    private func route(_ points: [(time: Double, altitude: Double, accuracy: Double)]) -> ObjectRecord {
        ObjectRecord(
            type: Self.routeType, start: Self.start, end: Self.start + 600,
            body: .document(
                DocumentBody(
                    series: [
                        "timestamps": points.map { Self.start + $0.time },
                        "latitudes": points.map { 52.5 + $0.time / 100_000 },
                        "longitudes": points.map { -13.5 - $0.time / 100_000 },
                        "altitudes": points.map(\.altitude), "horizontalAccuracies": points.map { _ in 4 },
                        "verticalAccuracies": points.map(\.accuracy),
                    ])))
    }

    private func save(_ body: WorkoutBody, _ parts: [ObjectRecord]) throws {
        try engine.save(
            ObjectRecord(
                uuid: uuid, type: Self.workoutType, start: Self.start, end: Self.start + 600, body: .workout(body)),
            owning: [], parts: parts, as: watch)
    }

    /// A run with a pause from the second 100 to 200, and what a phone measured of its time.
    private func saveRun() throws {
        var body = WorkoutBody(
            activityType: 37, duration: 500, totalEnergyBurned: QuantityRecord(90, unit: "kcal"),
            totalDistance: QuantityRecord(1.5, unit: "km"))
        body.events = [(1, 100.0), (2, 200.0)].map {
            WorkoutBody.Event(type: $0.0, start: Self.start + $0.1, end: Self.start + $0.1)
        }
        try save(
            body,
            [
                route([
                    (0, 31.25, 3), (50.5, 31.5, 3), (100, 99, -1), (150, 31, 3), (200, 32, 3), (205, 32, 3),
                    (270, 33, 3),
                    (271, 0, 3),
                ])
            ])
        try save("HeartRate", "count/s", [(0, 0, 2.5), (45, 45, 2.49), (195, 195, 3), (210, 210, 2)])
        let rates = (0..<60).map { (number: Int) -> (Double, Double, Double) in
            let second = Double(number * 10)
            return (second, second, 77)
        }
        try save("HeartRate", "count/min", rates, as: Self.caller("phone"))
        try save("StepCount", "count", [(0, 60, 160)])
        try save("RunningPower", "W", [(50, 50, 210.4)])
    }

    private func text(_ format: WorkoutFileFormat, as caller: Caller = Self.owner) throws -> String {
        let file = try WorkoutFileExporter(format, FormatOptions(timeZone: TimeZone(identifier: "Europe/Berlin")!))
            .file(of: uuid, in: engine, as: caller)
        #expect(file.name == "2023-03-08_21-26-40_running.\(format.rawValue)")
        return String(decoding: file.bytes, as: UTF8.self)
    }

    @Test("A run with its heart rate, cadence and power is a track, which a pause divides")
    func gpx() throws {
        try saveRun()
        let power =
            #"<power xmlns="https://openhealthkit.org/gpx">210</power><gpxpx:PowerInWatts>210</gpxpx:PowerInWatts>"#
        func measured(_ heartRate: Int?, _ cadence: Int?, power: String = "") -> String {
            "<extensions>\(power)<gpxtpx:TrackPointExtension>"
                + (heartRate.map { "<gpxtpx:hr>\($0)</gpxtpx:hr>" } ?? "")
                + (cadence.map { "<gpxtpx:cad>\($0)</gpxtpx:cad>" } ?? "")
                + "</gpxtpx:TrackPointExtension></extensions>"
        }
        // A heart rate holds for a minute, power for ten seconds, and nothing beyond a pause; steps have a cadence while they
        // are counted.
        #expect(
            try text(.gpx) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!-- Written by OpenHealthKit -->
                <gpx version="1.1" creator="OpenHealthKit" xmlns="http://www.topografix.com/GPX/1/1" \
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
                xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1" \
                xmlns:gpxpx="http://www.garmin.com/xmlschemas/PowerExtension/v1" \
                xmlns:gpxdata="http://www.cluetrust.com/XML/GPXDATA/1/0" \
                xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd \
                http://www.garmin.com/xmlschemas/TrackPointExtension/v1 \
                http://www.garmin.com/xmlschemas/TrackPointExtensionv1.xsd \
                http://www.garmin.com/xmlschemas/PowerExtension/v1 \
                http://www.garmin.com/xmlschemas/PowerExtensionv1.xsd \
                http://www.cluetrust.com/XML/GPXDATA/1/0 http://www.cluetrust.com/Schemas/gpxdata10.xsd">
                  <trk>
                    <name>Running 2023-03-08 21:26</name>
                    <type>running</type>
                    <trkseg>
                      <trkpt lat="52.5" lon="-13.5"><ele>31.25</ele><time>2023-03-08T20:26:40Z</time>\(measured(150, 80))</trkpt>
                      <trkpt lat="52.500505" lon="-13.500505"><ele>31.5</ele><time>2023-03-08T20:27:30.5Z</time>\(measured(149, 80, power: power))</trkpt>
                      <trkpt lat="52.501" lon="-13.501"><time>2023-03-08T20:28:20Z</time>\(measured(149, nil))</trkpt>
                    </trkseg>
                    <trkseg>
                      <trkpt lat="52.502" lon="-13.502"><ele>32</ele><time>2023-03-08T20:30:00Z</time></trkpt>
                      <trkpt lat="52.50205" lon="-13.50205"><ele>32</ele><time>2023-03-08T20:30:05Z</time></trkpt>
                      <trkpt lat="52.5027" lon="-13.5027"><ele>33</ele><time>2023-03-08T20:31:10Z</time>\(measured(120, nil))</trkpt>
                      <trkpt lat="52.50271" lon="-13.50271"><ele>0</ele><time>2023-03-08T20:31:11Z</time></trkpt>
                    </trkseg>
                  </trk>
                </gpx>

                """)
    }

    @Test("Every heart rate has its instant in TCX, and laps add up to the workout")
    func tcx() throws {
        try saveRun()
        let one = try text(.tcx)
        #expect(
            one.contains(
                """
                    <Activity Sport="Running">
                      <Id>2023-03-08T20:26:40Z</Id>
                      <Lap StartTime="2023-03-08T20:26:40Z">
                        <TotalTimeSeconds>500</TotalTimeSeconds>
                        <DistanceMeters>1500</DistanceMeters>
                        <Calories>90</Calories>
                        <AverageHeartRateBpm><Value>140</Value></AverageHeartRateBpm>
                        <MaximumHeartRateBpm><Value>150</Value></MaximumHeartRateBpm>
                        <Intensity>Active</Intensity>
                        <TriggerMethod>Manual</TriggerMethod>
                        <Track>
                          <Trackpoint><Time>2023-03-08T20:26:40Z</Time><Position><LatitudeDegrees>52.5</LatitudeDegrees>\
                <LongitudeDegrees>-13.5</LongitudeDegrees></Position><AltitudeMeters>31.25</AltitudeMeters>\
                <HeartRateBpm><Value>150</Value></HeartRateBpm><Extensions>\
                <TPX xmlns="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><RunCadence>80</RunCadence></TPX>\
                </Extensions></Trackpoint>
                          <Trackpoint><Time>2023-03-08T20:27:25Z</Time><HeartRateBpm><Value>149</Value></HeartRateBpm>\
                <Extensions><TPX xmlns="http://www.garmin.com/xmlschemas/ActivityExtension/v2">\
                <RunCadence>80</RunCadence></TPX></Extensions></Trackpoint>

                """))
        #expect(one.components(separatedBy: "<Track>").count == 3 && !one.contains("20:29:"))
        #expect(
            one.hasSuffix(
                "      <Notes>Running 2023-03-08 21:26</Notes>\n    </Activity>\n  </Activities>\n</TrainingCenterDatabase>\n"
            ))
    }

    @Test("Laps have the distance of their time, and a workout without a route has measurements only")
    func laps() throws {
        var body = WorkoutBody(
            activityType: 13, duration: 600, totalEnergyBurned: QuantityRecord(101, unit: "kcal"),
            statistics: [
                WorkoutBody.Statistics(
                    type: "HKQuantityTypeIdentifierDistanceCycling", start: Self.start, end: Self.start + 600,
                    unit: "km",
                    sum: 4)
            ])
        body.events = [WorkoutBody.Event(type: 3, start: Self.start, end: Self.start + 150)]
        try save(body, [])
        try save("DistanceWalkingRunning", "m", [(0, 600, 7)])
        try save("DistanceCycling", "km", [(0, 300, 3), (300, 600, 1)])
        try save("CyclingCadence", "count/min", [(10, 10, 91.6)])
        try save("HeartRate", "count/min", [(150, 150, 130), (600, 600, 133)])
        let file = try WorkoutFileExporter(.tcx, FormatOptions(timeZone: .gmt)).file(
            of: uuid, in: engine, as: Self.owner)
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(file.name == "2023-03-08_20-26-40_cycling.tcx" && text.contains("Sport=\"Biking\""))
        func figures(_ name: String) -> [String] {
            text.components(separatedBy: "<\(name)>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        }
        #expect(figures("TotalTimeSeconds") == ["150", "450"])
        // Of laps, then of points.
        #expect(figures("DistanceMeters") == ["1500", "100", "2500", "1500", "4000"])
        #expect(figures("Calories") == ["25", "76"])
        #expect(
            text.contains(
                "<Trackpoint><Time>2023-03-08T20:26:50Z</Time><DistanceMeters>100</DistanceMeters><Cadence>92</Cadence></Trackpoint>"
            ))
        #expect(figures("Value") == ["132", "133", "130", "133"])
        #expect(throws: WorkoutFileError.noRoute) {
            try WorkoutFileExporter(.gpx, FormatOptions()).file(of: uuid, in: engine, as: Self.owner)
        }
        #expect(throws: WorkoutFileError.notFound(stored: 1)) {
            try WorkoutFileExporter(.tcx, FormatOptions()).file(of: UUID(), in: engine, as: Self.owner)
        }
    }

    @Test("Times of laps add up to the duration of a workout whose pauses are less exact")
    func lapTimes() throws {
        var body = WorkoutBody(activityType: 37, duration: 493.5)
        body.events = [(1, 100.0, 100.0), (2, 200, 200), (3, 0, 300)].map {
            WorkoutBody.Event(type: $0.0, start: Self.start + $0.1, end: Self.start + $0.2)
        }
        try save(body, [])
        let times = try text(.tcx).components(separatedBy: "<TotalTimeSeconds>").dropFirst().compactMap { part in
            Double(part.prefix { $0 != "<" })
        }
        #expect(times.count == 2 && abs(times.reduce(0, +) - 493.5) < 0.001)
    }

    @Test("A folder has a file for each route, one file has a track for each, and what has no route is counted")
    func folder() throws {
        try saveRun()
        try engine.save(
            [
                .object(
                    ObjectRecord(
                        type: Self.workoutType, start: Self.start + 5_000, end: Self.start + 5_600,
                        body: .workout(WorkoutBody(activityType: 57, duration: 600)))),
                .object(route([(0, 1, 3), (1, 2, 3)])),
            ], as: watch)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("workouts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        let exporter = WorkoutFileExporter(.gpx, FormatOptions(timeZone: .gmt))
        let report = try exporter.export(of: engine, to: path("out"), as: Self.owner)
        #expect(report.counts == ["workout": 1, "workoutRoute": 1] && report.files == 2)
        #expect(report.leftOut == ["workout": 1, "location": 1])
        let names = try FileManager.default.contentsOfDirectory(atPath: path("out")).filter { !$0.hasPrefix(".") }
        #expect(names.sorted() == ["2023-03-08_20-26-40_route.gpx", "2023-03-08_20-26-40_running.gpx"])
        _ = try exporter.export(of: engine, to: path("all.gpx"), as: Self.owner)
        let whole = try String(contentsOfFile: path("all.gpx"), encoding: .utf8)
        #expect(whole.components(separatedBy: "<trk>").count == 3 && whole.components(separatedBy: "</gpx>").count == 2)
        let walks = try exporter.export(
            .activities([52]), of: engine, to: path("walks.gpx"), as: Self.owner)
        #expect(walks.counts.isEmpty && walks.leftOut.isEmpty)
        let latest = WorkoutFileExporter(.tcx, FormatOptions(timeZone: .gmt))
        #expect(
            try latest.export(.number(1), of: engine, to: path("1.tcx"), as: Self.owner).counts == [
                "workout": 1
            ])
        #expect(try String(contentsOfFile: path("1.tcx"), encoding: .utf8).contains("Yoga 2023-03-08 21:50"))
        #expect(throws: WorkoutFileError.notFound(stored: 2)) {
            try latest.export(.number(3), of: engine, to: path("3.tcx"), as: Self.owner)
        }
        #expect(!FileManager.default.fileExists(atPath: path("3.tcx")))
        // An export replaces its own file, as it is asked to, and nothing else.
        let again = WorkoutFileExporter(.gpx, FormatOptions(timeZone: .gmt, replaces: true))
        _ = try again.export(of: engine, to: path("all.gpx"), as: Self.owner)
        try Data("<?xml version=\"1.0\"?><gpx/>".utf8).write(to: URL(fileURLWithPath: path("mine.gpx")))
        #expect(throws: FormatError.self) {
            try again.export(of: engine, to: path("mine.gpx"), as: Self.owner)
        }
    }

    @Test("Figures that nobody measures don’t end the program")
    func extremes() throws {
        var body = WorkoutBody(
            activityType: 99_999, duration: 1e300, totalEnergyBurned: QuantityRecord(1e300, unit: "kcal"),
            totalDistance: QuantityRecord(1e300, unit: "km"))
        body.events = [(1, 100.0), (1, 150), (3, 200), (6, 300), (2, 400), (1, 590)].map {
            WorkoutBody.Event(type: $0.0, start: Self.start + $0.1, end: Self.start + $0.1)
        }
        try save(body, [])
        try save("HeartRate", "count/min", [(1, 1, 1e300), (2, 2, 0), (310, 310, 256), (320, 320, 254.6)])
        try save("DistanceCycling", "m", [(0, 10, 1e308), (10, 20, 1e308), (20, 30, 1e-9)])
        try save("CyclingPower", "W", [(5, 5, 1e300), (330, 330, 1e5)])
        let file = try WorkoutFileExporter(.tcx, FormatOptions(timeZone: .gmt)).file(
            of: uuid, in: engine, as: Self.owner)
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(text.contains("<Value>255</Value>") && !text.contains("Watts") && !text.contains("e+"))
        #expect(!text.contains("nan") && !text.contains("inf"))
    }

    @Test("An application that may read nothing finds no workout")
    func authorization() throws {
        try saveRun()
        let reader = Caller(
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "org.example.reader", name: "Reader")),
            permission: .table)
        #expect(throws: WorkoutFileError.notFound(stored: 0)) { try text(.gpx, as: reader) }
    }
}
