/// The numbers by which Apple's systems identify types in keyed archives.
///
/// They are the same as in the database of the Health app, and known from published queries on backups and a public
/// reader of that database, where they occur with the data they belong to. Apple doesn't publish them; types without a
/// known number are missing here. Archives of this module contain the identifier as well.
enum ArchivedTypeCodes {
    /// The number of a type; `nil` for a type whose number is not known.
    static func code(of identifier: String) -> Int? { codes[identifier] }

    /// The identifier of a type; `nil` for an unknown number.
    static func identifier(of code: Int) -> String? { identifiers[code] }

    /// All known numbers.
    static let codes: [String: Int] = {
        let groups = [("HKQuantityTypeIdentifier", quantities), ("HKCategoryTypeIdentifier", categories), ("", others)]
        var codes: [String: Int] = [:]
        for (prefix, names) in groups {
            for (code, name) in names { codes[prefix + name] = code }
        }
        return codes
    }()

    private static let identifiers = Dictionary(uniqueKeysWithValues: codes.map { ($0.value, $0.key) })

    private static let quantities: [Int: String] = [
        0: "BodyMassIndex", 1: "BodyFatPercentage", 2: "Height", 3: "BodyMass", 4: "LeanBodyMass", 5: "HeartRate",
        7: "StepCount", 8: "DistanceWalkingRunning", 9: "BasalEnergyBurned", 10: "ActiveEnergyBurned",
        12: "FlightsClimbed", 14: "OxygenSaturation", 15: "BloodGlucose", 16: "BloodPressureSystolic",
        17: "BloodPressureDiastolic", 18: "BloodAlcoholContent", 19: "PeripheralPerfusionIndex",
        20: "DietaryFatTotal", 21: "DietaryFatPolyunsaturated", 22: "DietaryFatMonounsaturated",
        23: "DietaryFatSaturated", 24: "DietaryCholesterol", 25: "DietarySodium", 26: "DietaryCarbohydrates",
        27: "DietaryFiber", 28: "DietarySugar", 29: "DietaryEnergyConsumed", 30: "DietaryProtein",
        31: "DietaryVitaminA", 32: "DietaryVitaminB6", 33: "DietaryVitaminB12", 34: "DietaryVitaminC",
        35: "DietaryVitaminD", 36: "DietaryVitaminE", 37: "DietaryVitaminK", 38: "DietaryCalcium",
        39: "DietaryIron", 40: "DietaryThiamin", 41: "DietaryRiboflavin", 42: "DietaryNiacin", 43: "DietaryFolate",
        44: "DietaryBiotin", 45: "DietaryPantothenicAcid", 46: "DietaryPhosphorus", 47: "DietaryIodine",
        48: "DietaryMagnesium", 49: "DietaryZinc", 50: "DietarySelenium", 51: "DietaryCopper",
        52: "DietaryManganese", 53: "DietaryChromium", 54: "DietaryMolybdenum", 55: "DietaryChloride",
        56: "DietaryPotassium", 57: "NumberOfTimesFallen", 58: "ElectrodermalActivity", 60: "InhalerUsage",
        61: "RespiratoryRate", 62: "BodyTemperature", 71: "ForcedVitalCapacity", 72: "ForcedExpiratoryVolume1",
        73: "PeakExpiratoryFlowRate", 75: "AppleExerciseTime", 78: "DietaryCaffeine", 83: "DistanceCycling",
        87: "DietaryWater", 89: "UVExposure", 90: "BasalBodyTemperature", 101: "PushCount", 110: "DistanceSwimming",
        111: "SwimmingStrokeCount", 113: "DistanceWheelchair", 114: "WaistCircumference", 118: "RestingHeartRate",
        124: "VO2Max", 125: "InsulinDelivery", 137: "WalkingHeartRateAverage", 138: "DistanceDownhillSnowSports",
        139: "HeartRateVariabilitySDNN", 172: "EnvironmentalAudioExposure", 173: "HeadphoneAudioExposure",
        182: "WalkingDoubleSupportPercentage", 183: "SixMinuteWalkTestDistance", 186: "AppleStandTime",
        187: "WalkingSpeed", 188: "WalkingStepLength", 194: "WalkingAsymmetryPercentage", 195: "StairAscentSpeed",
        196: "StairDescentSpeed", 248: "AtrialFibrillationBurden", 249: "AppleWalkingSteadiness",
        251: "NumberOfAlcoholicBeverages", 258: "RunningStrideLength", 259: "RunningVerticalOscillation",
        260: "RunningGroundContactTime", 266: "HeartRateRecoveryOneMinute", 269: "UnderwaterDepth",
        270: "RunningPower", 272: "EnvironmentalSoundReduction", 274: "RunningSpeed", 277: "WaterTemperature",
        279: "TimeInDaylight", 280: "CyclingPower", 281: "CyclingSpeed", 282: "CyclingCadence",
        283: "CyclingFunctionalThresholdPower", 286: "PhysicalEffort",
    ]

    private static let categories: [Int: String] = [
        63: "SleepAnalysis", 70: "AppleStandHour", 91: "CervicalMucusQuality", 92: "OvulationTestResult",
        95: "MenstrualFlow", 96: "IntermenstrualBleeding", 97: "SexualActivity", 99: "MindfulSession",
        147: "LowHeartRateEvent", 157: "AbdominalCramps", 158: "BreastPain", 159: "Bloating", 160: "Headache",
        161: "Acne", 162: "LowerBackPain", 163: "PelvicPain", 164: "MoodChanges", 165: "Constipation",
        166: "Diarrhea", 167: "Fatigue", 168: "Nausea", 169: "SleepChanges", 170: "AppetiteChanges",
        171: "HotFlashes", 178: "AudioExposureEvent", 189: "ToothbrushingEvent", 191: "Pregnancy", 192: "Lactation",
        193: "Contraceptive", 201: "RapidPoundingOrFlutteringHeartbeat", 202: "SkippedHeartbeat", 203: "Fever",
        204: "ShortnessOfBreath", 205: "ChestTightnessOrPain", 206: "Fainting", 207: "Dizziness", 220: "Vomiting",
        221: "Heartburn", 222: "Coughing", 223: "Wheezing", 224: "SoreThroat", 225: "SinusCongestion",
        226: "RunnyNose", 229: "VaginalDryness", 230: "NightSweats", 231: "Chills", 232: "HairLoss", 233: "DrySkin",
        234: "BladderIncontinence", 235: "MemoryLapse", 237: "HandwashingEvent", 240: "GeneralizedBodyAche",
        241: "LossOfSmell", 242: "LossOfTaste", 243: "PregnancyTestResult",
    ]

    private static let others: [Int: String] = [
        79: "HKWorkoutTypeIdentifier", 80: "HKCorrelationTypeIdentifierBloodPressure",
        81: "HKCorrelationTypeIdentifierFood", 102: "HKWorkoutRouteTypeIdentifier",
        144: "HKDataTypeIdentifierElectrocardiogram", 287: "HKScoredAssessmentTypeIdentifierGAD7",
        288: "HKScoredAssessmentTypeIdentifierPHQ9",
    ]
}
