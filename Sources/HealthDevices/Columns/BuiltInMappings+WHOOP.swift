extension BuiltInMappings {
    /// The CSV files of WHOOP's data export, with the names of columns in English, German, French, Portuguese and Spanish.
    static let whoop: String = {
        let source =
            #""source": "WHOOP", "identifier": "whoop.export", "device": {"manufacturer": "WHOOP"}, "decimal": ".""#
        let zone =
            #""zone": {"column": ["Cycle timezone", "Zeitzone des Zyklus", "Fuseau horaire du cycle", "Fuso horário do ciclo", "Zona horaria del ciclo"]}"#
        let cycle =
            #"["Cycle start time", "Startzeit des Zyklus", "Heure de début du cycle", "Hora de início do ciclo", "Hora de inicio del ciclo"]"#
        let onset =
            #"["Sleep onset", "Beginn des Schlafs", "Premiers signes de sommeil", "Início do sono", "Inicio del sueño"]"#
        let wake =
            #"["Wake onset", "Beginn des Aufwachens", "Premiers signes de réveil", "Início da vigília", "Inicio de la vigilia"]"#
        let recovery =
            #"["Recovery score %", "Erholungswert %", "Score de récupération %", "Pontuação de recuperação %", "Puntuación de recuperación (%)"]"#
        let strain = #"["Day Strain", "Tagesbelastung", "Effort du jour", "Esforço diário", "Esfuerzo del día"]"#
        let breaths =
            #"["Respiratory rate (rpm)", "Atemfrequenz (Atemzüge/Min.)", "Fréquence respiratoire (tr/min)", "Frequência respiratória (rpm)", "Frecuencia respiratoria (rpm)"]"#
        let asleep =
            #"["Asleep duration (min)", "Schlafdauer (Min.)", "Durée du sommeil (min)", "Duração do sono (min)", "Duración del sueño (min)"]"#
        let energy =
            #"["Energy burned (cal)", "Verbrannte Energie (cal)", "Dépense énergétique (cal.)", "Energia queimada (cal)", "Energía quemada (cal)"]"#
        let maximum =
            #"["Max HR (bpm)", "Max HF (Schläge pro Minute)", "FC max. (bpm)", "FC máx. (bpm)", "FC máx. (lpm)"]"#
        let average =
            #"["Average HR (bpm)", "Durchschnittliche HF (Schläge pro Minute)", "FC moyenne (bpm)", "FC média (bpm)", "FC promedio (lpm)"]"#
        let performance =
            #"["Sleep performance %", "Schlafleistung %", "Performance Sommeil %", "Desempenho do sono %", "Calificación del sueño (%)"]"#
        let light =
            #"["Light sleep duration (min)", "Dauer des Leichtschlafs (Min.)", "Durée du sommeil léger (min)", "Duração do sono leve (min)", "Duración de sueño ligero (min)"]"#
        let nap = #"["Nap", "Nickerchen", "Sieste", "Sesta", "Siesta"]"#
        let start =
            #"["Workout start time", "Startzeit des Trainings", "Heure de début de l'entraînement", "Hora de início do treino", "Hora de inicio del entrenamiento"]"#
        let end =
            #"["Workout end time", "Endzeit des Trainings", "Heure de fin de l'entraînement", "Hora de fim do treino", "Hora de finalización del entrenamiento"]"#
        let activity =
            #"["Activity name", "Name der Aktivität", "Nom de l'activité", "Nome da atividade", "Nombre de la actividad"]"#
        let activityStrain = #"["Activity Strain", "Aktivitätsbelastung", "Esfuerzo de actividad"]"#
        let question = #"["Question text", "Fragetext", "Texto de la pregunta"]"#
        return """
            [{\(source), "requires": [\(cycle), \(recovery)],
              "time": {"column": \(onset), \(zone)}, "end": {"column": \(wake), \(zone)}, "samples": [
               {"type": "restingHeartRate", "column": ["Resting heart rate (bpm)", "Ruheherzfrequenz (Schläge pro Minute)",
                "Fréquence cardiaque au repos (bpm)", "Frequência cardíaca em repouso (bpm)",
                "Frecuencia cardíaca en reposo (lpm)"]},
               {"type": "heartRateVariabilityRMSSD", "unit": "ms", "column": ["Heart rate variability (ms)",
                "Herzfrequenzvariabilität (ms)", "Variabilité de la fréquence cardiaque (ms)",
                "Variabilidade da frequência cardíaca (ms)", "Variabilidad de la frecuencia cardíaca (ms)"]},
               {"type": "oxygenSaturation", "unit": "%", "column": ["Blood oxygen %", "Blutsauerstoff %",
                "Niveau d'oxygène %", "% de oxigênio no sangue", "Oxígeno en sangre %"]},
               {"type": "appleSleepingWristTemperature", "unit": "degC", "column": ["Skin temp (celsius)",
                "Hauttemperatur (Celsius)", "Température cutanée (Celsius)", "Temp. da pele (celsius)",
                "Temp. cutánea (grados centígrados)"]},
               {"type": "respiratoryRate", "column": \(breaths)}],
              "leftOut": {"recovery score": \(recovery), "strain": \(strain), "sleep performance": \(performance),
               "energy with that of rest": \(energy), "average heart rate of a day": \(average)}},
             {\(source), "requires": [\(onset), \(wake), \(asleep), \(light)],
              "time": {"column": \(onset), \(zone)}, "end": {"column": \(wake), \(zone)}, "samples": [
               {"type": "sleepAnalysis", "value": "inBed"},
               {"type": "sleepAnalysis", "value": "asleepUnspecified", "duration": {"column": \(asleep), "unit": "min"}},
               {"type": "respiratoryRate", "column": \(breaths), "where": [{"column": \(nap), "is": ["true", "yes", "1"]}]}],
              "leftOut": {"sum of a sleep stage": \(light), "sleep performance": \(performance)}},
             {\(source), "requires": [\(start), \(end), \(activity)],
              "time": {"column": \(start), \(zone)}, "end": {"column": \(end), \(zone)}, "samples": [
               {"type": "workout", "activity": {"column": \(activity)},
                "energy": {"column": \(energy), "unit": "kcal"}, "averageHeartRate": {"column": \(average)},
                "maximumHeartRate": {"column": \(maximum)},
                "distance": {"column": ["Distance (meters)"], "unit": "m"},
                "elevation": {"column": ["Altitude gain (meters)"], "unit": "m"}}],
              "leftOut": {"strain": \(activityStrain), "time in a heart rate zone": ["HR Zone 1 %", "HF-Zone 1 %", "Zone FC 1 %",
               "Zona 1 de FC %", "Zona FC 1%"]}},
             {\(source), "requires": [\(cycle), \(question)], "time": {"column": \(cycle), \(zone)}, "samples": [],
              "leftOut": {"journal entry": \(question)}}]
            """
    }()
}
