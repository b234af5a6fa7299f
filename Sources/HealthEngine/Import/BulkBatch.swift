public import Foundation
public import HealthModel

/// One batch of an import: quantity and category samples as columns, objects as records.
public struct BulkBatch: Sendable {
    /// One entry per type, in any order. Numbers of units, revisions and devices refer to the batch's own
    /// ``dictionaries``, not to the store's; sequences are empty.
    public var columns: [SampleColumns]
    /// Objects with their members, which contain their revisions and devices; sequences are 0.
    public var objects: [ObjectRecord]
    /// Objects that belong to one of ``objects``; they are written with it and linked to it.
    public var parts: [Part]
    /// Files attached to one of ``objects``, even if the store already has the object.
    public var attachments: [Attachment]
    /// Additions to samples and objects identified by UUID, written after the rest of the batch.
    public var additions: [Addition] = []
    /// When the archive was exported, in seconds since 2001-01-01 00:00:00 UTC; `nil` if that is unknown. The summary
    /// of a day that was not over by then doesn't replace one of an archive that was exported later.
    public var exportDate: Double?
    /// Whether activity summaries replace those of archives that were exported later.
    public var replacesLaterSummaries = false
    /// Types under which the store may already have some of ``objects``.
    public var alternateTypes: [AlternateTypes]
    /// The batch's own dictionaries. Types outside the catalog are listed in `types` with codes from
    /// `TypeCode.firstUnknown` upward, which are local to the batch, too.
    public var dictionaries: StoreDictionaries

    /// An object that belongs to another one, as a route belongs to its workout.
    public struct Part: Hashable, Sendable {
        /// The index of its owner in ``BulkBatch/objects``.
        public var owner: Int
        /// The part itself.
        public var object: ObjectRecord

        /// Creates a part of the object at index `owner`.
        public init(owner: Int, object: ObjectRecord) {
            self.owner = owner
            self.object = object
        }
    }

    /// A file attached to an object.
    public struct Attachment: Hashable, Sendable {
        /// The index of the object in ``BulkBatch/objects``.
        public var owner: Int
        /// The file's description. Its identifier is replaced if another stored object has an attachment
        /// with that identifier; its size is that of ``bytes``.
        public var record: AttachmentRecord
        /// The file's contents.
        public var bytes: [UInt8]

        /// Creates a file attached to the object at index `owner`.
        public init(owner: Int, record: AttachmentRecord, bytes: [UInt8]) {
            self.owner = owner
            self.record = record
            self.bytes = bytes
        }
    }

    /// Data that belongs to a sample or object identified by UUID, in the store or in the same batch.
    public enum Addition: Hashable, Sendable {
        /// Samples and objects that belong to an object.
        case members([UUID], of: UUID)
        /// The quantities of a series sample; one that already has quantities keeps them.
        case quantities(QuantitySeries, of: UUID)
        /// A file attached to a sample or object, with the identifier in its record; one that is already stored
        /// is not stored again.
        case attachment(AttachmentRecord, bytes: [UInt8], of: UUID)
    }

    /// The types that a clinical record can have, which depend on whether its file is present.
    public struct AlternateTypes: Hashable, Sendable {
        /// The index of the record in ``BulkBatch/objects``.
        public var object: Int
        /// Identifiers of the types. A stored object of one of them matches if only the file is missing on one
        /// side; the one with the file is kept.
        public var identifiers: [String]

        /// Creates the alternate types of the object at an index.
        public init(object: Int, identifiers: [String]) {
            self.object = object
            self.identifiers = identifiers
        }
    }

    /// Creates a batch, which may be empty.
    public init(
        columns: [SampleColumns] = [], objects: [ObjectRecord] = [], parts: [Part] = [],
        attachments: [Attachment] = [], alternateTypes: [AlternateTypes] = [], dictionaries: StoreDictionaries = .init()
    ) {
        self.columns = columns
        self.objects = objects
        self.parts = parts
        self.attachments = attachments
        self.alternateTypes = alternateTypes
        self.dictionaries = dictionaries
    }
}
