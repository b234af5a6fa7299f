import Testing

@Suite("The CSV files of Coros")
struct CorosTests {
    private static let text = """
        Split,Time,Moving Time,GetDistance,Elevation Gain,Elev Loss,Avg Pace,Avg Moving Pace,Best Pace,Avg Run Cadence,Max Run Cadence,Avg Stride Length,Avg HR,Max HR,Avg Temperature,Calories
        1,00:06:15    ,00:06:00    ,1.00,4,2,00:06:15    ,00:06:00    ,00:05:30    ,80,90,104,138,150,24,60
        2,00:23:45    ,00:23:00    ,4.02,26,28,00:05:54    ,00:05:43    ,00:05:10    ,81,95,106,142,165,25,250
        Summary,00:30:00    ,00:29:00    ,5.02,30,30,00:05:58    ,00:05:46    ,00:05:10    ,81,95,105,141,165,--,310

        """

    @Test(
        "The summary is a workout at the time in the name, of the sport before it",
        arguments: [
            ("Run20260501080000.csv", 37, false), ("BoulderTrailRun20260501080000 (1).csv", 37, false),
            ("IndoorRun20260501080000.csv", 37, true), ("Loire-AtlantiqueCourse20260501080000.csv", 37, false),
            ("OutdoorWalk20260501080000.csv", 52, false),
        ])
    func summary(name: String, activity: Int, isIndoor: Bool) throws {
        let time = "2026-05-01T06:00:00Z +1800"
        let workout =
            "Workout \(time) activity \(activity) for 1740 310 kcal 5020 m HeartRate average 141 maximum 165"
            + " {HKElevationAscended: 30 m\(isIndoor ? ", HKIndoorWorkout: true" : "")}"
        try ImportCase(
            name, name, Self.text,
            [workout, "ActiveEnergyBurned 310 kcal \(time)", "DistanceWalkingRunning 5020 m \(time)"],
            leftOut: ["row that the mapping excludes": 2]
        ).check()
    }

    @Test("Without a date in the name, nothing is known of the time")
    func undated() throws {
        try ImportCase(
            "undated", "laps.csv", Self.text, [], leftOut: ["row that the mapping excludes": 2], skippedLines: [4]
        ).check()
    }
}
