import HealthModel

/// The names of metrics and symptoms, and the data types they mean.
///
/// Health Auto Export writes the words of the type's name in snake case and, for some, the words of the Health app. A
/// name in another language is unknown: the caller reports it and keeps the entries.
enum AutoExportNames {
    /// The type of a metric, such as `step_count`.
    static func type(ofMetric name: String) -> TypeDescription? {
        let words = normalized(name)
        return (metrics[words] ?? byWords[words]).flatMap { TypeCatalog.description(for: $0) }
    }

    /// The category type of a symptom or an entry of cycle tracking, such as `Headache`.
    static func category(_ name: String) -> TypeDescription? {
        let words = normalized(name)
        guard let identifier = symptoms[words] ?? byWords[words],
            let type = TypeCatalog.description(for: identifier), type.kind == .category
        else { return nil }
        return type
    }

    /// Lower-case words joined by underscores.
    static func normalized(_ name: String) -> String {
        var result = ""
        for character in name.lowercased() {
            if character.isLetter || character.isNumber {
                result.append(character)
            } else if !result.isEmpty, result.last != "_" {
                result.append("_")
            }
        }
        while result.last == "_" { result.removeLast() }
        return result
    }

    private static let quantity = "HKQuantityTypeIdentifier"
    private static let categoryPrefix = "HKCategoryTypeIdentifier"

    /// Identifiers by the words of their names, such as `step_count`; those of food also without “dietary”.
    private static let byWords: [String: String] = {
        var found: [String: String] = [:]
        for type in TypeCatalog.all where type.kind.isPaged {
            let words = snakeCase(type.shortName)
            found[words] = type.identifier
            if words.hasPrefix("dietary_"), found[String(words.dropFirst(8))] == nil {
                found[String(words.dropFirst(8))] = type.identifier
            }
            // “sleep_analysis_event” is never said; “handwashing_event” is written without its last word.
            // A measurement of the same name is not the event.
            if words.hasSuffix("_event"), found[String(words.dropLast(6))] == nil {
                found[String(words.dropLast(6))] = type.identifier
            }
        }
        return found
    }()

    /// `heartRateVariabilitySDNN` becomes `heart_rate_variability_sdnn`, `vitaminB12` becomes `vitamin_b12`.
    private static func snakeCase(_ name: String) -> String {
        var result = ""
        var previous: Character?
        for character in name {
            if character.isUppercase, previous?.isUppercase == false { result.append("_") }
            result += character.lowercased()
            previous = character
        }
        return result
    }

    /// Names that differ from the words of the identifier.
    private static let metrics: [String: String] = {
        let quantities = [
            "active_energy": "ActiveEnergyBurned", "basal_energy": "BasalEnergyBurned",
            "resting_energy": "BasalEnergyBurned", "basal_energy_burned": "BasalEnergyBurned",
            "weight_body_mass": "BodyMass", "weight": "BodyMass", "body_weight": "BodyMass", "bmi": "BodyMassIndex",
            "blood_oxygen_saturation": "OxygenSaturation", "blood_oxygen": "OxygenSaturation",
            "spo2": "OxygenSaturation", "heart_rate_variability": "HeartRateVariabilitySDNN",
            "heart_rate_variability_rmssd": "HeartRateVariabilityRMSSD",
            "cardio_recovery": "HeartRateRecoveryOneMinute", "vo2_max": "VO2Max", "vo2max": "VO2Max",
            "cardio_fitness": "VO2Max", "walking_running_distance": "DistanceWalkingRunning",
            "walking_and_running_distance": "DistanceWalkingRunning", "cycling_distance": "DistanceCycling",
            "swimming_distance": "DistanceSwimming", "swim_distance": "DistanceSwimming",
            "wheelchair_distance": "DistanceWheelchair", "distance_downhill_snow_sports": "DistanceDownhillSnowSports",
            "downhill_snow_sports_distance": "DistanceDownhillSnowSports", "rowing_distance": "DistanceRowing",
            "paddle_sports_distance": "DistancePaddleSports", "skating_sports_distance": "DistanceSkatingSports",
            "cross_country_skiing_distance": "DistanceCrossCountrySkiing", "swim_stroke": "SwimmingStrokeCount",
            "swimming_stroke_count": "SwimmingStrokeCount",
            "breathing_disturbances": "AppleSleepingBreathingDisturbances",
            "wrist_temperature": "AppleSleepingWristTemperature",
            "sleeping_wrist_temperature": "AppleSleepingWristTemperature", "exercise_time": "AppleExerciseTime",
            "stand_time": "AppleStandTime", "move_time": "AppleMoveTime", "dietary_energy": "DietaryEnergyConsumed",
            "energy_consumed": "DietaryEnergyConsumed", "water": "DietaryWater", "total_fat": "DietaryFatTotal",
            "dietary_fat": "DietaryFatTotal", "saturated_fat": "DietaryFatSaturated",
            "monounsaturated_fat": "DietaryFatMonounsaturated", "polyunsaturated_fat": "DietaryFatPolyunsaturated",
            "dietary_cholesterol": "DietaryCholesterol", "alcohol_consumption": "NumberOfAlcoholicBeverages",
            "six_minute_walking_test_distance": "SixMinuteWalkTestDistance", "stair_speed_up": "StairAscentSpeed",
            "stair_speed_down": "StairDescentSpeed", "forced_expiratory_volume_1": "ForcedExpiratoryVolume1",
            "atrial_fibrillation_burden": "AtrialFibrillationBurden", "afib_history": "AtrialFibrillationBurden",
            "time_in_daylight": "TimeInDaylight", "uv_exposure": "UVExposure", "vitamin_b6": "DietaryVitaminB6",
            "vitamin_b12": "DietaryVitaminB12", "vitamin_a": "DietaryVitaminA", "vitamin_c": "DietaryVitaminC",
            "vitamin_d": "DietaryVitaminD", "vitamin_e": "DietaryVitaminE", "vitamin_k": "DietaryVitaminK",
            "pantothenic_acid": "DietaryPantothenicAcid", "insulin": "InsulinDelivery", "falls": "NumberOfTimesFallen",
            "underwater_temperature": "WaterTemperature", "walking_step_length": "WalkingStepLength",
            "environmental_audio_exposure": "EnvironmentalAudioExposure",
            "headphone_audio_exposure": "HeadphoneAudioExposure", "running_stride_length": "RunningStrideLength",
        ]
        let categories = [
            "mindful_minutes": "MindfulSession", "handwashing": "HandwashingEvent",
            "toothbrushing": "ToothbrushingEvent",
            "sleep": "SleepAnalysis", "stand_hour": "AppleStandHour", "stand_hours": "AppleStandHour",
            "high_heart_rate_notifications": "HighHeartRateEvent", "low_heart_rate_notifications": "LowHeartRateEvent",
            "irregular_heart_rate_notifications": "IrregularHeartRhythmEvent",
        ]
        var all = quantities.mapValues { quantity + $0 }
        all.merge(categories.mapValues { categoryPrefix + $0 }) { first, _ in first }
        all["blood_pressure"] = "HKCorrelationTypeIdentifierBloodPressure"
        return all
    }()

