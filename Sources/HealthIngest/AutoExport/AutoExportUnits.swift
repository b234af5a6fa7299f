import HealthModel

/// The unit of a metric, as a HealthKit unit string.
struct AutoExportUnit: Hashable, Sendable {
    /// The unit in which values are stored.
    var unit: String
    /// The number that a posted value is divided by; 100 for percentages, which are fractions of one in HealthKit.
    var divisor: Double

    /// Reads the unit that a person's settings produced for a type; `nil` if it doesn't fit the type.
    init?(_ text: String?, for type: TypeDescription) {
        guard let canonical = type.canonicalUnit else { return nil }
        self.init(text, canonical: canonical)
    }

    /// Reads a unit for quantities that are compatible with another unit.
    init?(_ text: String?, canonical: String) {
        let written = Self.plain(text ?? "")
        if written.isEmpty {
            // Only counts may lack a unit.
            guard canonical == "count" || canonical == "appleEffortScore" else { return nil }
            self.init(unit: canonical, divisor: 1)
        } else if written == "%" || written == "percent" {
            guard canonical == "%" else { return nil }
            self.init(unit: "%", divisor: 100)
        } else {
            guard let expected = try? UnitExpression(parsing: canonical) else { return nil }
            let candidates = [Self.units[written.lowercased()], Self.words[canonical]?[written.lowercased()], written]
            for case let candidate? in candidates {
                guard let unit = try? UnitExpression(parsing: candidate), unit.isCompatible(with: expected) else {
                    continue
                }
                // A fraction that is written as a plain number stays as it is.
                self.init(unit: canonical == "%" ? "%" : candidate, divisor: 1)
                return
            }
            return nil
        }
    }

    private init(unit: String, divisor: Double) {
        self.unit = unit
        self.divisor = divisor
    }

    /// Converts a posted value.
    func callAsFunction(_ value: Double) -> QuantityRecord {
        QuantityRecord(divisor == 1 ? value : value / divisor, unit: unit)
    }

    private static func plain(_ text: String) -> String {
        String(text.filter { !$0.isWhitespace }.map { $0 == "\u{00B5}" || $0 == "\u{03BC}" ? "µ" : $0 })
    }

    /// Spellings that mean the same for every type, in lower case.
    private static let units = [
        "bpm": "count/min", "count/min": "count/min", "breaths/min": "count/min", "br/min": "count/min",
        "rpm": "count/min", "spm": "count/min", "steps/min": "count/min", "strokes/min": "count/min", "degf": "degF",
        "°f": "degF", "ºf": "degF", "f": "degF", "fahrenheit": "degF", "degc": "degC", "°c": "degC", "ºc": "degC",
        "c": "degC", "celsius": "degC", "k": "K", "kcal": "kcal", "cal": "kcal", "calories": "kcal", "kj": "kJ",
        "j": "J", "lb": "lb", "lbs": "lb", "kg": "kg", "g": "g", "mg": "mg", "mcg": "mcg", "µg": "mcg", "oz": "oz",
        "st": "st", "mi": "mi", "km": "km", "m": "m", "ft": "ft", "in": "in", "cm": "cm", "mm": "mm", "yd": "yd",
        "ms": "ms", "msec": "ms", "s": "s", "sec": "s", "min": "min", "mins": "min", "minutes": "min", "hr": "hr",
        "h": "hr", "hrs": "hr", "hours": "hr", "d": "d", "days": "d", "mph": "mi/hr", "mi/hr": "mi/hr", "mi/h": "mi/hr",
        "km/hr": "km/hr", "km/h": "km/hr", "kmph": "km/hr", "kph": "km/hr", "m/s": "m/s", "ft/s": "ft/s", "w": "W",
        "watts": "W", "kw": "kW", "mmhg": "mmHg", "kpa": "kPa", "hpa": "hPa", "mg/dl": "mg/dL",
        "mmol/l": "mmol<180.1558800000541>/L", "ml/(kg·min)": "mL/min·kg", "ml/kg/min": "mL/min·kg",
        "ml/min·kg": "mL/min·kg", "ml/kg·min": "mL/min·kg", "ml/(kg*min)": "mL/min·kg", "ml/(min·kg)": "mL/min·kg",
        "ml/min/kg": "mL/min·kg", "met": "kcal/hr·kg", "mets": "kcal/hr·kg", "kcal/hr·kg": "kcal/hr·kg",
        "kcal/(hr·kg)": "kcal/hr·kg", "kcal/(kg·hr)": "kcal/hr·kg", "kcal/kg·hr": "kcal/hr·kg",
        "kcal/(kg*hr)": "kcal/hr·kg", "kcal/hr/kg": "kcal/hr·kg", "kcal/kg/hr": "kcal/hr·kg", "db": "dBASPL",
        "dba": "dBASPL", "dbaspl": "dBASPL", "dba(spl)": "dBASPL", "l": "L", "ml": "mL", "dl": "dL", "l/min": "L/min",
        "floz": "fl_oz_us", "fl_oz": "fl_oz_us", "fl_oz_us": "fl_oz_us", "floz_us": "fl_oz_us", "floz_imp": "fl_oz_imp",
        "fl_oz_imp": "fl_oz_imp", "cup": "cup_us", "cups": "cup_us", "cup_us": "cup_us", "cup_imp": "cup_imp",
        "pt": "pt_us", "pt_us": "pt_us", "pt_imp": "pt_imp", "iu": "IU", "units": "IU", "u": "IU", "v": "V", "mv": "mV",
        "mcv": "mcV", "µv": "mcV", "uv": "mcV", "hz": "Hz", "s_siemens": "S", "mcs": "mcS", "µs": "mcS", "lx": "lx",
        "deg": "deg",
    ]

    /// Words that mean a count or a score for one type and nothing for others, by the type's unit.
    private static let words: [String: [String: String]] = [
        "count": Dictionary(
            uniqueKeysWithValues: [
                "count", "counts", "steps", "times", "flights", "strokes", "pushes", "drinks", "floors", "falls",
                "kg/m2", "kg/m²", "kg/m^2", "puffs", "points",
            ].map { ($0, "count") }),
        "appleEffortScore": ["count": "appleEffortScore", "effort": "appleEffortScore", "score": "appleEffortScore"],
        "kcal": ["cal": "kcal"], "S": ["s": "S"],
    ]
}
