import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("The training sessions of Polar Flow’s export")
struct PolarTests {
    /// 2024-05-01 10:00:00 UTC.
    private static let start = 736_250_400.0
    private static let name = "training-session-2024-05-01-1.json"

    private static let first = #"""
        {"exportVersion":"1.6","exercises":[{"startTime":"2024-05-01T12:00:00.000","timezoneOffset":120,"duration":"PT10.5S",
        "sport":"RUNNING","kiloCalories":5,"samples":{
        "heartRate":[{"dateTime":"2024-05-01T12:00:00.000","value":120},{"dateTime":"2024-05-01T12:00:10.000","value":124}],
        "speed":[{"dateTime":"2024-05-01T12:00:10.000","value":10.8}],
        "distance":[{"dateTime":"2024-05-01T12:00:00.000","value":0},{"dateTime":"2024-05-01T12:00:10.000","value":30}]}}]}
        """#
    private static let second = #"""
        {"timezoneOffsetMinutes":120,"product":{"modelName":"Polar Vantage M"},"name":"Running","exercises":[
        {"startTime":"2024-05-01T12:00:00","durationMillis":10500,"calories":5,"sport":{"id":"1"},"samples":{"samples":[
        {"type":"HEART_RATE","intervalMillis":10000,"values":[120,124]},
        {"type":"SPEED","intervalMillis":10000,"values":[NaN,10.8]},
        {"type":"DISTANCE","intervalMillis":10000,"values":[0,30]}]}}]}
        """#

    @Test("Both versions have the same workout", arguments: [first, second], [name, "upload"])
    func versions(text: String, name: String) throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        _ = try folder.importing(try folder.write(Array(text.utf8), name), zone: "Asia/Tokyo")
        let workout = try #require(try folder.workouts().first)
        guard case .workout(let body) = workout.body else { throw FileReadingError("no workout") }
        #expect(body.activityType == 37)
        #expect(workout.start == Self.start && workout.end == Self.start + 10.5)
        #expect(body.totalEnergyBurned?.value == 5)
        #expect(try folder.samples("HeartRate").map(\.value) == [120, 124])
        #expect(try folder.samples("RunningSpeed").map { ($0.value * 10).rounded() } == [30])
        #expect(try folder.samples("DistanceWalkingRunning").map(\.value) == [30])
    }

    private static let night = #"""
        [{"night":"2024-05-01","evaluation":{"sleepType":"SLEEP_PLUS_STAGES"},"sleepResult":{"hypnogram":{
        "sleepStart":"2024-04-30T23:00:00.000+02:00","sleepEnd":"2024-05-01T07:00:00.000+02:00","sleepStateChanges":[
        {"offsetFromStart":"PT0S","state":"NONREM2"},{"offsetFromStart":"PT1H","state":"NONREM3"},
        {"offsetFromStart":"PT2H","state":"REM"},{"offsetFromStart":"PT2H30M","state":"WAKE"},
        {"offsetFromStart":"PT8H10M","state":"WAKE"}]}}}]
        """#
    private static let rates = #"""
        {"deviceDays":[{"date":"2024-05-01","samples":[{"heartRate":61,"secondsFromDayStart":32400},
        {"heartRate":0,"secondsFromDayStart":32405}]}]}
        """#
    private static let recovery =
        #"[{"night":"2024-05-01","meanNightlyRecoveryRri":900,"meanNightlyRecoveryRmssd":42}]"#

    @Test("Nights, heart rates and recoveries beside the sessions")
    func days() throws {
        var row = ImportCase(
            "documents", "sleep_result_1.json", Self.night,
            [
                "SleepAnalysis 0 2024-04-30T21:00:00Z +28800", "SleepAnalysis 3 2024-04-30T21:00:00Z +3600",
                "SleepAnalysis 4 2024-04-30T22:00:00Z +3600", "SleepAnalysis 5 2024-04-30T23:00:00Z +1800",
                "SleepAnalysis 2 2024-04-30T23:30:00Z +19800", "HeartRate 61 count/min 2024-05-01T07:00:00Z",
                "HeartRateVariabilityRMSSD 42 ms 2024-04-30T22:00:00Z",
            ])
        row.files += [("247ohr_2024.json", Self.rates), ("nightly_recovery_1.json", Self.recovery)]
        try row.check()
    }

    @Test("The steps of a day, by the minute")
    func steps() throws {
        try ImportCase(
            "steps", "activity-2024-05-01-a.json",
            #"""
            {"exportVersion":"2.6","date":"2024-05-01","summary":{"startTime":"08:10:30.000","stepCount":14},
             "samples":{"mets":[{"localTime":"08:10:30.000","value":1.75}],"steps":[{"localTime":"08:11:30.000","value":2},
              {"localTime":"08:12:30.000","value":0},{"localTime":"09:11:30.000","value":12}]}}
            """#,
            ["StepCount 2 count 2024-05-01T06:11:30Z +60", "StepCount 12 count 2024-05-01T07:11:30Z +60"]
        ).check()
    }

    @Test("Other documents are named as not read")
    func others() throws {
        let folder = try ArchiveFolder([
            Self.name: Array(Self.first.utf8), "activity-2024-05-01.json": Array("{}".utf8),
        ])
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.unreadCount("is one of Polar’s other documents") == 1)
    }
}
