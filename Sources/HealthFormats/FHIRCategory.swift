import HealthModel

/// The category of an observation, from the code system `observation-category` of FHIR R4.
enum FHIRCategory: String {
    case activity
    case exam
    case laboratory
    case procedure
    case socialHistory = "social-history"
    case survey
    case therapy
    case vitalSigns = "vital-signs"

    /// The category of a type’s observations, or `nil` if the type is unknown to this version.
    init?(of type: TypeDescription) {
        let name = type.shortName
        if let found = Self.byName[name] {
            self = found
        } else if name.hasPrefix("dietary") {
            // What a person eats and drinks is part of the social history.
            self = .socialHistory
        } else if TypeCatalog.description(for: type.identifier) == nil {
            return nil
        } else {
            switch type.kind {
            case .quantity, .workout, .activitySummary: self = .activity
            // What remains are symptoms, which a person reports.
            case .category: self = .survey
            case .correlation: self = type.shortName == "food" ? .socialHistory : .vitalSigns
            case .characteristic, .series, .document: return nil
            }
        }
    }

    /// The category as a code.
    var code: FHIRCode {
        FHIRCode(
            system: "http://terminology.hl7.org/CodeSystem/observation-category", code: rawValue,
            display: rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
                separator: " "))
    }

    private static let byName: [String: FHIRCategory] = {
        let names: [FHIRCategory: [String]] = [
            // The types that FHIR’s vital signs profiles cover, and other forms of them.
            .vitalSigns: [
                "heartRate", "restingHeartRate", "walkingHeartRateAverage", "bodyMass", "height", "bodyMassIndex",
                "oxygenSaturation", "bodyTemperature", "basalBodyTemperature", "respiratoryRate",
                "bloodPressureSystolic", "bloodPressureDiastolic", "bloodPressure",
            ],
            .laboratory: [
                "bloodGlucose", "bloodAlcoholContent", "ovulationTestResult", "pregnancyTestResult",
                "progesteroneTestResult",
            ],
            .procedure: [
                "electrocardiogram", "forcedExpiratoryVolume1", "forcedVitalCapacity", "peakExpiratoryFlowRate",
                "sixMinuteWalkTestDistance",
            ],
            .exam: [
                "bodyFatPercentage", "leanBodyMass", "waistCircumference", "heartRateVariabilitySDNN",
                "heartRateVariabilityRMSSD", "heartRateRecoveryOneMinute", "atrialFibrillationBurden",
                "electrodermalActivity", "peripheralPerfusionIndex", "vo2Max", "appleSleepingWristTemperature",
                "appleSleepingBreathingDisturbances", "appleWalkingSteadiness", "appleWalkingSteadinessEvent",
                "cervicalMucusQuality", "highHeartRateEvent", "lowHeartRateEvent", "irregularHeartRhythmEvent",
                "lowCardioFitnessEvent", "hypertensionEvent", "sleepApneaEvent", "infrequentMenstrualCycles",
                "irregularMenstrualCycles", "persistentIntermenstrualBleeding", "prolongedMenstrualPeriods",
            ],
            .socialHistory: [
                "numberOfAlcoholicBeverages", "sexualActivity", "contraceptive", "pregnancy", "lactation",
                "menopausalState",
                "environmentalAudioExposure", "environmentalSoundReduction", "headphoneAudioExposure",
                "audioExposureEvent", "environmentalAudioExposureEvent", "headphoneAudioExposureEvent", "uvExposure",
            ],
            .therapy: ["insulinDelivery", "inhalerUsage"],
            .survey: ["numberOfTimesFallen"],
            .activity: [
                "appleStandHour", "sleepAnalysis", "mindfulSession", "toothbrushingEvent", "handwashingEvent",
            ],
        ]
        return names.reduce(into: [:]) { all, entry in for name in entry.value { all[name] = entry.key } }
    }()
}
