import HealthFiles
import Testing

@testable import HealthDevices

@Suite("Days of Clue, Flo and drip")
struct CycleServiceTests {
    private static let begins = "{HKMenstrualCycleStart: true}"
    private static let goesOn = "{HKMenstrualCycleStart: false}"

    static let files: [ImportCase] = [
        ImportCase(
            "Clue", "measurements.json",
            #"""
            [{"id":"1","date":"2024-05-13","type":"period","value":{"option":"medium"}},
             {"id":"2","date":"2024-05-14","type":"period","value":{"option":"very_heavy"}},
             {"id":"3","date":"2024-05-16","type":"spotting","value":[{"option":"red"}]},
             {"id":"4","date":"2024-06-10","type":"period","value":{"option":"light"}},
             {"id":"5","date":"2024-05-13","type":"pain","value":[{"option":"period_cramps"},{"option":"headache"}]},
             {"id":"6","date":"2024-05-20","type":"bbt","value":{"celsius":36.5}},
             {"id":"7","date":"2024-05-21","type":"sex_life","value":[{"option":"protected"}]},
             {"id":"8","date":"2024-05-21","type":"tags","value":[{"option":"x"}]},
             {"id":"9","date":"2024-05-22","type":"weight","value":{"kilograms":61.5}}]
            """#, zone: "UTC",
            [
                "MenstrualFlow 3 2024-05-13T00:00:00Z \(begins)", "MenstrualFlow 4 2024-05-14T00:00:00Z \(goesOn)",
                "MenstrualFlow 2 2024-06-10T00:00:00Z \(begins)", "IntermenstrualBleeding 0 2024-05-16T00:00:00Z",
                "AbdominalCramps 0 2024-05-13T00:00:00Z", "Headache 0 2024-05-13T00:00:00Z",
                "BasalBodyTemperature 36.5 degC 2024-05-20T00:00:00Z", "BodyMass 61.5 kg 2024-05-22T00:00:00Z",
                "SexualActivity 0 2024-05-21T00:00:00Z {HKSexualActivityProtectionUsed: true}",
            ], leftOut: ["entry of another kind": 1]),
        ImportCase(
            "Clue: the periods of a backup", "ClueBackup.cluedata",
            #"""
            {"data":[{"day":"2021-01-01T00:00:00Z","period":"light"},{"day":"2021-01-02T00:00:00Z","period":"heavy"},
             {"day":"2021-01-20T00:00:00Z","period":"spotting"},{"day":"2021-01-29T00:00:00Z","period":"medium"},
             {"day":"2021-01-30T00:00:00Z","pain":["cramps"]}]}
            """#,
            [
                "MenstrualFlow 2 2020-12-31T23:00:00Z \(begins)", "MenstrualFlow 4 2021-01-01T23:00:00Z \(goesOn)",
                "MenstrualFlow 3 2021-01-28T23:00:00Z \(begins)", "IntermenstrualBleeding 0 2021-01-19T23:00:00Z",
            ], leftOut: ["entry of another kind": 1]),
        ImportCase(
            "Flo: the days of a period, of which some have a flow, after something long", "flo.json",
            #"""
            {"profile":{"text":"\#(String(repeating: "x", count: 5_000))"},"operationalData":{"cycles":[
              {"period_start_date":"2024-05-12 22:00:00.0","period_end_date":"2024-05-14 22:00:00.0",
               "period_intensity":"{\"0\": 1, \"2\": 3}"},
              {"period_start_date":"2024-06-10 00:00:00.0","period_end_date":null,"period_intensity":"{}"},
              {"period_start_date":"2023-01-01 00:00:00.0","period_end_date":"2023-10-01 00:00:00.0","pregnant":true}],
             "notes":[{"text":"x"}],
             "point_events_manual_v2":[
              {"local_date":"2024-05-13 00:00:00","date":"2024-05-12 22:00:00.0","category":"Symptom","subcategory":"DrawingPain"},
              {"date":"2024-05-20 00:00:00.0","category":"OvulationTest","subcategory":"Positive"},
              {"date":"2024-05-20 00:00:00.0","category":"Mood","subcategory":"Happy"},
              {"date":"2024-05-20 00:00:00.0","category":"Symptom","subcategory":"Acne","deleted":true},
              {"date":"2024-05-21 00:00:00.0","category":"Temperature","subcategory":"Basal","properties":{"value":36.6}}]}}
            """#, zone: "UTC",
            [
                "MenstrualFlow 2 2024-05-12T00:00:00Z \(begins)", "MenstrualFlow 1 2024-05-13T00:00:00Z \(goesOn)",
                "MenstrualFlow 4 2024-05-14T00:00:00Z \(goesOn)", "MenstrualFlow 1 2024-06-10T00:00:00Z \(begins)",
                "AbdominalCramps 0 2024-05-13T00:00:00Z", "OvulationTestResult 2 2024-05-20T00:00:00Z",
                "BasalBodyTemperature 36.6 degC 2024-05-21T00:00:00Z",
            ], leftOut: ["row that the mapping excludes": 2, "entry of another kind": 1]),
        ImportCase(
            "drip", "drip.csv",
            """
            date,temperature.value,temperature.exclude,temperature.time,bleeding.value,bleeding.exclude,mucus.texture,mucus.exclude,note.value,sex.partner,sex.condom,pain.cramps,mood.fatigue
            2024-05-13,36.55,false,06:30,3,false,,,a note,,,true,
            2024-05-14,36.9,true,06:30,0,false,2,false,,true,true,,true
            2024-05-15,36.6,false,,2,true,,,,,,,

            """, zone: "UTC",
            [
                "MenstrualFlow 4 2024-05-13T00:00:00Z \(begins)",
                "BasalBodyTemperature 36.55 degC 2024-05-13T06:30:00Z",
                "AbdominalCramps 0 2024-05-13T00:00:00Z", "IntermenstrualBleeding 0 2024-05-14T00:00:00Z",
                "CervicalMucusQuality 5 2024-05-14T00:00:00Z", "Fatigue 0 2024-05-14T00:00:00Z",
                "SexualActivity 0 2024-05-14T00:00:00Z {HKSexualActivityProtectionUsed: true}",
                "IntermenstrualBleeding 0 2024-05-15T00:00:00Z", "BasalBodyTemperature 36.6 degC 2024-05-15T00:00:00Z",
            ], leftOut: ["note": 1]),
    ]

    @Test("Files of cycles", arguments: files)
    func cycles(file: ImportCase) throws { try file.check() }
}
