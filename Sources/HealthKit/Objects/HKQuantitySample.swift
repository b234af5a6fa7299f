public import Foundation

/// A sample with one quantity, such as steps or a heart rate.
///
/// `HKQuantitySample(type:quantity:start:end:)` creates an ``HKCumulativeQuantitySample`` or an
/// ``HKDiscreteQuantitySample``, depending on the type's aggregation style.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKQuantitySample: HKSample, HKQuantitySampleMaking, @unchecked Sendable {
    // Value and unit instead of an HKQuantity, which would be another allocation for each sample read.
    final let unit: HKUnit
    final let value: Double

    init(_ base: SampleBase, unit: HKUnit, value: Double) {
        self.unit = unit
        self.value = value
        super.init(base)
    }

    /// The sample's type.
    open var quantityType: HKQuantityType {
        // Only quantity types reach the contexts of this class.
        unsafeDowncast(context.type, to: HKQuantityType.self)
    }

    /// The quantity, in the unit it was written in.
    open var quantity: HKQuantity { HKQuantity(unit: unit, doubleValue: value) }

    /// The number of quantities in the sample; more than 1 only for a series.
    open var count: Int { SeriesFigures(context)?.count ?? 1 }

    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.sample(from: coder), archived.base.context.type is HKQuantityType,
            let unit = HKUnit.parsed(archived.unit)
        else { return nil }
        self.unit = unit
        value = archived.value
        super.init(archived.base)
    }

    override var summary: String { "\(quantity)" }
}

/// The initializers of ``HKQuantitySample``.
///
/// They are in a protocol because only there can an initializer return an instance of a subclass, which
/// the type's aggregation style selects.
public protocol HKQuantitySampleMaking {}

extension HKQuantitySampleMaking {
    /// Creates a sample.
    ///
    /// A quantity in an incompatible unit, or a start after the end, ends the process.
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: nil)
    }

    /// Creates a sample with metadata.
    ///
    /// A quantity in an incompatible unit, a start after the end, or metadata that is not allowed ends the process.
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date, metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// Creates a sample with a device and metadata.
    ///
    /// ``HKCumulativeQuantitySample`` and ``HKDiscreteQuantitySample`` accept types of either aggregation style, like
    /// the original; such a sample comes back from a store in the class of its type.
    ///
    /// A quantity in an incompatible unit, a start after the end, or metadata that is not allowed ends the process.
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date, device: HKDevice?, metadata: [String: Any]?
    ) {
        let sample = HKQuantitySample.make(
            Self.self, type: quantityType, quantity: quantity, start: startDate, end: endDate, device: device,
            metadata: metadata)
        guard let sample = sample as? Self else {
            ProgrammerError.refuse("\(quantityType.identifier) samples are not of class \(Self.self)")
        }
        self = sample
    }

    /// The previous name of ``init(type:quantity:start:end:)``.
    @available(*, deprecated, renamed: "init(type:quantity:start:end:)")
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, startDate: Date, endDate: Date
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: nil)
    }

    /// The previous name of ``init(type:quantity:start:end:metadata:)``.
    @available(*, deprecated, renamed: "init(type:quantity:start:end:metadata:)")
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, startDate: Date, endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// The previous name of ``init(type:quantity:start:end:device:metadata:)``.
    @available(*, deprecated, renamed: "init(type:quantity:start:end:device:metadata:)")
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, startDate: Date, endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: device, metadata: metadata)
    }
}

extension HKQuantitySample {
    /// The class of samples of `type`.
    static func sampleClass(for type: HKQuantityType) -> HKQuantitySample.Type {
        type.isCumulative ? HKCumulativeQuantitySample.self : HKDiscreteQuantitySample.self
    }

    fileprivate static func make(
        _ wanted: Any.Type, type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date, device: HKDevice?,
        metadata: [String: Any]?
    ) -> HKQuantitySample {
        let base = SampleBase.checked(
            new: type, value: quantity.value, unit: quantity.unit.unitString, start: start, end: end,
            device: device, metadata: metadata, class: "HKQuantitySample")
        let isCumulative =
            wanted is HKCumulativeQuantitySample.Type || !(wanted is HKDiscreteQuantitySample.Type) && type.isCumulative
        return make(base, isCumulative: isCumulative, unit: quantity.unit, value: quantity.value)
    }

    /// A sample of the class for its aggregation style.
    static func make(_ base: SampleBase, isCumulative: Bool, unit: HKUnit, value: Double) -> HKQuantitySample {
        isCumulative
            ? HKCumulativeQuantitySample(base, unit: unit, value: value)
            : HKDiscreteQuantitySample(base, unit: unit, value: value)
    }
}

/// A sample of a type whose quantities add up, such as steps.
// Unchecked: adds no stored property to its superclass.
open class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The sum of the sample's quantities.
    open var sumQuantity: HKQuantity { quantity }
}

/// A sample of a type whose quantities do not add up, such as a heart rate.
// Unchecked: adds no stored property to its superclass.
open class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The minimum of the sample's quantities.
    open var minimumQuantity: HKQuantity { quantity(series?.minimum) }

    /// The mean of the sample's quantities.
    open var averageQuantity: HKQuantity { quantity }

    /// The maximum of the sample's quantities.
    open var maximumQuantity: HKQuantity { quantity(series?.maximum) }

    /// The most recent of the sample's quantities.
    open var mostRecentQuantity: HKQuantity { quantity(series?.latest) }

    /// The start and end of the most recent quantity.
    open var mostRecentQuantityDateInterval: DateInterval {
        guard let series, let first = series.latestStart, let last = series.latestEnd else {
            return DateInterval(start: startDate, end: max(startDate, endDate))
        }
        return DateInterval(
            start: Date(timeIntervalSinceReferenceDate: first), end: Date(timeIntervalSinceReferenceDate: last))
    }

    private var series: SeriesFigures? { SeriesFigures(context) }

    private func quantity(_ value: Double?) -> HKQuantity {
        HKQuantity(unit: unit, doubleValue: value ?? self.value)
    }
}

/// The previous class of cumulative samples with several quantities, replaced by
/// ``HKCumulativeQuantitySample``. No sample is an instance of it.
@available(*, deprecated, message: "Use HKCumulativeQuantitySample")
// Unchecked: adds no stored property to its superclass.
open class HKCumulativeQuantitySeriesSample: HKCumulativeQuantitySample, @unchecked Sendable {
    /// The sum of the sample's quantities.
    open var sum: HKQuantity { sumQuantity }
}
