public import Foundation

/// Quantity and category samples that belong together, such as a meal or a blood pressure reading.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKCorrelation: HKSample, @unchecked Sendable {
    private let members: Set<HKSample>

    init(_ base: SampleBase, members: Set<HKSample>) {
        self.members = members
        super.init(base)
    }

    /// The correlation's type.
    open var correlationType: HKCorrelationType {
        // Only correlation types reach the contexts of this class.
        unsafeDowncast(context.type, to: HKCorrelationType.self)
    }

    /// The members.
    open var objects: Set<HKSample> { members }

    /// The members of one type.
    open func objects(for objectType: HKObjectType) -> Set<HKSample> {
        members.filter { $0.sampleType == objectType }
    }

    /// Creates a correlation. An empty set, or one that contains other than quantity and category samples, ends
    /// the process.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
            metadata: nil)
    }

    /// Creates a correlation with metadata.
    ///
    /// An empty set, or one that contains other than quantity and category samples, ends the process.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>, metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil, metadata: metadata)
    }

    /// Creates a correlation with a device and metadata.
    ///
    /// An empty set, or one that contains other than quantity and category samples, ends the process.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>, device: HKDevice?, metadata: [String: Any]?
    ) {
        for object in objects where !(object is HKQuantitySample || object is HKCategorySample) {
            ProgrammerError.refuse(
                "Objects of a correlation must be quantity or category samples, not \(Swift.type(of: object))")
        }
        let base = SampleBase.checked(
            new: correlationType, start: startDate, end: endDate, device: device, metadata: metadata, members: objects)
        self.init(base, members: objects)
    }

    /// The previous name of ``init(type:start:end:objects:)``.
    @available(*, deprecated, renamed: "init(type:start:end:objects:)")
    public convenience init(
        type correlationType: HKCorrelationType, startDate: Date, endDate: Date, objects: Set<HKSample>
    ) {
        self.init(type: correlationType, start: startDate, end: endDate, objects: objects)
    }

    /// The previous name of ``init(type:start:end:objects:metadata:)``.
    @available(*, deprecated, renamed: "init(type:start:end:objects:metadata:)")
    public convenience init(
        type correlationType: HKCorrelationType, startDate: Date, endDate: Date,
        objects: Set<HKSample>, metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, metadata: metadata)
    }

    /// The previous name of ``init(type:start:end:objects:device:metadata:)``.
    @available(*, deprecated, renamed: "init(type:start:end:objects:device:metadata:)")
    public convenience init(
        type correlationType: HKCorrelationType, startDate: Date, endDate: Date,
        objects: Set<HKSample>, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: device,
            metadata: metadata)
    }

    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.correlation(from: coder), archived.base.context.type is HKCorrelationType
        else { return nil }
        members = archived.members
        super.init(archived.base)
    }

    override var summary: String { "\(sampleType.identifier) of \(members.count) objects" }
}
