// The types by identifier. Each call returns the identical object, or `nil` for an unknown identifier.
extension HKObjectType {
    /// The quantity type with this identifier.
    public class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        known(identifier.rawValue)
    }

    /// The category type with this identifier.
    public class func categoryType(forIdentifier identifier: HKCategoryTypeIdentifier) -> HKCategoryType? {
        known(identifier.rawValue)
    }

    /// The characteristic type with this identifier.
    public class func characteristicType(
        forIdentifier identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        known(identifier.rawValue)
    }

    /// The correlation type with this identifier.
    public class func correlationType(forIdentifier identifier: HKCorrelationTypeIdentifier) -> HKCorrelationType? {
        known(identifier.rawValue)
    }

    /// The document type with this identifier.
    public class func documentType(forIdentifier identifier: HKDocumentTypeIdentifier) -> HKDocumentType? {
        known(identifier.rawValue)
    }

    /// The clinical record type with this identifier.
    public class func clinicalType(forIdentifier identifier: HKClinicalTypeIdentifier) -> HKClinicalType? {
        known(identifier.rawValue)
    }

    /// The series type with this identifier.
    public class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
        known(identifier)
    }

    /// The type of workouts.
    public class func workoutType() -> HKWorkoutType {
        required(HKWorkoutTypeIdentifier)
    }

    /// The type of activity summaries.
    public class func activitySummaryType() -> HKActivitySummaryType {
        required("HKActivitySummaryTypeIdentifier")
    }

    /// The type of audiograms.
    public class func audiogramSampleType() -> HKAudiogramSampleType {
        required("HKDataTypeIdentifierAudiogram")
    }

    /// The type of electrocardiograms.
    public class func electrocardiogramType() -> HKElectrocardiogramType {
        required("HKDataTypeIdentifierElectrocardiogram")
    }

    /// The type of vision prescriptions.
    public class func visionPrescriptionType() -> HKPrescriptionType {
        required(HKVisionPrescriptionTypeIdentifier)
    }

    /// The type of states of mind.
    public class func stateOfMindType() -> HKStateOfMindType {
        required(HKDataTypeIdentifierStateOfMind)
    }

    /// The type of medication dose events.
    public class func medicationDoseEventType() -> HKMedicationDoseEventType {
        required(HKMedicationDoseEventTypeIdentifierMedicationDoseEvent)
    }

    /// The type of the person's medications.
    public class func userAnnotatedMedicationType() -> HKUserAnnotatedMedicationType {
        required(HKDataTypeIdentifierUserAnnotatedMedicationConcept)
    }
}
