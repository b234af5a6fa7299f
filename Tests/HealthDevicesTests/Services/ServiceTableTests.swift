import Testing

@testable import HealthDevices

@Suite("Every column of the tables of Withings, WHOOP and Omron")
struct ServiceTableTests {
    // MARK: - Withings

    static let withings: [ImportCase] = [
        ImportCase(
            "weights in pounds", "weight.csv",
            """
            Date,"Weight (lb)","Fat mass (lb)","Bone mass (lb)","Muscle mass (lb)","Hydration (lb)",Comments
            "2024-05-01 07:12:33",180,45,6.8,120,90,"after ""the"" run"
            """,
            ["BodyMass 180 lb 2024-05-01T05:12:33Z", "BodyFatPercentage 0.25 % 2024-05-01T05:12:33Z"],
            leftOut: ["bone mass": 1, "muscle mass": 1, "hydration": 1, "comment": 1]),
        ImportCase(
            "weights in German, with the time as the application writes it", "weight.csv",
            """
            Datum,"Gewicht (kg)","Fettmasse (kg)","Knochenmasse (kg)","Muskelmasse (kg)","Wasseranteil (kg)",Kommentare
            "2024-01-15 6:04 Uhr",80,20,3,50,40,nüchtern
            """,
            ["BodyMass 80 kg 2024-01-15T05:04:00Z", "BodyFatPercentage 0.25 % 2024-01-15T05:04:00Z"],
            leftOut: ["bone mass": 1, "muscle mass": 1, "hydration": 1, "comment": 1]),
        ImportCase(
            "weights in Spanish, in the evening, and without a mass of fat", "weight.csv",
            """
            Fecha,"Peso (kg)","Masa grasa (kg)",Comentarios
            "2024-05-01 7:12 PM",80,,
            """,
            ["BodyMass 80 kg 2024-05-01T17:12:00Z"]),
        ImportCase(
            "a row without a number, and one without a date", "weight.csv",
            """
            Date,"Weight (kg)","Fat mass (kg)",Comments
            2024-05-01 07:12:33,heavy,,
            yesterday,80,,
            2024-05-02 07:12:33,81,,
            """,
            ["BodyMass 81 kg 2024-05-02T05:12:33Z"], skippedLines: [2, 3]),
        ImportCase(
            "blood pressure in German with its pulse", "bp.csv",
            """
            Datum,Herzfrequenz,Systolisch,Diastolisch,Kommentare
            "2024-05-01 08:30:00",61,121,78,
            "2024-05-02 08:30:00",,118,,
            """,
            [
                "BloodPressure 2024-05-01T06:30:00Z", "BloodPressureSystolic 121 mmHg 2024-05-01T06:30:00Z",
                "BloodPressureDiastolic 78 mmHg 2024-05-01T06:30:00Z", "HeartRate 61 count/min 2024-05-01T06:30:00Z",
            ]),
        ImportCase(
            "height in Swiss German", "height.csv", "Datum,\"Grösse (m)\",Kommentare\n\"2024-01-01 08:00:00\",1.8,\n",
            ["Height 1.8 m 2024-01-01T07:00:00Z"]),
        ImportCase(
            "nights, whose stages are sums", "sleep.csv",
            """
            von,bis,"leicht (s)","tief (s)","rem (s)","wach (s)",Average heart rate,Snoring (s)
            2024-03-30T23:00:00+01:00,2024-03-31T07:00:00+02:00,14400,7200,3600,1800,52,10
            """,
            [
                "SleepAnalysis 0 2024-03-30T22:00:00Z +25200", "SleepAnalysis 1 2024-03-30T22:00:00Z +25200",
            ], leftOut: ["sum of a sleep stage": 1, "heart rate of a night": 1, "snoring": 1]),
        ImportCase(
            "an activity in German, with local times and their zone", "activities.csv",
            """
            von,bis,Zeitzone,Aktivitätstyp,Daten
            2024-05-01 18:00:00,2024-05-01 18:45:00,America/New_York,Laufen,"{""calories"":410,""distance"":6200,""hr_average"":140,""hr_max"":171}"
            2024-05-02 18:00:00,2024-05-02 18:00:00,America/New_York,Laufen,{}
            """,
            [
                "Workout 2024-05-01T22:00:00Z +2700 activity 37 for 2700 410 kcal 6200 m HeartRate average 140 maximum 171"
            ], leftOut: ["workout without a length": 1]),
        ImportCase(
            "steps, of which a list is one sample for each part", "raw_tracker_steps.csv",
            "start,duration,value\n2024-05-01T09:00:00+02:00,\"[60,120]\",\"[100,0]\"\n",
            ["StepCount 100 count 2024-05-01T07:00:00Z +60", "StepCount 0 count 2024-05-01T07:01:00Z +120"]),
        ImportCase(
            "distance", "raw_tracker_distance.csv", "start,duration,value\n2024-05-01T09:00:00+02:00,[60],[82.5]\n",
            ["DistanceWalkingRunning 82.5 m 2024-05-01T07:00:00Z +60"]),
        ImportCase(
            "energy", "raw_tracker_calories-earned.csv",
            "start,duration,value\n2024-05-01T09:00:00+02:00,[60],[4.5]\n",
            ["ActiveEnergyBurned 4.5 kcal 2024-05-01T07:00:00Z +60"]),
        ImportCase(
            "heart rates of the mat", "raw_bed_hr.csv", "start,duration,value\n2024-05-01T09:00:00+02:00,[60],[52]\n",
            ["HeartRate 52 count/min 2024-05-01T07:00:00Z +60"]),
        ImportCase(
            "breaths", "raw_bed_respiratory-rate.csv",
            "start,duration,value\n2024-05-01T09:00:00+02:00,[60],[14]\n",
            ["RespiratoryRate 14 count/min 2024-05-01T07:00:00Z +60"]),
        ImportCase(
            "oxygen", "raw_spo2_auto_spo2.csv", "start,duration,value\n2024-05-01T09:00:00+02:00,[0],[97]\n",
            ["OxygenSaturation 0.97 % 2024-05-01T07:00:00Z"]),
        ImportCase(
            "glucose", "raw_blood_glucose_manual.csv",
            "start,duration,value\n2024-05-01T09:00:00+02:00,[0],[105]\n",
            ["BloodGlucose 105 mg/dL 2024-05-01T07:00:00Z"]),
        ImportCase(
            "stages of sleep, of which equal neighbors are one", "raw_bed_sleep-state.csv",
            "start,duration,value\n2024-04-30T23:00:00+02:00,\"[600,600,600,600,600]\",\"[0,1,1,2,3]\"\n",
            [
                "SleepAnalysis 2 2024-04-30T21:00:00Z +600", "SleepAnalysis 3 2024-04-30T21:10:00Z +1200",
                "SleepAnalysis 4 2024-04-30T21:30:00Z +600", "SleepAnalysis 5 2024-04-30T21:40:00Z +600",
            ]),
        ImportCase(
            "lists of different lengths", "raw_tracker_steps.csv",
            "start,duration,value\n2024-05-01T09:00:00+02:00,\"[60,60]\",[100]\n2024-05-01T10:00:00+02:00,[60],[7]\n",
            ["StepCount 7 count 2024-05-01T08:00:00Z +60"], skippedLines: [2]),
        ImportCase(
            "oxygen by hand", "manual_spo2.csv", "date,value\n2024-05-01 09:00:00,98\n",
            ["OxygenSaturation 0.98 % 2024-05-01T07:00:00Z"]),
        ImportCase(
            "steps of days, of 23, 24 and 25 hours", "aggregates_steps.csv",
            "date,value\n2024-03-31,4000\n2024-05-01,5000\n2024-10-27,6000\n",
            [
                "StepCount 4000 count 2024-03-30T23:00:00Z +82800", "StepCount 5000 count 2024-04-30T22:00:00Z +86400",
                "StepCount 6000 count 2024-10-26T22:00:00Z +90000",
            ]),
        ImportCase(
            "distance of days in a zone without summer time", "aggregates_distance.csv",
            "date,value\n2024-03-31,4000.5\n",
            zone: "Asia/Tokyo", ["DistanceWalkingRunning 4000.5 m 2024-03-30T15:00:00Z +86400"]),
        ImportCase(
            "energy of days", "aggregates_calories_earned.csv", "date,value\n2024-05-01,312.5\n",
            ["ActiveEnergyBurned 312.5 kcal 2024-04-30T22:00:00Z +86400"]),
        ImportCase("an empty table", "aggregates_steps.csv", "date,value\n", []),
    ]

