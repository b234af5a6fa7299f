import HealthFiles
import Foundation
import HealthCompression
import HealthModel
import Testing

@testable import HealthDevices

@Suite("The exports of Withings and WHOOP are recognized by their columns")
struct BuiltInMappingTests {
    /// 2024-05-01 00:00:00 in Berlin.
    private static let midnight = 736_207_200.0
    private static let total = "total of a day of which there is more, left out"

    private static let withings: [String: String] = [
        "weight.csv": """
        Date,"Weight (kg)","Fat mass (kg)","Bone mass (kg)","Muscle mass (kg)","Hydration (kg)",Comments
        "2024-05-01 07:12:33",78.4,15.68,3.1,57.0,43.8,
        "2024-05-02 07:12:33",78.2,,,,,"after the run"
        """,
        "bp.csv": """
        Date,"Heart rate",Systolic,Diastolic,Comments
        "2024-05-01 08:30:00",61,121,78,
        """,
        "height.csv": "Date,\"Height (m)\",Comments\n\"2024-01-01 08:00:00\",1.8,\n",
        "sleep.csv": """
        from,to,"light (s)","deep (s)","rem (s)","awake (s)","wake up","Duration to sleep (s)","Duration to wake up (s)","Snoring (s)","Snoring episodes","Average heart rate","Heart rate (min)","Heart rate (max)"
        2024-04-30T23:10:00+02:00,2024-05-01T06:40:00+02:00,14400,7200,3600,1800,1,600,60,0,0,52,47,68
        2024-05-02T23:00:00+02:00,2024-05-03T06:00:00+02:00,14400,7200,3600,0,1,600,60,0,0,52,47,68
        """,
        "raw_tracker_sleep-state.csv": """
        start,duration,value
        2024-04-30T23:10:00+02:00,"[600,1800,1800,600]","[0,1,1,3]"
        """,
        "raw_hr_hr.csv": "start,duration,value\n2024-05-01T09:00:00+02:00,\"[60,60]\",\"[65,66]\"\n",
        "raw_tracker_steps.csv":
            "start,duration,value\n2024-05-01T09:00:00+02:00,[60],[100]\n2024-05-01T09:01:00+02:00,[60],[120]\n",
        "aggregates_steps.csv": "date,value\n2024-05-01,5000\n2024-03-31,4000\n",
        "activities.csv": """
        from,to,"from (manual)","to (manual)",Timezone,"Activity type",Data,GPS,Modified
        2024-05-01T18:00:00+02:00,2024-05-01T18:45:00+02:00,,,Europe/Berlin,Running,"{""calories"":410,""distance"":6200,""hr_average"":140}",,
        """,
        "signal.csv": "date,type,frequency\n",
    ]

    @Test("Withings’ files, of which totals count only on days without detail", arguments: [false, true])
    func withings(isZip: Bool) throws {
        let files = Self.withings.mapValues { Array($0.utf8) }
        let folder = try ArchiveFolder(isZip ? [:] : files)
        defer { folder.remove() }
        let path = isZip ? try folder.write(ArchiveFolder.zipped(files), "data.zip") : folder.url.path
        let report = try #require(try folder.importing(path))
        #expect(report.skips.map(\.reason) == [])
        #expect(try folder.samples("BodyMass").map(\.value) == [78.4, 78.2])
        #expect(try folder.samples("BodyFatPercentage").map(\.value) == [0.2])
        #expect(try folder.samples("BodyMass").first?.start == Self.midnight + 25_953)
        #expect(try folder.samples("BloodPressureDiastolic").map(\.value) == [78])
        #expect(try folder.samples("HeartRate").map(\.value) == [61, 65, 66])
        #expect(try folder.units("HeartRate") == ["count/min"])
        #expect(try folder.samples("Height").map(\.value) == [1.8])
        let steps = try folder.samples("StepCount")
        #expect(steps.map(\.value) == [4_000, 100, 120])
        // The day on which the clocks were changed has 23 hours.
        #expect(steps[0].end - steps[0].start == 82_800)
        let sleep = try folder.samples("SleepAnalysis")
        #expect(sleep.map(\.value) == [2, 0, 3, 5, 0, 1])
        #expect(sleep[2].end - sleep[2].start == 3_600)
        #expect(report.irregularities[Self.total] == 2)
        #expect(report.irregularities["bone mass, left out"] == 1)
        #expect(report.unreadCount("is a CSV file whose columns are unknown") == 1)
        let workout = try #require(try folder.workouts().first)
        guard case .workout(let body) = workout.body else { return }
        #expect(body.activityType == 37 && body.totalDistance?.value == 6_200 && body.totalEnergyBurned?.value == 410)
        #expect(workout.revision?.source.name == "Withings")
        // The totals of the day contain them.
        #expect(try folder.samples("ActiveEnergyBurned").isEmpty)
        #expect(try folder.samples("DistanceWalkingRunning").isEmpty)
        let again = try #require(try folder.importing(path))
        #expect(again.addedCount == 0 && again.irregularities[Self.total] == 2)
    }

