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
    /// Older spellings of names.
    private static let older: [String: [String: Int]] = [
        "HKCategoryValueOvulationTestResult": ["Positive": 2], "HKCategoryValueSleepAnalysis": ["Asleep": 1],
    ]

    /// Enumerations whose names appear in older or newer archives for the same types.
    private static let relatives: [String: [String]] = [
        "HKCategoryValueVaginalBleeding": ["HKCategoryValueMenstrualFlow"],
        "HKCategoryValueMenstrualFlow": ["HKCategoryValueVaginalBleeding"],
        "HKCategoryValueAudioExposureEvent": ["HKCategoryValueEnvironmentalAudioExposureEvent"],
        "HKCategoryValueEnvironmentalAudioExposureEvent": ["HKCategoryValueAudioExposureEvent"],
    ]

    private static let byEnumeration: [String: [String: Int]] = names.reduce(into: [:]) { all, entry in
        let cases = entry.value.merging(older[entry.key] ?? [:]) { first, _ in first }
        all[entry.key] = Dictionary(uniqueKeysWithValues: cases.map { (entry.key + $0.key, $0.value) })
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
        byValue[enumeration]?[value]
    }

    private static let byValue: [String: [Int: String]] = names.reduce(into: [:]) { all, entry in
        all[entry.key] = Dictionary(uniqueKeysWithValues: entry.value.map { ($0.value, entry.key + $0.key) })
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
