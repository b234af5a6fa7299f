package import HealthModel

extension HKObjectType {
    /// Every type of the catalog, by identifier.
    private static let known: [String: HKObjectType] = Dictionary(
        uniqueKeysWithValues: TypeCatalog.all.map { ($0.identifier, new($0)) })

    /// The object for a type: the shared one for a type of the catalog, a new one for a type only a store knows.
    package static func described(by description: TypeDescription) -> HKObjectType {
        known[description.identifier] ?? new(description)
    }

    /// The object for the type with this number, or `nil` when neither the catalog nor the store has it.
    package static func make(code: TypeCode, dictionaries: StoreDictionaries) -> HKObjectType? {
        dictionaries.type(code).map(described(by:))
    }

    /// The known type with this identifier, or `nil` when there is none of the class asked for.
    static func known<Type: HKObjectType>(_ identifier: String, as type: Type.Type = Type.self) -> Type? {
        known[identifier] as? Type
    }

    /// The known type with this identifier; one that is not known ends the process.
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
    /// The object for a sample type; `nil` when the description is of something else, such as a characteristic.
    package static func described(by description: TypeDescription) -> HKSampleType? {
        let type: HKObjectType = HKObjectType.described(by: description)
        return type as? HKSampleType
    }
}
