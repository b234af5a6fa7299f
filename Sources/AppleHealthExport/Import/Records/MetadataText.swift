import HealthModel

/// Converts metadata values from and to their form in the archive.
///
/// A predefined key determines the kind of its value. For other keys the text does: a number in its usual form, a
/// number with a unit, or a date; anything else remains text. If printing the value would not reproduce the text, the
/// text is kept with the value.
enum MetadataText {
    static func parse(key: String, text: String) -> Metadata.Entry {
        let value = value(key: key, text: text)
        return Metadata.Entry(key: key, value: value, archivedText: print(value, key: key) == text ? nil : text)
    }

    /// Returns the text of a value in the archive.
    static func print(_ value: MetadataValue, key: String) -> String {
        switch value {
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .double(let number): ArchiveNumber.print(number)
        case .date(let instant): ArchiveDate.print(instant)
        // Apple prints percentages multiplied by 100, and humidity by another 100.
        case .quantity(let number, "%"):
            ArchiveNumber.print(key == humidity ? number * 10_000 : number * 100) + " %"
        case .quantity(let number, let unit): ArchiveNumber.print(number) + " " + unit
        }
    }

    private static let humidity = "HKWeatherHumidity"

    private static func value(key: String, text: String) -> MetadataValue {
        switch ArchiveMetadataKind.of(key) {
        case .string: return .string(text)
        case .number: return number(text) ?? .string(text)
        case .date: return ArchiveDate.parse(text).map(MetadataValue.date) ?? .string(text)
        case .quantity: return quantity(key, text) ?? number(text) ?? .string(text)
        case nil:
            // A number in an unusual form (007, 1e3) is a name or code.
            if let number = number(text), print(number, key: key) == text { return number }
            if let quantity = quantity(key, text), print(quantity, key: key) == text { return quantity }
            return ArchiveDate.parse(text).map(MetadataValue.date) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> MetadataValue? {
        if let whole = Int64(text), text.utf8.first != UInt8(ascii: "+") { return .integer(whole) }
        guard let number = ArchiveNumber.parse(text), number.isFinite else { return nil }
        return .double(number)
    }

    private static func quantity(_ key: String, _ text: String) -> MetadataValue? {
        guard let blank = text.utf8.firstIndex(of: UInt8(ascii: " ")),
            let number = ArchiveNumber.parse(String(text[..<blank])), number.isFinite
        else { return nil }
        let unit = String(text[text.index(after: blank)...])
        if unit == "%" {
            // Some archives have the correct humidity, which is at most 100 percent.
            let isMultiplied = key == humidity && number > 100
            return .quantity(number / (isMultiplied ? 10_000 : 100), unit: unit)
        }
        guard !unit.isEmpty, (try? UnitExpression(parsing: unit)) != nil else { return nil }
        return .quantity(number, unit: unit)
    }
}

/// The kind of value of a predefined metadata key. The archive contains only text.
enum ArchiveMetadataKind {
    case string
    /// Integers, enumerations and Booleans (written as 0 and 1).
    case number
    case date
    case quantity

    /// Returns the kind for a predefined key; `nil` for any other key.
    static func of(_ key: String) -> ArchiveMetadataKind? { kinds[key] }

    private static let kinds: [String: ArchiveMetadataKind] = {
        var kinds: [String: ArchiveMetadataKind] = [:]
        for key in strings { kinds[key] = .string }
        for key in numbers { kinds[key] = .number }
        for key in quantities { kinds[key] = .quantity }
        kinds["HKDateOfEarliestDataUsedForEstimate"] = .date
        return kinds
    }()

    private static let strings = [
        "HKDeviceManufacturerName", "HKDeviceName", "HKDeviceSerialNumber", "HKDigitalSignature",
        "HKExternalUUID", "HKFoodType", "HKMetadataKeyGlassesPrescriptionDescription",
        "HKMetadataKeySyncIdentifier", "HKTimeZone", "HKUDIDeviceIdentifier", "HKUDIProductionIdentifier",
        "HKWorkoutBrandName", "HKMetadataKeyAppleFitnessPlusCatalogIdentifier",
    ]

    private static let numbers = [
        "HKActivityType", "HKAlgorithmVersion", "HKMetadataKeyAppleDeviceCalibrated",
        "HKMetadataKeyAppleECGAlgorithmVersion", "HKMetadataKeyAppleFitnessPlusSession", "HKBloodGlucoseMealTime",
        "HKBodyTemperatureSensorLocation", "HKCoachedWorkout", "HKCyclingCyclingFunctionalThresholdPowerTestType",
        "HKMetadataKeyDevicePlacementSide", "HKGroupFitness", "HKMetadataKeyHeartRateMotionContext",
        "HKMetadataKeyHeartRateRecoveryActivityType", "HKMetadataKeyHeartRateRecoveryTestType",
        "HKHeartRateSensorLocation", "HKIndoorWorkout", "HKInsulinDeliveryReason", "HKMenstrualCycleStart",
        "HKPhysicalEffortEstimationType", "HKMetadataKeyQuantityClampedToLowerBound",
        "HKMetadataKeyQuantityClampedToUpperBound", "HKReferenceRangeLowerLimit", "HKReferenceRangeUpperLimit",
        "HKSexualActivityProtectionUsed", "HKSwimmingLocationType", "HKSwimmingStrokeStyle", "HKSWOLFScore",
        "HKMetadataKeySyncVersion", "HKMetadataKeyUserMotionContext", "HKVO2MaxTestType", "HKWasTakenInLab",
        "HKWasUserEntered", "HKMetadataKeyWaterSalinity", "HKWeatherCondition",
    ]

    private static let quantities = [
        "HKAlpineSlopeGrade", "HKMetadataKeyAudioExposureDuration", "HKMetadataKeyAudioExposureLevel", "HKAverageMETs",
        "HKAverageSpeed", "HKMetadataKeyBarometricPressure", "HKCrossTrainerDistance", "HKElevationAscended",
        "HKElevationDescended", "HKFitnessMachineDuration", "HKMetadataKeyHeadphoneGain", "HKHeartRateEventThreshold",
        "HKMetadataKeyHeartRateRecoveryActivityDuration", "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate",
        "HKIndoorBikeDistance", "HKLapLength", "HKLowCardioFitnessEventThreshold", "HKMetadataKeyMaximumLightIntensity",
        "HKMaximumSpeed", "HKMetadataKeySessionEstimate", "HKVO2MaxValue", "HKWeatherHumidity", "HKWeatherTemperature",
    ]
}
