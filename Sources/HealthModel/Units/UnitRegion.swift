import Foundation

/// The customary units of a region, where they differ from the type's canonical unit.
///
/// Apple does not publish a table. Documented are body mass (pounds in the United States) and blood glucose
/// (mg/dL or mmol/L by region); the rest is this project's choice.
package struct UnitRegion: Hashable, Sendable {
    /// The units of length, mass and temperature.
    package enum System: Int, Hashable, Sendable {
        case metric, imperialUS, imperialUK
    }

    package let system: System
    package let isGlucoseMolar: Bool

    package init(system: System, isGlucoseMolar: Bool) {
        self.system = system
        self.isGlucoseMolar = isGlucoseMolar
    }

    /// Reads the identifier of a locale, such as `de_DE`, `en-US-u-ms-metric` or `de_DE.UTF-8`.
    ///
    /// Foundation's locales take a while, and don't know those of the environment. Returns `nil` for a locale of no
    /// region, such as C or en_001.
    package init?(localeIdentifier: String) {
        let words = localeIdentifier.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        func keyword(_ names: Set<String>) -> String? {
            words.dropLast().firstIndex { names.contains($0) }.map { words[$0 + 1] }
        }
        let subtags = localeIdentifier.prefix { $0 != "." && $0 != "@" }.lowercased().split { $0 == "_" || $0 == "-" }
        guard let language = subtags.first, language != "c", language != "posix" else { return nil }
        let subtag = subtags.dropFirst().prefix { $0.count > 1 }.first { $0.count == 2 || Int($0) != nil }
        guard subtag != "001" else { return nil }
        // English without a region is that of the United States.
        let region =
            (keyword(["rg"])?.prefix(2) ?? subtag ?? (language == "en" ? "us" : "")).uppercased()
        let measure = keyword(["ms", "measure"])
        system =
            switch (measure, region) {
            case ("metric", _): .metric
            case ("ussystem", _), ("us", _), (nil, "US"), (nil, "LR"), (nil, "MM"): .imperialUS
            case ("uksystem", _), ("uk", _), (nil, "GB"): .imperialUK
            default: .metric
            }
        isGlucoseMolar = Self.molarRegions.contains(region)
    }

    /// The units of the world where nothing is known.
    private static let world = UnitRegion(system: .metric, isGlucoseMolar: false)

    /// The region of the process's environment, as the C library determines the category of measurement.
    package static let environment: UnitRegion = {
        let environment = ProcessInfo.processInfo.environment
        let name = ["LC_ALL", "LC_MEASUREMENT", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        return name.flatMap { UnitRegion(localeIdentifier: $0) } ?? world
    }()

    /// Regions whose laboratories report blood glucose in mmol/L.
    private static let molarRegions: Set<String> = [
        "AU", "CA", "CN", "CZ", "DK", "EE", "FI", "GB", "HR", "HU", "IE", "IS", "KZ", "LT", "LV", "MY",
        "NL", "NO", "NZ", "RU", "SE", "SG", "SI", "SK", "UA", "VN", "ZA", "CH", "HK",
    ]

    /// The unit string for a type that people of all regions measure in one unit, whatever programs write; `nil` for others.
    package static func unitEverywhere(of identifier: String) -> String? {
        let units = TypeCatalog.description(for: identifier)?.customaryUnits ?? []
        return units.count == 1 ? units[0] : nil
    }

    /// Whether people of some region measure a type in a unit; `true` for a type that doesn’t depend on the region.
    package static func isCustomary(_ unit: String, of identifier: String) -> Bool {
        let units = [System.metric, .imperialUS, .imperialUK].compactMap {
            UnitRegion(system: $0, isGlucoseMolar: false).unit(of: identifier)
        }
        return units.isEmpty || units.contains(unit)
    }

    /// The unit string for a type; `nil` for one that doesn’t depend on the region.
    package func unit(of identifier: String) -> String? {
        if identifier == "HKQuantityTypeIdentifierBloodGlucose" {
            return isGlucoseMolar ? "mmol<\(UnitExpression.glucoseMolarMass)>/L" : "mg/dL"
        }
        guard let units = TypeCatalog.description(for: identifier)?.customaryUnits, let first = units.first else {
            return nil
        }
        return units.count == 1 ? first : units[system.rawValue]
    }
}
