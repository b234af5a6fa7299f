import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("The workouts of Suunto’s application")
struct SuuntoTests {
    /// Two places, a heart rate, a pause and the totals of a run, in the units of the file: radians, hertz and joules.
    private static let samples = [
        #"{"HR":2,"Distance":0,"Latitude":0.916297857297023,"Longitude":0.233874119767459,"GPSAltitude":30}"#,
        #"{"Events":[{"Pause":{"State":true}}]}"#, #"{"HR":1.5}"#, #"{"Events":[{"Pause":{"State":false}}]}"#,
        #"{"HR":2.0666667,"Distance":100,"Speed":3.5,"Latitude":0.916315310589543,"Longitude":0.233874119767459,"Altitude":31,"Temperature":290}"#,
        #"{"Events":[{"Lap":{"Type":"Manual"}}]}"#,
    ]
    private static let dates = [0, 10, 20, 30, 40, 41].map { "2024-05-01T12:00:\($0 < 10 ? "0" : "")\($0).000+02:00" }
    private static let header =
        #"{"ActivityType":82,"DateTime":"2024-05-01T12:00:00.000+02:00","Duration":20,"Distance":100,"Energy":41840}"#

    private static let log: String = {
        let list = zip(dates, samples).map { #"{"TimeISO8601":"\#($0)",\#($1.dropFirst())"# }.joined(separator: ",")
        return #"""
            {"DeviceLog":{"Header":\#(header),"Device":{"Name":"Suunto 9","SerialNumber":"1","Info":{"SW":"2.1"}},"Samples":[\#(list)]}}
            """#
    }()

    /// - Parameter isText: Whether the attributes are a text with JSON.
    private static func sml(isText: Bool) -> String {
        let inner = samples.map { #"{"suunto/sml":{"Sample":\#($0)}}"# } + [#"{"suunto/sml":{"Header":\#(header)}}"#]
        let list = zip(dates + [dates[0]], inner).map { date, attributes in
            let written = isText ? "\"\(attributes.replacing("\"", with: "\\\""))\"" : attributes
            return #"{"Attributes":\#(written),"Source":"suunto-1","TimeISO8601":"\#(date)"}"#
        }
        return #"{"Samples":[\#(list.joined(separator: ","))]}"#
    }

    static let documents = [log, sml(isText: false), sml(isText: true)]

    @Test("Every form has the same workout", arguments: documents)
    func forms(text: String) throws {
        try ImportCase(
            "a run", "workout.json", text,
            [
                "ActiveEnergyBurned 10 kcal 2024-05-01T10:00:00Z +40",
                "DistanceWalkingRunning 100 m 2024-05-01T10:00:30Z +10",
                "HeartRate 120 count/min 2024-05-01T10:00:00Z", "HeartRate 124 count/min 2024-05-01T10:00:40Z",
                "RunningSpeed 3.5 m/s 2024-05-01T10:00:40Z",
                "Workout 2024-05-01T10:00:00Z +40 activity 37 for 20 10 kcal 100 m events [1, 2] {HKWorkoutBrandName: Suunto}",
                "WorkoutRoute 2024-05-01T10:00:00Z +40 points 2",
            ], leftOut: ["lap": 1, "temperature": 1]
        ).check()
    }

    @Test("A header’s time without an offset isn’t where a workout of another time zone begins")
    func offsets() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let text = Self.log.replacing("T12:00:00.000+02:00\",\"Duration", with: "T08:00:00\",\"Duration")
            .replacing("+02:00", with: "+09:00")
        try folder.write(Array(text.utf8), "workout.json")
        _ = try folder.importing()
        #expect(try folder.workouts().map { $0.end - $0.start } == [40])
    }

    @Test("A header by itself is a workout by totals, which gives way to the samples")
    func header() throws {
        let summary = #"{"Samples":[{"Attributes":{"suunto/sml":{"Header":\#(Self.header)}}}]}"#
        let folder = try ArchiveFolder(["summary.json": Array(summary.utf8)])
        defer { folder.remove() }
        _ = try folder.importing()
        #expect(try folder.workouts().map { $0.end - $0.start } == [20])
        let both = try ArchiveFolder([
            "summary.json": Array(summary.utf8), "samples.json": Array(Self.sml(isText: false).utf8),
        ])
        defer { both.remove() }
        _ = try both.importing()
        #expect(try both.samples("HeartRate").count == 2)
        #expect(try both.workouts().count == 1)
    }

    @Test(
        "A sport is an activity",
        arguments: [
            (3, 37), (4, 13), (6, 46), (12, 52), (17, 13), (22, 60), (23, 50), (51, 84), (1, 3_000), (99, 3_000),
        ])
    func sports(number: Int, activity: UInt) throws {
        let text = Self.log.replacing("\"ActivityType\":82", with: "\"ActivityType\":\(number)")
        let folder = try ArchiveFolder(["workout.json": Array(text.utf8)])
        defer { folder.remove() }
        _ = try folder.importing()
        let workout = try #require(try folder.workouts().first)
        guard case .workout(let body) = workout.body else { throw FileReadingError("no workout") }
        #expect(body.activityType == activity)
    }

    @Test("Without a time there is no workout")
    func untimed() throws {
        let folder = try ArchiveFolder(["workout.json": Array(#"{"DeviceLog":{"Header":{"Duration":20}}}"#.utf8)])
        defer { folder.remove() }
        #expect(try folder.importing()?.irregularities == ["workout without times, left out": 1])
    }
}
