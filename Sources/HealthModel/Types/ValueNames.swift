/// The names of category values and workout activities in source code, such as `asleepDeep` or `running`.
package enum ValueNames {
    /// The name of a category value, such as `asleepDeep`, or `nil` if the type's values have no names.
    package static func name(of value: Int, of type: TypeDescription) -> String? {
        guard let enumeration = type.categoryEnumeration, enumeration != "HKCategoryValue",
            let text = CategoryValueNames.name(of: value, in: enumeration), text.hasPrefix(enumeration)
        else { return nil }
        return lowered(text.dropFirst(enumeration.count))
    }

    /// The name of a workout activity, such as `running`, or `nil` if it is unknown to this version.
    package static func activity(_ value: UInt) -> String? {
        WorkoutActivityNames.name(of: value).map { lowered($0.dropFirst("HKWorkoutActivityType".count)) }
    }

    /// The name of a workout event, such as `lap`, or `nil` if it is unknown to this version.
    package static func event(_ value: Int) -> String? {
        WorkoutEventNames.name(of: value).map { lowered($0.dropFirst("HKWorkoutEventType".count)) }
    }

    private static func lowered(_ name: Substring) -> String {
        name.prefix(1).lowercased() + name.dropFirst()
    }
}

/// The names of category values in archives. They are English in every locale.
package enum CategoryValueNames {
    /// Raw values by enumeration and name, including older spellings.
    private static let names: [String: [String: Int]] = [
        "HKCategoryValue": ["NotApplicable": 0],
        "HKCategoryValueAppetiteChanges": ["Unspecified": 0, "NoChange": 1, "Decreased": 2, "Increased": 3],
        "HKCategoryValueAppleStandHour": ["Stood": 0, "Idle": 1],
        "HKCategoryValueAppleWalkingSteadinessEvent": [
            "InitialLow": 1, "InitialVeryLow": 2, "RepeatLow": 3, "RepeatVeryLow": 4,
        ],
        "HKCategoryValueAudioExposureEvent": ["LoudEnvironment": 1],
        "HKCategoryValueCervicalMucusQuality": ["Dry": 1, "Sticky": 2, "Creamy": 3, "Watery": 4, "EggWhite": 5],
        "HKCategoryValueContraceptive": [
            "Unspecified": 1, "Implant": 2, "Injection": 3, "IntrauterineDevice": 4, "IntravaginalRing": 5,
            "Oral": 6, "Patch": 7,
        ],
        "HKCategoryValueEnvironmentalAudioExposureEvent": ["MomentaryLimit": 1],
        "HKCategoryValueHeadphoneAudioExposureEvent": ["SevenDayLimit": 1],
        "HKCategoryValueLowCardioFitnessEvent": ["LowFitness": 1],
        "HKCategoryValueMenopausalState": ["Menopause": 1, "Perimenopause": 2, "None": 3],
        "HKCategoryValueMenstrualFlow": ["Unspecified": 1, "Light": 2, "Medium": 3, "Heavy": 4, "None": 5],
        "HKCategoryValueOvulationTestResult": [
            "Negative": 1, "LuteinizingHormoneSurge": 2, "Positive": 2, "Indeterminate": 3, "EstrogenSurge": 4,
        ],
        "HKCategoryValuePregnancyTestResult": ["Negative": 1, "Positive": 2, "Indeterminate": 3],
        "HKCategoryValuePresence": ["Present": 0, "NotPresent": 1],
        "HKCategoryValueProgesteroneTestResult": ["Negative": 1, "Positive": 2, "Indeterminate": 3],
        "HKCategoryValueSeverity": ["Unspecified": 0, "NotPresent": 1, "Mild": 2, "Moderate": 3, "Severe": 4],
        "HKCategoryValueSleepAnalysis": [
            "InBed": 0, "AsleepUnspecified": 1, "Asleep": 1, "Awake": 2, "AsleepCore": 3, "AsleepDeep": 4,
            "AsleepREM": 5,
        ],
        "HKCategoryValueVaginalBleeding": ["Unspecified": 1, "Light": 2, "Medium": 3, "Heavy": 4, "None": 5],
    ]

    /// Enumerations whose names appear in older or newer archives for the same types.
    private static let relatives: [String: [String]] = [
        "HKCategoryValueVaginalBleeding": ["HKCategoryValueMenstrualFlow"],
        "HKCategoryValueMenstrualFlow": ["HKCategoryValueVaginalBleeding"],
        "HKCategoryValueAudioExposureEvent": ["HKCategoryValueEnvironmentalAudioExposureEvent"],
        "HKCategoryValueEnvironmentalAudioExposureEvent": ["HKCategoryValueAudioExposureEvent"],
    ]

    private static let byEnumeration: [String: [String: Int]] = names.mapValuesWithKeys { enumeration, cases in
        Dictionary(uniqueKeysWithValues: cases.map { (enumeration + $0.key, $0.value) })
    }

    private static let all: [String: Int] = byEnumeration.values.reduce(into: [:]) { all, cases in
        all.merge(cases) { first, _ in first }
    }

    /// The raw value with a name in an enumeration, or `nil` if the enumeration has no such name.
    package static func rawValue(of name: String, in enumeration: String) -> Int? {
        if let value = byEnumeration[enumeration]?[name] { return value }
        for relative in relatives[enumeration] ?? [] {
            if let value = byEnumeration[relative]?[name] { return value }
        }
        // Types without an enumeration of their own use this name or the name of their only case.
        return name == "HKCategoryValueNotApplicable" && enumeration == "HKCategoryValue" ? 0 : nil
    }

    /// The raw value with a name in any enumeration.
    package static func rawValue(of name: String) -> Int? { all[name] }

    /// The name of a raw value in its newest spelling, or `nil` if the enumeration has no such value.
    package static func name(of value: Int, in enumeration: String) -> String? {
        let older: Set<String> = ["HKCategoryValueSleepAnalysisAsleep", "HKCategoryValueOvulationTestResultPositive"]
        return byEnumeration[enumeration]?.filter { $0.value == value && !older.contains($0.key) }.keys.first
    }
}

