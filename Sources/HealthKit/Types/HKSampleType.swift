public import Foundation
package import HealthModel

/// A type of samples.
// Unchecked: adds no stored property to its superclass.
open class HKSampleType: HKObjectType, @unchecked Sendable {
    /// Whether samples longer than ``maximumAllowedDuration`` are rejected.
    ///
    /// `true` for clinical documents only: Apple does not publish the limits of other types, so none is enforced unless
    /// ``HKHealthStore/Configuration-swift.struct/maximumDurations`` sets it.
    open var isMaximumDurationRestricted: Bool { typeDescription.maximumDuration != nil }

    /// The maximum duration of a sample, in seconds. Ends the process for a type without a limit.
    open var maximumAllowedDuration: TimeInterval {
        if let maximum = typeDescription.maximumDuration { return maximum }
        ProgrammerError.raise("\(identifier) has no maximum duration; check isMaximumDurationRestricted first")
    }

    /// Whether samples shorter than ``minimumAllowedDuration`` are rejected. Always `false`, as for the maximum.
    open var isMinimumDurationRestricted: Bool { false }

    /// The minimum duration of a sample, in seconds. Ends the process for a type without a limit.
    open var minimumAllowedDuration: TimeInterval {
        ProgrammerError.raise("\(identifier) has no minimum duration; check isMinimumDurationRestricted first")
    }

    /// Whether the type's estimates can be recalibrated: `true` for the six-minute walk test.
    open var allowsRecalibrationForEstimates: Bool {
        identifier == HKQuantityTypeIdentifier.sixMinuteWalkTestDistance.rawValue
    }
}

/// The type of samples with a quantity.
// Unchecked: its only stored property of its own is an immutable value.
open class HKQuantityType: HKSampleType, @unchecked Sendable {
    /// The unit in the catalog; `nil` for a type outside it.
    private let canonicalUnit: UnitExpression?

    package override init(_ description: TypeDescription) {
        canonicalUnit = description.canonicalUnit.flatMap { try? UnitExpression(parsing: $0) }
        super.init(description)
    }

    /// The quantity type of this name; an unknown one ends the process.
    public convenience init(_ identifier: HKQuantityTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKQuantityType as! Self)
    }

    /// Whether quantities of the type add up; not overridden, because it is asked for each sample.
    final var isCumulative: Bool { typeDescription.aggregationStyle == .cumulative }

    /// How quantities of the type are aggregated.
    open var aggregationStyle: HKQuantityAggregationStyle {
        switch typeDescription.aggregationStyle {
        case .cumulative: .cumulative
        case .discreteArithmetic, nil: .discreteArithmetic
        case .discreteTemporallyWeighted: .discreteTemporallyWeighted
        case .discreteEquivalentContinuousLevel: .discreteEquivalentContinuousLevel
        }
    }

    /// Whether `unit` is valid for the type. A type outside the catalog accepts every unit.
    open func `is`(compatibleWith unit: HKUnit) -> Bool {
        canonicalUnit?.isCompatible(with: unit.expression) ?? true
    }
}

extension HKQuantityType {
    /// The quantity types of the catalog that a unit is valid for, those whose quantities add up or the others.
    static func all(compatibleWith unit: HKUnit, isCumulative: Bool) -> [HKQuantityType] {
        TypeCatalog.all.filter { $0.kind == .quantity }
            .map { HKObjectType.required($0.identifier) as HKQuantityType }
            .filter { ($0.aggregationStyle == .cumulative) == isCumulative && $0.is(compatibleWith: unit) }
    }
}

/// The type of samples with a value of an enumeration.
// Unchecked: adds no stored property to its superclass.
open class HKCategoryType: HKSampleType, @unchecked Sendable {
    /// The type of this name; an unknown one ends the process.
    public convenience init(_ identifier: HKCategoryTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKCategoryType as! Self)
    }
}

/// The type of samples that group other samples, such as a blood pressure reading.
// Unchecked: adds no stored property to its superclass.
open class HKCorrelationType: HKSampleType, @unchecked Sendable {
    /// The type of this name; an unknown one ends the process.
    public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKCorrelationType as! Self)
    }
}

/// The type of workouts.
// Unchecked: adds no stored property to its superclass.
open class HKWorkoutType: HKSampleType, @unchecked Sendable {
}

/// The type of activity summaries.
// Unchecked: adds no stored property to its superclass.
open class HKActivitySummaryType: HKObjectType, @unchecked Sendable {
}

/// The type of a characteristic of the person, such as the date of birth.
// Unchecked: adds no stored property to its superclass.
open class HKCharacteristicType: HKObjectType, @unchecked Sendable {
    /// The type of this name; an unknown one ends the process.
    public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKCharacteristicType as! Self)
    }
}

/// The type of samples with a series of values, such as the points of a route.
// Unchecked: adds no stored property to its superclass.
open class HKSeriesType: HKSampleType, @unchecked Sendable {
    /// The type of heartbeat series.
    open class func heartbeat() -> Self {
        HKObjectType.required(HKDataTypeIdentifierHeartbeatSeries) as HKSeriesType as! Self
    }

    /// The type of workout routes.
    open class func workoutRoute() -> Self {
        HKObjectType.required(HKWorkoutRouteTypeIdentifier) as HKSeriesType as! Self
    }
}

/// The type of samples with a document.
// Unchecked: adds no stored property to its superclass.
open class HKDocumentType: HKSampleType, @unchecked Sendable {
    /// The type of this name; an unknown one ends the process.
    public convenience init(_ identifier: HKDocumentTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKDocumentType as! Self)
    }
}

/// The type of samples with a clinical record.
// Unchecked: adds no stored property to its superclass.
open class HKClinicalType: HKSampleType, @unchecked Sendable {
    /// The type of this name; an unknown one ends the process.
    public convenience init(_ identifier: HKClinicalTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKClinicalType as! Self)
    }
}

/// The type of verifiable records, which has no public name.
// Unchecked: adds no stored property to its superclass.
final class VerifiableRecordType: HKSampleType, @unchecked Sendable {
    static let identifier = "HKDataTypeIdentifierVerifiableClinicalRecord"
}

/// The type of vision prescriptions.
// Unchecked: adds no stored property to its superclass.
open class HKPrescriptionType: HKSampleType, @unchecked Sendable {
    /// `true`: the person authorizes each object.
    open override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The type of audiograms.
// Unchecked: adds no stored property to its superclass.
open class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {
}

/// The type of electrocardiograms.
// Unchecked: adds no stored property to its superclass.
open class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {
}

/// The type of scored questionnaires.
// Unchecked: adds no stored property to its superclass.
open class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
    /// The type of this name; an unknown one ends the process.
    public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKScoredAssessmentType as! Self)
    }
}

/// The type of states of mind.
// Unchecked: adds no stored property to its superclass.
open class HKStateOfMindType: HKSampleType, @unchecked Sendable {
}

/// The type of medication dose events.
// Unchecked: adds no stored property to its superclass.
open class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {
}

/// The type of a person's medications.
// Unchecked: adds no stored property to its superclass.
open class HKUserAnnotatedMedicationType: HKObjectType, @unchecked Sendable {
    /// `true`: the person authorizes each object.
    open override func requiresPerObjectAuthorization() -> Bool { true }
}
