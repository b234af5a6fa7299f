public import Foundation
import HealthModel

/// A sample with one quantity, such as steps or a heart rate.
///
/// `HKQuantitySample(type:quantity:start:end:)` gives an ``HKCumulativeQuantitySample`` or an
/// ``HKDiscreteQuantitySample``, as the type's aggregation style asks.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKQuantitySample: HKSample, HKQuantitySampleMaking, @unchecked Sendable {
    // Value and unit, not an HKQuantity: readers of many samples are spared an allocation for each.
    final let unit: HKUnit
    final let value: Double

    init(
        identity: UUID, context: ObjectContext, start: Double, end: Double, unit: HKUnit, value: Double
    ) {
        self.unit = unit
        self.value = value
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// The sample's type.
    open var quantityType: HKQuantityType {
        // Only quantity types reach the contexts of this class.
        unsafeDowncast(context.type, to: HKQuantityType.self)
    }

    /// The quantity, in the unit it was written in.
    open var quantity: HKQuantity { HKQuantity(unit: unit, doubleValue: value) }

    /// How many quantities the sample stands for; more than 1 only in a series.
    open var count: Int { SeriesFigures(context.metadata)?.count ?? 1 }

    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(ObjectArchive.self, from: coder),
            case .sample(let record) = archive.item,
            let base = archive.base(of: record), base.context.type is HKQuantityType,
            let unit = HKUnit.parsed(record.unit)
        else { return nil }
        self.unit = unit
        value = record.value
        super.init(identity: base.identity, context: base.context, start: record.start, end: record.end)
    }

    override var summary: String { "\(quantity)" }
}
