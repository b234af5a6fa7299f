package import Foundation

/// The customary units of a region, where they differ from the type's canonical unit.
///
/// Apple does not publish a table. Documented are body mass (pounds in the United States) and blood glucose
/// (mg/dL or mmol/L by region); the rest is this project's choice.
package struct UnitRegion: Hashable, Sendable {
    /// The units of length, mass and temperature.
    package enum System: Hashable, Sendable {
        case metric, imperialUS, imperialUK
    }

    package let system: System
    package let isGlucoseMolar: Bool

    package init(system: System, isGlucoseMolar: Bool) {
        self.system = system
        self.isGlucoseMolar = isGlucoseMolar
    }

    package init(locale: Locale) {
        let region = locale.region?.identifier ?? ""
        system =
            switch locale.measurementSystem {
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
    package func unit(of identifier: String) -> String? {
        Self.unit(of: identifier, in: self)
    }

    /// The unit string for a type; `nil` for the canonical unit.
    ///
    /// - Parameter region: The region, which most types don't depend on. Finding out the system's takes a while.
    package static func unit(of identifier: String, in region: @autoclosure () -> UnitRegion) -> String? {
        guard identifier.hasPrefix("HKQuantityTypeIdentifier") else { return nil }
        let name = identifier.dropFirst("HKQuantityTypeIdentifier".count)
        if name == "BloodGlucose" { return region().isGlucoseMolar ? "mmol<180.15588000005408>/L" : "mg/dL" }
        switch name {
        case "BodyMass", "LeanBodyMass": return region().system == .imperialUS ? "lb" : "kg"
        case "Height": return region().system == .metric ? "cm" : "in"
        case "WaistCircumference": return region().system == .metric ? "cm" : "in"
        case "BodyTemperature", "BasalBodyTemperature", "AppleSleepingWristTemperature", "WaterTemperature":
            return region().system == .imperialUS ? "degF" : "degC"
        case "ActiveEnergyBurned", "BasalEnergyBurned", "DietaryEnergyConsumed": return "kcal"
        case "DietaryWater": return region().system == .imperialUS ? "fl_oz_us" : "mL"
        case "HeartRate", "RestingHeartRate", "WalkingHeartRateAverage", "RespiratoryRate",
            "HeartRateRecoveryOneMinute":
            return "count/min"
        case "DistanceSwimming": return region().system == .imperialUS ? "yd" : "m"
        case "WalkingSpeed", "RunningSpeed", "CyclingSpeed":
            return region().system == .metric ? "km/hr" : "mi/hr"
        case let name where name.hasPrefix("Distance"): return region().system == .metric ? "km" : "mi"
        default: return nil
        }
    }
}
