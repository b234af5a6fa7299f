import HealthModel
import Testing

@testable import HealthDevices
@testable import HealthFiles

@Suite("Every file of Google’s archives")
struct GoogleFileTests {
    // MARK: - Tables

    private static let moment = "2024-05-01T07:00:00Z"
    /// The first of May in Berlin, and the day on which clocks are set forward.
    private static let day = "2024-04-30T22:00:00Z +86400"
    private static let shortDay = "2024-03-30T23:00:00Z +82800"

    private static func table(
        _ name: String, _ columns: String, _ rows: [String], _ stored: [String], leftOut: [String: Int] = [:]
    ) -> ImportCase {
        ImportCase(
            name, "Takeout/Fitbit/\(name)", ([columns] + rows).joined(separator: "\n") + "\n", stored, leftOut: leftOut)
    }

    static let tables: [ImportCase] = [
        table(
            "heart_rate_2024-05-01.csv", "timestamp,beats per minute,data source",
            ["\(moment),60.0,Charge 5", "\(moment),,Charge 5", "soon,60,Charge 5", "\(moment),fast,Charge 5"],
            ["HeartRate 60 count/min \(moment)"], leftOut: ["line without a readable time or value": 2]),
        table(
            "steps_2024-05-01.csv", "timestamp,steps,data source",
            ["\(moment),25,Charge 5", "2024-05-01T07:01:00Z,0,Charge 5", "2024-05-01T07:02:00Z,-5,Charge 5"],
            ["StepCount 25 count \(moment) +60"]),
        table(
            "distance_2024-05-01.csv", "timestamp,distance,data source", ["\(moment),12.5,Charge 5"],
            ["DistanceWalkingRunning 12.5 m \(moment) +60"]),
        table(
            "floors_2024-05-01.csv", "timestamp,floors,data source", ["\(moment),2,Charge 5"],
            ["FlightsClimbed 2 count \(moment) +60"]),
        table(
            "active_energy_burned_2024-05-01.csv", "timestamp,calories,data source", ["\(moment),4.5,Charge 5"],
            ["ActiveEnergyBurned 4.5 kcal \(moment) +60"]),
        table(
            "active_zone_minutes_2024-05-01.csv", "timestamp,heart rate zone,data source", ["\(moment),PEAK,Charge 5"],
            ["AppleExerciseTime 1 min \(moment) +60"]),
        table(
            "Active Zone Minutes - 2024-05-01.csv", "date_time,heart_zone_id,total_minutes",
            ["2024-05-01T09:00,PEAK,2"], ["AppleExerciseTime 1 min \(moment) +60"]),
        table(
            "oxygen_saturation_2024-05-01.csv", "timestamp,oxygen saturation percentage,data source",
            ["\(moment),97.0,Charge 5"], ["OxygenSaturation 0.97 % \(moment)"]),
        table(
            "Minute SpO2 - 2024-05-01.csv", "timestamp,value",
            ["\(moment),95.5", "2024-05-01T07:01:00Z,50.0", "2024-05-01T07:02:00Z,0"],
            ["OxygenSaturation 0.955 % \(moment)"], leftOut: ["value that represents a missing one": 1]),
        table(
            "daily_oxygen_saturation.csv", "timestamp,average percentage,lower bound percentage,data source",
            ["2024-05-01T00:00:00Z,95,90,Charge 5", "2024-03-31,96,90,Charge 5"],
            ["OxygenSaturation 0.95 % \(day)", "OxygenSaturation 0.96 % \(shortDay)"]),
        table(
            "Daily SpO2 - 2024-05-01-2024-05-31.csv", "timestamp,average_value,lower_bound,upper_bound",
            ["2024-05-01T00:00:00Z,95.0,93.0,97.0"], ["OxygenSaturation 0.95 % \(day)"]),
        table(
            "heart_rate_variability_2024-05-01.csv",
            "timestamp,root mean square of successive differences milliseconds,data source",
            ["\(moment),35.5,Charge 5"], ["HeartRateVariabilityRMSSD 35.5 ms \(moment)"]),
        table(
            "Heart Rate Variability Details - 2024-05-01.csv", "timestamp,rmssd,coverage,low_frequency",
            ["2024-05-01T09:00:00,35.5,0.9,1"], ["HeartRateVariabilityRMSSD 35.5 ms \(moment)"]),
        table(
            "daily_heart_rate_variability.csv",
            "timestamp,average heart rate variability milliseconds,entropy,data source",
            ["2024-05-01T00:00:00Z,31.5,2.5,Charge 5"], ["HeartRateVariabilityRMSSD 31.5 ms \(day)"]),
        table(
            "Daily Heart Rate Variability Summary - 2024-05-(1).csv", "timestamp,rmssd,nremhr,entropy",
            ["2024-05-01T00:00:00,31.5,55,2.5"], ["HeartRateVariabilityRMSSD 31.5 ms \(day)"]),
        table(
            "Respiratory Rate Summary - 2024-05-01.csv",
            "timestamp,full_sleep_breathing_rate,deep_sleep_breathing_rate",
            ["2024-05-01T09:00:00,15.5,15"], ["RespiratoryRate 15.5 count/min \(moment)"]),
        table(
            "daily_respiratory_rate.csv", "timestamp,breaths per minute,data source", ["2024-05-01,14.5,Charge 5"],
            ["RespiratoryRate 14.5 count/min \(day)"]),
        table(
            "Daily Respiratory Rate Summary - 2024-05-01.csv", "timestamp,daily_respiratory_rate",
            ["2024-05-01T00:00:00,14.5"], ["RespiratoryRate 14.5 count/min \(day)"]),
        table(
            "daily_resting_heart_rate.csv", "timestamp,beats per minute,data source",
            ["2024-05-01T00:00:00Z,61.25,App", "2024-03-31T00:00:00+02:00,62,App"],
            ["RestingHeartRate 61.25 count/min \(day)", "RestingHeartRate 62 count/min \(shortDay)"]),
        table(
            "weight.csv", "timestamp,weight grams,data source", ["\(moment),80500,\"Scale, new\""],
            ["BodyMass 80.5 kg \(moment)"]),
        table(
            "body_fat_2024-05-01.csv", "timestamp,body fat percentage,data source", ["\(moment),20.5,Scale"],
            ["BodyFatPercentage 0.205 % \(moment)"]),
        table(
            "height.csv", "timestamp,height millimeters,data source", ["\(moment),1800,App"], ["Height 1.8 m \(moment)"]
        ),
        table(
            "core_body_temperature_2024-05-01.csv", "timestamp,temperature celsius,data source",
            ["\(moment),36.75,App"], ["BodyTemperature 36.75 degC \(moment)"]),
        table(
            "Pixel Body Temperatures.csv", "measurement_timestamp,body_temperature_celsius", ["\(moment),36.75"],
            ["BodyTemperature 36.75 degC \(moment)"]),
        table(
            "Computed Temperature - 2024-05-01.csv",
            "type,sleep_start,sleep_end,temperature_samples,nightly_temperature",
            ["SKIN,2024-05-01T23:00,2024-05-02T07:00,404,34.07", "SKIN,2024-05-02T23:00,2024-05-02T07:00,404,34.07"],
            ["AppleSleepingWristTemperature 34.07 degC 2024-05-01T21:00:00Z +28800"],
            leftOut: ["line without a readable time or value": 1]),
        table(
            "daily_sleep_temperature_derivations.csv",
            "timestamp,nightly temperature celsius,baseline celsius,data source",
            ["2024-05-01T00:00:00Z,33.5,33,Watch"], ["AppleSleepingWristTemperature 33.5 degC \(day)"]),
        table(
            "UserSleeps_2024-05-01.csv", "sleep_id,sleep_type,sleep_start,sleep_end,data_source",
            [
                "11,CLASSIC,2024-05-01T21:00:00Z,2024-05-02T05:00:00Z,CHARGE_5",
                "11,CLASSIC,2024-05-01T21:00:00Z,2024-05-02T05:00:00Z,CHARGE_5",
                "12,CLASSIC,2024-05-02T21:00:00Z,2024-05-02T21:00:00Z,CHARGE_5",
            ],
            ["SleepAnalysis 0 2024-05-01T21:00:00Z +28800", "SleepAnalysis 1 2024-05-01T21:00:00Z +28800"],
            leftOut: ["night that another file has, too": 1, "night without times": 1]),
        table(
            "UserSleepStages_2024-05-01.csv",
            "sleep_id,sleep_stage_id,sleep_stage_type,sleep_stage_start,sleep_stage_end",
            [
                "11,0,AWAKE,2024-05-01T20:00:00Z,2024-05-01T20:30:00Z",
                "11,1,LIGHT,2024-05-01T21:00:00Z,2024-05-01T21:30:00Z",
                "11,2,DEEP,2024-05-01T22:00:00Z,2024-05-01T22:30:00Z",
                "11,3,REM,2024-05-01T23:00:00Z,2024-05-01T23:30:00Z",
                "11,4,SNORING,2024-05-02T00:00:00Z,2024-05-02T00:30:00Z",
            ],
            [
                "SleepAnalysis 2 2024-05-01T20:00:00Z +1800", "SleepAnalysis 3 2024-05-01T21:00:00Z +1800",
                "SleepAnalysis 4 2024-05-01T22:00:00Z +1800", "SleepAnalysis 5 2024-05-01T23:00:00Z +1800",
            ],
            leftOut: ["stage of sleep without times or of an unknown kind": 1]),
        table(
            "UserExercises_2024-05-01.csv",
            "exercise_id,exercise_start,exercise_end,utc_offset,activity_name,log_type,tracker_total_calories,tracker_total_distance_mm,tracker_avg_heart_rate,tracker_peak_heart_rate,tracker_total_altitude_mm",
            [
                "1,\(moment),2024-05-01T07:30:00Z,-04:00,Run,AUTO_DETECTED,301,5001000,140,171,25000",
                "2,2024-05-02T07:00:00Z,2024-05-02T07:30:00Z,+05:30,Walk,MANUAL,,,,,", "3,,,,,,,,,,",
            ],
            [
                "Workout \(moment) +1800 activity 37 for 1800 301 kcal 5001 m HeartRate average 140 maximum 171 {HKElevationAscended: 25 m, HKTimeZone: GMT-0400}",
                "Workout 2024-05-02T07:00:00Z +1800 activity 52 for 1800 {HKTimeZone: GMT+0530, HKWasUserEntered: true}",
            ], leftOut: ["workout without times": 1]),
    ]

