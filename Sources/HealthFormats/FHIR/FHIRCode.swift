import HealthModel

/// A code of a system, with the words people know it by.
struct FHIRCode: Hashable, Sendable {
    let system: String
    let code: String
    let display: String

    static let loincSystem = "http://loinc.org"
    /// HealthKit's identifiers of types as codes.
    static let identifierSystem = "https://openhealthkit.org/fhir/CodeSystem/healthkit-identifier"
    /// Names of category values, `HKCategoryValueSleepAnalysis.asleepDeep`.
    static let valueSystem = "https://openhealthkit.org/fhir/CodeSystem/healthkit-value"

    static func loinc(_ code: String, _ display: String) -> FHIRCode {
        FHIRCode(system: loincSystem, code: code, display: display)
    }

    static func identifier(_ type: TypeDescription) -> FHIRCode {
        FHIRCode(system: identifierSystem, code: type.identifier, display: type.shortName)
    }

    /// LOINC codes of a type's observations, where they are sure; none otherwise.
    ///
    /// - Parameter unit: decides between codes of a mass and of an amount of substance.
    static func loinc(of type: TypeDescription, unit: String) -> [FHIRCode] {
        if type.identifier == "HKQuantityTypeIdentifierBloodGlucose" {
            return unit.contains("mol")
                ? [loinc("15074-8", "Glucose [Moles/volume] in Blood")] : [loinc("2339-0", "Glucose [Mass/volume] in Blood")]
        }
        return codes[type.identifier] ?? []
    }

    /// Types that FHIR counts among the vital signs.
    static let vitalSigns: Set<String> = [
        "HeartRate", "RestingHeartRate", "BodyMass", "Height", "BodyMassIndex", "OxygenSaturation", "BodyTemperature",
        "RespiratoryRate", "BloodPressureSystolic", "BloodPressureDiastolic",
    ].reduce(into: []) { $0.insert("HKQuantityTypeIdentifier" + $1) }

    static let bloodPressure = loinc("85354-9", "Blood pressure panel with all children optional")
    static let electrocardiogram = loinc("11524-6", "EKG study")

    private static let codes: [String: [FHIRCode]] = [
        "HKQuantityTypeIdentifierHeartRate": [loinc("8867-4", "Heart rate")],
        "HKQuantityTypeIdentifierRestingHeartRate": [loinc("40443-4", "Heart rate --resting")],
        "HKQuantityTypeIdentifierHeartRateVariabilitySDNN": [
            loinc("80404-7", "R-R interval.standard deviation (Heart rate variability)")
        ],
        "HKQuantityTypeIdentifierBodyMass": [loinc("29463-7", "Body weight")],
        "HKQuantityTypeIdentifierHeight": [loinc("8302-2", "Body height")],
        "HKQuantityTypeIdentifierBodyMassIndex": [loinc("39156-5", "Body mass index (BMI) [Ratio]")],
        "HKQuantityTypeIdentifierBodyFatPercentage": [loinc("41982-0", "Percentage of body fat Measured")],
        "HKQuantityTypeIdentifierStepCount": [loinc("55423-8", "Number of steps in unspecified time Pedometer")],
        "HKQuantityTypeIdentifierOxygenSaturation": [
            loinc("2708-6", "Oxygen saturation in Arterial blood"),
            loinc("59408-5", "Oxygen saturation in Arterial blood by Pulse oximetry"),
        ],
        "HKQuantityTypeIdentifierBodyTemperature": [loinc("8310-5", "Body temperature")],
        "HKQuantityTypeIdentifierRespiratoryRate": [loinc("9279-1", "Respiratory rate")],
        "HKQuantityTypeIdentifierBloodPressureSystolic": [loinc("8480-6", "Systolic blood pressure")],
        "HKQuantityTypeIdentifierBloodPressureDiastolic": [loinc("8462-4", "Diastolic blood pressure")],
        "HKQuantityTypeIdentifierPeakExpiratoryFlowRate": [
            loinc("19935-6", "Maximum expiratory gas flow Respiratory system airway by Peak flow meter")
        ],
        "HKQuantityTypeIdentifierForcedVitalCapacity": [loinc("19868-9", "Forced vital capacity [Volume] Respiratory system by Spirometry")],
        "HKQuantityTypeIdentifierForcedExpiratoryVolume1": [loinc("20150-9", "FEV1")],
    ]
}
