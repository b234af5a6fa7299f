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

    static func identifier(_ type: TypeDescription) -> FHIRCode { own(type.identifier, type.shortName) }

    /// A code in the code system of HealthKit's identifiers.
    static func own(_ code: String, _ display: String) -> FHIRCode {
        FHIRCode(system: identifierSystem, code: code, display: display)
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
        let shown: (value: Double, unit: String) =
            switch unit {
            case "%" where value.isFinite && !(value * 100).isFinite: (value, "1")
            case "%": (Self.clean(value * 100), "%")
            case "count/s": (Self.clean(value * 60), "count/min")
            default: (value, unit)
            }
        (self.value, self.unit) = shown
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
        guard unit != "1" else { return unit }
        guard let factors = try? UnitExpression(parsing: unit).factors,
            let above = product(factors.filter { $0.exponent > 0 }),
            let below = product(factors.filter { $0.exponent < 0 })
        else { return nil }
        guard !below.isEmpty else { return above.isEmpty ? nil : above }
        return "\(above == "{count}" ? "" : above)/\(below.contains(".") ? "(\(below))" : below)"
    }

    private static func product(_ factors: [UnitExpression.Factor]) -> String? {
        var codes: [String] = []
        for factor in factors {
            guard let code = factor.atom.kind.ucum else { return nil }
            let prefix = factor.atom.prefix == .micro ? "u" : factor.atom.prefix.symbol
            codes.append(prefix + code + (factor.exponent.magnitude == 1 ? "" : "\(factor.exponent.magnitude)"))
        }
        return codes.joined(separator: ".")
    }
}
