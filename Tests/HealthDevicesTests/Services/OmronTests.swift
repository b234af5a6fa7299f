import HealthFiles
import Testing

@testable import HealthDevices

@Suite("The CSV files of OMRON connect")
struct OmronTests {
    /// 2025-01-12 08:15:00 in Berlin.
    private static let start = 758_358_900.0
    private static let american =
        "Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm),Symptoms,Consumed,TruRead,Notes\n"
    private static let european = "Measurement Date,Timezone,SYS(mmHg),DIA(mmHg),Pulse(bpm),Device\n"

    @Test(
        "A reading is a blood pressure with a heart rate",
        arguments: [
            american + "Jan 12 2025,08:15,114,74,47,-,-,-,-\n", american + "Jan 12 2025,8:15 am,114,74,47,-,-,-,-\n",
            european + "2025/01/12 08:15,Europe/Berlin,114,74,47,HEM\n",
            european + "2025-01-12 07:15,UTC,114,74,47,HEM\n",
            "測定日,タイムゾーン,最高血圧(mmHg),最低血圧(mmHg),脈拍(bpm),機種\n2025/01/12 16:15,Asia/Tokyo,114,74,47,HEM\n",
        ])
    func reading(text: String) throws {
        let folder = try ArchiveFolder(["omron.csv": Array(text.utf8)])
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.skips.map(\.reason) == [])
        for (type, value) in [("BloodPressureSystolic", 114.0), ("BloodPressureDiastolic", 74), ("HeartRate", 47)] {
            #expect(try folder.samples(type).map(\.value) == [value])
            #expect(try folder.samples(type).first?.start == Self.start)
        }
    }

    @Test("Spanish: blood pressures, and the tables of other measurements after them")
    func sections() throws {
        try ImportCase(
            "Spanish", "omron.csv",
            """
            Fecha,Hora,Sistólica (mmHg),Diastólica (mmHg),Pulso (ppm),Síntomas,Consumido,TruRead,Posible AFib,Dispositivo,Notas
            23 feb. 2026,21:07,101,64,65,-,-,-,-,X4 Connect AFib,-
            21 ene. 2026,18:09,126,84,54,-,-,-,-,X4 Connect AFib,-

            Fecha,Total de pasos,Distancia total (mi),Total de calorías (kcal),Fuente

            Fecha,Hora,Peso (kg),IMC,Categoría,Metabolismo en reposo,% de grasa corporal
            03 ene. 2026,09:35,77,"0,0",Peso insuficiente,-,-

            Fecha,Hora,Temperatura,Unidad de temperatura

            """,
            [
                "BloodPressure 2026-02-23T20:07:00Z", "BloodPressureSystolic 101 mmHg 2026-02-23T20:07:00Z",
                "BloodPressureDiastolic 64 mmHg 2026-02-23T20:07:00Z", "HeartRate 65 count/min 2026-02-23T20:07:00Z",
                "BloodPressure 2026-01-21T17:09:00Z", "BloodPressureSystolic 126 mmHg 2026-01-21T17:09:00Z",
                "BloodPressureDiastolic 84 mmHg 2026-01-21T17:09:00Z", "HeartRate 54 count/min 2026-01-21T17:09:00Z",
                "BodyMass 77 kg 2026-01-03T08:35:00Z",
            ]
        ).check()
    }

    @Test("A reading without a pulse has no heart rate")
    func pulse() throws {
        let folder = try ArchiveFolder([
            "omron.csv": Array((Self.american + "Jan 6 2025,20:46,117,76,-,-,-,-,-\n").utf8)
        ])
        defer { folder.remove() }
        _ = try folder.importing()
        #expect(try folder.samples("HeartRate").isEmpty)
        #expect(try folder.samples("BloodPressureSystolic").map(\.value) == [117])
    }
}
