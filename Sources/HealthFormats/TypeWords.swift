package import HealthModel

/// What people call types where the words of the identifier are others: the names in the Health app, and common ones.
package enum TypeWords {
    /// Names by the short name of the type. Case, spaces, hyphens and the plural don't matter.
    private static let table: [(type: String, names: String)] = [
        // Activity.
        ("activeEnergyBurned", "Active Energy, Calories, Energy, Active Calories, Move, Move Ring"),
        ("basalEnergyBurned", "Resting Energy, Basal Energy, Resting Calories"),
        ("appleExerciseTime", "Exercise Minutes, Exercise, Exercise Time, Exercise Ring"),
        ("appleMoveTime", "Move Minutes, Move Time"), ("appleStandTime", "Stand Minutes, Stand Time"),
        ("appleStandHour", "Stand Hours, Stand, Standing, Stand Ring"),
        ("activitySummary", "Activity, Rings, Activity Rings"),
        ("stepCount", "Steps"), ("flightsClimbed", "Flights, Stairs, Floors, Floors Climbed, Stairs Climbed"),
        (
            "distanceWalkingRunning",
            "Walking + Running Distance, Walking and Running Distance, Distance, Walking Distance, Running Distance"
        ), ("distanceCycling", "Cycling Distance, Biking Distance"), ("distanceSwimming", "Swimming Distance"),
        ("distanceWheelchair", "Wheelchair Distance"),
        ("distanceDownhillSnowSports", "Downhill Snow Sports Distance, Skiing Distance"),
        ("distanceCrossCountrySkiing", "Cross Country Skiing Distance"),
        ("distancePaddleSports", "Paddle Sports Distance"), ("distanceRowing", "Rowing Distance"),
        ("distanceSkatingSports", "Skating Sports Distance"), ("swimmingStrokeCount", "Swimming Strokes, Strokes"),
        ("pushCount", "Pushes, Wheelchair Pushes"),
        ("vo2Max", "Cardio Fitness, VO2, VO₂ Max, Cardiorespiratory Fitness"),
        ("heartRateRecoveryOneMinute", "Cardio Recovery, Heart Rate Recovery"),
        ("cyclingFunctionalThresholdPower", "Functional Threshold Power, FTP"), ("timeInDaylight", "Daylight"),
        ("workoutEffortScore", "Effort, Workout Effort, Training Effort"),
        ("estimatedWorkoutEffortScore", "Estimated Effort, Estimated Workout Effort"),
        ("runningStrideLength", "Stride Length"), ("runningVerticalOscillation", "Vertical Oscillation"),
        ("runningGroundContactTime", "Ground Contact Time"), ("workoutRoute", "Route, GPS Route"),
        // Body and vitals.
        ("bodyMass", "Weight, Body Weight"), ("bodyMassIndex", "BMI"), ("bodyFatPercentage", "Body Fat"),
        ("waistCircumference", "Waist"), ("appleSleepingWristTemperature", "Wrist Temperature"),
        ("bodyTemperature", "Temperature"), ("basalBodyTemperature", "Basal Temperature"),
        ("oxygenSaturation", "Blood Oxygen, SpO2, Oxygen, Blood Oxygen Saturation"),
        ("respiratoryRate", "Breathing Rate, Respiration Rate"),
        ("bloodGlucose", "Blood Sugar, Glucose"), ("bloodPressure", "BP"),
        ("bloodPressureSystolic", "Systolic, Systolic Blood Pressure"),
        ("bloodPressureDiastolic", "Diastolic, Diastolic Blood Pressure"),
        // Heart.
        ("heartRate", "HR, Pulse"), ("restingHeartRate", "Resting HR, RHR, Resting Pulse"),
        ("walkingHeartRateAverage", "Walking Heart Rate, Walking Average Heart Rate"),
        ("heartRateVariabilitySDNN", "Heart Rate Variability, HRV, SDNN"), ("heartRateVariabilityRMSSD", "RMSSD"),
        ("atrialFibrillationBurden", "AFib History, AFib, Atrial Fibrillation, Atrial Fibrillation History"),
        ("electrocardiogram", "ECG, EKG, Electrocardiograms (ECG)"), ("heartbeatSeries", "Beat to Beat, Heartbeats"),
        ("highHeartRateEvent", "High Heart Rate Notifications, High Heart Rate"),
        ("lowHeartRateEvent", "Low Heart Rate Notifications, Low Heart Rate"),
        ("irregularHeartRhythmEvent", "Irregular Rhythm Notifications, Irregular Rhythm"),
        ("lowCardioFitnessEvent", "Cardio Fitness Notifications, Low Cardio Fitness Notifications"),
        ("hypertensionEvent", "Hypertension Notifications, Hypertension"),
        // Respiration and sleep.
        ("forcedExpiratoryVolume1", "Forced Expiratory Volume, Forced Expiratory Volume 1 sec, FEV1"),
        ("forcedVitalCapacity", "FVC"), ("peakExpiratoryFlowRate", "Peak Flow, Peak Expiratory Flow"),
        ("inhalerUsage", "Inhaler"),
        ("appleSleepingBreathingDisturbances", "Breathing Disturbances, Sleep Breathing Disturbances"),
        ("sleepApneaEvent", "Sleep Apnea, Sleep Apnea Notifications"),
        ("sleepAnalysis", "Sleep, Time in Bed, Time Asleep"),
        // Hearing.
        ("headphoneAudioExposure", "Headphone Audio Levels, Headphone Levels, Headphone Audio"),
        ("environmentalAudioExposure", "Environmental Sound Levels, Noise, Noise Levels, Sound Levels"),
        ("headphoneAudioExposureEvent", "Headphone Notifications"), ("audioExposureEvent", "Noise Notifications"),
        ("audiogram", "Hearing Test, Hearing"),
        // Mobility.
        ("appleWalkingSteadiness", "Walking Steadiness"),
        ("appleWalkingSteadinessEvent", "Walking Steadiness Notifications"),
        ("walkingDoubleSupportPercentage", "Double Support Time, Double Support, Walking Double Support"),
        ("walkingAsymmetryPercentage", "Walking Asymmetry, Asymmetry"), ("walkingStepLength", "Step Length"),
        ("stairAscentSpeed", "Stair Speed Up, Stair Speed: Up"), ("stairDescentSpeed", "Stair Speed Down"),
        ("sixMinuteWalkTestDistance", "Six Minute Walk, 6 Minute Walk, Six Minute Walk Distance"),
        // Nutrition; every other name without “dietary” is added below.
        ("dietaryEnergyConsumed", "Dietary Energy, Energy Consumed, Calories Eaten, Food Energy"),
        ("dietaryCarbohydrates", "Carbs"), ("dietaryFatTotal", "Total Fat, Fat, Dietary Fat"),
        ("dietaryFatSaturated", "Saturated Fat"), ("dietaryFatMonounsaturated", "Monounsaturated Fat"),
        ("dietaryFatPolyunsaturated", "Polyunsaturated Fat"), ("dietaryFiber", "Fibre"),
        ("dietarySugar", "Sugar"), ("dietarySodium", "Salt"),
        ("numberOfAlcoholicBeverages", "Alcohol Consumption, Alcohol, Alcoholic Drinks, Alcoholic Beverages"),
        // Cycle tracking.
        ("menstrualFlow", "Cycle Tracking, Period, Menstruation, Menstrual Cycle, Cycle, Flow"),
        ("intermenstrualBleeding", "Spotting"), ("persistentIntermenstrualBleeding", "Persistent Spotting"),
        ("infrequentMenstrualCycles", "Infrequent Periods"), ("irregularMenstrualCycles", "Irregular Periods"),
        ("prolongedMenstrualPeriods", "Prolonged Periods"), ("cervicalMucusQuality", "Cervical Mucus"),
        ("ovulationTestResult", "Ovulation Test, Ovulation"), ("pregnancyTestResult", "Pregnancy Test"),
        ("progesteroneTestResult", "Progesterone Test"), ("sexualActivity", "Sex"),
        // Symptoms.
        ("generalizedBodyAche", "Body and Muscle Ache, Body Ache, Muscle Ache"), ("sinusCongestion", "Congestion"),
        (
            "rapidPoundingOrFlutteringHeartbeat",
            "Rapid Pounding or Fluttering Heartbeat, Rapid Heartbeat, Fluttering Heartbeat, Palpitations"
        ), ("lowerBackPain", "Back Pain"), ("coughing", "Cough"), ("abdominalCramps", "Cramps"),
        ("chestTightnessOrPain", "Chest Pain, Chest Tightness"),
        // Other data, mind, documents.
        ("insulinDelivery", "Insulin"), ("numberOfTimesFallen", "Falls, Times Fallen"),
        ("toothbrushingEvent", "Toothbrushing, Brushing Teeth"), ("handwashingEvent", "Handwashing, Hand Washing"),
        ("uvExposure", "UV Index, UV"), ("mindfulSession", "Mindful Minutes, Mindfulness, Meditation"),
        ("stateOfMind", "Mood, Emotion"), ("medicationDoseEvent", "Medications, Medication Doses, Doses, Pills"),
        ("gad7", "Anxiety Risk, Anxiety"), ("phq9", "Depression Risk, Depression"),
        ("visionPrescription", "Vision, Eyeglass Prescription, Glasses"), ("labResultRecord", "Lab Results, Labs"),
        ("allergyRecord", "Allergies, Allergy"), ("conditionRecord", "Conditions"),
        ("immunizationRecord", "Immunizations, Vaccinations"), ("medicationRecord", "Medication Records"),
        ("procedureRecord", "Procedures"), ("vitalSignRecord", "Clinical Vitals, Vital Signs"),
        ("coverageRecord", "Insurance, Coverage"), ("clinicalNoteRecord", "Clinical Notes"),
    ]

    /// The names of all types with the short names of these, as they are compared.
    package static let all: [(name: String, type: String)] = {
        let given = table.flatMap { type, names in names.split(separator: ",").map { (name: key($0), type: type) } }
        var known = Set(given.map(\.name))
        let nutrients = TypeCatalog.all.map(\.shortName).filter { $0.hasPrefix("dietary") }.map {
            (name: key($0.dropFirst("dietary".count)), type: $0)
        }
        return given + nutrients.filter { known.insert($0.name).inserted }
    }()

    private static let types = Dictionary(all.map { ($0.name, $0.type) }) { first, _ in first }
    private static let shortNames = Dictionary(TypeCatalog.all.map { (key($0.shortName), $0) }) { first, _ in first }

    /// The type that people call so, or whose short name it is in another spelling.
    package static func type(called name: String) -> TypeDescription? {
        let key = key(name)
        return shortNames[key] ?? types[key].flatMap { shortNames[Self.key($0)] }
    }

    /// The letters and digits of a name in lowercase, its words in the singular.
    package static func key(_ name: some StringProtocol) -> String {
        var name = name.lowercased()
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            name = String(name.map { $0.isLetter || $0.isNumber ? $0 : " " })
        }
        // In bytes, because a command compares its argument with all names before it does anything else.
        return name.utf8.split { byte in
            byte < 0x80
                && !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
        }.reduce(into: "") { $0 += singular(Substring($1)) }
    }

    /// The words of a name in lowercase and the singular: `stepCount`, `step-count` and `Step counts` have the same.
    package static func words(of name: some StringProtocol) -> Set<String> {
        var (words, wasUppercase) = ([""], false)
        for letter in name {
            let isWord = letter.isLetter || letter.isNumber
            // Abbreviations are one word.
            if !isWord || letter.isUppercase && !wasUppercase { words.append("") }
            if isWord { words[words.count - 1] += letter.lowercased() }
            wasUppercase = letter.isUppercase
        }
        return Set(words.filter { !$0.isEmpty }.map { String(singular($0[...])) })
    }

    /// A word without the s of the plural.
    private static func singular(_ word: Substring) -> Substring {
        let bytes = word.utf8
        let isPlural = bytes.count > 3 && bytes.last == UInt8(ascii: "s") && bytes.dropLast().last != UInt8(ascii: "s")
        return isPlural ? word.dropLast() : word
    }
}