extension Dictionary {
    fileprivate func mapValuesWithKeys<Result>(_ transform: (Key, Value) -> Result) -> [Key: Result] {
        Dictionary<Key, Result>(uniqueKeysWithValues: map { ($0.key, transform($0.key, $0.value)) })
    }
}

/// The names of workout activities in archives, `HKWorkoutActivityType…`, and their raw values.
package enum WorkoutActivityNames {
    private static let prefix = "HKWorkoutActivityType"

    /// The raw value of a name or a numeral.
    package static func rawValue(of text: String) -> UInt? {
        if let number = UInt(text) { return number }
        guard text.hasPrefix(prefix) else { return nil }
        return values[String(text.dropFirst(prefix.count))]
    }

    /// The name of a raw value, or `nil` if it is unknown to this version.
    package static func name(of value: UInt) -> String? { names[value].map { prefix + $0 } }

    private static let values: [String: UInt] = [
        "AmericanFootball": 1, "Archery": 2, "AustralianFootball": 3, "Badminton": 4, "Baseball": 5, "Basketball": 6,
        "Bowling": 7, "Boxing": 8, "Climbing": 9, "Cricket": 10, "CrossTraining": 11, "Curling": 12, "Cycling": 13,
        "Dance": 14, "DanceInspiredTraining": 15, "Elliptical": 16, "EquestrianSports": 17, "Fencing": 18,
        "Fishing": 19, "FunctionalStrengthTraining": 20, "Golf": 21, "Gymnastics": 22, "Handball": 23, "Hiking": 24,
        "Hockey": 25, "Hunting": 26, "Lacrosse": 27, "MartialArts": 28, "MindAndBody": 29,
        "MixedMetabolicCardioTraining": 30, "PaddleSports": 31, "Play": 32, "PreparationAndRecovery": 33,
        "Racquetball": 34, "Rowing": 35, "Rugby": 36, "Running": 37, "Sailing": 38, "SkatingSports": 39,
        "SnowSports": 40, "Soccer": 41, "Softball": 42, "Squash": 43, "StairClimbing": 44, "SurfingSports": 45,
        "Swimming": 46, "TableTennis": 47, "Tennis": 48, "TrackAndField": 49, "TraditionalStrengthTraining": 50,
        "Volleyball": 51, "Walking": 52, "WaterFitness": 53, "WaterPolo": 54, "WaterSports": 55, "Wrestling": 56,
        "Yoga": 57, "Barre": 58, "CoreTraining": 59, "CrossCountrySkiing": 60, "DownhillSkiing": 61, "Flexibility": 62,
        "HighIntensityIntervalTraining": 63, "JumpRope": 64, "Kickboxing": 65, "Pilates": 66, "Snowboarding": 67,
        "Stairs": 68, "StepTraining": 69, "WheelchairWalkPace": 70, "WheelchairRunPace": 71, "TaiChi": 72,
        "MixedCardio": 73, "HandCycling": 74, "DiscSports": 75, "FitnessGaming": 76, "CardioDance": 77,
        "SocialDance": 78, "Pickleball": 79, "Cooldown": 80, "SwimBikeRun": 82, "Transition": 83,
        "UnderwaterDiving": 84, "Other": 3000,
    ]

    private static let names: [UInt: String] = Dictionary(uniqueKeysWithValues: values.map { ($0.value, $0.key) })
}

/// The names of workout events in archives, `HKWorkoutEventType…`, and their raw values.
package enum WorkoutEventNames {
    private static let prefix = "HKWorkoutEventType"
    private static let names = [
        "Pause", "Resume", "Lap", "Marker", "MotionPaused", "MotionResumed", "Segment", "PauseOrResumeRequest",
    ]

    /// The raw value of a name or a numeral.
    package static func rawValue(of text: String) -> Int? {
        if let number = Int(text) { return number }
        guard text.hasPrefix(prefix) else { return nil }
        return names.firstIndex(of: String(text.dropFirst(prefix.count))).map { $0 + 1 }
    }

    /// The name of a raw value, or `nil` if it is unknown to this version.
    package static func name(of value: Int) -> String? {
        names.indices.contains(value - 1) ? prefix + names[value - 1] : nil
    }
}
