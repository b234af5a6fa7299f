package import HealthModel

/// A kind of sample that holds a number with a unit.
// Unchecked: its only stored property of its own is an immutable value.
open class HKQuantityType: HKSampleType, @unchecked Sendable {
    /// The unit of the model's catalog; `nil` for a type only a store knows.
    private let canonicalUnit: UnitExpression?

    package override init(_ description: TypeDescription) {
        canonicalUnit = description.canonicalUnit.flatMap { try? UnitExpression(parsing: $0) }
        super.init(description)
    }

    /// The quantity type of this name; one that is not known ends the process.
    public convenience init(_ identifier: HKQuantityTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKQuantityType as! Self)
    }

    /// How quantities of the type combine.
    public final var aggregationStyle: HKQuantityAggregationStyle {
        switch typeDescription.aggregationStyle {
        case .cumulative: .cumulative
        case .discreteArithmetic, nil: .discreteArithmetic
        case .discreteTemporallyWeighted: .discreteTemporallyWeighted
        case .discreteEquivalentContinuousLevel: .discreteEquivalentContinuousLevel
        }
    }

    /// Whether quantities of the type may be told in `unit`. A type that only a store knows takes any unit.
    public final func `is`(compatibleWith unit: HKUnit) -> Bool {
        canonicalUnit?.isCompatible(with: unit.expression) ?? true
    }
}
