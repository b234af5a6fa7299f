public import Foundation
import HealthModel

/// A sample whose value is a member of an enumeration, such as a stage of sleep.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKCategorySample: HKSample, @unchecked Sendable {
    private let rawValue: Int

    init(identity: UUID, context: ObjectContext, start: Double, end: Double, value: Int) {
        rawValue = value
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// The sample's type.
    open var categoryType: HKCategoryType {
        // Only category types reach the contexts of this class.
        unsafeDowncast(context.type, to: HKCategoryType.self)
    }

    /// The raw value of the enumeration that belongs to the type.
    open var value: Int { rawValue }

    /// A sample of `type` over a span of time.
    ///
    /// A value outside the type's enumeration, or a start after the end, ends the process.
    public convenience init(type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// A sample of `type` over a span of time, with metadata.
    ///
    /// A value outside the type's enumeration, a start after the end, or missing required metadata ends the process.
    public convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// A sample of `type` over a span of time, with the device that measured and metadata.
    ///
    /// A value outside the type's enumeration, a start after the end, or missing required metadata ends the process.
    public convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        let record = SampleRecord(
            uuid: UUID(), type: type.code, start: startDate.timeIntervalSinceReferenceDate,
            end: endDate.timeIntervalSinceReferenceDate, value: Double(value),
            metadata: ProgrammerError.checkedMetadata(metadata))
        ProgrammerError.check(record, of: type, class: "HKCategorySample")
        self.init(
            identity: record.uuid ?? UUID(),
            context: ObjectContext(type: type, device: device, metadata: record.metadata),
            start: record.start, end: record.end, value: value)
    }

    /// The older spelling of ``init(type:value:start:end:)``.
    @available(*, deprecated, renamed: "init(type:value:start:end:)")
    public convenience init(type: HKCategoryType, value: Int, startDate: Date, endDate: Date) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// The older spelling of ``init(type:value:start:end:metadata:)``.
    @available(*, deprecated, renamed: "init(type:value:start:end:metadata:)")
    public convenience init(
        type: HKCategoryType, value: Int, startDate: Date, endDate: Date, metadata: [String: Any]?
    ) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// The older spelling of ``init(type:value:start:end:device:metadata:)``.
    @available(*, deprecated, renamed: "init(type:value:start:end:device:metadata:)")
    public convenience init(
        type: HKCategoryType, value: Int, startDate: Date, endDate: Date, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: device, metadata: metadata)
    }

    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(ObjectArchive.self, from: coder),
            case .sample(let record) = archive.item,
            let base = archive.base(of: record), base.context.type is HKCategoryType,
            let value = Int(exactly: record.value)
        else { return nil }
        rawValue = value
        super.init(identity: base.identity, context: base.context, start: record.start, end: record.end)
    }

    override var summary: String { "\(sampleType.identifier) \(rawValue)" }
}