    private static let symptoms = [
        "body_and_muscle_ache": "GeneralizedBodyAche", "body_ache": "GeneralizedBodyAche",
        "rapid_pounding_or_fluttering_heartbeat": "RapidPoundingOrFlutteringHeartbeat", "congestion": "SinusCongestion",
        "hot_flashes": "HotFlashes", "tightness_or_pain_in_chest": "ChestTightnessOrPain",
        "chest_tightness_or_pain": "ChestTightnessOrPain", "loss_of_smell": "LossOfSmell",
        "loss_of_taste": "LossOfTaste",
        "low_back_pain": "LowerBackPain", "cramps": "AbdominalCramps", "menstruation": "MenstrualFlow",
        "period": "MenstrualFlow", "menstrual_flow": "MenstrualFlow", "vaginal_bleeding": "MenstrualFlow",
        "spotting": "IntermenstrualBleeding", "intermenstrual_bleeding": "IntermenstrualBleeding",
        "cervical_mucus": "CervicalMucusQuality", "ovulation_test": "OvulationTestResult",
        "pregnancy_test": "PregnancyTestResult", "progesterone_test": "ProgesteroneTestResult",
        "contraceptives": "Contraceptive", "sleep_change": "SleepChanges", "mood_change": "MoodChanges",
        "appetite_change": "AppetiteChanges", "appetite_changes": "AppetiteChanges",
    ].mapValues { categoryPrefix + $0 }
}

extension AutoExportNames {
    /// The raw value of a category from the words of the Health app, such as `Moderate` or `Not Present`.
    static func categoryValue(_ words: String, of type: TypeDescription) -> Int? {
        guard let enumeration = type.categoryEnumeration else { return nil }
        let name = words.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
        if let value = CategoryValueNames.rawValue(of: enumeration + name, in: enumeration) { return value }
        // “luteinizingHormoneSurge” and “asleepREM” have capitals within, and presence is written for severities.
        for value in type.categoryValues ?? 0...0
        where ValueNames.name(of: value, of: type)?.lowercased() == name.lowercased() { return value }
        switch (enumeration, name.lowercased()) {
        case ("HKCategoryValueSeverity", "present"): return 0
        case ("HKCategoryValueSeverity", "none"): return 1
        default: return enumeration == "HKCategoryValue" ? 0 : nil
        }
    }

    /// The raw value of a workout's activity, from the name in the Health app.
    static func activity(_ name: String) -> UInt? {
        let words = normalized(name)
        if let known = activities[words] { return known }
        let joined = words.split(separator: "_").joined()
        return activityNames[joined] ?? activityNames[joined.replacing("training", with: "")]
    }

    private static let activityNames: [String: UInt] = {
        var found: [String: UInt] = [:]
        for value in Array(1...90) + [3000] {
            if let name = ValueNames.activity(UInt(value)) { found[name.lowercased()] = UInt(value) }
        }
        return found
    }()

    private static let activities: [String: UInt] = [
        "outdoor_run": 37, "indoor_run": 37, "run": 37, "treadmill": 37, "outdoor_walk": 52, "indoor_walk": 52,
        "walk": 52, "outdoor_cycle": 13, "indoor_cycle": 13, "outdoor_cycling": 13, "indoor_cycling": 13, "cycle": 13,
        "biking": 13, "outdoor_running": 37, "indoor_running": 37, "outdoor_walking": 52, "indoor_walking": 52,
        "pool_swim": 46, "open_water_swim": 46, "swim": 46, "pool_swimming": 46, "open_water_swimming": 46, "hiit": 63,
        "high_intensity_interval_training": 63, "strength_training": 50, "functional_training": 20, "stair_stepper": 44,
        "stair_climber": 44, "rower": 35, "indoor_rowing": 35, "mind_body": 29, "mind_and_body": 29, "multisport": 82,
        "triathlon": 82, "skiing": 61, "football": 1, "american_football": 1, "hand_cycling": 74, "water_fitness": 53,
        "wheelchair_walk": 70, "wheelchair_run": 71, "paddling": 31, "surfing": 45, "skating": 39, "cooldown": 80,
        "cool_down": 80, "diving": 84, "scuba_diving": 84, "dancing": 77, "dance": 77, "hike": 24,
    ]
}
