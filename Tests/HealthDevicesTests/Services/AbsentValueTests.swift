import Testing

@Suite("What services write in the place of a measurement")
struct AbsentValueTests {
    static let files: [ImportCase] = [
        ImportCase(
            "Oura: zeros of a night", "sleepmodel.csv",
            #"""
            id;bedtime_start;bedtime_end;total_sleep_duration;time_in_bed;lowest_heart_rate;average_breath;type;sleep_phase_5_min;hrv
            a;2024-05-01T00:00:00.000+02:00;2024-05-01T00:20:00.000+02:00;900;1200;0;0.0;long_sleep;4;{"interval":300,"items":[0,45],"timestamp":"2024-05-01T00:00:00.000+02:00"}
            """#,
            [
                "SleepAnalysis 0 2024-04-30T22:00:00Z +1200", "SleepAnalysis 2 2024-04-30T22:00:00Z +300",
                "HeartRateVariabilityRMSSD 45 ms 2024-04-30T22:05:00Z +300",
            ]),
        ImportCase(
            "Zepp: a heart rate of 0 or 255", "HEARTRATE_AUTO_1.csv",
            "date,time,heartRate\n2024-05-01,08:00,0\n2024-05-01,08:01,255\n2024-05-01,08:02,61\n",
            ["HeartRate 61 count/min 2024-05-01T06:02:00Z"]),
        ImportCase(
            "Huawei: a weight of 0", "health detail data1.json",
            #"""
            [{"samplePoints":[{"key":"WEIGHT_BODYFAT_BROAD","startTime":1714546800000,"endTime":1714546800000,"unit":"0",
            "value":"{\"bodyWeight\":0.0,\"bodyFatRate\":0,\"subUser\":\"\"}"}]}]
            """#, []),
        ImportCase(
            "Nightscout: a reading of a meter without its unit", "treatments.json",
            #"""
            [{"eventType":"BG Check","created_at":"2024-05-13T06:00:00Z","glucose":5.5,"glucoseType":"Finger"},
             {"eventType":"BG Check","created_at":"2024-05-13T02:30:00-0330","glucose":"95","glucoseType":"Finger","units":"mg/dl"}]
            """#, ["BloodGlucose 95 mg/dL 2024-05-13T06:00:00Z {HKWasUserEntered: true}"], skippedLines: [0]),
        ImportCase(
            "Clue: a temperature in two units", "measurements.json",
            #"""
            [{"date":"2024-05-20","type":"bbt","value":{"celsius":36.5,"fahrenheit":97.7}},
             {"date":"2024-05-21","type":"bbt","value":{"fahrenheit":97.7}}]
            """#, zone: "UTC",
            [
                "BasalBodyTemperature 36.5 degC 2024-05-20T00:00:00Z",
                "BasalBodyTemperature 97.7 degF 2024-05-21T00:00:00Z",
            ]),
    ]

    @Test("It isn’t imported", arguments: files)
    func absent(file: ImportCase) throws { try file.check() }
}
