public import Foundation

extension HKHealthStore {
    /// The date of birth: year, month and day of the Gregorian calendar, without a time.
    ///
    /// - Throws: ``HKError/errorNoData`` when it is not set or may not be read,
    ///   ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    public func dateOfBirthComponents() throws -> DateComponents {
        guard let day = try connection.dateOfBirth() else {
            throw HKError.make(.errorNoData, "No data available for the specified predicate.")
        }
        return DateComponents(
            calendar: Calendar(identifier: .gregorian), era: 1, year: day.year, month: day.month,
            day: day.day)
    }

    /// The date of birth at midnight in the current time zone. Use ``dateOfBirthComponents()`` instead.
    public func dateOfBirth() throws -> Date {
        let components = try dateOfBirthComponents()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = connection.configuration.calendar.timeZone
        guard let date = calendar.date(from: components) else {
            throw HKError.make(.errorNoData, "No data available for the specified predicate.")
        }
        return date
    }

    /// The biological sex; `.notSet` when it is unknown or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    public func biologicalSex() throws -> HKBiologicalSexObject {
        let value = try connection.rawCharacteristic(.biologicalSex)
        return HKBiologicalSexObject(value.flatMap(HKBiologicalSex.init(rawValue:)) ?? .notSet)
    }

    /// The blood type; `.notSet` when it is unknown or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    public func bloodType() throws -> HKBloodTypeObject {
        let value = try connection.rawCharacteristic(.bloodType)
        return HKBloodTypeObject(value.flatMap(HKBloodType.init(rawValue:)) ?? .notSet)
    }

    /// The skin type on Fitzpatrick's scale; `.notSet` when it is unknown or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    public func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
        let value = try connection.rawCharacteristic(.fitzpatrickSkinType)
        return HKFitzpatrickSkinTypeObject(value.flatMap(HKFitzpatrickSkinType.init(rawValue:)) ?? .notSet)
    }

    /// Whether the person uses a wheelchair; `.notSet` when it is unknown or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    public func wheelchairUse() throws -> HKWheelchairUseObject {
        let value = try connection.rawCharacteristic(.wheelchairUse)
        return HKWheelchairUseObject(value.flatMap(HKWheelchairUse.init(rawValue:)) ?? .notSet)
    }

    /// The move mode: active energy, unless the person chose move time.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    public func activityMoveMode() throws -> HKActivityMoveModeObject {
        let value = try connection.rawCharacteristic(.activityMoveMode)
        return HKActivityMoveModeObject(value.flatMap(HKActivityMoveMode.init(rawValue:)) ?? .activeEnergy)
    }
}

// MARK: - Preferred units

extension HKHealthStore {
    /// The unit to display each type in: the person's choice, else the usual one of the region.
    ///
    /// Fails with ``HKError/errorAuthorizationNotDetermined`` if the application never requested one of the
    /// types.
    @preconcurrency
    public func preferredUnits(
        for quantityTypes: Set<HKQuantityType>,
        completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        connection.perform(connection.preferredUnits(of: quantityTypes)) { completion((try? $0.get()) ?? [:], $0.error) }
    }

    /// The unit to display each type in. See ``preferredUnits(for:completion:)``.
    public func preferredUnits(
        for quantityTypes: Set<HKQuantityType>
    ) async throws -> [HKQuantityType: HKUnit] {
        try await connection.perform(connection.preferredUnits(of: quantityTypes))
    }
}

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
