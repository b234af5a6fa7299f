public import Foundation
import HealthModel

/// Quantity and category samples that belong together: a meal, a blood pressure.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKCorrelation: HKSample, @unchecked Sendable {
    private let members: Set<HKSample>

    init(identity: UUID, context: ObjectContext, start: Double, end: Double, members: Set<HKSample>) {
        self.members = members
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// The correlation's type.
    open var correlationType: HKCorrelationType {
        // Only correlation types reach the contexts of this class.
        unsafeDowncast(context.type, to: HKCorrelationType.self)
    }

    /// The samples that belong together.
    open var objects: Set<HKSample> { members }

    /// The members of one type.
    open func objects(for objectType: HKObjectType) -> Set<HKSample> {
        members.filter { $0.sampleType == objectType }
    }

    /// A correlation of samples. An empty set, or one with other than quantity and category samples, ends the process.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
            metadata: nil)
    }

    /// A correlation of samples, with metadata.
    ///
    /// An empty set, or one with other than quantity and category samples, ends the process.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>, metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
            metadata: metadata)
    }

    /// A correlation of samples, with the device that measured and metadata.
    ///
    /// An empty set, or one with other than quantity and category samples, ends the process.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>, device: HKDevice?, metadata: [String: Any]?
    ) {
        for object in objects where !(object is HKQuantitySample || object is HKCategorySample) {
            ProgrammerError.refuse(
                "Objects of a correlation must be quantity or category samples, not \(Swift.type(of: object))")
        }
        let record = ObjectRecord(
            uuid: UUID(), type: correlationType.code,
            start: startDate.timeIntervalSinceReferenceDate,
            end: endDate.timeIntervalSinceReferenceDate,
            metadata: ProgrammerError.checkedMetadata(metadata),
            members: RecordEncoder.members(objects))
        ProgrammerError.check(record, of: correlationType)
        self.init(
            identity: record.uuid ?? UUID(),
            context: ObjectContext(type: correlationType, device: device, metadata: record.metadata),
            start: record.start, end: record.end, members: objects)
    }

    /// The older spelling of ``init(type:start:end:objects:)``.
    @available(*, deprecated, renamed: "init(type:start:end:objects:)")
    public convenience init(
        type correlationType: HKCorrelationType, startDate: Date, endDate: Date, objects: Set<HKSample>
    ) {
        self.init(type: correlationType, start: startDate, end: endDate, objects: objects)
    }

    /// The older spelling of ``init(type:start:end:objects:metadata:)``.
    @available(*, deprecated, renamed: "init(type:start:end:objects:metadata:)")
    public convenience init(
        type correlationType: HKCorrelationType, startDate: Date, endDate: Date,
        objects: Set<HKSample>, metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, metadata: metadata)
    }

    /// The older spelling of ``init(type:start:end:objects:device:metadata:)``.
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
        guard let archive = SecureRecord.decode(ObjectArchive.self, from: coder),
            case .object(let record) = archive.item,
            let base = archive.base(of: record), base.context.type is HKCorrelationType,
            let members = archive.members(of: record)
        else { return nil }
        self.members = members
        super.init(identity: base.identity, context: base.context, start: record.start, end: record.end)
    }

    override var summary: String { "\(sampleType.identifier) of \(members.count) objects" }
}
