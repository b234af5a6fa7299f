import HealthKit

/// Category values in words: what the framework's enumerations call them.
enum CategoryValueName {
    private static let names: [String: @Sendable (Int) -> String?] = [
        "HKCategoryValueAppetiteChanges": cases(HKCategoryValueAppetiteChanges.self),
        "HKCategoryValueAppleStandHour": cases(HKCategoryValueAppleStandHour.self),
        "HKCategoryValueAppleWalkingSteadinessEvent": cases(HKCategoryValueAppleWalkingSteadinessEvent.self),
        "HKCategoryValueAudioExposureEvent": cases(HKCategoryValueAudioExposureEvent.self),
        "HKCategoryValueCervicalMucusQuality": cases(HKCategoryValueCervicalMucusQuality.self),
        "HKCategoryValueContraceptive": cases(HKCategoryValueContraceptive.self),
        "HKCategoryValueEnvironmentalAudioExposureEvent": cases(HKCategoryValueEnvironmentalAudioExposureEvent.self),
        "HKCategoryValueHeadphoneAudioExposureEvent": cases(HKCategoryValueHeadphoneAudioExposureEvent.self),
        "HKCategoryValueLowCardioFitnessEvent": cases(HKCategoryValueLowCardioFitnessEvent.self),
        "HKCategoryValueOvulationTestResult": cases(HKCategoryValueOvulationTestResult.self),
        "HKCategoryValuePregnancyTestResult": cases(HKCategoryValuePregnancyTestResult.self),
        "HKCategoryValuePresence": cases(HKCategoryValuePresence.self),
        "HKCategoryValueProgesteroneTestResult": cases(HKCategoryValueProgesteroneTestResult.self),
        "HKCategoryValueSeverity": cases(HKCategoryValueSeverity.self),
        "HKCategoryValueSleepAnalysis": cases(HKCategoryValueSleepAnalysis.self),
        "HKCategoryValueVaginalBleeding": cases(HKCategoryValueVaginalBleeding.self),
    ]

    private static func cases<Value: RawRepresentable<Int>>(_ type: Value.Type) -> @Sendable (Int) -> String? {
        { Value(rawValue: $0).map { "\($0)" } }
    }

    /// The case's name, such as `asleepDeep`; `nil` where the type has no names.
    static func identifier(_ value: Int, enumeration: String?) -> String? {
        names[enumeration ?? ""]?(value)
    }

    /// The value in words, such as `asleep deep`; a number where it has no name.
    static func text(_ value: Int, enumeration: String?) -> String {
        if enumeration == "HKCategoryValue" { return "–" }
        return identifier(value, enumeration: enumeration).map(words) ?? "\(value)"
    }

    /// `asleepREM` as `asleep REM`, `americanFootball` as `american football`.
    static func words(_ name: String) -> String {
        var words = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let isStart = letter.isUppercase && index > 0 && !letters[index - 1].isUppercase
            // Abbreviations stay in capitals.
            let isAbbreviation = letter.isUppercase && (index + 1 == letters.count || letters[index + 1].isUppercase)
            let isWithin = letter.isUppercase && index > 0 && letters[index - 1].isUppercase
            words += (isStart ? " " : "") + (isAbbreviation || isWithin ? String(letter) : letter.lowercased())
        }
        return words
    }
}