    @Test("Tables", arguments: tables)
    func readsTable(row: ImportCase) throws { try row.check() }

    // MARK: - Lists

    private static func list(
        _ name: String, _ elements: [String], _ stored: [String], leftOut: [String: Int] = [:]
    ) -> ImportCase {
        ImportCase(
            name + (elements.first.map { " \($0.prefix(60))" } ?? ""), "Takeout/Fitbit/\(name)",
            "[\(elements.joined(separator: ","))]", stored, leftOut: leftOut)
    }

    private static func value(_ time: String, _ value: String) -> String {
        #"{"dateTime": "\#(time)", "value": \#(value)}"#
    }

    private static func weight(_ weight: Double, _ bmi: String, _ more: String = "") -> String {
        #"{"logId": 1, "weight": \#(weight), "bmi": \#(bmi), "date": "05/01/24", "time": "09:00:00"\#(more)}"#
    }

    private static func exercise(_ figures: String) -> String {
        #"""
        {"logId": 1, "activityName": "Run", "startTime": "05/01/24 07:00:00", "duration": 1800000, \#(figures)}
        """#
    }

    private static func night(_ levels: String) -> String {
        #"""
        {"logId": 1, "dateOfSleep": "2024-05-02", "startTime": "2024-05-01T23:00:00.000",
        "endTime": "2024-05-02T07:00:00.000", "levels": {\#(levels)}}
        """#
    }

    private static let run = "Workout \(moment) +1800 activity 37 for 1800"
    private static let bed = "SleepAnalysis 0 2024-05-01T21:00:00Z +28800"

    static let lists: [ImportCase] = [
        list(
            "heart_rate-2024-05-01.json",
            [
                value("05/01/24 07:00:00", #"{"bpm": 60, "confidence": 2}"#),
                value("05/01/24 07:00:05", #"{"bpm": 70, "confidence": 0}"#),
                value("05/01/24 07:00:10", #"{"bpm": 70, "confidence": 3}"#),
                value("05/01/24 07:00:15", #"{"confidence": 3}"#),
            ],
            ["HeartRate 60 count/min \(moment)", "HeartRate 70 count/min 2024-05-01T07:00:10Z"],
            leftOut: [
                "heart rate that represents a missing one": 1, "value without a time or number that can be read": 1,
            ]),
        list(
            "steps-2024-05-01.json",
            [
                value("05/01/24 07:00:00", "\"25\""), value("05/01/24 07:01:00", "\"0\""),
                value("05/01/24 07:02:00", "\"many\""), value("02/30/24 07:00:00", "\"3\""),
                value("05/01/24 24:00:00", "\"3\""), value("2024-05-01T07:00:00", "\"3\""),
            ], ["StepCount 25 count \(moment) +60"], leftOut: ["value without a time or number that can be read": 4]),
        list("steps-2024-05-02.json", [value("05/01/24 07:00:00", "25")], ["StepCount 25 count \(moment) +60"]),
        list(
            "distance-2024-05-01.json", [value("05/01/24 07:00:00", "\"1250\"")],
            ["DistanceWalkingRunning 12.5 m \(moment) +60"]),
        list(
            "altitude-2024-05-01.json", [value("05/01/24 07:00:00", "\"20\"")],
            ["FlightsClimbed 2 count \(moment) +60"]),
        // The list begins at midnight, and therefore is local.
        list(
            "calories-2024-05-01.json",
            [value("05/01/24 00:00:00", "\"1.2\""), value("05/01/24 00:01:00", "\"5.7\"")],
            [
                "BasalEnergyBurned 2.4 kcal 2024-04-30T22:00:00Z +120",
                "ActiveEnergyBurned 4.5 kcal 2024-04-30T22:01:00Z +60",
            ]),
        list(
            "calories-2024-05-02.json", [value("05/01/24 07:00:00", "\"1.2\"")],
            ["BasalEnergyBurned 1.2 kcal \(moment) +60"]),
        list(
            "resting_heart_rate-2024-05-01.json",
            [
                value("05/01/24 00:00:00", #"{"date": "05/01/24", "value": 61.5, "error": 6.7}"#),
                value("05/02/24 00:00:00", #"{"date": null, "value": 0.0, "error": 0.0}"#),
                value("05/03/24 00:00:00", "{}"),
            ], ["RestingHeartRate 61.5 count/min \(day)"], leftOut: ["value of a day without a date or number": 1]),
        list(
            "very_active_minutes-2024-03-31.json", [value("03/31/24 00:00:00", "\"30\"")],
            ["AppleExerciseTime 30 min \(shortDay)"]),
        list(
            "moderately_active_minutes-2024-05-01.json", [value("05/01/24 00:00:00", "\"15\"")],
            ["AppleExerciseTime 15 min \(day)"]),
        list(
            "demographic_vo2_max-2024-05-01.json",
            [value("05/01/24 00:00:00", #"{"demographicVO2Max": 41.5, "filteredDemographicVO2Max": 42.5}"#)],
            ["VO2Max 42.5 mL/min·kg \(day)"]),
        list(
            "demographic_vo2_max-2024-05-02.json",
            [value("05/01/24 00:00:00", #"{"demographicVO2Max": 41.5}"#)], ["VO2Max 41.5 mL/min·kg \(day)"]),
        list(
            "sleep-2024-05-01.json",
            [
                night(
                    #"""
                    "data": [{"dateTime": "2024-05-01T23:00:00.000", "level": "restless", "seconds": 600},
                    {"dateTime": "2024-05-01T23:10:00.000", "level": "asleep", "seconds": 600},
                    {"dateTime": "2024-05-01T23:20:00.000", "level": "dreaming", "seconds": 600},
                    {"dateTime": "2024-05-02T06:50:00.000", "level": "awake", "seconds": 6000}]
                    """#)
            ],
            [
                bed, "SleepAnalysis 2 2024-05-01T21:00:00Z +600", "SleepAnalysis 1 2024-05-01T21:10:00Z +600",
                "SleepAnalysis 2 2024-05-02T04:50:00Z +600",
            ], leftOut: ["stage of sleep without times or of an unknown kind": 1]),
        list("sleep-2024-05-02.json", [night("")], [bed, "SleepAnalysis 1 2024-05-01T21:00:00Z +28800"]),
        list("sleep-2024-05-03.json", [#"{"logId": 1}"#], [], leftOut: ["night without times": 1]),
        list(
            "weight-2024-05-01.json", [weight(80, "25")],
            ["BodyMass 80 kg \(moment)", "BodyMassIndex 25 count \(moment)"]),
        list(
            "weight-2024-05-02.json", [weight(176.4, "25", #", "fat": 20.5, "source": "Web""#)],
            [
                "BodyMass 80.013694 kg \(moment) {HKWasUserEntered: true}",
                "BodyMassIndex 25 count \(moment) {HKWasUserEntered: true}",
                "BodyFatPercentage 0.205 % \(moment) {HKWasUserEntered: true}",
            ]),
        list(
            "weight-2024-05-03.json", [weight(12.6, "25")],
            ["BodyMass 80.013694 kg \(moment)", "BodyMassIndex 25 count \(moment)"]),
        list("weight-2024-05-04.json", [weight(80, "0")], [], leftOut: ["weight in an unknown unit": 1]),
        list(
            "weight-2024-05-05.json",
            [#"{"logId": 1, "date": "05/01/24"}"#, #"{"logId": 1, "weight": 80}"#], [],
            leftOut: ["weight without a date or number": 2]),
        list(
            "exercise-0.json",
            [exercise(#""distance": 5, "distanceUnit": "Kilometer", "calories": 300, "averageHeartRate": 150"#)],
            [run + " 300 kcal 5000 m HeartRate average 150"]),
        list("exercise-1.json", [exercise(#""distance": 3, "distanceUnit": "Mile""#)], [run + " 4828.032 m"]),
        list("exercise-2.json", [exercise(#""distance": 800, "distanceUnit": "Meter""#)], [run + " 800 m"]),
        list("exercise-3.json", [exercise(#""distance": 1000, "distanceUnit": "Yard""#)], [run + " 914.4 m"]),
        list(
            "exercise-4.json", [exercise(#""distance": 1, "distanceUnit": "League", "logType": "manual""#)],
            [run + " {HKWasUserEntered: true}"], leftOut: ["distance in an unknown unit": 1]),
        list(
            "exercise-5.json", [exercise(#""activeDuration": 1700000"#)],
            ["Workout \(moment) +1800 activity 37 for 1700"]),
        list("exercise-6.json", [#"{"logId": 1, "activityName": "Run"}"#], [], leftOut: ["workout without times": 1]),
    ]

    @Test("Lists", arguments: lists)
    func readsList(row: ImportCase) throws { try row.check() }

    // MARK: - Google Fit

    /// A stream with a point of some values at seven o’clock, of no length or a minute.
    private static func stream(
        _ type: String, _ values: String..., seconds: Int = 0, name: String? = nil, stored: [String],
        leftOut: [String: Int] = [:]
    ) -> ImportCase {
        let source = name ?? "raw:com.google.\(type):com.example.app:"
        let list = values.map { "{\"value\":{\($0)}}" }.joined(separator: ",")
        return ImportCase(
            "\(type) \(values)", "Takeout/Fit/Alle Daten/raw_com.google.\(type)_com.example.json",
            """
            {"Data Source":"\(source)","Data Points":[{"fitValue":[\(list)],"originDataSourceId":"",
            "endTimeNanos":\(1_714_546_800 + seconds)000000000,"dataTypeName":"com.google.\(type)",
            "startTimeNanos":1714546800000000000}]}
            """, stored, leftOut: leftOut)
    }

    static let streams: [ImportCase] = [
        stream("step_count.delta", "\"intVal\":40", seconds: 60, stored: ["StepCount 40 count \(moment) +60"]),
        stream("step_count.delta", "\"intVal\":0", seconds: 60, stored: []),
        stream(
            "step_count.delta", "\"intVal\":40", stored: [],
            leftOut: ["point of Google Fit without a time or value": 1]),
        stream(
            "distance.delta", "\"fpVal\":40.5", seconds: 60, stored: ["DistanceWalkingRunning 40.5 m \(moment) +60"]),
        stream("hydration", "\"fpVal\":0.25", stored: ["DietaryWater 0.25 L \(moment)"]),
        stream("heart_rate.bpm", "\"fpVal\":61.5", stored: ["HeartRate 61.5 count/min \(moment)"]),
        stream("weight", "\"fpVal\":80.5", stored: ["BodyMass 80.5 kg \(moment)"]),
        stream("height", "\"fpVal\":1.8", stored: ["Height 1.8 m \(moment)"]),
        stream("body.fat.percentage", "\"fpVal\":20.5", stored: ["BodyFatPercentage 0.205 % \(moment)"]),
        stream("oxygen_saturation", "\"fpVal\":97", "\"fpVal\":0", stored: ["OxygenSaturation 0.97 % \(moment)"]),
        stream("blood_glucose", "\"fpVal\":5.5", stored: ["BloodGlucose 5.5 mmol<180.1558800000541>/L \(moment)"]),
        stream("body.temperature", "\"fpVal\":36.75", stored: ["BodyTemperature 36.75 degC \(moment)"]),
        stream(
            "blood_pressure", "\"fpVal\":121", "\"fpVal\":78",
            stored: [
                "BloodPressure \(moment)", "BloodPressureSystolic 121 mmHg \(moment)",
                "BloodPressureDiastolic 78 mmHg \(moment)",
            ]),
        stream(
            "blood_pressure", "\"fpVal\":121", stored: [], leftOut: ["point of Google Fit without a time or value": 1]),
        stream(
            "heart_rate.bpm", "\"fpVal\":52", seconds: 3_600,
            name: "derived:com.google.heart_rate.bpm:com.google.android.gms:resting_heart_rate<-merge",
            stored: ["RestingHeartRate 52 count/min \(moment) +3600"]),
        stream(
            "calories.expended", "\"fpVal\":52", seconds: 60, stored: [],
            leftOut: ["point of Google Fit of type calories.expended": 1]),
        stream(
            "sleep.segment", "\"intVal\":9", seconds: 60, stored: [],
            leftOut: ["stage of sleep without times or of an unknown kind": 1]),
    ]

    @Test("Streams of Google Fit", arguments: streams)
    func readsStream(row: ImportCase) throws { try row.check() }

    @Test("Stages of Google Fit", arguments: [(1, 2), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5)])
    func readsStage(stage: Int, value: Int) throws {
        try Self.stream(
            "sleep.segment", "\"intVal\":\(stage)", seconds: 60, stored: ["SleepAnalysis \(value) \(Self.moment) +60"]
        ).check()
    }

    /// A session of Google Fit in its own zone.
    private static func session(_ activity: String, _ stored: [String], _ more: String = "") -> ImportCase {
        ImportCase(
            "session \(activity)", "Takeout/Fit/Alle Sitzungen/2024-05-01T09_00_00+02_00_x.json",
            """
            {"fitnessActivity":"\(activity)","startTime":"2024-05-01T07:00:00Z","endTime":"2024-05-01T07:30:00Z"\(more)}
            """, stored)
    }

    static let sessions: [ImportCase] = [
        session("running", ["Workout \(moment) +1800 activity 37 for 1700.5"], #","duration":"1700.5s""#),
        session("biking", ["Workout \(moment) +1800 activity 13 for 1800"]),
        session(
            "walking", ["Workout \(moment) +1800 activity 52 for 1800 200.5 kcal 3000 m HeartRate average 101"],
            #"""
            ,"aggregate":[{"metricName":"com.google.calories.expended","floatValue":200.5},
            {"metricName":"com.google.distance.delta","floatValue":3000.0},{"metricName":"com.google.other","intValue":1},
            {"metricName":"com.google.heart_rate.summary","floatValue":101}]
            """#),
        session("sleep", ["SleepAnalysis 1 \(moment) +1800"]),
        session(
            "sleep", ["SleepAnalysis 3 \(moment) +600", "SleepAnalysis 2 2024-05-01T07:10:00Z +1200"],
            #"""
            ,"segment":[{"fitnessActivity":"sleep.light","startTime":"2024-05-01T07:00:00Z","endTime":"2024-05-01T07:10:00Z"},
            {"fitnessActivity":"sleep.awake","startTime":"2024-05-01T07:10:00Z","endTime":"2024-05-01T07:30:00Z"}]
            """#),
    ]

    @Test("Sessions of Google Fit", arguments: sessions)
    func readsSession(row: ImportCase) throws { try row.check() }

    // MARK: - Names

    @Test(
        "Files that aren’t read are named with what they have",
        arguments: [
            ("sedentary_minutes-2024-05-01.json", "minutes without activity or with light activity"),
            ("lightly_active_minutes-2024-05-01.json", "minutes without activity or with light activity"),
            ("time_in_heart_rate_zones-2024-05-01.json", "time in heart rate zones"),
            ("swim_lengths_data-2024-05-01.json", "lengths of a pool"), ("food_logs-0.json", "food or water"),
            ("water_logs-0.json", "food or water"), ("badge.json", "badges"), ("gps_location_2024-05-01.csv", "places"),
            ("calories_2024-05-01.csv", "energy of minutes with activity, at rest included"),
            ("Device Temperature - 2024-05-01.csv", "skin temperatures within a night"),
            ("estimated_oxygen_variation-2024-05-01.csv", "estimated oxygen variation"),
            ("Heart Rate Variability Histogram - 2024-05-01.csv", "histograms of heart rate variability"),
            ("calories_in_heart_rate_zone_2024-05-01.csv", "time in heart rate zones"),
            ("activity_level_2024-05-01.csv", "minutes without activity or with light activity"),
            ("altitude_2024-05-01.csv", "altitudes"), ("Snore Details - 2024-05-01.csv", "snoring"),
            ("Stress Score.csv", "scores"), ("Daily Readiness Score - 2024-05-01.csv", "scores"),
            ("cardio_load_2024-05-01.csv", "scores"),
        ])
    func leftOut(name: String, what: String) throws {
        let folder = try ArchiveFolder([
            "Fitbit/\(name)": Array("a,b\n1,2\n".utf8),
            "Fitbit/steps-2024-05-01.json": Array("[\(Self.value("05/01/24 07:00:00", "\"25\""))]".utf8),
        ])
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.addedCount == 1 && report.unread.map(\.files) == [["Fitbit/\(name)"]])
        #expect(report.unread.first?.reason.hasPrefix("is a file of \(what), which ") == true)
    }

    @Test("Without a zone of the person’s, that of the profile applies, wherever the profile is")
    func profile() throws {
        let night = Self.night("")
        let folder = try ArchiveFolder([
            "z/Profile.csv": Array("id,timezone\nX,America/New_York\n".utf8),
            "a/sleep-2024-05-01.json": Array("[\(night)]".utf8),
        ])
        defer { folder.remove() }
        _ = try folder.importing(zone: nil)
        #expect(try folder.contents().first == "SleepAnalysis 0 2024-05-02T03:00:00Z +28800")
    }

    @Test(
        "Devices and applications are the sources",
        arguments: [
            ("raw:com.google.weight:com.example.app:Maker:Model 2:1a2b:stream", "Maker Model 2"),
            ("raw:com.google.weight:com.example.app:", "com.example.app"),
            ("raw:com.google.weight::", "Google Fit"), ("raw:com.google.weight:Maker:Model 2:1a2b:s", "Maker Model 2"),
        ])
    func origins(stream: String, source: String) throws {
        #expect(GoogleOrigin.fit(stream: stream).revision.source.name == source)
    }
}
