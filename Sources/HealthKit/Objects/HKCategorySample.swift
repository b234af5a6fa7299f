public import Foundation

/// A sample whose value belongs to an enumeration, such as a stage of sleep.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKCategorySample: HKSample, @unchecked Sendable {
    private let rawValue: Int

    /// ``value``, which a subclass may override.
    final var categoryValue: Int { rawValue }

    init(_ base: SampleBase, value: Int) {
        rawValue = value
        super.init(base)
    }

    /// The sample's type.
    open var categoryType: HKCategoryType {
        // Only category types reach the contexts of this class.
        unsafeDowncast(context.type, to: HKCategoryType.self)
    }

    /// The raw value of the type's enumeration.
    open var value: Int { rawValue }

    /// Creates a sample.
    ///
    /// A value outside the type's enumeration, or a start after the end, ends the process.
    public convenience init(type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// Creates a sample with metadata.
    ///
    /// A value outside the type's enumeration, a start after the end, or missing required metadata ends the process.
    public convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// Creates a sample with a device and metadata.
    ///
    /// A value outside the type's enumeration, a start after the end, or missing required metadata ends the process.
    public convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        let base = SampleBase.checked(
            new: type, value: Double(value), unit: "", start: startDate, end: endDate, device: device,
            metadata: metadata, class: "HKCategorySample")
        self.init(base, value: value)
    }

    /// The previous name of ``init(type:value:start:end:)``.
    @available(*, deprecated, renamed: "init(type:value:start:end:)")
    public convenience init(type: HKCategoryType, value: Int, startDate: Date, endDate: Date) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// The previous name of ``init(type:value:start:end:metadata:)``.
    @available(*, deprecated, renamed: "init(type:value:start:end:metadata:)")
    public convenience init(
        type: HKCategoryType, value: Int, startDate: Date, endDate: Date, metadata: [String: Any]?
    ) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// The previous name of ``init(type:value:start:end:device:metadata:)``.
    @available(*, deprecated, renamed: "init(type:value:start:end:device:metadata:)")
    public convenience init(
        type: HKCategoryType, value: Int, startDate: Date, endDate: Date, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: device, metadata: metadata)
    }

    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.sample(from: coder), archived.base.context.type is HKCategoryType,
            let value = Int(exactly: archived.value)
        else { return nil }
        rawValue = value
        super.init(archived.base)
    }

    override var summary: String { "\(sampleType.identifier) \(rawValue)" }
}
