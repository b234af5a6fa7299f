import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("TCX and GPX files in HealthKit's model")
struct TrackReaderTests {
    /// 2024-05-01 10:00:00 UTC.
    private static let start = 736_250_400.0

    private func values(_ type: MeasuredType, _ samples: [SampleRecord]) -> [Double] {
        samples.filter { $0.type == type.code }.map(\.value)
    }

    private func read(_ text: String) throws -> FileContent {
        let bytes = Array(text.utf8)
        return try #require(ActivityFormat(head: bytes)).read(bytes, recoversDamaged: false)
    }

    private func workout(_ reading: FileContent, _ place: Int = 0) throws -> (ObjectRecord, WorkoutBody) {
        try #require(reading.damages.isEmpty && reading.objects.count > place)
        let object = reading.wholeObjects[place]
        guard case .workout(let body) = object.body else { throw FileReadingError("no workout") }
        return (object, body)
    }

    static func point(_ second: Int, _ meters: Double?, _ rate: Int? = nil, _ extension: String = "") -> String {
        let time = "2024-05-01T10:\(String(format: "%02d:%02d", second / 60, second % 60)).000Z"
        return """
            <Trackpoint><Time>\(time)</Time><Position><LatitudeDegrees>\(52 + Double(second) / 10_000)</LatitudeDegrees>
            <LongitudeDegrees>13.4</LongitudeDegrees></Position><AltitudeMeters>30.5</AltitudeMeters>
            \(meters.map { "<DistanceMeters>\($0)</DistanceMeters>" } ?? "")
            \(rate.map { "<HeartRateBpm xsi:type=\"HeartRateInBeatsPerMinute_t\"><Value>\($0)</Value></HeartRateBpm>" } ?? "")
            \(`extension`)</Trackpoint>
            """
    }

    static func lap(_ second: Int, _ seconds: Int, _ meters: Int, _ calories: Int, _ tracks: [[String]]) -> String {
        """
        <Lap StartTime="2024-05-01T10:\(String(format: "%02d:%02d", second / 60, second % 60))Z">
        <TotalTimeSeconds>\(seconds).0</TotalTimeSeconds><DistanceMeters>\(meters)</DistanceMeters>
        <Calories>\(calories)</Calories><AverageHeartRateBpm><Value>130</Value></AverageHeartRateBpm>
        <Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>
        \(tracks.map { "<Track>\($0.joined())</Track>" }.joined())
        <Extensions><ns3:LX><ns3:AvgSpeed>3</ns3:AvgSpeed></ns3:LX></Extensions></Lap>
        """
    }

    private func activities(_ text: String, device: String = "") -> String {
        """
                  <?xml version="1.0" encoding="UTF-8"?>
        <!-- a comment --><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
        xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Activities>\(text)</Activities></TrainingCenterDatabase>
        """
    }

