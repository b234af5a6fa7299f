public import HealthKit

/// The subject of a highlight: the time asleep, or a quantity type.
public struct HighlightMeasure: Hashable, Sendable {
    /// The type whose samples are read.
    public let type: HKSampleType
    /// The name in the middle of a sentence, such as `resting heart rate`.
    public let name: String
    /// Whether single days are compared with the days before, too: what is measured at rest says something from day to
    /// day, and activity doesn't.
    public let comparesDays: Bool

    private init(_ type: HKSampleType, _ name: String, comparesDays: Bool = false) {
        (self.type, self.name, self.comparesDays) = (type, name, comparesDays)
    }

    /// Whether this is the time asleep in a night.
    public var isSleep: Bool { type is HKCategoryType }

    /// Whether a day has a sum, rather than an average.
    public var isCumulative: Bool { (type as? HKQuantityType)?.aggregationStyle == .cumulative }

    /// The values that a measurement can have.
    func possible(in unit: HKUnit) -> ClosedRange<Double> {
        if unit == .percent() { return 0...1 }
        let isTemperature = (type as? HKQuantityType)?.is(compatibleWith: .degreeCelsius()) ?? false
        return isTemperature ? -.infinity ... .infinity : 0 ... .infinity
    }

    /// Everything that highlights look at, the signs of health at rest first.
    public static let all: [HighlightMeasure] =
        [
            quantity(.restingHeartRate, "resting heart rate", comparesDays: true),
            quantity(.heartRateVariabilitySDNN, "heart rate variability", comparesDays: true),
            quantity(.respiratoryRate, "respiratory rate", comparesDays: true),
            quantity(.appleSleepingWristTemperature, "wrist temperature", comparesDays: true),
            quantity(.oxygenSaturation, "blood oxygen", comparesDays: true),
            HighlightMeasure(HKCategoryType(.sleepAnalysis), "time asleep", comparesDays: true),
            quantity(.appleSleepingBreathingDisturbances, "breathing disturbances", comparesDays: true),
        ]
        + [
            (.bodyTemperature, "body temperature"), (.bloodPressureSystolic, "systolic blood pressure"),
            (.bloodPressureDiastolic, "diastolic blood pressure"), (.bloodGlucose, "blood glucose"),
            (.walkingHeartRateAverage, "walking heart rate"), (.heartRateRecoveryOneMinute, "cardio recovery"),
            (.vo2Max, "cardio fitness"), (.bodyMass, "weight"), (.bodyFatPercentage, "body fat"),
            (.stepCount, "steps"), (.activeEnergyBurned, "active energy"), (.appleExerciseTime, "exercise minutes"),
            (.flightsClimbed, "flights climbed"), (.distanceCycling, "cycling distance"),
            (.distanceSwimming, "swimming distance"), (.timeInDaylight, "time in daylight"),
            (.walkingSpeed, "walking speed"), (.walkingStepLength, "step length"),
            (.walkingAsymmetryPercentage, "walking asymmetry"),
            (.walkingDoubleSupportPercentage, "double support time"), (.appleWalkingSteadiness, "walking steadiness"),
            (.environmentalAudioExposure, "environmental sound levels"),
            (.headphoneAudioExposure, "headphone audio levels"),
        ].map { quantity($0, $1) }

    private static func quantity(_ identifier: HKQuantityTypeIdentifier, _ name: String, comparesDays: Bool = false)
        -> HighlightMeasure
    {
        HighlightMeasure(HKQuantityType(identifier), name, comparesDays: comparesDays)
    }
}