    @Test("Withings", arguments: withings)
    func readsWithings(row: ImportCase) throws { try row.check() }

    // MARK: - WHOOP

    private static let portuguese =
        "Hora de início do ciclo,Hora de fim do ciclo,Fuso horário do ciclo,Pontuação de recuperação %,Frequência cardíaca em repouso (bpm),Variabilidade da frequência cardíaca (ms),Temp. da pele (celsius),% de oxigênio no sangue,Esforço diário,Energia queimada (cal),FC máx. (bpm),FC média (bpm),Início do sono,Início da vigília,Desempenho do sono %,Frequência respiratória (rpm),Duração do sono (min)"
    private static let sleeps = [
        "Sleep onset", "Wake onset", "Asleep duration (min)", "Light sleep duration (min)", "Nap",
    ]
    static let translated: [(language: String, columns: [String])] = [
        ("English", ["Cycle timezone"] + sleeps),
        (
            "German",
            [
                "Zeitzone des Zyklus", "Beginn des Schlafs", "Beginn des Aufwachens", "Schlafdauer (Min.)",
                "Dauer des Leichtschlafs (Min.)", "Nickerchen",
            ]
        ),
        (
            "French",
            [
                "Fuseau horaire du cycle", "Premiers signes de sommeil", "Premiers signes de réveil",
                "Durée du sommeil (min)", "Durée du sommeil léger (min)", "Sieste",
            ]
        ),
        (
            "Portuguese",
            [
                "Fuso horário do ciclo", "Início do sono", "Início da vigília", "Duração do sono (min)",
                "Duração do sono leve (min)", "Sesta",
            ]
        ),
        (
            "Spanish",
            [
                "Zona horaria del ciclo", "Inicio del sueño", "Inicio de la vigilia", "Duración del sueño (min)",
                "Duración de sueño ligero (min)", "Siesta",
            ]
        ),
    ]
    static let workouts: [(language: String, columns: [String])] = [
        (
            "English",
            [
                "Workout start time", "Workout end time", "Activity name", "Activity Strain", "Energy burned (cal)",
                "Max HR (bpm)", "Average HR (bpm)", "HR Zone 1 %",
            ]
        ),
        (
            "German",
            [
                "Startzeit des Trainings", "Endzeit des Trainings", "Name der Aktivität", "Aktivitätsbelastung",
                "Verbrannte Energie (cal)", "Max HF (Schläge pro Minute)", "Durchschnittliche HF (Schläge pro Minute)",
                "HF-Zone 1 %",
            ]
        ),
        (
            "French",
            [
                "Heure de début de l’entraînement", "Heure de fin de l’entraînement", "Nom de l’activité", "Effort",
                "Dépense énergétique (cal.)", "FC max. (bpm)", "FC moyenne (bpm)", "Zone FC 1 %",
            ]
        ),
        (
            "Portuguese",
            [
                "Hora de início do treino", "Hora de fim do treino", "Nome da atividade", "Esforço",
                "Energia queimada (cal)", "FC máx. (bpm)", "FC média (bpm)", "Zona 1 de FC %",
            ]
        ),
        (
            "Spanish",
            [
                "Hora de inicio del entrenamiento", "Hora de finalización del entrenamiento", "Nombre de la actividad",
                "Esfuerzo de actividad", "Energía quemada (cal)", "FC máx. (lpm)", "FC promedio (lpm)",
                "Zona 1 de FC %",
            ]
        ),
    ]