    @Test(
        "The total of a day that wasn’t over counts once with that of a later archive, in any order",
        arguments: [false, true])
    func totals(isReversed: Bool) throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let paths = try [3_000, 9_500].map { steps in
            let table = "date,value\n2024-05-01,8000\n2024-05-02,\(steps)\n"
            return try folder.write(Array(table.utf8), "\(steps)/aggregates_steps.csv")
        }
        for path in (isReversed ? paths.reversed() : paths) + paths { _ = try folder.importing(path) }
        #expect(try folder.samples("StepCount").map(\.value) == [8_000, 9_500])
    }

    @Test("German files, one by itself, and one that is compressed")
    func german() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let weight =
            "\"Date\",\"Gewicht (kg)\",\"Fettmasse (kg)\",\"Kommentare\"\n\"2024-05-01 6:04 Uhr\",\"80\",\"20\",\"\"\n"
        _ = try folder.importing(folder.write(Array(weight.utf8), "anything.txt"))
        #expect(try folder.samples("BodyFatPercentage").map(\.value) == [0.25])
        let packed = Deflater.deflated(Array(Self.withings["raw_hr_hr.csv", default: ""].utf8), format: .gzip)
        _ = try folder.importing(folder.write(packed, "raw_hr_hr.csv.gz"))
        #expect(try folder.samples("HeartRate").count == 2)
    }

    private static let cycles = """
        2024-05-01 00:30:00,2024-05-02 00:10:00,UTC+02:00,68,52,94,33.4,96,13.2,2400,172,78,2024-05-01 00:40:00,2024-05-01 07:05:00,88,14.2,380,400,230,92,58,20,491,45,91.9
        2024-05-02 00:10:00,,UTC+02:00,,,,,,13.2,2400,172,78,,,,,,,,,,,,,
        """

    @Test(
        "WHOOP’s cycles in the languages of the app",
        arguments: [
            "Cycle start time,Cycle end time,Cycle timezone,Recovery score %,Resting heart rate (bpm),Heart rate variability (ms),Skin temp (celsius),Blood oxygen %,Day Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm),Sleep onset,Wake onset,Sleep performance %,Respiratory rate (rpm),Asleep duration (min),In bed duration (min),Light sleep duration (min),Deep (SWS) duration (min),REM duration (min),Awake duration (min),Sleep need (min),Sleep debt (min),Sleep efficiency %",
            "Startzeit des Zyklus,Endzeit des Zyklus,Zeitzone des Zyklus,Erholungswert %,Ruheherzfrequenz (Schläge pro Minute),Herzfrequenzvariabilität (ms),Hauttemperatur (Celsius),Blutsauerstoff %,Tagesbelastung,Verbrannte Energie (cal),Max HF (Schläge pro Minute),Durchschnittliche HF (Schläge pro Minute),Beginn des Schlafs,Beginn des Aufwachens,Schlafleistung %,Atemfrequenz (Atemzüge/Min.),Schlafdauer (Min.),a,b,c,d,e,f,g,h",
            "Hora de inicio del ciclo,Hora de finalización del ciclo,Zona horaria del ciclo,Puntuación de recuperación (%),Frecuencia cardíaca en reposo (lpm),Variabilidad de la frecuencia cardíaca (ms),Temp. cutánea (grados centígrados),Oxígeno en sangre %,Esfuerzo del día,Energía quemada (cal),FC máx. (lpm),FC promedio (lpm),Inicio del sueño,Inicio de la vigilia,Calificación del sueño (%),Frecuencia respiratoria (rpm),Duración del sueño (min),a,b,c,d,e,f,g,h",
            "Heure de début du cycle,Heure de fin du cycle,Fuseau horaire du cycle,Score de récupération %,Fréquence cardiaque au repos (bpm),Variabilité de la fréquence cardiaque (ms),Température cutanée (Celsius),Niveau d’oxygène %,Effort du jour,Dépense énergétique (cal.),FC max. (bpm),FC moyenne (bpm),Premiers signes de sommeil,Premiers signes de réveil,Performance Sommeil %,Fréquence respiratoire (tr/min),Durée du sommeil (min),a,b,c,d,e,f,g,h",
        ])
    func cycles(header: String) throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = try folder.write(Array((header + "\n" + Self.cycles).utf8), "cycles.csv")
        let report = try #require(try folder.importing(path, zone: "America/New_York"))
        #expect(report.skips.map(\.reason) == [])
        let resting = try folder.samples("RestingHeartRate")
        #expect(resting.map(\.value) == [52])
        // The zone is that of the row, not of the person.
        #expect(
            resting.map { $0.start - Self.midnight } == [2_400] && resting.map { $0.end - Self.midnight } == [25_500])
        #expect(try folder.samples("HeartRateVariabilityRMSSD").map(\.value) == [94])
        #expect(try folder.samples("OxygenSaturation").map(\.value) == [0.96])
        #expect(try folder.samples("AppleSleepingWristTemperature").map(\.value) == [33.4])
        #expect(try folder.samples("RespiratoryRate").map(\.value) == [14.2])
        #expect(try folder.units("RespiratoryRate") == ["count/min"])
        #expect(
            report.irregularities["recovery score, left out"] == 1 && report.irregularities["strain, left out"] == 1)
        // The cycle that hasn't ended has no night.
        #expect(report.irregularities["row that the mapping excludes, left out"] == 1)
        #expect(try folder.importing(path)?.addedCount == 0)
    }

    @Test("WHOOP’s sleeps, workouts and journal")
    func others() throws {
        let files = [
            "sleeps.csv": """
            Cycle start time,Cycle end time,Cycle timezone,Sleep onset,Wake onset,Sleep performance %,Respiratory rate (rpm),Asleep duration (min),In bed duration (min),Light sleep duration (min),Deep (SWS) duration (min),REM duration (min),Awake duration (min),Sleep need (min),Sleep debt (min),Sleep efficiency %,Nap
            2024-05-01 00:30:00,,UTC+02:00,2024-05-01 00:40:00,2024-05-01 07:05:00,88,14.2,380,400,230,92,58,20,491,45,91.9,false
            2024-05-01 00:30:00,,UTC+02:00,2024-05-01 14:00:00,2024-05-01 14:40:00,88,15.5,30,40,30,0,0,10,491,45,91.9,true
            """,
            "workouts.csv": """
            Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Duration (min),Activity name,Activity Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm),HR Zone 1 %,HR Zone 2 %,HR Zone 3 %,HR Zone 4 %,HR Zone 5 %,GPS enabled,Distance (meters),Altitude gain (meters)
            2024-05-01 00:30:00,,UTC+02:00,2024-05-01 18:00:00,2024-05-01 18:30:00,30,Running,12.1,310,171,150,10,20,30,40,0,true,5000,25
            """,
            "journal_entries.csv": """
            Cycle start time,Cycle end time,Cycle timezone,Question text,Answered yes,Notes
            2024-05-01 00:30:00,,UTC+02:00,Have any alcoholic drinks?,true,two beers
            """,
        ]
        let folder = try ArchiveFolder(files.mapValues { Array($0.utf8) })
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.skips.map(\.reason) == [])
        let sleep = try folder.samples("SleepAnalysis")
        #expect(sleep.map(\.value) == [1, 0, 1, 0])
        #expect(sleep.map { $0.end - $0.start } == [22_800, 23_100, 1_800, 2_400])
        #expect(try folder.samples("RespiratoryRate").map(\.value) == [15.5])
        guard case .workout(let body) = try #require(try folder.workouts().first).body else { return }
        #expect(body.activityType == 37 && body.totalDistance?.value == 5_000 && body.totalEnergyBurned?.value == 310)
        #expect(report.irregularities["journal entry, left out"] == 1)
    }
}
