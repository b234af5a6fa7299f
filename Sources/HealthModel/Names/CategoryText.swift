/// The symbolic names that archives use for category values. They are English in every locale.
public enum CategoryText {
    /// Names by enumeration, older spellings too, each with its raw value.
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

    /// Enumerations whose names older or newer archives use for the same types.
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

    /// The raw value a name stands for in this enumeration, or `nil` where it has no such name.
    public static func rawValue(of name: String, in enumeration: String) -> Int? {
        if let value = byEnumeration[enumeration]?[name] { return value }
        for relative in relatives[enumeration] ?? [] {
            if let value = byEnumeration[relative]?[name] { return value }
        }
        // Types without an enumeration of their own are written with this name or with their one case.
        return name == "HKCategoryValueNotApplicable" && enumeration == "HKCategoryValue" ? 0 : nil
    }

    /// The raw value a name stands for in whatever enumeration has it.
    public static func rawValue(of name: String) -> Int? { all[name] }

    /// The name of a raw value, the newest spelling, or `nil` where the enumeration has none.
    public static func name(of value: Int, in enumeration: String) -> String? {
        let older: Set<String> = ["HKCategoryValueSleepAnalysisAsleep", "HKCategoryValueOvulationTestResultPositive"]
        return byEnumeration[enumeration]?.filter { $0.value == value && !older.contains($0.key) }.keys.first
    }
}

extension Dictionary {
    fileprivate func mapValuesWithKeys<Result>(_ transform: (Key, Value) -> Result) -> [Key: Result] {
        Dictionary<Key, Result>(uniqueKeysWithValues: map { ($0.key, transform($0.key, $0.value)) })
    }
}
