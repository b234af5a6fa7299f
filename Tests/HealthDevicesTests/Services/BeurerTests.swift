import HealthFiles
import Testing

@testable import HealthDevices

@Suite("The tables of Beurer’s HealthManager, and of Home Assistant")
struct BeurerTests {
    private static let german = """
        Benutzerangaben

        Vorname;A
        Größe;180 cm

        Zeitraum

        von;01.05.2024
        bis;31.05.2024

        BLUTDRUCK
        Datum;Uhrzeit;Sys;Dia;Puls;MAD;Manuell hinzugefügt
        13.05.2024;08:00;130;85;62;100;0
        14.05.2024;08:00;128;84;61;99;1

        MAD = Mittlerer arterieller Druck

        TEMPERATUR
        Datum;Uhrzeit;°C;Kommentar;Medikation
        13.05.2024;09:00;36,6;;

        GEWICHT
        Datum;Uhrzeit;kg;BMI;Körperfett;Kommentar
        13.05.2024;07:30;80,5;24.8;20,0;

        """
    private static let english = "Weight\nDate;Time;kg;BMI;Body fat;Water\n13.05.2024;07:30;80,5;24,8;20,0;50\n"

    static let files: [ImportCase] = [
        ImportCase(
            "German: blood pressure, and weights under another title", "HealthManager Pro Export.csv", german,
            [
                "BloodPressure 2024-05-13T06:00:00Z", "BloodPressureSystolic 130 mmHg 2024-05-13T06:00:00Z",
                "BloodPressureDiastolic 85 mmHg 2024-05-13T06:00:00Z", "HeartRate 62 count/min 2024-05-13T06:00:00Z",
                "BloodPressure 2024-05-14T06:00:00Z {HKWasUserEntered: true}",
                "BloodPressureSystolic 128 mmHg 2024-05-14T06:00:00Z",
                "BloodPressureDiastolic 84 mmHg 2024-05-14T06:00:00Z",
                "HeartRate 61 count/min 2024-05-14T06:00:00Z {HKWasUserEntered: true}",
                "BodyMass 80.5 kg 2024-05-13T05:30:00Z", "BodyMassIndex 24.8 count 2024-05-13T05:30:00Z",
                "BodyFatPercentage 0.2 % 2024-05-13T05:30:00Z",
            ], leftOut: ["row of another table": 1]),
        ImportCase(
            "English: weights", "export.csv", english,
            [
                "BodyMass 80.5 kg 2024-05-13T05:30:00Z", "BodyMassIndex 24.8 count 2024-05-13T05:30:00Z",
                "BodyFatPercentage 0.2 % 2024-05-13T05:30:00Z",
            ]),
        ImportCase(
            "English: blood pressures, whose dates of other tables show the order of day and month", "export.csv",
            """
            Blood pressure
            Date;Time;Sys;Dia;Pulse;MAP;Added manually
            03/09/2024;09:30 pm;130;80;70;97;0

            Weight
            Date;Time;kg;BMI;Body fat;Water
            28/08/2024;07:15 am;80,5;24,8;20,0;50

            """,
            [
                "BloodPressure 2024-09-03T19:30:00Z", "BloodPressureSystolic 130 mmHg 2024-09-03T19:30:00Z",
                "BloodPressureDiastolic 80 mmHg 2024-09-03T19:30:00Z", "HeartRate 70 count/min 2024-09-03T19:30:00Z",
                "BodyMass 80.5 kg 2024-08-28T05:15:00Z", "BodyMassIndex 24.8 count 2024-08-28T05:15:00Z",
                "BodyFatPercentage 0.2 % 2024-08-28T05:15:00Z",
            ]),
    ]

    @Test("Files of HealthManager Pro", arguments: files)
    func beurer(file: ImportCase) throws { try file.check() }

    @Test("The history of Home Assistant is refused with what to do, and read by a mapping")
    func homeAssistant() throws {
        let text =
            "entity_id,state,last_changed\nsensor.scale_weight,80.5,2024-05-13T06:00:00.000Z\n"
            + "sensor.scale_weight,unavailable,2024-05-13T07:00:00.000Z\n"
        let folder = try ArchiveFolder(["history.csv": Array(text.utf8)])
        defer { folder.remove() }
        #expect(throws: ImportError.self) { try folder.importing(try folder.write(Array(text.utf8), "history.csv")) }
        let mapping = #"""
            {"source": "Home Assistant", "time": "last_changed", "except": {"state": ["unavailable", "unknown"]},
             "samples": [{"type": "bodyMass", "column": "state", "unit": "kg", "where": {"entity_id": "sensor.scale_weight"}}]}
            """#
        _ = try folder.importing(columns: mapping)
        #expect(try folder.contents() == ["BodyMass 80.5 kg 2024-05-13T06:00:00Z"])
    }
}