    static let others: [ImportCase] = [
        ImportCase(
            "cycles in Portuguese, one of them in another zone", "ciclos_fisiologicos.csv",
            """
            \(portuguese)
            2024-05-01 00:30:00,,UTC-03:00,68,52,94,33.4,96,13.2,2400,172,78,2024-05-01 00:40:00,2024-05-01 07:00:00,88,14.2,380
            2024-05-02 00:30:00,,UTCZ,,53,,,,,,,,2024-05-02 00:40:00,2024-05-02 00:40:00,,,
            """,
            [
                "RestingHeartRate 52 count/min 2024-05-01T03:40:00Z +22800",
                "HeartRateVariabilityRMSSD 94 ms 2024-05-01T03:40:00Z +22800",
                "OxygenSaturation 0.96 % 2024-05-01T03:40:00Z +22800",
                "AppleSleepingWristTemperature 33.4 degC 2024-05-01T03:40:00Z +22800",
                "RespiratoryRate 14.2 count/min 2024-05-01T03:40:00Z +22800",
                "RestingHeartRate 53 count/min 2024-05-02T00:40:00Z",
            ],
            leftOut: [
                "recovery score": 1, "strain": 1, "sleep performance": 1, "energy with that of rest": 1,
                "average heart rate of a day": 1,
            ]),
        ImportCase(
            "a cycle whose night isn’t over", "physiological_cycles.csv",
            """
            Cycle start time,Cycle timezone,Recovery score %,Resting heart rate (bpm),Sleep onset,Wake onset
            2024-05-01 00:30:00,UTC+02:00,,52,2024-05-01 00:40:00,
            2024-05-01 00:30:00,UTC+02:00,,,,
            """, [], leftOut: ["row that the mapping excludes": 1], skippedLines: [2]),
        ImportCase(
            "sleeps among the rows of other tables", "sleeps.csv",
            """
            Cycle timezone,\(sleeps.joined(separator: ",")),Workout start time
            UTC+02:00,2024-05-01 00:40:00,2024-05-01 07:05:00,380,,false,
            UTC+02:00,,,,,,2024-05-01 17:00:00
            UTC+02:00,,,,,,2024-05-02 17:00:00
            """, ["SleepAnalysis 0 2024-04-30T22:40:00Z +23100", "SleepAnalysis 1 2024-04-30T22:40:00Z +22800"],
            leftOut: ["row that the mapping excludes": 2]),
        ImportCase(
            "a journal", "journal_entries.csv",
            "Cycle start time,Cycle timezone,Question text,Answered yes\n2024-05-01 00:30:00,UTCZ,Coffee?,true\n",
            [], leftOut: ["journal entry": 1]),
    ]

