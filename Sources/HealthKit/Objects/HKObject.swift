public import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// An object in the store: an identity, the source that wrote it, the device and metadata.
///
/// Objects are immutable. Two objects are equal when their identities are.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKObject: NSObject, _CVarArgObject, NSSecureCoding, @unchecked Sendable {
    final let identity: UUID
    final let context: ObjectContext

    init(identity: UUID, context: ObjectContext) {
        self.identity = identity
        self.context = context
    }

    /// The identity, assigned when the object is created and kept by the store.
    open var uuid: UUID { identity }

    /// The source that wrote the object. That of an object that was not read from a store has no name and no bundle
    /// identifier.
    open var source: HKSource { sourceRevision.source }

    /// The source with its version; for an object that was not read from a store, without either.
    open var sourceRevision: HKSourceRevision { context.revision ?? .ofUnsavedObjects }

    /// The device that measured the data, if any.
    open var device: HKDevice? { context.device }

    /// The metadata by key: `String`, `NSNumber`, `Date` or `HKQuantity` values; `nil` when there is none.
    open var metadata: [String: Any]? { context.metadataValues }

    open class var supportsSecureCoding: Bool { true }

    /// Always fails: only subclasses are archived, and they decode themselves.
    public required init?(coder: NSCoder) {
        return nil
    }

    open func encode(with coder: NSCoder) {
        guard let archive = ObjectCoding(self) else { return }
        SecureRecord.encode(archive, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKObject)?.identity == identity
    }

    open override var hash: Int { identity.hashValue }

    open override var description: String {
        let name = device?.name.map { " \"\($0)\"" } ?? ""
        return "\(identity) \(sourceRevision)\(name)"
            + (metadata.map { " metadata: \(MetadataDictionary.text(of: $0))" } ?? "")
    }
}

/// An object with a start and an end.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKSample: HKObject, @unchecked Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    final let start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    final let end: Double

    init(_ base: SampleBase) {
        start = base.start
        end = base.end
        super.init(identity: base.identity, context: base.context)
    }

    /// The type of the sample.
    open var sampleType: HKSampleType { context.type }

    /// The start.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: start) }

    /// The end; equal to ``startDate`` for an instant.
    open var endDate: Date { Date(timeIntervalSinceReferenceDate: end) }

    /// A Boolean value that indicates whether the end is still open (``endDate`` is `Date.distantFuture`).
    open var hasUndeterminedDuration: Bool { endDate == .distantFuture }

    /// Decodes a sample of a type without a class of its own; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let base = ObjectCoding.base(from: coder) else { return nil }
        start = base.start
        end = base.end
        super.init(identity: base.identity, context: base.context)
    }

    /// The beginning of the description.
    var summary: String { sampleType.identifier }

    /// The contents of the record besides what every object has.
    var recordBody: ObjectBody { (self as? any DocumentSample).map { .document($0.storedDocument) } ?? .none }

    /// The records of samples that were read with the object but are saved by themselves.
    var linkedRecords: [SampleRecord] { [] }

    open override var description: String {
        "\(summary) \(super.description) (\(startDate) - \(endDate))"
    }
}

/// The remains of a deleted object: its identity, and its sync keys if it had any.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKDeletedObject: NSObject, _CVarArgObject, NSSecureCoding, @unchecked Sendable {
    struct Fields: Sendable, Codable {
        var uuid: UUID
        /// The sync keys.
        var metadata: Metadata
    }

    private let fields: Fields

    init(_ fields: Fields) {
        self.fields = fields
    }

    /// The identity of the deleted object.
    open var uuid: UUID { fields.uuid }

    /// `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion` if the object had them, else `nil`.
    open var metadata: [String: Any]? { MetadataDictionary(fields.metadata).valuesOrNil }

    open class var supportsSecureCoding: Bool { true }

    /// Decodes a deleted object; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(fields, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKDeletedObject)?.uuid == uuid
    }

    open override var hash: Int { uuid.hashValue }

    open override var description: String { "<HKDeletedObject \(uuid)>" }
}

/// The common parts of objects: type, source revision, device and metadata.
///
/// Samples from a store come in long runs that agree in all four. They share one context, so that each sample
/// costs one allocation and one reference.
final class ObjectContext: Sendable {
    let type: HKSampleType
    /// `nil` for objects that were not read from a store.
    let revision: HKSourceRevision?
    let device: HKDevice?
    let metadata: Metadata

