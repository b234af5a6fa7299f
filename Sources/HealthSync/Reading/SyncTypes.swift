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

    static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
