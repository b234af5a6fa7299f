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
        let words: [(unit: String, words: String)] = [
            ("count/min", "bpm brpm rpm spm beats/min beats/minute breaths/min breaths/minute steps/min"),
            ("count", "counts times steps beats breaths strokes pushes floors flights drinks number score"),
            ("lb", "lbs pound pounds"), ("oz", "ounce ounces"), ("st", "stone stones"),
            ("kg", "kgs kilo kilos kilogram kilograms kilogramme kilogrammes"), ("g", "gram grams gramme grammes"),
            ("mg", "milligram milligrams"), ("mcg", "µg μg ug microgram micrograms"),
            ("km", "kms kilometer kilometers kilometre kilometres"), ("m", "meter meters metre metres"),
            ("cm", "cms centimeter centimeters centimetre centimetres"),
            ("mm", "millimeter millimeters millimetre millimetres"), ("mi", "mile miles"), ("ft", "foot feet"),
            ("in", "inch inches \""), ("yd", "yard yards yds"),
            ("km/hr", "kmh kph kmph"), ("mi/hr", "mph"), ("m/s", "mps"),
            ("hr", "h hrs hour hours std"), ("min", "mins minute minutes"), ("s", "sec secs second seconds"),
            ("d", "day days"), ("ms", "msec millisecond milliseconds"),
            ("degC", "°c ºc ℃ c celsius degreescelsius"), ("degF", "°f ºf ℉ f fahrenheit degreesfahrenheit"),
            ("K", "kelvin"), ("kcal", "kcals calories calorie kilocalories kilocalorie"),
            ("kJ", "kilojoule kilojoules"), ("J", "joule joules"), ("W", "watt watts"),
            ("%", "percent pct percentage"), ("L", "liter liters litre litres"),
            ("mL", "milliliter milliliters millilitre millilitres"), ("dL", "deciliter deciliters"),
            ("fl_oz_us", "floz fluidounce fluidounces"), ("cup_us", "cup cups"), ("pt_us", "pint pints"),
            ("mmHg", "mmofmercury torr"), ("dBASPL", "db dba db(a) decibel decibels dbspl"),
            ("IU", "units unit iunits"),
            ("mL/min·kg", "ml/kg/min ml/min/kg ml/(kg·min) ml/(kg*min) ml/(min·kg)"),
            ("S", "siemens"), ("mcS", "µs microsiemens"),
        ]
        var habits: [String: String] = [:]
        for (unit, words) in words {
            for word in [unit.lowercased()] + words.split(separator: " ").map(String.init) { habits[word] = unit }
        }
        // Molar units and those that differ by case only.
        for unit in ["mg/dL", "mmol/L", "mL", "kJ", "kPa", "Hz"] { habits[unit.lowercased()] = unit }
        return habits
    }()
}
