/// What value a predefined metadata key holds; the archive gives only text.
enum MetadataKind {
    case string
    /// Whole numbers, enumerations and booleans (written 0 and 1).
    case number
    case date
    case quantity

    /// The kind of a predefined key, `nil` for all other keys.
    static func of(_ key: String) -> MetadataKind? { kinds[key] }

    private static let kinds: [String: MetadataKind] = {
        var kinds: [String: MetadataKind] = [:]
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
        "HKMetadataKeyAppleECGAlgorithmVersion", "HKMetadataKeyAppleFitnessPlusSession",
        "HKBloodGlucoseMealTime", "HKBodyTemperatureSensorLocation", "HKCoachedWorkout",
        "HKCyclingCyclingFunctionalThresholdPowerTestType", "HKMetadataKeyDevicePlacementSide",
        "HKGroupFitness", "HKMetadataKeyHeartRateMotionContext",
        "HKMetadataKeyHeartRateRecoveryActivityType", "HKMetadataKeyHeartRateRecoveryTestType",
        "HKHeartRateSensorLocation", "HKIndoorWorkout", "HKInsulinDeliveryReason", "HKMenstrualCycleStart",
        "HKPhysicalEffortEstimationType", "HKMetadataKeyQuantityClampedToLowerBound",
        "HKMetadataKeyQuantityClampedToUpperBound", "HKReferenceRangeLowerLimit",
        "HKReferenceRangeUpperLimit", "HKSexualActivityProtectionUsed", "HKSwimmingLocationType",
        "HKSwimmingStrokeStyle", "HKSWOLFScore", "HKMetadataKeySyncVersion",
        "HKMetadataKeyUserMotionContext", "HKVO2MaxTestType", "HKWasTakenInLab", "HKWasUserEntered",
        "HKMetadataKeyWaterSalinity", "HKWeatherCondition",
    ]

    private static let quantities = [
        "HKAlpineSlopeGrade", "HKMetadataKeyAudioExposureDuration", "HKMetadataKeyAudioExposureLevel",
        "HKAverageMETs", "HKAverageSpeed", "HKMetadataKeyBarometricPressure", "HKCrossTrainerDistance",
        "HKElevationAscended", "HKElevationDescended", "HKFitnessMachineDuration",
        "HKMetadataKeyHeadphoneGain", "HKHeartRateEventThreshold",
        "HKMetadataKeyHeartRateRecoveryActivityDuration",
        "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate", "HKIndoorBikeDistance", "HKLapLength",
        "HKLowCardioFitnessEventThreshold", "HKMetadataKeyMaximumLightIntensity", "HKMaximumSpeed",
        "HKMetadataKeySessionEstimate", "HKVO2MaxValue", "HKWeatherHumidity", "HKWeatherTemperature",
    ]
}
