import HealthModel

/// A code in a code system, with its display name.
struct FHIRCode: Hashable, Sendable {
    let system: String
    let code: String
    let display: String

    static let loincSystem = "http://loinc.org"
    /// The code system of HealthKit type identifiers.
    static let identifierSystem = "https://openhealthkit.org/fhir/CodeSystem/healthkit-identifier"
    /// The code system of category values, such as `HKCategoryValueSleepAnalysis.asleepDeep`.
    static let valueSystem = "https://openhealthkit.org/fhir/CodeSystem/healthkit-value"

    static func loinc(_ code: String, _ display: String) -> FHIRCode {
        FHIRCode(system: loincSystem, code: code, display: display)
    }

    static func identifier(_ type: TypeDescription) -> FHIRCode {
        FHIRCode(system: identifierSystem, code: type.identifier, display: type.shortName)
    }

    /// The LOINC codes of a type; empty if no code certainly applies.
    ///
    /// - Parameter unit: Distinguishes mass and substance concentrations.
    static func loinc(of type: TypeDescription, unit: String = "") -> [FHIRCode] {
        let codes = codes[type.identifier] ?? []
        // One of mass and one of moles.
        let isGlucose = type.identifier == "HKQuantityTypeIdentifierBloodGlucose"
        return isGlucose ? Array(unit.contains("mol") ? codes.suffix(1) : codes.prefix(1)) : codes
    }

    private static let codes: [String: [FHIRCode]] = TypeCatalog.values(TypeTables.loincCodes).reduce(into: [:]) {
        $0[$1.identifier] = $1.value.split(separator: ";").map { entry in
            let words = entry.split(separator: " ")
            return loinc(String(words[0]), words.dropFirst().joined(separator: " "))
        }
    }
}

/// The category of an observation, from the code system `observation-category` of FHIR R4.
enum FHIRCategory: String {
    case activity
    case exam
    case laboratory
    case procedure
    case socialHistory = "social-history"
    case survey
    case therapy
    case vitalSigns = "vital-signs"

    /// The category of a type’s observations; `nil` if it has none, or is unknown to this version.
    init?(of type: TypeDescription) {
        guard let category = Self.byIdentifier[type.identifier] else { return nil }
        self = category
    }

    private static let byIdentifier: [String: FHIRCategory] = TypeCatalog.values(TypeTables.fhirCategories).reduce(
        into: [:]
    ) { $0[$1.identifier] = FHIRCategory(rawValue: String($1.value)) }

    /// The category as a code.
    var code: FHIRCode {
        FHIRCode(
            system: "http://terminology.hl7.org/CodeSystem/observation-category", code: rawValue,
            display: rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
                separator: " "))
    }
}

/// A FHIR quantity: the value, with a UCUM unit if one certainly applies.
struct FHIRQuantity {
    let value: Double
    let unit: String
    let code: String?

    init(_ value: Double, _ unit: String, of type: String) {
        // HealthKit's percentages are fractions of one, and rates can be per second. The vital signs profiles require %
        // and /min.
        if unit == "%", value.isFinite, !(value * 100).isFinite {
            self.value = value
            self.unit = "1"
        } else if unit == "%" {
            self.value = Self.clean(value * 100)
            self.unit = "%"
        } else if unit == "count/s" {
            self.value = Self.clean(value * 60)
            self.unit = "count/min"
        } else {
            self.value = value
            self.unit = unit
        }
        switch type {
        // HealthKit has no unit for these types, but the FHIR profiles do.
        case "HKQuantityTypeIdentifierBodyMassIndex": code = "kg/m2"
        case "HKQuantityTypeIdentifierStepCount": code = "{steps}"
        default: code = UCUM.code(self.unit)
        }
    }

    /// Rounds to fifteen significant digits, to remove rounding errors of the conversion.
    private static func clean(_ value: Double) -> Double {
        let rounded = (value * 1e9).rounded() / 1e9
        return abs(rounded - value) <= abs(value) * 1e-14 ? rounded : value
    }
}

/// Units in the Unified Code for Units of Measure (UCUM), as FHIR requires.
enum UCUM {
    /// The UCUM code of a HealthKit unit string, such as `/min` for `count/min`, or `nil` if none certainly applies.
    static func code(_ unit: String) -> String? {
        if let whole = wholes[unit] { return whole }
        // The molar mass follows mmol, as in mmol<180.1558800000541>/L.
        let plain = withoutMolarMass(unit)
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let top = product(parts[0]) else { return nil }
        guard parts.count == 2 else { return top }
        let isCompound = parts[1].contains { "·*".contains($0) }
        let inner = parts[1].filter { !"()".contains($0) }
        guard let bottom = product(inner) else { return nil }
        let dividend = top == "1" || top == "{count}" ? "" : top
        return "\(dividend)/\(isCompound ? "(\(bottom))" : bottom)"
    }

    private static func withoutMolarMass(_ unit: String) -> String {
        guard let open = unit.firstIndex(of: "<"), let close = unit.firstIndex(of: ">"), open < close else {
            return unit
        }
        return String(unit[..<open] + unit[unit.index(after: close)...])
    }

    private static func product(_ text: String) -> String? {
        var codes: [String] = []
        for factor in text.split(whereSeparator: { "·*".contains($0) }) {
            guard let code = atoms[String(factor)] else { return nil }
            codes.append(code)
        }
        return codes.isEmpty ? nil : codes.joined(separator: ".")
    }

    private static let wholes = ["1": "1", "count/min": "/min", "count/s": "/s", "count": "{count}", "%": "%"]

    private static let atoms = [
        "count": "{count}", "%": "%", "kg": "kg", "g": "g", "mg": "mg", "mcg": "ug", "lb": "[lb_av]", "oz": "[oz_av]",
        "st": "[stone_av]", "m": "m", "cm": "cm", "mm": "mm", "km": "km", "mi": "[mi_i]", "ft": "[ft_i]",
        "in": "[in_i]", "yd": "[yd_i]", "kcal": "kcal", "Cal": "kcal", "cal": "cal", "J": "J", "kJ": "kJ",
        "degC": "Cel", "degF": "[degF]", "K": "K", "mmHg": "mm[Hg]", "cmHg": "cm[Hg]", "inHg": "[in_i'Hg]",
        "cmAq": "cm[H2O]", "Pa": "Pa", "kPa": "kPa", "hPa": "hPa", "s": "s", "ms": "ms", "min": "min", "hr": "h",
        "d": "d", "L": "L", "mL": "mL", "dL": "dL", "fl_oz_us": "[foz_us]", "fl_oz_imp": "[foz_br]",
        "cup_us": "[cup_us]", "pt_us": "[pt_us]", "pt_imp": "[pt_br]", "mol": "mol", "mmol": "mmol", "IU": "[iU]",
        "Hz": "Hz", "W": "W", "kW": "kW", "V": "V", "mV": "mV", "mcV": "uV", "S": "S", "mcS": "uS", "dBASPL": "dB[SPL]",
        "D": "[diop]", "deg": "deg", "rad": "rad", "lx": "lx",
    ]
}
