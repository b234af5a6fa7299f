import ArchiveTestSupport
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("The tables and documents of accounts at services")
struct AccountTableTests {
    private static func row(
        _ description: String, _ files: [(String, String)], _ stored: [String], leftOut: [String: Int] = [:]
    ) -> ImportCase {
        var row = ImportCase(description, files[0].0, files[0].1, stored, leftOut: leftOut)
        row.files = files
        return row
    }

    private static let total = "total of a day of which there is more"

    // MARK: - Samsung Health

    static let samsung: [ImportCase] = [
        row(
            "steps of two devices, each a source, and totals of days",
            [
                (
                    "com.samsung.shealth.tracker.pedometer_step_count.2024.csv",
                    """
                    com.samsung.shealth.tracker.pedometer_step_count,6305010,4
                    com.samsung.health.step_count.start_time,com.samsung.health.step_count.end_time,com.samsung.health.step_count.count,com.samsung.health.step_count.distance,com.samsung.health.step_count.calorie,com.samsung.health.step_count.deviceuuid,
                    2024-05-01 07:00:00.000,2024-05-01 07:01:00.000,100,75.5,4.2,aaaa1111,
                    2024-05-01 07:00:00.000,2024-05-01 07:01:00.000,90,70.5,4.1,bbbb2222,
                    """
                ),
                (
                    "com.samsung.shealth.step_daily_trend.2024.csv",
                    """
                    com.samsung.shealth.step_daily_trend,6305010,3
                    binning_data,source_type,count,distance,calorie,deviceuuid,day_time,
                    ,-2,8000,6000,300,x,1714521600000,
                    ,0,5000,4000,200,x,1714521600000,
                    ,-2,6500,5000,250,x,1714608000000,
                    """
                ),
            ],
            [
                "StepCount 100 count 2024-05-01T07:00:00Z +60", "StepCount 90 count 2024-05-01T07:00:00Z +60",
                "StepCount 6500 count 2024-05-01T22:00:00Z +86400",
                "DistanceWalkingRunning 75.5 m 2024-05-01T07:00:00Z +60",
                "DistanceWalkingRunning 70.5 m 2024-05-01T07:00:00Z +60",
                "DistanceWalkingRunning 5000 m 2024-05-01T22:00:00Z +86400",
                "ActiveEnergyBurned 4.2 kcal 2024-05-01T07:00:00Z +60",
                "ActiveEnergyBurned 4.1 kcal 2024-05-01T07:00:00Z +60",
                "ActiveEnergyBurned 250 kcal 2024-05-01T22:00:00Z +86400",
            ], leftOut: [total: 3, "entry of another kind": 1]),
        row(
            "a night with stages and one without",
            [
                (
                    "com.samsung.shealth.sleep.2024.csv",
                    """
                    com.samsung.shealth.sleep,7006003,11
                    com.samsung.health.sleep.start_time,com.samsung.health.sleep.end_time,com.samsung.health.sleep.time_offset,sleep_score,
                    2024-04-30 21:00:00.000,2024-05-01 05:00:00.000,UTC+0200,80,
                    2024-05-01 21:00:00.000,2024-05-02 05:00:00.000,UTC+0200,,
                    """
                ),
                (
                    "com.samsung.health.sleep_stage.2024.csv",
                    """
                    com.samsung.health.sleep_stage,7006003,6
                    start_time,end_time,stage,sleep_id,time_offset,
                    2024-04-30 21:10:00.000,2024-04-30 23:10:00.000,40002,a,UTC+0200,
                    2024-04-30 23:10:00.000,2024-05-01 00:10:00.000,40003,a,UTC+0200,
                    2024-05-01 00:10:00.000,2024-05-01 04:50:00.000,40004,a,UTC+0200,
                    2024-05-01 04:50:00.000,2024-05-01 05:00:00.000,40001,a,UTC+0200,
                    """
                ),
            ],
            [
                "SleepAnalysis 0 2024-04-30T21:00:00Z +28800", "SleepAnalysis 3 2024-04-30T21:10:00Z +7200",
                "SleepAnalysis 4 2024-04-30T23:10:00Z +3600", "SleepAnalysis 5 2024-05-01T00:10:00Z +16800",
                "SleepAnalysis 2 2024-05-01T04:50:00Z +600", "SleepAnalysis 0 2024-05-01T21:00:00Z +28800",
                "SleepAnalysis 1 2024-05-01T21:00:00Z +28800",
            ], leftOut: [total: 1, "score of a night": 1]),
        row(
            "a heart rate of a moment, averages of hours, and the document with the minutes of one",
            [
                (
                    "com.samsung.shealth.tracker.heart_rate.2024.csv",
                    """
                    com.samsung.shealth.tracker.heart_rate,6305010,4
                    com.samsung.health.heart_rate.start_time,com.samsung.health.heart_rate.end_time,com.samsung.health.heart_rate.heart_rate,com.samsung.health.heart_rate.binning_data,
                    2024-05-01 09:00:00.000,2024-05-01 09:00:00.000,72.0,,
                    2024-05-01 07:00:00.000,2024-05-01 07:59:00.000,64.0,a1.binning_data.json,
                    2024-05-01 11:00:00.000,2024-05-01 11:59:00.000,66.0,lost.binning_data.json,
                    """
                ),
                (
                    "jsons/com.samsung.shealth.tracker.heart_rate/a/a1.binning_data.json",
                    #"""
                    [{"heart_rate":61.0,"heart_rate_max":63.0,"heart_rate_min":60.0,"start_time":1714546800000,"end_time":1714546859000}]
                    """#
                ),
                (
                    "jsons/com.samsung.health.hrv/b/b1.binning_data.json",
                    #"[{"start_time":1714546800000,"end_time":1714547100000,"sdnn":41.5,"rmssd":33.5}]"#
                ),
            ],
            [
                "HeartRate 61 count/min 2024-05-01T07:00:00Z +59", "HeartRate 72 count/min 2024-05-01T09:00:00Z",
                "HeartRate 66 count/min 2024-05-01T11:00:00Z +3540",
                "HeartRateVariabilitySDNN 41.5 ms 2024-05-01T07:00:00Z +300",
                "HeartRateVariabilityRMSSD 33.5 ms 2024-05-01T07:00:00Z +300",
            ], leftOut: [total: 1]),
        row(
            "blood pressure",
            [
                (
                    "com.samsung.shealth.blood_pressure.2024.csv",
                    """
                    com.samsung.shealth.blood_pressure,1,1
                    com.samsung.health.blood_pressure.start_time,com.samsung.health.blood_pressure.systolic,com.samsung.health.blood_pressure.diastolic,com.samsung.health.blood_pressure.pulse,
                    2024-05-01 07:00:00.000,120.0,80.0,65,
                    2024-05-01 08:00:00.000,0.0,0.0,0,
                    """
                )
            ],
            [
                "BloodPressure 2024-05-01T07:00:00Z", "BloodPressureSystolic 120 mmHg 2024-05-01T07:00:00Z",
                "BloodPressureDiastolic 80 mmHg 2024-05-01T07:00:00Z", "HeartRate 65 count/min 2024-05-01T07:00:00Z",
            ]),
        row(
            "a workout by totals",
            [
                (
                    "com.samsung.shealth.exercise.2024.csv",
                    """
                    com.samsung.shealth.exercise,1,1
                    com.samsung.health.exercise.datauuid,com.samsung.health.exercise.start_time,com.samsung.health.exercise.end_time,com.samsung.health.exercise.exercise_type,com.samsung.health.exercise.duration,com.samsung.health.exercise.distance,com.samsung.health.exercise.calorie,com.samsung.health.exercise.mean_heart_rate,
                    e2,2024-05-01 17:00:00.000,2024-05-01 17:30:00.000,1001,1500000,2000.0,120.0,101.0,
                    """
                )
            ],
            ["Workout 2024-05-01T17:00:00Z +1800 activity 52 for 1500 120 kcal 2000 m HeartRate average 101"]),
        row(
            "names of columns without that of the table, and times in milliseconds",
            [
                (
                    "com.samsung.health.heart_rate.2024050112.csv",
                    """
                    com.samsung.health.heart_rate,1153005,10
                    binning_data,heart_rate,start_time,deviceuuid,end_time,
                    ,72,1714554000000,x,1714554000000,
                    a1.binning_data.json,64,1714546800000,x,1714550340000,
                    """
                ),
                (
                    "jsons/com.samsung.health.heart_rate/a1.binning_data.json",
                    #"""
                    [{"heart_rate":61.0,"heart_rate_max":63.0,"heart_rate_min":60.0,"start_time":1714546800000,"end_time":1714546859000}]
                    """#
                ),
                (
                    "com.samsung.health.step_count.2024050112.csv",
                    """
                    com.samsung.health.step_count,1153005,10
                    count,start_time,calorie,deviceuuid,end_time,distance,
                    42,1714546800000,2.4,x,1714546860000,33.5,
                    """
                ),
                (
                    "com.samsung.health.sleep.2024050112.csv",
                    """
                    com.samsung.health.sleep,1153005,10
                    start_time,time_offset,end_time,
                    2024-04-30 21:00:00.000,UTC+0200,2024-05-01 05:00:00.000,
                    """
                ),
                (
                    "com.samsung.health.exercise.2024050112.csv",
                    """
                    com.samsung.health.exercise,1153005,10
                    start_time,end_time,duration,exercise_type,calorie,distance,mean_heart_rate,datauuid,
                    1714582800000,1714584600000,1500000,1001,120,2000,101,e2,
                    """
                ),
                (
                    "com.samsung.health.blood_glucose.2024050112.csv",
                    "com.samsung.health.blood_glucose,1,1\nglucose,start_time,\n5.5,1714546800000,\n"
                ),
                (
                    "com.samsung.health.blood_pressure.2024050112.csv",
                    """
                    com.samsung.health.blood_pressure,1,1
                    start_time,systolic,diastolic,pulse,
                    1714546800000,120.0,80.0,0,
                    1714546860000,0.0,0.0,0,
                    """
                ),
                (
                    "com.samsung.health.oxygen_saturation.2024050112.csv",
                    "com.samsung.health.oxygen_saturation,1,1\nspo2,start_time,\n97,1714546800000,\n"
                ),
            ],
            [
                "HeartRate 61 count/min 2024-05-01T07:00:00Z +59", "HeartRate 72 count/min 2024-05-01T09:00:00Z",
                "StepCount 42 count 2024-05-01T07:00:00Z +60",
                "DistanceWalkingRunning 33.5 m 2024-05-01T07:00:00Z +60",
                "ActiveEnergyBurned 2.4 kcal 2024-05-01T07:00:00Z +60",
                "SleepAnalysis 0 2024-04-30T21:00:00Z +28800", "SleepAnalysis 1 2024-04-30T21:00:00Z +28800",
                "Workout 2024-05-01T17:00:00Z +1800 activity 52 for 1500 120 kcal 2000 m HeartRate average 101",
                "BloodGlucose 5.5 mmol<180.1558800000541>/L 2024-05-01T07:00:00Z",
                "BloodPressure 2024-05-01T07:00:00Z", "BloodPressureSystolic 120 mmHg 2024-05-01T07:00:00Z",
                "BloodPressureDiastolic 80 mmHg 2024-05-01T07:00:00Z", "OxygenSaturation 0.97 % 2024-05-01T07:00:00Z",
            ], leftOut: [total: 1]),
    ]

    @Test(
        "A table of Samsung Health’s under another name is recognized by its first line",
        arguments: [
            ("com.samsung.health.sleep,1,1\nstart_time,end_time", 2), ("start_time,end_time,heart_rate", 0),
            ("com.samsung.health.heart_rate,1,1\nstart_time,end_time,heart_rate", 1),
            ("com.samsung.shealth.stress,1,1\nstart_time,end_time,score", 0),
        ])
    func names(header: String, count: Int) throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let text = header + "\n1714546800000,1714550400000,61\n"
        do { _ = try folder.importing(folder.write(Array(text.utf8), "table.csv")) } catch is ImportError {}
        #expect(try folder.contents().count == count)
    }

    @Test("Samsung Health", arguments: samsung)
    func readsSamsung(row: ImportCase) throws { try row.check() }

    @Test(
        "A workout of Samsung Health is the recording of its documents; its totals in the table are left out",
        arguments: [
            (
                "com.samsung.shealth.exercise", "com.samsung.health.exercise.",
                "2024-05-01 16:00:00.000,2024-05-01 16:00:20.000"
            ),
            ("com.samsung.health.exercise", "", "1714579200000,1714579220000"),
        ])
    func recordings(name: String, prefix: String, times: String) throws {
        let columns = ["datauuid", "start_time", "end_time", "exercise_type", "duration", "distance", "calorie"]
        let table =
            "\(name),1,1\n" + columns.map { prefix + $0 }.joined(separator: ",")
            + ",\ne1,\(times),1002,20000,60.0,5.0,\n"
        let folder = "jsons/com.samsung.shealth.exercise/e/e1.com.samsung.health.exercise."
        let places = #"""
            [{"start_time":1714579200000,"latitude":52.5,"longitude":13.4,"altitude":40.0},
            {"start_time":1714579210000,"latitude":52.5003,"longitude":13.4,"altitude":41.0}]
            """#
        let rates =
            #"[{"start_time":1714579200000,"heart_rate":120.0},{"start_time":1714579210000,"heart_rate":122.0}]"#
        let archive = try ArchiveFolder([
            "\(name).1.csv": Array(table.utf8), folder + "live_data.json": Array(rates.utf8),
            folder + "location_data.json": Array(places.utf8),
        ])
        defer { archive.remove() }
        let report = try #require(try archive.importing())
        #expect(try archive.samples("HeartRate").map(\.value) == [120, 122])
        #expect(try archive.contents().contains { $0.contains(" points 2") })
        let workouts = try archive.workouts()
        #expect(workouts.count == 1)
        guard case .workout(let body) = workouts.first?.body else { return }
        #expect(body.activityType == 37 && body.totalEnergyBurned?.value == 5)
        #expect(report.irregularities["workout that another file has in more detail, left out"] == 1)
    }

    @Test("The devices of Samsung Health have the names of its table of devices")
    func devices() throws {
        let steps = """
            com.samsung.shealth.tracker.pedometer_step_count,1,1
            com.samsung.health.step_count.start_time,com.samsung.health.step_count.end_time,com.samsung.health.step_count.count,com.samsung.health.step_count.deviceuuid
            2024-05-01 07:00:00.000,2024-05-01 07:01:00.000,100,a1
            2024-05-01 07:00:00.000,2024-05-01 07:01:00.000,90,b2
            """
        let devices =
            "com.samsung.health.device_profile,1,1\nname,model,deviceuuid\nMy Device,SM-G991B,a1\nWatch,SM-R890,b2\n"
        let archive = try ArchiveFolder([
            "com.samsung.shealth.tracker.pedometer_step_count.1.csv": Array(steps.utf8),
            "com.samsung.health.device_profile.1.csv": Array(devices.utf8),
        ])
        defer { archive.remove() }
        _ = try archive.importing()
        #expect(try archive.sources() == ["Samsung Health (SM-G991B)", "Samsung Health (Watch)"])
    }

    // MARK: - Oura

    static let oura: [ImportCase] = [
        row(
            "a night, whose heart rates give way to the table of them, and a nap",
            [
                (
                    "App Data/sleepmodel.csv",
                    #"""
                    id;day;bedtime_start;bedtime_end;total_sleep_duration;time_in_bed;lowest_heart_rate;average_breath;type;sleep_phase_5_min;heart_rate;hrv
                    a;2024-05-01;2024-05-01T00:00:00.000+02:00;2024-05-01T00:20:00.000+02:00;900;1200;52;14.5;long_sleep;4221;{"interval":300,"items":[60,null,58],"timestamp":"2024-05-01T00:00:00.000+02:00"};{"interval":300.0,"items":[40],"timestamp":"2024-05-01T00:00:00.000+02:00"}
                    b;2024-05-01;2024-05-01T14:00:00.000+02:00;2024-05-01T14:20:00.000+02:00;900;1200;;;late_nap;;{};{}
                    c;2024-05-01;2024-05-01T18:00:00.000+02:00;2024-05-01T18:20:00.000+02:00;900;1200;;;deleted;;{};{}
                    """#
                ),
                ("App Data/heartrate.csv", "timestamp;bpm;source\n2024-04-30T22:02:00+00:00;61;sleep\n"),
            ],
            [
                "SleepAnalysis 0 2024-04-30T22:00:00Z +1200", "SleepAnalysis 2 2024-04-30T22:00:00Z +300",
                "SleepAnalysis 3 2024-04-30T22:05:00Z +600", "SleepAnalysis 4 2024-04-30T22:15:00Z +300",
                "HeartRate 61 count/min 2024-04-30T22:02:00Z", "HeartRate 58 count/min 2024-04-30T22:10:00Z +300",
                "HeartRateVariabilityRMSSD 40 ms 2024-04-30T22:00:00Z +300",
                "RestingHeartRate 52 count/min 2024-04-30T22:00:00Z +1200",
                "RespiratoryRate 14.5 count/min 2024-04-30T22:00:00Z +1200",
                "SleepAnalysis 0 2024-05-01T12:00:00Z +1200", "SleepAnalysis 1 2024-05-01T12:00:00Z +1200",
            ], leftOut: [total: 1, "row that the mapping excludes": 1]),
        row(
            "the totals of a day",
            [
                (
                    "App Data/dailyactivity.csv",
                    "id;day;steps;active_calories;equivalent_walking_distance;score\nd;2024-05-01;9000;420;7000;80\n"
                ),
                ("App Data/dailyspo2.csv", "id;day;spo2_percentage\na;2024-05-01;{\"average\":97.5}\n"),
            ],
            [
                "StepCount 9000 count 2024-04-30T22:00:00Z +86400",
                "ActiveEnergyBurned 420 kcal 2024-04-30T22:00:00Z +86400",
                "DistanceWalkingRunning 7000 m 2024-04-30T22:00:00Z +86400",
                "OxygenSaturation 0.975 % 2024-04-30T22:00:00Z +86400",
            ], leftOut: ["score of a day": 1]),
        row(
            "the table of trends, of which a day has no night",
            [
                (
                    "oura_trends.csv",
                    """
                    date,Sleep Score,Total Sleep Duration,Deep Sleep Duration,Bedtime Start,Bedtime End,Lowest Resting Heart Rate,Average HRV,Temperature Deviation (°C),Respiratory Rate,Activity Burn,Steps,Equivalent Walking Distance,Readiness Score
                    2024-05-01,84,1200,300,2024-05-01T00:00:00+02:00,2024-05-01T00:30:00+02:00,52.0,40,None,14.5,420,9000,7000,80
                    2024-05-02,None,None,None,None,None,None,None,None,None,100,2000,1500,None
                    """
                )
            ],
            [
                "SleepAnalysis 0 2024-04-30T22:00:00Z +1800", "SleepAnalysis 1 2024-04-30T22:00:00Z +1200",
                "HeartRateVariabilityRMSSD 40 ms 2024-04-30T22:00:00Z +1800",
                "RestingHeartRate 52 count/min 2024-04-30T22:00:00Z +1800",
                "RespiratoryRate 14.5 count/min 2024-04-30T22:00:00Z +1800",
                "StepCount 9000 count 2024-04-30T22:00:00Z +86400", "StepCount 2000 count 2024-05-01T22:00:00Z +86400",
                "ActiveEnergyBurned 420 kcal 2024-04-30T22:00:00Z +86400",
                "ActiveEnergyBurned 100 kcal 2024-05-01T22:00:00Z +86400",
                "DistanceWalkingRunning 7000 m 2024-04-30T22:00:00Z +86400",
                "DistanceWalkingRunning 1500 m 2024-05-01T22:00:00Z +86400",
            ], leftOut: ["sum of a sleep stage": 1, "score of a day": 1]),
        row(
            "the earlier document",
            [
                (
                    "oura_data.json",
                    #"""
                    {"activity":[{"summary_date":"2024-05-01","steps":9000,"cal_active":420,"daily_movement":7000}],
                     "sleep":[{"summary_date":"2024-04-30","bedtime_start":"2024-05-01T00:00:00+02:00","bedtime_end":"2024-05-01T00:20:00+02:00",
                      "hypnogram_5min":"4221","hr_lowest":52,"hr_5min":[0,60,58,57],"rmssd":40,"breath_average":14.5}]}
                    """#
                )
            ],
            [
                "SleepAnalysis 0 2024-04-30T22:00:00Z +1200", "SleepAnalysis 2 2024-04-30T22:00:00Z +300",
                "SleepAnalysis 3 2024-04-30T22:05:00Z +600", "SleepAnalysis 4 2024-04-30T22:15:00Z +300",
                "HeartRateVariabilityRMSSD 40 ms 2024-04-30T22:00:00Z +1200",
                "RestingHeartRate 52 count/min 2024-04-30T22:00:00Z +1200",
                "RespiratoryRate 14.5 count/min 2024-04-30T22:00:00Z +1200",
                "StepCount 9000 count 2024-04-30T22:00:00Z +86400",
                "ActiveEnergyBurned 420 kcal 2024-04-30T22:00:00Z +86400",
                "DistanceWalkingRunning 7000 m 2024-04-30T22:00:00Z +86400",
            ]),
        row(
            "nights as the API has them",
            [
                (
                    "sleep.json",
                    #"""
                    {"data":[{"day":"2024-05-01","bedtime_start":"2024-05-01T00:00:00+02:00","bedtime_end":"2024-05-01T00:10:00+02:00",
                      "type":"long_sleep","lowest_heart_rate":52,"average_breath":null,"sleep_phase_5_min":"42",
                      "heart_rate":{"interval":300,"items":[null,58],"timestamp":"2024-05-01T00:00:00.000+02:00"},"hrv":null}]}
                    """#
                )
            ],
            [
                "SleepAnalysis 0 2024-04-30T22:00:00Z +600", "SleepAnalysis 2 2024-04-30T22:00:00Z +300",
                "SleepAnalysis 3 2024-04-30T22:05:00Z +300", "HeartRate 58 count/min 2024-04-30T22:05:00Z +300",
                "RestingHeartRate 52 count/min 2024-04-30T22:00:00Z +600",
            ]),
        row(
            "workouts of Health Auto Export, whose columns name their units",
            [
                (
                    "Workouts-2024.csv",
                    """
                    Workout Type,Start,End,Duration,Active Energy (kJ),Max. Heart Rate (count/min),Avg. Heart Rate (count/min),Distance (km),Elevation Ascended (ft)
                    Outdoor Walk,2024-05-01 16:00:00,2024-05-01 17:00:00,00:50:00,836.8,133,121,4,
                    """
                )
            ],
            [
                "Workout 2024-05-01T14:00:00Z +3600 activity 52 for 3000 200 kcal 4000 m HeartRate average 121 maximum 133"
            ]),
    ]

    @Test("Oura", arguments: oura)
    func readsOura(row: ImportCase) throws { try row.check() }

    // MARK: - Zepp and Mi Fitness

    static let huami: [ImportCase] = [
        row(
            "heart rates by the minute under the name of those by instant, and stretches of days",
            [
                ("HEARTRATE.csv", "\u{FEFF}date,time,heartRate\n2024-05-01,09:00,61\n"),
                ("ACTIVITY_STAGE.csv", "date,start,stop,distance,calories,steps\n2024-05-01,10:17,10:37,128,4,186\n"),
            ], ["HeartRate 61 count/min 2024-05-01T07:00:00Z"],
            leftOut: ["stretch of a day, whose steps the day has": 1]),
        row(
            "minutes are local, instants have an offset",
            [
                ("HEARTRATE_AUTO/HEARTRATE_AUTO_1.csv", "date,time,heartRate\n2024-05-01,09:00,61\n"),
                (
                    "ACTIVITY_MINUTE/ACTIVITY_MINUTE_1.csv",
                    "date,time,steps\n2024-05-01,09:00,100\n2024-05-01,09:01,0\n"
                ),
                ("ACTIVITY/ACTIVITY_1.csv", "date,steps,distance,runDistance,calories\n2024-05-01,8000,6000,0,300\n"),
                (
                    "SLEEP/SLEEP_1.csv",
                    """
                    date,deepSleepTime,shallowSleepTime,wakeTime,start,stop,REMTime,naps
                    2024-05-01,90,250,10,2024-04-30 22:00:00+0000,2024-05-01 05:00:00+0000,70,
                    2024-05-02,0,0,0,2024-05-02 03:00:00+0000,2024-05-02 03:00:00+0000,0,
                    """
                ),
                (
                    "SPORT/SPORT_1.csv",
                    """
                    type,startTime,sportTime(s),maxPace(/meter),minPace(/meter),distance(m),avgPace(/meter),calories(kcal)
                    1,2024-05-01 16:00:00+0000,1800,0,0,5000.0,0,310.0
                    """
                ),
                (
                    "BODY/BODY_1.csv",
                    """
                    time,weight,height,bmi,fatRate,bodyWaterRate,boneMass,metabolism,muscleRate,visceralFat
                    2024-05-01 06:00:00+0000,80.5,180.0,24.8,null,null,null,null,null,null
                    """
                ),
                (
                    "BODY/BODY_2.csv",
                    """
                    timestamp,weight,height,bmi,fatRate,bodyWaterRate,boneMass,metabolism,muscleRate,visceralFat
                    1714546800,81.5,180.0,25.2,20.5,null,null,null,null,null
                    """
                ),
            ],
            [
                "HeartRate 61 count/min 2024-05-01T07:00:00Z", "StepCount 100 count 2024-05-01T07:00:00Z +60",
                "DistanceWalkingRunning 6000 m 2024-04-30T22:00:00Z +86400",
                "ActiveEnergyBurned 300 kcal 2024-04-30T22:00:00Z +86400",
                "SleepAnalysis 0 2024-04-30T22:00:00Z +25200", "SleepAnalysis 1 2024-04-30T22:00:00Z +25200",
                "Workout 2024-05-01T16:00:00Z +1800 activity 37 for 1800 310 kcal 5000 m",
                "BodyMass 80.5 kg 2024-05-01T06:00:00Z", "BodyMass 81.5 kg 2024-05-01T07:00:00Z",
                "BodyFatPercentage 0.205 % 2024-05-01T07:00:00Z",
            ], leftOut: [total: 1, "sum of a sleep stage": 2]),
        row(
            "rows of Mi Fitness, whose values are JSON",
            [
                (
                    "20240501_1_MiFitness_hlth_center_fitness_data.csv",
                    #"""
                    Uid,Sid,Key,Time,Value,UpdateTime
                    1,s1,heart_rate,1714546800,"{""time"":1714546800,""bpm"":61}",1714546900
                    1,s1,steps,1714546800,"{""time"":1714546800,""steps"":25,""distance"":18,""calories"":1}",1714546900
                    1,s1,resting_heart_rate,1714546800,"{""time"":1714546800,""bpm"":52}",1714546900
                    1,s1,single_spo2,1714546800,"{""time"":1714546800,""spo2"":97}",1714546900
                    1,s1,calories,1714546800,"{""time"":1714546800,""calories"":3}",1714546900
                    1,s1,calories,1714546860,"{""time"":1714546860,""calories"":0}",1714546900
                    1,s1,watch_daytime_sleep,1714575600,"{""bedtime"":1714572000,""wake_up_time"":1714575600,""items"":[]}",1714575700
                    1,s1,stress,1714546800,"{""stress"":30}",1714546900
                    1,s1,sleep,1714539600,"{""bedtime"":1714510800,""wake_up_time"":1714539600,""items"":[{""state"":3,""start_time"":1714510800,""end_time"":1714514400},{""state"":2,""start_time"":1714514400,""end_time"":1714518000},{""state"":1,""start_time"":1714510800,""end_time"":1714510860}]}",1714546900
                    """#
                ),
                (
                    "20240501_1_MiFitness_hlth_center_sport_record.csv",
                    #"""
                    Uid,Sid,Key,Time,Category,Value,UpdateTime
                    1,s1,outdoor_walking,1714579200,sport,"{""start_time"":1714579200,""end_time"":1714581000,""distance"":2000,""calories"":120,""avg_hrm"":101}",1714581100
                    1,s1,outdoor_riding,1714582800,sport,"{""start_time"":1714582800,""end_time"":1714584600,""duration"":1500,""distance"":5000,""calories"":200,""rise_height"":30}",1714584700
                    """#
                ),
            ],
            [
                "HeartRate 61 count/min 2024-05-01T07:00:00Z", "StepCount 25 count 2024-05-01T07:00:00Z +60",
                "DistanceWalkingRunning 18 m 2024-05-01T07:00:00Z +60",
                "ActiveEnergyBurned 3 kcal 2024-05-01T07:00:00Z +60", "OxygenSaturation 0.97 % 2024-05-01T07:00:00Z",
                "RestingHeartRate 52 count/min 2024-05-01T07:00:00Z", "SleepAnalysis 1 2024-05-01T14:00:00Z +3600",
                "SleepAnalysis 3 2024-04-30T21:00:00Z +3600", "SleepAnalysis 4 2024-04-30T22:00:00Z +3600",
                "Workout 2024-05-01T16:00:00Z +1800 activity 52 for 1800 120 kcal 2000 m HeartRate average 101",
                "Workout 2024-05-01T17:00:00Z +1800 activity 13 for 1500 200 kcal 5000 m {HKElevationAscended: 30 m}",
                "DistanceCycling 5000 m 2024-05-01T17:00:00Z +1800",
            ], leftOut: ["row that the mapping excludes": 1, "entry of another kind": 1]),
    ]

    @Test("Zepp and Mi Fitness", arguments: huami)
    func readsHuami(row: ImportCase) throws { try row.check() }

    // MARK: - Garmin

    static let garmin: [ImportCase] = [
        row(
            "documents of an export without FIT files",
            [
                (
                    "DI_CONNECT/DI-Connect-Wellness/2024_sleepData.json",
                    #"""
                    [{"sleepStartTimestampGMT":"2024-04-30T21:00:00.0","sleepEndTimestampGMT":"2024-05-01T05:00:00.0",
                    "calendarDate":"2024-05-01","lightSleepSeconds":16200,"spo2SleepSummary":{"averageSPO2":95.5}},
                    {"sleepStartTimestampGMT":"2024-05-01T21:00:00.0","sleepEndTimestampGMT":"2024-05-02T05:00:00.0",
                    "calendarDate":"2024-05-02","sleepWindowConfirmationType":"OFF_WRIST"}]
                    """#
                ),
                (
                    "DI_CONNECT/DI-Connect-Aggregator/UDSFile_2024.json",
                    #"""
                    [{"calendarDate":"2024-05-01","totalSteps":9100,"activeKilocalories":510.0,"currentDayRestingHeartRate":55}]
                    """#
                ),
                (
                    "DI_CONNECT/DI-Connect-Wellness/2024_healthStatusData.json",
                    #"[{"calendarDate":"2024-05-01","metrics":[{"type":"HRV","value":45.0},{"type":"HR","value":55.0}]}]"#
                ),
                (
                    "DI_CONNECT/DI-Connect-Wellness/1_userBioMetrics.json",
                    #"""
                    [{"metaData":{"calendarDate":"2024-05-01"},"weight":{"weight":72300,"timestampGMT":"2024-05-01T05:30:00.0"}},
                    {"metaData":{"calendarDate":"2024-05-01"},"weight":{"weight":72300,"timestampGMT":"2024-05-01T05:30:00.0"}},
                    {"metaData":{"calendarDate":"2024-05-02"},"userSetNullForHeight":true}]
                    """#
                ),
                (
                    "DI_CONNECT/DI-Connect-Fitness/1_summarizedActivities.json",
                    #"""
                    [{"summarizedActivitiesExport":[{"activityId":1,"activityType":"running","beginTimestamp":1714579200000,
                    "duration":1800000.0,"elapsedDuration":1860000.0,"distance":500000.0,"calories":1257.0,"avgHr":140.0},
                    {"activityId":2,"activityType":"multi_sport","beginTimestamp":1714579200000,"duration":1800000.0,
                    "distance":500000.0,"parent":true}]}]
                    """#
                ),
            ],
            [
                "SleepAnalysis 0 2024-04-30T21:00:00Z +28800", "SleepAnalysis 1 2024-04-30T21:00:00Z +28800",
                "OxygenSaturation 0.955 % 2024-04-30T21:00:00Z +28800",
                "StepCount 9100 count 2024-04-30T22:00:00Z +86400",
                "ActiveEnergyBurned 510 kcal 2024-04-30T22:00:00Z +86400",
                "RestingHeartRate 55 count/min 2024-04-30T22:00:00Z +86400",
                "HeartRateVariabilityRMSSD 45 ms 2024-04-30T22:00:00Z +86400",
                "BodyMass 72300 g 2024-05-01T05:30:00Z",
                "Workout 2024-05-01T16:00:00Z +1860 activity 37 for 1800 300 kcal 5000 m HeartRate average 140",
            ],
            leftOut: [
                "sum of a sleep stage": 1, "object that the file has twice": 1, "row that the mapping excludes": 2,
                "entry of another kind": 1,
            ])
    ]

    @Test("Garmin", arguments: garmin)
    func readsGarmin(row: ImportCase) throws { try row.check() }

    @Test("Of what FIT files have in detail, Garmin’s documents are not read beside one")
    func fit() throws {
        let folder = try ArchiveFolder([
            "DI_CONNECT/run.fit": FITFileWriter.run.file(),
            "DI_CONNECT/UDSFile_1.json": Array(#"[{"calendarDate":"2024-05-01","totalSteps":9100}]"#.utf8),
        ])
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.unreadCount("is Garmin’s document of daily totals") == 1)
        let steps = try folder.samples("StepCount").map(\.value)
        #expect(!steps.contains(9_100))
    }

    // MARK: - Huawei

    static let huaweiDocuments: [ImportCase] = [
        row(
            "what was measured, which another device repeats, and weights of one of two people",
            [
                (
                    "Health detail data & description/health detail data1.json",
                    #"""
                    [{"type":7,"startTime":1714546800000,"endTime":1714546800000,"timeZone":"+0200","deviceCode":1,"samplePoints":[
                    {"key":"DATA_POINT_DYNAMIC_HEARTRATE","startTime":1714546800000,"endTime":1714546800000,"unit":"0","value":"61.0"},
                    {"key":"DYNAMIC_HEART_RATE","startTime":1714546800000,"endTime":1714546800000,"unit":"0","value":"61.0"},
                    {"key":"DATA_POINT_REST_HEARTRATE","startTime":1714546800000,"endTime":1714546800000,"unit":"0","value":"52"}]},
                    {"type":7,"startTime":1714546800000,"endTime":1714546800000,"timeZone":"+0200","deviceCode":2,"samplePoints":[
                    {"key":"DATA_POINT_DYNAMIC_HEARTRATE","startTime":1714546800000,"endTime":1714546800000,"unit":"0","value":"61.0"}]},
                    {"type":9,"startTime":1714510800000,"endTime":1714518000000,"timeZone":"+0200","deviceCode":1,"samplePoints":[
                    {"key":"PROFESSIONAL_SLEEP_SHALLOW","startTime":1714510800000,"endTime":1714514400000,"unit":"0","value":"60"},
                    {"key":"PROFESSIONAL_SLEEP_DREAM","startTime":1714514400000,"endTime":1714518000000,"unit":"0","value":"60"}]},
                    {"type":8,"startTime":1714546800000,"endTime":1714546800000,"timeZone":"+0200","deviceCode":3,"samplePoints":[
                    {"key":"WEIGHT_BODYFAT_BROAD","startTime":1714546800000,"endTime":1714546800000,"unit":"0",
                    "value":"{\"bodyWeight\":80.5,\"bodyFatRate\":20.5,\"subUser\":\"\"}"},
                    {"key":"WEIGHT_BODYFAT_BROAD","startTime":1714550400000,"endTime":1714550400000,"unit":"0",
                    "value":"{\"bodyWeight\":60,\"subUser\":\"b\"}"}]}]
                    """#
                )
            ],
            [
                "HeartRate 61 count/min 2024-05-01T07:00:00Z", "RestingHeartRate 52 count/min 2024-05-01T07:00:00Z",
                "SleepAnalysis 3 2024-04-30T21:00:00Z +3600", "SleepAnalysis 5 2024-04-30T22:00:00Z +3600",
                "BodyMass 80.5 kg 2024-05-01T07:00:00Z", "BodyFatPercentage 0.205 % 2024-05-01T07:00:00Z",
            ], leftOut: ["entry of another kind": 2, "object that the file has twice": 1]),
        row(
            "walking and cycling by the minute",
            [
                (
                    "Sport per minute merged data & description/sport per minute merged data1.json",
                    #"""
                    [{"recordDay":20240501,"sportDataUserData":[
                    {"startTime":1714546800000,"endTime":1714546860000,"timeZone":"+0200","deviceCode":12345,"sportType":5,
                    "sportBasicInfos":[{"steps":80,"distance":60,"calorie":4200,"floor":0,"duration":1}]},
                    {"startTime":1714546860000,"endTime":1714546920000,"timeZone":"+0200","deviceCode":12345,"sportType":3,
                    "sportBasicInfos":[{"steps":0,"distance":300,"calorie":9000,"floor":0,"duration":1}]}]}]
                    """#
                )
            ],
            [
                "StepCount 80 count 2024-05-01T07:00:00Z +60", "DistanceWalkingRunning 60 m 2024-05-01T07:00:00Z +60",
                "ActiveEnergyBurned 4.2 kcal 2024-05-01T07:00:00Z +60",
                "ActiveEnergyBurned 9 kcal 2024-05-01T07:01:00Z +60",
            ]),
    ]

    @Test("Huawei’s main documents", arguments: huaweiDocuments)
    func readsHuawei(row: ImportCase) throws { try row.check() }

    @Test("Totals and track of a motion path may be members of their own, and times seconds of the day")
    func members() throws {
        let text = #"""
            [{"startTime":1714579200000,"timeZone":"+0200","summaryData":{"sportType":258,"totalTime":60000,"totalDistance":111},
            "totalCalories":9000,
            "detailData":"HW_EXT_TRACK_DETAIL@istp=lbs;k=0;lat=52.5;lon=13.4;t=64800\ntp=lbs;k=1;lat=52.501;lon=13.4;t=64830\ntp=h-r;k=64810;v=120\ntp=alt;k=64800;v=40\n"}]
            """#
        let folder = try ArchiveFolder(["motion path detail data1.json": Array(text.utf8)])
        defer { folder.remove() }
        _ = try folder.importing()
        #expect(try folder.contents().contains { $0.contains(" points 2") })
        let workout = try #require(try folder.workouts().first)
        guard case .workout(let body) = workout.body else { return }
        #expect(body.activityType == 37 && body.totalDistance?.value == 111 && body.totalEnergyBurned?.value == 9)
        #expect(workout.end - workout.start == 60)
        #expect(try folder.samples("HeartRate").map { $0.start - workout.start } == [10])
    }

    @Test("A motion path of Huawei’s is a workout with places and heart rates, also with names without quotation marks")
    func huawei() throws {
        let text = #"""
            [{"sportType":4,"startTime":1714579200000,"totalTime":60000,"timeZone":"+0200","partTimeMap":{1.0:300.5,2.0:310},
            "attribute":"HW_EXT_TRACK_DETAIL@istp=lbs;k=0;lat=52.5;lon=13.4;alt=0.0;t=1.7145792E12\ntp=lbs;k=1;lat=52.501;lon=13.4;alt=0.0;t=1714579230000\ntp=h-r;k=1714579200000;v=120\ntp=h-r;k=1714579230000;v=0\n&&HW_EXT_TRACK_SIMPLIFY@is{\"totalDistance\":111,\"totalCalories\":9000}"}]
            """#
        let folder = try ArchiveFolder([
            "Motion path detail data & description/motion path detail data1.json": Array(text.utf8)
        ])
        defer { folder.remove() }
        _ = try folder.importing()
        #expect(try folder.contents().contains { $0.contains(" points 2") })
        let workout = try #require(try folder.workouts().first)
        guard case .workout(let body) = workout.body else { return }
        #expect(body.activityType == 37 && body.totalDistance?.value == 111 && body.totalEnergyBurned?.value == 9)
        #expect(workout.end - workout.start == 60)
        #expect(try folder.samples("HeartRate").map(\.value) == [120])
    }
}
