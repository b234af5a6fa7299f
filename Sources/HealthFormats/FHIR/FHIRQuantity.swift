import HealthModel

/// A quantity as FHIR tells it: the value in a UCUM unit where there is a sure one.
struct FHIRQuantity {
    let value: Double
    let unit: String
    let code: String?

    init(_ value: Double, _ unit: String, of type: String) {
        // HealthKit's per cent are parts of one, and beats may be told a second; vital signs want both otherwise.
        if unit == "%" {
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
        // HealthKit has no unit for these; FHIR's profiles do.
        case "HKQuantityTypeIdentifierBodyMassIndex": code = "kg/m2"
        case "HKQuantityTypeIdentifierStepCount": code = "{steps}"
        default: code = UCUM.code(self.unit)
        }
    }

    /// Takes off what a product adds behind the fifteenth digit.
    private static func clean(_ value: Double) -> Double {
        let rounded = (value * 1e9).rounded() / 1e9
        return abs(rounded - value) <= abs(value) * 1e-14 ? rounded : value
    }
}
