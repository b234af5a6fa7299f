package import Foundation
package import HealthEngine
package import HealthModel

/// One batch of an import: quantity and category samples as columns, objects as records.
package struct BulkBatch: Sendable {
    /// One entry per type, in any order. Numbers of units, revisions and devices refer to the batch's own
    /// ``dictionaries``, not to the store's; sequences are empty.
    package var columns: [SampleColumns]
    /// Objects with their members, which contain their revisions and devices; sequences are 0.
    package var objects: [ObjectRecord]
    /// Members of ``objects`` that are thousands, beside those in the records.
    package var members: [Members] = []
    /// Objects of the store that the batch replaces. They are removed with their members before anything else is written,
    /// in the same transaction.
    package var replaced: [UUID] = []
    /// Objects that belong to one of ``objects``; they are written with it and linked to it.
    package var parts: [Part]
    /// Files attached to one of ``objects``, even if the store already has the object.
    package var attachments: [Attachment]
    /// Additions to samples and objects identified by UUID, written after the rest of the batch.
    package var additions: [Addition] = []
    /// When the archive was exported, in seconds since 2001-01-01 00:00:00 UTC; `nil` if that is unknown. The summary
    /// of a day that was not over by then doesn't replace one of an archive that was exported later.
    package var exportDate: Double?
    /// Whether activity summaries replace those of archives that were exported later.
    package var replacesLaterSummaries = false
    /// Types under which the store may already have some of ``objects``.
    package var alternateTypes: [AlternateTypes]
    /// The batch's own dictionaries. Types outside the catalog are listed in `types` with codes from
    /// `TypeCode.firstUnknown` upward, which are local to the batch, too.
    package var dictionaries: StoreDictionaries

    /// Samples of one type that are members of an object, such as the heart rates of a workout.
    package struct Members: Sendable {
        /// The index of the object in ``BulkBatch/objects``.
        package var owner: Int
        /// The samples, as in ``BulkBatch/columns``.
        package var columns: SampleColumns

        /// Creates members of the object at index `owner`.
        package init(owner: Int, columns: SampleColumns) {
            self.owner = owner
            self.columns = columns
        }
    }

    /// An object that belongs to another one, as a route belongs to its workout.
    package struct Part: Hashable, Sendable {
        /// The index of its owner in ``BulkBatch/objects``.
        package var owner: Int
        package var object: ObjectRecord

        /// Creates a part of the object at index `owner`.
        package init(owner: Int, object: ObjectRecord) {
            self.owner = owner
            self.object = object
        }
    }

    /// A file attached to an object.
    package struct Attachment: Hashable, Sendable {
        /// The index of the object in ``BulkBatch/objects``.
        package var owner: Int
        /// The file's description. Its identifier is replaced if another stored object has an attachment
        /// with that identifier; its size is that of ``bytes``.
        package var record: AttachmentRecord
        /// The file's contents.
        package var bytes: [UInt8]

        /// Creates a file attached to the object at index `owner`.
        package init(owner: Int, record: AttachmentRecord, bytes: [UInt8]) {
            self.owner = owner
            self.record = record
            self.bytes = bytes
        }
    }

    /// Data that belongs to a sample or object identified by UUID, in the store or in the same batch.
    package enum Addition: Hashable, Sendable {
        /// Samples and objects that belong to an object.
        case members([UUID], of: UUID)
        /// The quantities of a series sample; one that already has quantities keeps them.
        case quantities(QuantitySeries, of: UUID)
        /// A file attached to a sample or object, with the identifier in its record; one that is already stored
        /// is not stored again.
        case attachment(AttachmentRecord, bytes: [UInt8], of: UUID)
    }

    /// The types that a clinical record can have, which depend on whether its file is present.
    package struct AlternateTypes: Hashable, Sendable {
        /// The index of the record in ``BulkBatch/objects``.
        package var object: Int
        /// Identifiers of the types. A stored object of one of them matches if only the file is missing on one
        /// side; the one with the file is kept.
        package var identifiers: [String]

        /// Creates the alternate types of the object at an index.
        package init(object: Int, identifiers: [String]) {
            self.object = object
            self.identifiers = identifiers
        }
    }

    /// Creates a batch, which may be empty.
    package init(
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