    @Test("WHOOP", arguments: others)
    func readsWHOOP(row: ImportCase) throws { try row.check() }

    @Test("WHOOP’s sleeps in each language", arguments: translated)
    func readsSleeps(language: String, columns: [String]) throws {
        let row = "UTC+02:00,2024-05-01 00:40:00,2024-05-01 07:05:00,380,230,false"
        try ImportCase(
            language, "sleeps.csv", "\(columns.joined(separator: ","))\n\(row)\n",
            ["SleepAnalysis 0 2024-04-30T22:40:00Z +23100", "SleepAnalysis 1 2024-04-30T22:40:00Z +22800"],
            leftOut: ["sum of a sleep stage": 1]
        ).check()
    }

    @Test("WHOOP’s workouts in each language", arguments: workouts)
    func readsWorkouts(language: String, columns: [String]) throws {
        var leftOut = ["time in a heart rate zone": 1]
        // The name of the column isn't known in all languages.
        if columns[3] != "Effort", columns[3] != "Esforço" { leftOut["strain"] = 1 }
        let row = "2024-05-01 18:00:00,2024-05-01 18:30:00,Running,12.1,310,171,150,10"
        try ImportCase(
            language, "workouts.csv", "\(columns.joined(separator: ","))\n\(row)\n",
            [
                "ActiveEnergyBurned 310 kcal 2024-05-01T16:00:00Z +1800",
                "Workout 2024-05-01T16:00:00Z +1800 activity 37 for 1800 310 kcal HeartRate average 150 maximum 171",
            ], leftOut: leftOut
        ).check()
    }

    // MARK: - Omron

    static let american =
        "Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm),Symptoms,Consumed,TruRead,Notes\n"
    static let european = "Measurement Date,Timezone,SYS(mmHg),DIA(mmHg),Pulse(bpm),Device\n"

    private static func pressure(_ date: String, rate: String?) -> [String] {
        let lines = [
            "BloodPressure \(date)", "BloodPressureSystolic 121 mmHg \(date)", "BloodPressureDiastolic 78 mmHg \(date)",
        ]
        guard let rate else { return lines }
        return lines + ["HeartRate \(rate) count/min \(date)"]
    }

    static let dates: [(columns: String, date: String, instant: String)] = [
        (american, "Jan 12 2025,08:15", "2025-01-12T07:15:00Z"),
        (american, "Jan 12 2025,8:15 pm", "2025-01-12T19:15:00Z"),
        (american, "\"Jan 12, 2025\",12:05 am", "2025-01-11T23:05:00Z"),
        (american, "\"Jul 12, 2025\",12:05 PM", "2025-07-12T10:05:00Z"),
        (american, "12 Jan 2025,20:15", "2025-01-12T19:15:00Z"), (american, "2025-01-12,08:15", "2025-01-12T07:15:00Z"),
        (european, "2025/01/12 08:15,Asia/Tokyo", "2025-01-11T23:15:00Z"),
        (european, "2025-01-12 08:15,", "2025-01-12T07:15:00Z"),
        (european, "2025/01/12 8:15:30,UTC", "2025-01-12T08:15:30Z"),
    ]

    @Test("OMRON connect’s dates", arguments: dates)
    func readsDates(columns: String, date: String, instant: String) throws {
        try ImportCase(
            date, "omron.csv", "\(columns)\(date),121,78,60,,,,\n", Self.pressure(instant, rate: "60")
        ).check()
    }

    static let omron: [ImportCase] = [
        ImportCase(
            "what a reading has besides", "omron.csv",
            american + "Jan 12 2025,08:15,121,78,-,Headache,Aspirin,1,rested\n",
            pressure("2025-01-12T07:15:00Z", rate: nil),
            leftOut: ["symptom": 1, "medication": 1, "mark of TruRead": 1, "note": 1]),
        ImportCase(
            "readings without a zone’s column, one of them at a time that doesn’t exist", "omron.csv",
            "Measurement Date,SYS(mmHg),DIA(mmHg),Pulse(bpm)\n2025/03/30 02:30,121,78,60\n2025/13/30 02:30,1,1,1\n",
            pressure("2025-03-30T01:30:00Z", rate: "60"), skippedLines: [3]),
    ]

    @Test("OMRON connect", arguments: omron)
    func readsOmron(row: ImportCase) throws { try row.check() }
}
