/// Units as people write them, such as `bpm`, `lbs`, `km/h` or `°C`.
extension UnitExpression {
    /// Reads HealthKit's unit string, or what people write for a unit of a type.
    ///
    /// - Parameter type: The type whose unit it is, if that is known: `mmol/L` is a unit of blood glucose only.
    /// - Throws: ``UnitParsingError``, about the unit as it was written.
    package init(words text: String, of type: TypeDescription? = nil) throws(UnitParsingError) {
        do {
            let unit = try UnitExpression(parsing: Self.molar(text, of: type) ?? text)
            self = unit
        } catch {
            guard let unit = Self.habit(text) else { throw error }
            self = unit
        }
    }

    /// Moles of glucose have a mass.
    private static func molar(_ text: String, of type: TypeDescription?) -> String? {
        guard type == nil || type?.identifier == "HKQuantityTypeIdentifierBloodGlucose" else { return nil }
        let parts = text.lowercased().split(separator: "/")
        guard parts.count == 2,
            let prefix = ["mmol": "m", "µmol": "mc", "umol": "mc"][String(parts[0])]
        else { return nil }
        return "\(prefix)mol<\(glucoseMolarMass)>/\(parts[1] == "dl" ? "dL" : "L")"
    }

    /// Grams per mole, as in HealthKit's constant.
    static let glucoseMolarMass = "180.15588000005408"

    private static func habit(_ text: String) -> UnitExpression? {
        let written = text.lowercased().filter { $0 != " " && $0 != "." }
        if let whole = habits[written] { return try? UnitExpression(parsing: whole) }
        let factors = text.split(separator: "/", omittingEmptySubsequences: false).map { word -> String in
            let factor = word.filter { $0 != " " }
            if (try? UnitExpression(parsing: factor)) != nil { return factor }
            return habits[factor.lowercased()] ?? factor
        }
        return try? UnitExpression(parsing: factors.joined(separator: "/"))
    }

    /// HealthKit's strings by what people write, in lowercase without spaces and periods.
    private static let habits: [String: String] = {
        var habits: [String: String] = [:]
        for (unit, others) in words {
            for word in [unit.lowercased()] + others.split(separator: " ").map(String.init) { habits[word] = unit }
        }
        // Molar units and those that differ by case only.
        for unit in ["mg/dL", "mmol/L", "mL", "kJ", "kPa", "Hz"] { habits[unit.lowercased()] = unit }
        return habits
    }()
}
