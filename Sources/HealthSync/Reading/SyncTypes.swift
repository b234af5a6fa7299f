public import HealthKit

/// The types that a sync reads.
///
/// Types are found by their identifiers, so that a type that the running system does not know yet is left out.
public enum SyncTypes {
    /// Every sample type, except for clinical records.
    public static var all: Set<HKSampleType> { Set(ordered.filter { !($0 is HKClinicalType) }) }

    /// The types of clinical records, which an app may only read with the entitlement for health records.
    public static var clinical: Set<HKSampleType> { Set(ordered.filter { $0 is HKClinicalType }) }

    /// Types in the order in which they are read: samples that other samples own come before their owners.
    static func inOrder(_ types: Set<HKSampleType>) -> [HKSampleType] {
        let known = ordered.filter(types.contains)
        let others = types.subtracting(known).sorted { $0.identifier < $1.identifier }
        return others + known
    }

    /// Whether samples of a type own other samples.
    static func isOwner(_ type: HKSampleType) -> Bool {
        type is HKCorrelationType || type is HKWorkoutType || type is HKElectrocardiogramType
    }

    /// The number of samples to read at once.
    static func pageSize(of type: HKSampleType, maximum: Int) -> Int {
        switch type {
        case is HKQuantityType, is HKCategoryType, is HKCorrelationType: maximum
        case is HKWorkoutType: min(maximum, 20)
        case is HKSeriesType, is HKElectrocardiogramType: min(maximum, 4)
        default: min(maximum, 100)
        }
    }

    /// Members before owners.
    private static let ordered: [HKSampleType] = {
        var types: [HKSampleType?] = []
        types += words(quantities).map {
            HKObjectType.quantityType(forIdentifier: .init(rawValue: "HKQuantityTypeIdentifier" + $0))
        }
        types += words(categories).map {
            HKObjectType.categoryType(forIdentifier: .init(rawValue: "HKCategoryTypeIdentifier" + $0))
        }
        types += [HKSeriesType.heartbeat(), HKSeriesType.workoutRoute(), HKObjectType.audiogramSampleType()]
        types += [HKObjectType.visionPrescriptionType(), HKObjectType.documentType(forIdentifier: .CDA)]
        if #available(iOS 18.0, watchOS 11.0, *) {
            types += [HKObjectType.stateOfMindType(), HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9)]
        }
        if #available(iOS 26.0, watchOS 26.0, *) { types.append(HKObjectType.medicationDoseEventType()) }
        types += words(records).map {
            HKObjectType.clinicalType(forIdentifier: .init(rawValue: "HKClinicalTypeIdentifier" + $0))
        }
        types.append(HKObjectType.electrocardiogramType())
        types += [HKCorrelationTypeIdentifier.bloodPressure, .food].map {
            HKObjectType.correlationType(forIdentifier: $0)
        }
        types.append(HKObjectType.workoutType())
        return types.compactMap { $0 }
    }()

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    // The ends of the identifiers; a test compares them with the catalog.

    private static let quantities = """
        ActiveEnergyBurned AppleExerciseTime AppleMoveTime AppleSleepingBreathingDisturbances
        AppleSleepingWristTemperature AppleStandTime AppleWalkingSteadiness AtrialFibrillationBurden
        BasalBodyTemperature BasalEnergyBurned BloodAlcoholContent BloodGlucose BloodPressureDiastolic
        BloodPressureSystolic BodyFatPercentage BodyMass BodyMassIndex BodyTemperature CrossCountrySkiingSpeed
        CyclingCadence CyclingFunctionalThresholdPower CyclingPower CyclingSpeed DietaryBiotin DietaryCaffeine
        DietaryCalcium DietaryCarbohydrates DietaryChloride DietaryCholesterol DietaryChromium DietaryCopper
        DietaryEnergyConsumed DietaryFatMonounsaturated DietaryFatPolyunsaturated DietaryFatSaturated DietaryFatTotal
        DietaryFiber DietaryFolate DietaryIodine DietaryIron DietaryMagnesium DietaryManganese DietaryMolybdenum
        DietaryNiacin DietaryPantothenicAcid DietaryPhosphorus DietaryPotassium DietaryProtein DietaryRiboflavin
        DietarySelenium DietarySodium DietarySugar DietaryThiamin DietaryVitaminA DietaryVitaminB12 DietaryVitaminB6
        DietaryVitaminC DietaryVitaminD DietaryVitaminE DietaryVitaminK DietaryWater DietaryZinc
        DistanceCrossCountrySkiing DistanceCycling DistanceDownhillSnowSports DistancePaddleSports DistanceRowing
        DistanceSkatingSports DistanceSwimming DistanceWalkingRunning DistanceWheelchair ElectrodermalActivity
        EnvironmentalAudioExposure EnvironmentalSoundReduction EstimatedWorkoutEffortScore FlightsClimbed
        ForcedExpiratoryVolume1 ForcedVitalCapacity HeadphoneAudioExposure HeartRate HeartRateRecoveryOneMinute
        HeartRateVariabilitySDNN Height InhalerUsage InsulinDelivery LeanBodyMass NikeFuel NumberOfAlcoholicBeverages
        NumberOfTimesFallen OxygenSaturation PaddleSportsSpeed PeakExpiratoryFlowRate PeripheralPerfusionIndex
        PhysicalEffort PushCount RespiratoryRate RestingHeartRate RowingSpeed RunningGroundContactTime RunningPower
        RunningSpeed RunningStrideLength RunningVerticalOscillation SixMinuteWalkTestDistance StairAscentSpeed
        StairDescentSpeed StepCount SwimmingStrokeCount TimeInDaylight UnderwaterDepth UVExposure VO2Max
        WaistCircumference WalkingAsymmetryPercentage WalkingDoubleSupportPercentage WalkingHeartRateAverage
        WalkingSpeed WalkingStepLength WaterTemperature WorkoutEffortScore HeartRateVariabilityRMSSD
        """

    private static let categories = """
        AbdominalCramps Acne AppetiteChanges AppleStandHour AppleWalkingSteadinessEvent AudioExposureEvent
        BladderIncontinence BleedingAfterPregnancy BleedingDuringPregnancy Bloating BreastPain CervicalMucusQuality
        ChestTightnessOrPain Chills Constipation Contraceptive Coughing Diarrhea Dizziness DrySkin
        Fainting Fatigue Fever GeneralizedBodyAche HairLoss HandwashingEvent Headache
        HeadphoneAudioExposureEvent Heartburn HighHeartRateEvent HotFlashes HypertensionEvent
        InfrequentMenstrualCycles IntermenstrualBleeding IrregularHeartRhythmEvent IrregularMenstrualCycles Lactation
        LossOfSmell LossOfTaste LowCardioFitnessEvent LowHeartRateEvent LowerBackPain MemoryLapse MenstrualFlow
        MindfulSession MoodChanges Nausea NightSweats OvulationTestResult PelvicPain PersistentIntermenstrualBleeding
        Pregnancy PregnancyTestResult ProgesteroneTestResult ProlongedMenstrualPeriods
        RapidPoundingOrFlutteringHeartbeat RunnyNose SexualActivity ShortnessOfBreath SinusCongestion SkippedHeartbeat
        SleepAnalysis SleepApneaEvent SleepChanges SoreThroat ToothbrushingEvent VaginalDryness Vomiting Wheezing
        BleedingAfterMenopause MenopausalState
        """

    private static let records = """
        AllergyRecord ClinicalNoteRecord ConditionRecord ImmunizationRecord LabResultRecord MedicationRecord
        ProcedureRecord VitalSignRecord CoverageRecord
        """
}
