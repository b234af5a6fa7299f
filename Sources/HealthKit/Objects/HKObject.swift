public import Foundation
import HealthModel

/// An object in the store: an identity, the source that wrote it, the device and metadata.
///
/// Objects are immutable. Two objects are equal when their identities are.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
    final let identity: UUID
    final let context: ObjectContext

    init(identity: UUID, context: ObjectContext) {
        self.identity = identity
        self.context = context
    }

    /// The identity, assigned when the object is created and kept by the store.
    open var uuid: UUID { identity }

    /// The source that wrote the object. For an object that was not read from a store, this application.
    open var source: HKSource { sourceRevision.source }

    /// The source with its version. For an object that was not read from a store, this application.
    open var sourceRevision: HKSourceRevision { context.revision ?? ProcessApplication.revision }

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
        guard let archive = ObjectArchive(self) else { return }
        SecureRecord.encode(archive, with: coder)
        // A record within another record has no place for anything else.
        if let sample = self as? HKSample, !(coder is RecordBytesCoder) { OriginalLayout.encode(sample, with: coder) }
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKObject)?.identity == identity
    }

    open override var hash: Int { identity.hashValue }

    open override var description: String { "\(identity) \(sourceRevision)" }
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
        guard let base = ObjectArchive.base(from: coder) else { return nil }
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
open class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
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

    /// Decodes a deleted object, also from an archive of Apple's systems; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        if let fields = SecureRecord.decode(Fields.self, from: coder) {
            self.fields = fields
        } else {
            guard let uuid = OriginalLayout.uuid(from: coder), let metadata = OriginalLayout.metadata(from: coder)
            else {
                return nil
            }
            fields = Fields(uuid: uuid, metadata: metadata)
        }
    }

    open func encode(with coder: NSCoder) {
        OriginalLayout.encode(fields.uuid, fields.metadata, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKDeletedObject)?.uuid == uuid
    }

    open override var hash: Int { uuid.hashValue }

    open override var description: String { "<HKDeletedObject \(uuid)>" }
}
