extension BuiltInMappings {
    /// The CSV files of Withings' “Download my data”. The names of columns are those of the English, German and Spanish
    /// files; files with the same columns differ in their names, which aren't translated.
    static let withings: String = {
        let source = #""source": "Withings", "identifier": "withings.export", "decimal": ".""#
        let date =
            #""time": {"column": ["Date", "Datum", "Fecha"], "format": ["iso8601", "yyyy-MM-dd H:mm 'Uhr'", "yyyy-MM-dd h:mm a"]}"#
        let comment = #""leftOut": {"comment": ["Comments", "Kommentare", "Comentarios"]}"#
        func raw(_ files: String, _ sample: String) -> String {
            """
            {\(source), "files": [\(files)], "requires": ["start", "duration", "value"], "time": "start",
             "duration": {"column": "duration"}, "samples": [{\(sample), "column": "value"}]}
            """
        }
        func total(_ file: String, _ sample: String) -> String {
            """
            {\(source), "files": ["\(file)"], "requires": ["date", "value"], "time": "date",
             "duration": {"value": 1, "unit": "d"}, "samples": [{\(sample), "column": "value", "total": true}]}
            """
        }
        func weight(_ unit: String) -> String {
            let (weight, fat) = (
                #"["Weight (\#(unit))", "Gewicht (\#(unit))", "Peso (\#(unit))"]"#,
                #"["Fat mass (\#(unit))", "Fettmasse (\#(unit))", "Masa grasa (\#(unit))"]"#
            )
            return """
                {\(source), "requires": [["Date", "Datum", "Fecha"], \(weight), \(fat)], \(date), "samples": [
                  {"type": "bodyMass", "column": \(weight), "unit": "\(unit)"},
                  {"type": "bodyFatPercentage", "column": \(fat), "divideBy": \(weight), "factor": 100, "unit": "%"}],
                 "leftOut": {
                  "bone mass": ["Bone mass (\(unit))", "Knochenmasse (\(unit))"],
                  "muscle mass": ["Muscle mass (\(unit))", "Muskelmasse (\(unit))"],
                  "hydration": ["Hydration (\(unit))", "Wasseranteil (\(unit))"],
                  "comment": ["Comments", "Kommentare", "Comentarios"]}}
                """
        }
        let mappings = [
            weight("kg"), weight("lb"),
            """
            {\(source), "requires": [["Date", "Datum", "Fecha"], ["Systolic", "Systole", "Systolisch"],
              ["Diastolic", "Diastole", "Diastolisch"]], \(date), "samples": [
              {"type": "bloodPressure", "systolic": {"column": ["Systolic", "Systole", "Systolisch"]},
               "diastolic": {"column": ["Diastolic", "Diastole", "Diastolisch"]}},
              {"type": "heartRate", "column": ["Heart rate", "Herzfrequenz"]}], \(comment)}
            """,
            """
            {\(source), "files": ["height.csv"], "requires": [["Date", "Datum", "Fecha"],
              ["Height (m)", "Grösse (m)", "Größe (m)"]], \(date), "samples": [
              {"type": "height", "column": ["Height (m)", "Grösse (m)", "Größe (m)"], "unit": "m"}], \(comment)}
            """,
            """
            {\(source), "requires": [["from", "von", "de"], ["to", "bis", "a"], ["light (s)", "leicht (s)", "ligero (s)"],
              ["deep (s)", "tief (s)", "profundo (s)"]], "time": {"column": ["from", "von", "de"]},
             "end": {"column": ["to", "bis", "a"]}, "samples": [
              {"type": "sleepAnalysis", "value": "inBed"},
              {"type": "sleepAnalysis", "value": "asleepUnspecified", "total": true}],
             "leftOut": {"sum of a sleep stage": ["light (s)", "leicht (s)", "ligero (s)"],
              "heart rate of a night": ["Average heart rate"], "snoring": ["Snoring (s)"]}}
            """,
            """
            {\(source), "requires": [["from", "von", "de"], ["to", "bis", "a"],
              ["Activity type", "Type d'activité", "Aktivitätstyp"], ["Data", "Daten", "Données"]],
             "time": {"column": ["from", "von", "de"], "zone": {"column": ["Timezone", "Zeitzone"]}},
             "end": {"column": ["to", "bis", "a"], "zone": {"column": ["Timezone", "Zeitzone"]}}, "samples": [
              {"type": "workout", "total": true,
               "activity": {"column": ["Activity type", "Type d'activité", "Aktivitätstyp"]},
               "energy": {"column": ["Data", "Daten", "Données"], "member": "calories", "unit": "kcal"},
               "distance": {"column": ["Data", "Daten", "Données"], "member": "distance", "unit": "m"},
               "averageHeartRate": {"column": ["Data", "Daten", "Données"], "member": "hr_average"},
               "maximumHeartRate": {"column": ["Data", "Daten", "Données"], "member": "hr_max"}}]}
            """,
            raw(#""raw_tracker_steps.csv""#, #""type": "stepCount""#),
            raw(#""raw_tracker_distance.csv""#, #""type": "distanceWalkingRunning", "unit": "m""#),
            raw(#""raw_tracker_calories-earned.csv""#, #""type": "activeEnergyBurned", "unit": "kcal""#),
            raw(#""raw_*_hr.csv""#, #""type": "heartRate""#),
            raw(#""raw_*_respiratory-rate.csv""#, #""type": "respiratoryRate""#),
            raw(#""raw_spo2*_spo2.csv""#, #""type": "oxygenSaturation", "unit": "%""#),
            raw(#""raw_blood_glucose_*.csv""#, #""type": "bloodGlucose", "unit": "mg/dL""#),
            raw(
                #""raw_*_sleep-state.csv""#,
                #""type": "sleepAnalysis", "values": {"0": "awake", "1": "asleepCore", "2": "asleepDeep", "3": "asleepREM"}"#
            ),
            """
            {\(source), "files": ["manual_spo2.csv"], "requires": ["date", "value"], "time": "date",
             "samples": [{"type": "oxygenSaturation", "column": "value", "unit": "%"}]}
            """,
            total("aggregates_steps.csv", #""type": "stepCount""#),
            total("aggregates_distance.csv", #""type": "distanceWalkingRunning", "unit": "m""#),
            total("aggregates_calories_earned.csv", #""type": "activeEnergyBurned", "unit": "kcal""#),
        ]
        return "[" + mappings.joined(separator: ",\n") + "]"
    }()
}
