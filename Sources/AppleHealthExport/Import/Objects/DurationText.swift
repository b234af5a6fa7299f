import HealthModel

/// A duration attribute with its unit attribute, in seconds.
enum DurationText {
    /// `nil` where there is no duration or its unit is none of time. Without a unit it is minutes, as
    /// archives always write them.
    static func seconds(_ element: ArchivedElement) -> Double? {
        guard let text = element["duration"], let value = NumberText.parse(text), value.isFinite else { return nil }
        let unit = element["durationUnit"] ?? "min"
        if unit == "min" { return value * 60 }
        guard let expression = try? UnitExpression(parsing: unit), let second = try? UnitExpression(parsing: "s"),
            let convert = expression.conversion(to: second)
        else { return nil }
        return convert(value)
    }
}
