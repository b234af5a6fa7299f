public import Foundation
public import HealthModel

/// One batch of an import: page samples in columns and objects as records.
public struct BulkBatch: Sendable {
    /// One entry a type, in any order. Numbers of units, revisions and devices point into
    /// ``dictionaries`` of this batch, not into the store; sequences are empty.
    public var columns: [SampleColumns]
    /// Objects with their members, whose revisions and devices stand in full; sequences are 0.
    public var objects: [ObjectRecord]
    /// Objects that belong to one of ``objects``; they are written with it and linked to it.
    public var parts: [Part]
    /// Files that are kept with one of ``objects``, also where the store has the object already.
    public var attachments: [Attachment]
    /// What is told of stored samples and objects by their identities; written last, when all else of the batch
    /// is there.
    public var additions: [Addition] = []
    /// Types under which the store may have some of ``objects``.
    public var otherTypes: [OtherTypes]
    /// The batch's own numbers. Types outside the catalog stand in its `types` with codes from
    /// `TypeCode.firstUnknown` upwards, likewise local to the batch.
    public var dictionaries: StoreDictionaries

    /// An object that belongs to another one, as a route belongs to its workout.
    public struct Part: Hashable, Sendable {
        /// Which of the batch's ``BulkBatch/objects`` it belongs to.
        public var owner: Int
        /// The object itself.
        public var object: ObjectRecord

        /// Makes a part of the object at index `owner`.
        public init(owner: Int, object: ObjectRecord) {
            self.owner = owner
            self.object = object
        }
    }

    /// A file that is kept with an object.
    public struct Attachment: Hashable, Sendable {
        /// Which of the batch's ``BulkBatch/objects`` it is kept with.
        public var owner: Int
        /// What is said of the file. Its identifier gives way to another one where the store has an attachment
        /// of that identifier with another object; its size is that of ``bytes``.
        public var record: AttachmentRecord
        /// The file's contents.
        public var bytes: [UInt8]

        /// Makes a file of the object at index `owner`.
        public init(owner: Int, record: AttachmentRecord, bytes: [UInt8]) {
            self.owner = owner
            self.record = record
            self.bytes = bytes
        }
    }

    /// Something told of a sample or object by its identity, which it has in the store or gets with the batch.
    public enum Addition: Hashable, Sendable {
        /// Samples and objects that belong to an object.
        case members([UUID], of: UUID)
        /// The quantities a sample stands for; one that has some keeps them.
        case quantities(QuantitySeries, of: UUID)
        /// A file that is kept with a sample or object, under the identity its record gives; one that is there
        /// is not kept again.
        case attachment(AttachmentRecord, bytes: [UInt8], of: UUID)
    }

    /// What a health institution's record is depends on its file. This names the types it has, or would have,
    /// without or with it.
    public struct OtherTypes: Hashable, Sendable {
        /// Which of the batch's ``BulkBatch/objects`` is meant.
        public var object: Int
        /// Identifiers of the types. A stored object of one of them that says the same, only without a file or
        /// with one, is the same: the one with the file stays.
        public var identifiers: [String]

        /// Names other types of the object at this index.
        public init(object: Int, identifiers: [String]) {
            self.object = object
            self.identifiers = identifiers
        }
    }

    /// Makes a batch; one without anything in it is fine.
    public init(
        columns: [SampleColumns] = [], objects: [ObjectRecord] = [], parts: [Part] = [],
        attachments: [Attachment] = [], otherTypes: [OtherTypes] = [], dictionaries: StoreDictionaries = .init()
    ) {
        self.columns = columns
        self.objects = objects
        self.parts = parts
        self.attachments = attachments
        self.otherTypes = otherTypes
        self.dictionaries = dictionaries
    }
}
