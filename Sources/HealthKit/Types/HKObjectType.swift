public import Foundation
package import HealthModel

/// A type of data in a store. A known type is always the identical object; types are equal when their
/// identifiers are.
///
/// Types are immutable and may be used from any thread.
// Unchecked: every stored property of the family is an immutable value; classes that are open cannot be checked.
open class HKObjectType: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable, SharedObjectMaking {
    /// The type's description in the catalog or the store.
    package let typeDescription: TypeDescription

    package init(_ description: TypeDescription) {
        typeDescription = description
    }

    /// The identifier, as archives contain it.
    open var identifier: String { typeDescription.identifier }

    /// The type's code in a store.
    package final var code: TypeCode { typeDescription.code }

    /// A Boolean value that indicates whether a person authorizes each object instead of the type as a whole:
    /// `true` for vision prescriptions and medications.
    open func requiresPerObjectAuthorization() -> Bool { false }

    /// A Boolean value that indicates whether applications may save samples of the type.
    final var isShareable: Bool { TypeCatalog.description(for: identifier)?.isShareable ?? false }

    /// The identifier.
    open override var description: String { identifier }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKObjectType else { return false }
        return self === other || typeDescription.identifier == other.typeDescription.identifier
    }

    open override var hash: Int { typeDescription.identifier.hashValue }

    /// Returns the type itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(ObjectCoding.NamedType(typeDescription), with: coder)
    }

    /// Decodes a type; `nil` for a damaged archive and for a type of another class.
    public required convenience init?(coder: NSCoder) {
        guard let named = SecureRecord.decode(ObjectCoding.NamedType.self, from: coder), named.isValid,
            let type = (HKObjectType.described(by: named.description) as HKObjectType) as? Self
        else { return nil }
        self.init(sharing: type)
    }

    // MARK: - The types by identifier

    // Each call returns the identical object, or `nil` for an unknown identifier.

    /// The quantity type with this identifier.
    open class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        known(identifier.rawValue)
    }

    /// The category type with this identifier.
    open class func categoryType(forIdentifier identifier: HKCategoryTypeIdentifier) -> HKCategoryType? {
        known(identifier.rawValue)
    }

    /// The characteristic type with this identifier.
    open class func characteristicType(
        forIdentifier identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        known(identifier.rawValue)
    }

    /// The correlation type with this identifier.
    open class func correlationType(forIdentifier identifier: HKCorrelationTypeIdentifier) -> HKCorrelationType? {
        known(identifier.rawValue)
    }

    /// The document type with this identifier.
    open class func documentType(forIdentifier identifier: HKDocumentTypeIdentifier) -> HKDocumentType? {
        known(identifier.rawValue)
    }

    /// The clinical record type with this identifier.
    open class func clinicalType(forIdentifier identifier: HKClinicalTypeIdentifier) -> HKClinicalType? {
        known(identifier.rawValue)
    }

    /// The series type with this identifier.
    open class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
        known(identifier)
    }

    /// The type of workouts.
    open class func workoutType() -> HKWorkoutType {
        required(HKWorkoutTypeIdentifier)
    }

    /// The type of activity summaries.
    open class func activitySummaryType() -> HKActivitySummaryType {
        required("HKActivitySummaryTypeIdentifier")
    }

    /// The type of audiograms.
    open class func audiogramSampleType() -> HKAudiogramSampleType {
        required("HKDataTypeIdentifierAudiogram")
    }

    /// The type of electrocardiograms.
    open class func electrocardiogramType() -> HKElectrocardiogramType {
        required("HKDataTypeIdentifierElectrocardiogram")
    }

    /// The type of vision prescriptions.
    open class func visionPrescriptionType() -> HKPrescriptionType {
        required(HKVisionPrescriptionTypeIdentifier)
    }

    /// The type of states of mind.
    open class func stateOfMindType() -> HKStateOfMindType {
        required(HKDataTypeIdentifierStateOfMind)
    }

    /// The type of medication dose events.
    open class func medicationDoseEventType() -> HKMedicationDoseEventType {
        required(HKMedicationDoseEventTypeIdentifierMedicationDoseEvent)
    }

    /// The type of the person's medications.
    open class func userAnnotatedMedicationType() -> HKUserAnnotatedMedicationType {
        required(HKDataTypeIdentifierUserAnnotatedMedicationConcept)
    }
}

extension HKObjectType {
    /// All types of the catalog by identifier.
    private static let known: [String: HKObjectType] = Dictionary(
        uniqueKeysWithValues: TypeCatalog.all.map { ($0.identifier, new($0)) })

    /// The shared object of a type in the catalog; a new one for any other type.
    package static func described(by description: TypeDescription) -> HKObjectType {
        known[description.identifier] ?? new(description)
    }

    /// The known type with this identifier; `nil` when there is none of the class.
    static func known<Type: HKObjectType>(_ identifier: String, as type: Type.Type = Type.self) -> Type? {
        known[identifier] as? Type
    }

    /// The known type with this identifier; an unknown one ends the process.
    static func required<Type: HKObjectType>(_ identifier: String, as type: Type.Type = Type.self) -> Type {
        guard let known = known(identifier, as: type) else {
            ProgrammerError.raise("\(identifier) is not the identifier of a known \(Type.self)")
        }
        return known
    }

    private static func new(_ description: TypeDescription) -> HKObjectType {
        switch description.kind {
        case .quantity: HKQuantityType(description)
        case .category: HKCategoryType(description)
        case .correlation: HKCorrelationType(description)
        case .workout: HKWorkoutType(description)
        case .activitySummary: HKActivitySummaryType(description)
        case .characteristic: HKCharacteristicType(description)
        case .series: HKSeriesType(description)
        case .document: newDocument(description)
        }
    }

    private static func newDocument(_ description: TypeDescription) -> HKObjectType {
        let identifier = description.identifier
        return switch identifier {
        case "HKDataTypeIdentifierElectrocardiogram": HKElectrocardiogramType(description)
        case "HKDataTypeIdentifierAudiogram": HKAudiogramSampleType(description)
        case HKVisionPrescriptionTypeIdentifier: HKPrescriptionType(description)
        case HKDataTypeIdentifierStateOfMind: HKStateOfMindType(description)
        case VerifiableRecordType.identifier: VerifiableRecordType(description)
        case HKMedicationDoseEventTypeIdentifierMedicationDoseEvent: HKMedicationDoseEventType(description)
        case HKDataTypeIdentifierUserAnnotatedMedicationConcept: HKUserAnnotatedMedicationType(description)
        case _ where identifier.hasPrefix("HKScoredAssessmentTypeIdentifier"): HKScoredAssessmentType(description)
        case _ where identifier.hasPrefix("HKDocumentTypeIdentifier"): HKDocumentType(description)
        case _ where identifier.hasPrefix("HKClinicalTypeIdentifier"): HKClinicalType(description)
        default: HKSampleType(description)
        }
    }
}

extension HKSampleType {
    /// The object of a sample type; `nil` for other types, such as characteristics.
    package static func described(by description: TypeDescription) -> HKSampleType? {
        let type: HKObjectType = HKObjectType.described(by: description)
        return type as? HKSampleType
    }
}
