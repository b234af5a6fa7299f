import Foundation

/// The customary units of a region, where they differ from the type's canonical unit.
///
/// Apple does not publish a table. Documented are body mass (pounds in the United States) and blood glucose
/// (mg/dL or mmol/L by region); the rest is this project's choice.
struct UnitRegion: Hashable, Sendable {
    /// The units of length, mass and temperature.
    enum System: Hashable, Sendable {
        case metric, imperialUS, imperialUK
    }

    let system: System
    let isGlucoseMolar: Bool

    init(system: System, isGlucoseMolar: Bool) {
        self.system = system
        self.isGlucoseMolar = isGlucoseMolar
    }

    init(locale: Locale) {
        let region = locale.region?.identifier ?? ""
        system = switch locale.measurementSystem {
        case .us: .imperialUS
        case .uk: .imperialUK
        default: .metric
        }
        isGlucoseMolar = Self.molarRegions.contains(region)
    }

    /// Regions whose laboratories report blood glucose in mmol/L.
    private static let molarRegions: Set<String> = [
        "AU", "CA", "CN", "CZ", "DK", "EE", "FI", "GB", "HR", "HU", "IE", "IS", "KZ", "LT", "LV", "MY",
        "NL", "NO", "NZ", "RU", "SE", "SG", "SI", "SK", "UA", "VN", "ZA", "CH", "HK",
    ]

    /// The unit string for a type; `nil` for the canonical unit.
    func unit(of identifier: String) -> String? {
        guard identifier.hasPrefix("HKQuantityTypeIdentifier") else { return nil }
        let name = identifier.dropFirst("HKQuantityTypeIdentifier".count)
        if name == "BloodGlucose" { return isGlucoseMolar ? "mmol<180.15588000005408>/L" : "mg/dL" }
        switch name {
        case "BodyMass", "LeanBodyMass": return system == .imperialUS ? "lb" : "kg"
        case "Height": return system == .metric ? "cm" : "in"
        case "WaistCircumference": return system == .metric ? "cm" : "in"
        case "BodyTemperature", "BasalBodyTemperature", "AppleSleepingWristTemperature", "WaterTemperature":
            return system == .imperialUS ? "degF" : "degC"
        case "ActiveEnergyBurned", "BasalEnergyBurned", "DietaryEnergyConsumed": return "kcal"
        case "DietaryWater": return system == .imperialUS ? "fl_oz_us" : "mL"
        case "HeartRate", "RestingHeartRate", "WalkingHeartRateAverage", "RespiratoryRate",
            "HeartRateRecoveryOneMinute":
            return "count/min"
        case "DistanceSwimming": return system == .imperialUS ? "yd" : "m"
        case "WalkingSpeed", "RunningSpeed", "CyclingSpeed":
            return system == .metric ? "km/hr" : "mi/hr"
        case let name where name.hasPrefix("Distance"): return system == .metric ? "km" : "mi"
        default: return nil
        }
    }
}
