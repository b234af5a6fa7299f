/// Names of category values and workout activities as programs write them: `asleepDeep`, `running`.
public enum ValueNames {
    /// The case's name, such as `asleepDeep`; `nil` where the type's values have none.
    public static func name(of value: Int, of type: TypeDescription) -> String? {
        guard let enumeration = type.categoryEnumeration, enumeration != "HKCategoryValue",
            let text = CategoryText.name(of: value, in: enumeration), text.hasPrefix(enumeration)
        else { return nil }
        return lowered(text.dropFirst(enumeration.count))
    }

    /// The activity's name, such as `running`; `nil` for one this version does not know.
    public static func activity(_ value: UInt) -> String? {
        WorkoutActivityText.name(of: value).map { lowered($0.dropFirst("HKWorkoutActivityType".count)) }
    }

    /// The event's name, such as `lap`; `nil` for one this version does not know.
    public static func event(_ value: Int) -> String? {
        WorkoutEventText.name(of: value).map { lowered($0.dropFirst("HKWorkoutEventType".count)) }
    }

    private static func lowered(_ name: Substring) -> String {
        name.prefix(1).lowercased() + name.dropFirst()
    }
}