    @Test("A TCX run has laps, a pause, samples, a route, and the source of the same watch's FIT files")
    func run() throws {
        let extensions =
            "<Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed><ns3:Watts>250</ns3:Watts></ns3:TPX></Extensions>"
        let laps =
            Self.lap(
                0, 20, 100, 7,
                [
                    [Self.point(0, 0, 120, extensions), Self.point(10, 50, 121)],
                    [Self.point(40, 50, 122), Self.point(50, 100, 123)],
                ])
            + Self.lap(50, 10, 40, 3, [[Self.point(50, 100, 123), Self.point(60, 140, 124)]])
        let reading = try read(
            activities(
                """
                <Activity Sport="Running"><Id>2024-05-01T10:00:00Z</Id>\(laps)
                <Notes><![CDATA[a <b> & c]]></Notes><Creator xsi:type="Device_t"><Name>Forerunner 255</Name>
                <UnitId>12345</UnitId><ProductID>3992</ProductID>
                <Version><VersionMajor>9</VersionMajor><VersionMinor>10</VersionMinor></Version></Creator></Activity>
                """))
        let (object, body) = try workout(reading)
        #expect(object.start == Self.start && object.end == Self.start + 60)
        #expect(body.activityType == 37 && body.duration == 30)
        #expect(body.events.map(\.type) == [3, 1, 2, 3])
        #expect(body.events[1].start == Self.start + 10 && body.events[2].start == Self.start + 40)
        #expect(body.totalDistance == QuantityRecord(140, unit: "m"))
        #expect(body.totalEnergyBurned == QuantityRecord(10, unit: "kcal"))
        #expect(values(.heartRate, object.members) == [120, 121, 122, 123, 124])
        #expect(values(.runningPower, object.members) == [250])
        #expect(values(.activeEnergy, object.members) == [7, 3])
        let distance = try #require(MeasuredType.distance(of: 37))
        #expect(values(distance, object.members) == [50, 50, 40])
        let starts = object.members.filter { $0.type == distance.code }.map { $0.start - Self.start }
        #expect(starts == [0, 40, 50])
        #expect(
            object.revision?.source == SourceRecord(bundleIdentifier: "fit.1.3992.12345", name: "Garmin Forerunner 255")
        )
        #expect(object.revision?.version == "9.10" && object.device?.localIdentifier == "12345")
        guard case .document(let route) = try #require(reading.parts.first).object.body else { return }
        #expect(route.series["latitudes"]?.count == 5 && route.series["altitudes"]?.first == 30.5)
        #expect(route.series["speeds"] == [2.5, -1, -1, -1, -1])
    }

    @Test("An indoor TCX without positions, a multisport session, plans and courses")
    func others() throws {
        let indoor = activities(
            "<Activity Sport=\"Biking\"><Id>x</Id>\(Self.lap(0, 600, 0, 90, []))</Activity>")
        let (ride, body) = try workout(read(indoor))
        #expect(body.activityType == 13 && body.duration == 600 && ride.end - ride.start == 600)
        #expect(values(.activeEnergy, ride.members) == [90])
        let rates = try #require(body.statistics.first { $0.type == MeasuredType.heartRate.identifier })
        #expect(rates.average == 130 && rates.maximum == nil)
        let lap = Self.lap(0, 10, 30, 1, [[Self.point(0, 0), Self.point(10, 30)]])
        let second = Self.lap(30, 10, 90, 2, [[Self.point(30, 0), Self.point(40, 90)]])
        let multisport = activities(
            """
            <MultiSportSession><Id>x</Id><FirstSport><Activity Sport="Running"><Id>x</Id>\(lap)</Activity></FirstSport>
            <NextSport><Transition StartTime="2024-05-01T10:00:10Z"><TotalTimeSeconds>20</TotalTimeSeconds></Transition>
            <Activity Sport="Biking"><Id>x</Id>\(second)</Activity></NextSport></MultiSportSession>
            """)
        let (_, whole) = try workout(read(multisport))
        #expect(whole.activityType == 82 && whole.activities.map(\.activityType) == [37, 83, 13])
        #expect(whole.totalDistance == QuantityRecord(120, unit: "m") && whole.duration == 40)
        let course = """
            <TrainingCenterDatabase><Courses><Course><Name>x</Name><Track>\(Self.point(0, 0))</Track></Course></Courses>
            <Workouts><Workout><Name>x</Name></Workout></Workouts></TrainingCenterDatabase>
            """
        #expect(try read(course).leftOut == ["course, left out": 1, "workout plan, left out": 1])
    }

    private func track(_ points: [String], type: String = "running", root: String = "version=\"1.1\" creator=\"x\"")
        -> String
    {
        "<gpx \(root)><metadata><time>2020-01-01T00:00:00Z</time></metadata><trk><name>x</name><type>\(type)</type>"
            + "<trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    private func trackPoint(_ second: Int, _ inner: String = "") -> String {
        "<trkpt lat=\"\(52 + Double(second) / 10_000)\" lon=\"13.4\"><ele>30</ele><time>2024-05-01T10:00:\(String(format: "%02d", second))Z</time>\(inner)</trkpt>"
    }

    @Test(
        "Heart rate, cadence and power of each program's extensions",
        arguments: [
            "<extensions><gpxtpx:TrackPointExtension><gpxtpx:atemp>20</gpxtpx:atemp><gpxtpx:hr>140</gpxtpx:hr><gpxtpx:cad>85</gpxtpx:cad></gpxtpx:TrackPointExtension><pwr:PowerInWatts>210</pwr:PowerInWatts></extensions>",
            "<extensions><gpxdata:hr>140</gpxdata:hr><gpxdata:cadence>85</gpxdata:cadence><gpxdata:temp>20</gpxdata:temp><gpxdata:power>210</gpxdata:power></extensions>",
            "<extensions><power>210</power><ns3:TrackPointExtension><ns3:atemp>20</ns3:atemp><ns3:hr> 140 </ns3:hr><ns3:cad>85</ns3:cad></ns3:TrackPointExtension></extensions>",
        ])
    func extensions(_ text: String) throws {
        let reading = try read(track([trackPoint(0, text), trackPoint(10)], type: "1"))
        let (object, body) = try workout(reading)
        #expect(body.activityType == 13)
        #expect(values(.heartRate, object.members) == [140])
        #expect(values(.cyclingCadence, object.members) == [85])
        #expect(values(.cyclingPower, object.members) == [210])
        #expect(reading.leftOut == ["temperature, left out": 1])
        // A thousandth of a degree of latitude.
        let meters = try #require(body.totalDistance?.value)
        #expect(abs(meters - 111.2) < 0.1)
    }

    @Test("GPX 1.0 has speeds and courses, segments are separated by pauses, and every track is a workout")
    func segments() throws {
        let points = (0..<2).map { trackPoint($0, "<course>90</course><speed>2.5</speed>") }
        let text = """
            <gpx version="1.0" creator="Viewer"><wpt lat="1" lon="1"/><rte><rtept lat="1" lon="1"/></rte>
            <trk><trkseg>\(points.joined())</trkseg><trkseg>\(trackPoint(30))\(trackPoint(40))</trkseg></trk>
            <trk><type>Trail_Run</type><trkseg>\(trackPoint(50))\(trackPoint(55))</trkseg></trk></gpx>
            """
        let reading = try read(text)
        let (object, body) = try workout(reading)
        #expect(body.duration == 11 && body.events.map(\.type) == [1, 2] && body.activityType == 3_000)
        #expect(object.revision?.source == SourceRecord(bundleIdentifier: "gpx.viewer", name: "Viewer"))
        guard case .document(let route) = try #require(reading.parts.first).object.body else { return }
        #expect(route.series["speeds"] == [2.5, 2.5, -1, -1] && route.series["courses"] == [90, 90, -1, -1])
        #expect(try workout(reading, 1).1.activityType == 37)
        #expect(
            reading.leftOut == [
                "planned route, left out": 1, "waypoint, left out": 1,
                "speed in a sport without a type for it, left out": 2,
                "distance in a sport without a type for it, left out": 2,
            ])
        // What was done isn't known, how far is.
        let meters = try #require(body.totalDistance?.value)
        #expect(abs(meters - 122.3) < 0.1)
    }

    @Test("Points of the same second stay apart unless they are equal, and the way between them is counted")
    func sameSecond() throws {
        func point(_ second: Int, _ place: Double, _ rate: Int) -> String {
            "<trkpt lat=\"\(52 + place / 1_000)\" lon=\"13.4\"><time>2024-05-01T10:00:0\(second)Z</time>"
                + "<extensions><x:hr>\(rate)</x:hr></extensions></trkpt>"
        }
        let points = [
            point(0, 0, 100), point(0, 0, 100), point(0, 1, 101), point(1, 2, 102), point(1, 3, 103), point(2, 4, 104),
        ]
        let reading = try read(track(points))
        let (object, body) = try workout(reading)
        #expect(values(.heartRate, object.members) == [100, 101, 102, 103, 104])
        let distances = values(.distanceOnFoot, object.members)
        #expect(distances.count == 2 && abs(distances[0] - distances[1]) < 0.01)
        #expect(abs((body.totalDistance?.value ?? 0) - 444.8) < 0.1)
        guard case .document(let route) = try #require(reading.parts.first).object.body else { return }
        #expect(route.series["latitudes"] == [52, 52.001, 52.002, 52.003, 52.004])
    }

    @Test("A measurement beside a place that was reached later has no place, and the way doesn't go back and forth")
    func latePlaces() throws {
        let late = trackPoint(10, "<extensions><hr>90</hr></extensions>")
            .replacingOccurrences(of: "10:00:10", with: "10:00:03")
        let straight = try workout(read(track([0, 5, 10].map { trackPoint($0) })))
        let reading = try read(track([trackPoint(0), trackPoint(5), trackPoint(10), late]))
        let (object, body) = try workout(reading)
        #expect(body.totalDistance == straight.1.totalDistance)
        #expect(object.members.filter { $0.type == MeasuredType.heartRate.code }.map(\.start) == [Self.start + 3])
        #expect(reading.leftOut == ["place that is out of order, left out": 1])
    }

    @Test("A time in an extension isn't that of the point")
    func timeOfExtension() throws {
        let inner = "<extensions><x:fix><x:time>1999-01-01T00:00:00Z</x:time><x:ele>9</x:ele></x:fix></extensions>"
        let (object, _) = try workout(read(track([trackPoint(0, inner), trackPoint(10, inner)])))
        #expect(object.start == Self.start && object.end == Self.start + 10)
    }

    @Test("Files in UTF-16 and with a document type are read", arguments: ["", "utf-16le", "utf-16be"])
    func encodings(_ encoding: String) throws {
        let type = "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a \"b\">]>"
        let text = (encoding.isEmpty ? type : "\u{FEFF}") + track([trackPoint(0), trackPoint(10)])
        let bytes: [UInt8] =
            encoding.isEmpty
            ? Array(text.utf8)
            : text.utf16.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return encoding.hasSuffix("be") ? [high, low] : [low, high]
            }
        let reading = try #require(ActivityFormat(head: bytes)).read(bytes, recoversDamaged: false)
        #expect(try workout(reading).0.end == Self.start + 10)
    }

    @Test("What laps sum up is kept to the hundredth, also without points, unless points continue after the last lap")
    func laps() throws {
        func run(_ laps: String) throws -> (ObjectRecord, WorkoutBody) {
            try workout(read(activities("<Activity Sport=\"Running\"><Id>x</Id>\(laps)</Activity>")))
        }
        let exact = [0, 60].map { Self.lap($0, 60, 200, 3, [[Self.point($0, 0), Self.point($0 + 60, 200)]]) }
        let (rounded, body) = try run(exact.joined().replacingOccurrences(of: "60.0</Total", with: "60.37</Total"))
        #expect(abs(body.duration - 120.74) < 1e-6 && abs(rounded.end - rounded.start - 120.74) < 1e-6)
        let (_, cut) = try run(
            Self.lap(0, 60, 200, 3, [[Self.point(0, 0), Self.point(60, 200), Self.point(120, 410)]]))
        #expect(cut.duration == 120 && cut.totalDistance == QuantityRecord(410, unit: "m"))
        let (object, _) = try run(Self.lap(0, 600, 2_000, 90, []) + Self.lap(600, 600, 2_100, 90, []))
        #expect(values(.distanceOnFoot, object.members) == [2_000, 2_100])
    }

    @Test("Points whose distance continues from what was before the file count from the first one")
    func laterLeg() throws {
        let points = [0, 60, 120].map { Self.point($0, 40_330.5 + Double($0)) }
        let lap = Self.lap(0, 121, 120, 7, [points])
        let (leg, body) = try workout(read(activities("<Activity Sport=\"Running\"><Id>x</Id>\(lap)</Activity>")))
        #expect(values(.distanceOnFoot, leg.members) == [60, 60])
        #expect(body.totalDistance == QuantityRecord(120, unit: "m") && body.duration == 121)
        // A GPX file has no laps that tell.
        let cut = track([0, 5, 10].map { trackPoint($0, "<distance>\(7_000 + $0)</distance>") }, type: "running")
        let (object, rest) = try workout(read(cut))
        #expect(values(.distanceOnFoot, object.members) == [5, 5])
        #expect(rest.totalDistance == QuantityRecord(10, unit: "m"))
    }

    @Test(
        "A TCX file of an export names its sport in the notes; other notes say nothing",
        arguments: [
            ("Cross Country Skiing 2024-05-01 12:00", 60), ("Walking 2024-05-01 12:00", 52), ("Walking", 3_000),
            ("With Ann 2024-05-01 12:00", 3_000), ("", 3_000),
        ] as [(String, UInt)])
    func notes(_ text: String, _ activity: UInt) throws {
        let lap = Self.lap(0, 10, 30, 1, [[Self.point(0, 0), Self.point(10, 30)]])
        let (_, body) = try workout(
            read(activities("<Activity Sport=\"Other\"><Id>x</Id>\(lap)<Notes>\(text)</Notes></Activity>")))
        #expect(body.activityType == activity)
    }

    @Test("The activities of a multisport session that are days apart are separate workouts")
    func daysApart() throws {
        let lap = Self.lap(0, 10, 30, 1, [[Self.point(0, 0), Self.point(10, 30)]])
        let later = lap.replacingOccurrences(of: "2024-05-01", with: "2024-05-03")
        let reading = try read(
            activities(
                """
                <MultiSportSession><Id>x</Id><FirstSport><Activity Sport="Running"><Id>x</Id>\(lap)</Activity></FirstSport>
                <NextSport><Activity Sport="Running"><Id>x</Id>\(later)</Activity></NextSport></MultiSportSession>
                """))
        #expect(reading.objects.count == 2 && reading.parts.map(\.owner) == [0, 1])
        #expect(try workout(reading, 1).1.activityType == 37)
    }

    @Test(
        "Zeros aren't a place, and the time of a clock that was not set yet doesn't count",
        arguments: ["1970-01-01", "2044-05-01"])
    func unset(date: String) throws {
        let zeros = trackPoint(4).replacing("lat=\"52.0004\" lon=\"13.4\"", with: "lat=\"0.0\" lon=\"0.0\"")
        let far = trackPoint(6).replacing("2024-05-01", with: date)
        let reading = try read(track([trackPoint(0), trackPoint(2), zeros, far, trackPoint(8), trackPoint(10)]))
        let (object, body) = try workout(reading)
        #expect(object.start == Self.start && object.end == Self.start + 10 && body.duration == 10)
        #expect(reading.leftOut["point with a date of another year, left out"] == 1)
        #expect(abs((body.totalDistance?.value ?? 0) - 111.2) < 0.1)
        guard case .document(let route) = try #require(reading.parts.first).object.body else { return }
        #expect(route.series["latitudes"] == [52, 52.0002, 52.0008, 52.001])
    }

    @Test("A track without times becomes nothing and is reported")
    func timeless() throws {
        let point = "<trkpt lat=\"52\" lon=\"13\"><ele>3</ele></trkpt>"
        let reading = try read(track([point, point]))
        #expect(reading.count == 0 && reading.leftOut == ["track without times, left out": 1])
        let some = try read(track([trackPoint(0), point, trackPoint(5)]))
        #expect(some.leftOut == ["point without a time, left out": 1])
        #expect(try workout(some).0.end == Self.start + 5)
    }

    @Test(
        "What programs call activities",
        arguments: [
            ("9", 37, false), ("Ride", 13, false), ("virtual_ride", 13, true), ("treadmill_running", 37, true),
            ("open_water_swimming", 46, false), ("hiking", 24, false), ("AlpineSki", 61, false),
            ("mountain_biking", 13, false),
            ("cross_country_skiing", 60, false), ("", 3_000, false), ("99", 3_000, false), ("training", 3_000, false),
            ("sport", 3_000, false), ("strength_training", 50, false),
            ("WeightTraining", 50, false), ("Weightlifting", 50, false), ("walking.treadmill", 52, true),
            ("Dancing", 77, false), ("Stair-Stepper", 44, false), ("High Stress Work", 3_000, false),
            ("InlineSkate", 39, false), ("EMountainBikeRide", 13, false), ("VirtualRow", 35, true),
            ("RockClimbing", 9, false), ("e_bike_fitness", 13, false), ("wheelchair_push_walk", 70, false),
            ("cross_country_skiing_ws", 60, false), ("resort_skiing_snowboarding_ws", 61, false),
            ("stand_up_paddleboarding_v2", 31, false),
        ] as [(String, UInt, Bool)])
    func activityNames(_ text: String, _ activity: UInt, _ isIndoor: Bool) {
        let track = RecordedTrack(called: text)
        #expect(track.activity == activity && track.isIndoor == isIndoor)
    }

    @Test("Of a damaged file, what is before the damage is read, and the place is reported; no bytes trap")
    func damage() throws {
        let whole = Array(track((0..<20).map { trackPoint($0) }).utf8)
        let cut = GPXTrackReader.read(Array(whole[..<(whole.count / 2)]))
        #expect(cut.damages.count == 1 && cut.objects.count == 1)
        #expect(cut.damages[0].offset > whole.count / 3 && cut.damages[0].offset <= whole.count / 2)
        let lap = Self.lap(0, 20, 100, 7, [(0..<10).map { Self.point($0, Double($0), 100 + $0) }])
        let run = Array(activities("<Activity Sport=\"Running\">\(lap)</Activity>").utf8)
        let half = TCXReader.read(Array(run[..<(run.count / 2)]))
        #expect(half.damages.count == 1 && half.objects.count == 1)
        for bytes in [whole, run] {
            for count in stride(from: 0, to: bytes.count, by: 7) {
                _ = ActivityFormat.tcx.read(Array(bytes[..<count]), recoversDamaged: false)
                var changed = bytes
                changed[count] = UInt8(ascii: "<")
                _ = ActivityFormat(head: changed)?.read(changed, recoversDamaged: false)
            }
        }
    }
}
