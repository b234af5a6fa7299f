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
    static func loinc(of type: TypeDescription, unit: String) -> [FHIRCode] {
        if type.identifier == "HKQuantityTypeIdentifierBloodGlucose" {
            return unit.contains("mol")
                ? [loinc("15074-8", "Glucose [Moles/volume] in Blood")]
                : [loinc("2339-0", "Glucose [Mass/volume] in Blood")]
        }
        return codes[type.identifier] ?? []
    }

    static let bloodPressure = loinc("85354-9", "Blood pressure panel with all children optional")
    static let electrocardiogram = loinc("11524-6", "EKG study")

    private static let codes: [String: [FHIRCode]] = [
        "HKQuantityTypeIdentifierHeartRate": [loinc("8867-4", "Heart rate")],
        "HKQuantityTypeIdentifierRestingHeartRate": [loinc("40443-4", "Heart rate --resting")],
        "HKQuantityTypeIdentifierHeartRateVariabilitySDNN": [
            loinc("80404-7", "R-R interval.standard deviation (Heart rate variability)")
        ],
        "HKQuantityTypeIdentifierBodyMass": [loinc("29463-7", "Body weight")],
        "HKQuantityTypeIdentifierHeight": [loinc("8302-2", "Body height")],
        "HKQuantityTypeIdentifierBodyMassIndex": [loinc("39156-5", "Body mass index (BMI) [Ratio]")],
        "HKQuantityTypeIdentifierBodyFatPercentage": [loinc("41982-0", "Percentage of body fat Measured")],
        "HKQuantityTypeIdentifierStepCount": [loinc("55423-8", "Number of steps in unspecified time Pedometer")],
        "HKQuantityTypeIdentifierOxygenSaturation": [
            loinc("2708-6", "Oxygen saturation in Arterial blood"),
            loinc("59408-5", "Oxygen saturation in Arterial blood by Pulse oximetry"),
        ],
        "HKQuantityTypeIdentifierBodyTemperature": [loinc("8310-5", "Body temperature")],
        "HKQuantityTypeIdentifierRespiratoryRate": [loinc("9279-1", "Respiratory rate")],
        "HKQuantityTypeIdentifierBloodPressureSystolic": [loinc("8480-6", "Systolic blood pressure")],
        "HKQuantityTypeIdentifierBloodPressureDiastolic": [loinc("8462-4", "Diastolic blood pressure")],
        "HKQuantityTypeIdentifierPeakExpiratoryFlowRate": [
            loinc("19935-6", "Maximum expiratory gas flow Respiratory system airway by Peak flow meter")
        ],
        "HKQuantityTypeIdentifierForcedVitalCapacity": [
            loinc("19868-9", "Forced vital capacity [Volume] Respiratory system by Spirometry")
        ],
        "HKQuantityTypeIdentifierForcedExpiratoryVolume1": [loinc("20150-9", "FEV1")],
    ]
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