    // Created on demand, because few readers of samples use the metadata.
    private let dictionary = Mutex<MetadataDictionary?>(nil)

    init(
        type: HKSampleType, revision: HKSourceRevision? = nil, device: HKDevice? = nil,
        metadata: Metadata = .empty
    ) {
        self.type = type
        self.revision = revision
        self.device = device
        self.metadata = metadata
    }

    /// The metadata for applications; `nil` when there is none.
    var metadataValues: [String: Any]? {
        if metadata.isEmpty { return nil }
        let made = dictionary.withLock { made in
            if let made { return made }
            let new = MetadataDictionary(metadata)
            made = new
            return new
        }
        return made.values.isEmpty ? nil : made.values
    }
}

/// The properties of every sample, whatever its family: identity, context, start and end.
struct SampleBase: Sendable {
    let identity: UUID
    let context: ObjectContext
    /// Seconds since 2001-01-01 00:00:00 UTC.
    let start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    let end: Double
}

// MARK: - New samples

// A mistake in what an application passes ends the process at the caller's place in the sources.
extension SampleBase {
    /// The base of a new quantity or category sample, with its own identity.
    static func checked(
        new type: HKSampleType, value: Double, unit: String, start: Date, end: Date, device: HKDevice?,
        metadata: [String: Any]?, class name: String, file: StaticString = #fileID, line: UInt = #line
    ) -> SampleBase {
        let identity = UUID()
        let record = SampleRecord(
            uuid: identity, type: type.code, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate, value: value, unit: unit,
            metadata: ProgrammerError.checkedMetadata(metadata, file: file, line: line))
        do {
            try RecordValidation.validate(record, description: type.typeDescription)
        } catch {
            // The original's text begins with the object's description; its value and dates are left out
            // here because they are health data.
            let object = error.rule == .unit ? "\(name) \(identity.uuidString) " : ""
            ProgrammerError.refuse(object + error.reason, file: file, line: line)
        }
        return SampleBase(
            identity: identity, context: ObjectContext(type: type, device: device, metadata: record.metadata),
            start: record.start, end: record.end)
    }

    /// The base of a new sample of any other family, with its own identity.
    ///
    /// - Parameters:
    ///   - body: The family's own values, as far as there are rules for them.
    ///   - members: The samples of a correlation.
    static func checked(
        new type: HKSampleType, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?,
        body: ObjectBody = .none, members: Set<HKSample> = [], file: StaticString = #fileID, line: UInt = #line
    ) -> SampleBase {
        let identity = UUID()
        let record = ObjectRecord(
            uuid: identity, type: type.code, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate,
            metadata: ProgrammerError.checkedMetadata(metadata, file: file, line: line), body: body,
            members: RecordEncoder.members(members))
        ProgrammerError.check(record, of: type, file: file, line: line)
        return SampleBase(
            identity: identity, context: ObjectContext(type: type, device: device, metadata: record.metadata),
            start: record.start, end: record.end)
    }
}

extension SampleBase {
    /// The base of a sample that a builder finishes: with its own identity, and the source that will have
    /// written it. Nothing is checked.
    static func built(
        by application: SourceRevisionRecord, type: HKSampleType, start: Double, end: Double, device: HKDevice?,
        metadata: Metadata
    ) -> SampleBase {
        SampleBase(
            identity: UUID(),
            context: ObjectContext(
                type: type, revision: HKSourceRevision(application), device: device,
                metadata: metadata),
            start: start, end: end)
    }
}

extension ProgrammerError {
    /// The record of an application's metadata; a value of an unsupported class ends the process.
    static func checkedMetadata(
        _ given: [String: Any]?, file: StaticString = #fileID, line: UInt = #line
    ) -> Metadata {
        guard let given else { return .empty }
        do {
            return try MetadataDictionary.record(of: given)
        } catch {
            refuse(error.reason, file: file, line: line)
        }
    }

    /// Ends the process unless `record` is valid as an object of `type`.
    static func check(
        _ record: ObjectRecord, of type: HKSampleType, file: StaticString = #fileID, line: UInt = #line
    ) {
        do {
            try RecordValidation.validate(record, description: type.typeDescription)
        } catch {
            refuse(error.reason, file: file, line: line)
        }
    }
}
