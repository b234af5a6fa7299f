public import Foundation
import HealthModel

/// How a quantity sample is made: the initializers of ``HKQuantitySample``.
///
/// They stand in a protocol because only there may an initializer hand out an instance of a
/// subclass, which the type's aggregation style chooses.
public protocol HKQuantitySampleMaking {}

extension HKQuantitySampleMaking {
    /// A sample of `quantityType` over a span of time.
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

    /// A sample of `quantityType` over a span of time, with metadata.
    ///
    /// A quantity in an incompatible unit, a start after the end, or metadata that is not allowed ends the process.
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date, metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// A sample of `quantityType` over a span of time, with the device that measured and metadata.
    ///
    /// A quantity in an incompatible unit, a start after the end, or metadata that is not allowed ends the process.
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
        end endDate: Date, device: HKDevice?, metadata: [String: Any]?
    ) {
        let sample = HKQuantitySample.make(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: device,
            metadata: metadata)
        guard let sample = sample as? Self else {
            ProgrammerError.refuse("\(quantityType.identifier) samples are not of class \(Self.self)")
        }
        self = sample
    }

    /// The older spelling of ``init(type:quantity:start:end:)``.
    @available(*, deprecated, renamed: "init(type:quantity:start:end:)")
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, startDate: Date, endDate: Date
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: nil)
    }

    /// The older spelling of ``init(type:quantity:start:end:metadata:)``.
    @available(*, deprecated, renamed: "init(type:quantity:start:end:metadata:)")
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, startDate: Date, endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// The older spelling of ``init(type:quantity:start:end:device:metadata:)``.
    @available(*, deprecated, renamed: "init(type:quantity:start:end:device:metadata:)")
    public init(
        type quantityType: HKQuantityType, quantity: HKQuantity, startDate: Date, endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: device,
            metadata: metadata)
    }
}

extension HKQuantitySample {
    /// The class whose instances stand for samples of `type`.
    static func sampleClass(for type: HKQuantityType) -> HKQuantitySample.Type {
        type.aggregationStyle == .cumulative
            ? HKCumulativeQuantitySample.self : HKDiscreteQuantitySample.self
    }

    fileprivate static func make(
        type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date, device: HKDevice?,
        metadata: [String: Any]?
    ) -> HKQuantitySample {
        let identity = UUID()
        let quantityRecord = quantity.record
        let record = SampleRecord(
            uuid: identity, type: type.code, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate, value: quantityRecord.value,
            unit: quantityRecord.unit, metadata: ProgrammerError.checkedMetadata(metadata))
        ProgrammerError.check(record, of: type, class: "HKQuantitySample")
        let context = ObjectContext(type: type, device: device, metadata: record.metadata)
        return type.aggregationStyle == .cumulative
            ? HKCumulativeQuantitySample(
                identity: identity, context: context, start: record.start, end: record.end,
                unit: quantity.unit, value: record.value)
            : HKDiscreteQuantitySample(
                identity: identity, context: context, start: record.start, end: record.end,
                unit: quantity.unit, value: record.value)
    }
}
