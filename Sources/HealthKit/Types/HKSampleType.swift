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

/// The type of verifiable records, which has no public name.
// Unchecked: adds no stored property to its superclass.
final class VerifiableRecordType: HKSampleType, @unchecked Sendable {
    static let identifier = "HKDataTypeIdentifierVerifiableClinicalRecord"
}
