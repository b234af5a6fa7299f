public import Foundation
public import HealthModel
public import HealthPages
import HealthStorage

/// All that a store holds at one moment, for those who go through the whole of it: an export, plain tables.
///
/// It is the person's own view: nothing is asked about permission. Valid only inside the closure of
/// ``HealthEngine/readContents(_:)``, on that thread; what is written meanwhile is not seen. Methods throw
/// `StorageError` and `PageError`, and what a visiting closure throws. Visits may nest.
public struct StoreContents {
    /// The store's nouns.
    public let dictionaries: StoreDictionaries
    /// Makes the UUIDs of samples and objects that were given none.
    public let identities: DerivedIdentities
    /// What the store knows of its person.
    public let profile: Profile
    /// What archives imported so far said of themselves; see ``HealthEngine/keepImportNotes(_:)``.
    public let importNotes: [String: String]
    let snapshot: any StorageSnapshot

    /// The types that have samples or objects, ascending by code.
    public func types() throws -> [TypeDescription] {
        try snapshot.typesInUse().compactMap { dictionaries.type($0) }
    }

    /// Visits the pages of a type in order of start until `visit` returns false; of a selection, those that
    /// may hold something of it. The bytes are the page's body and are valid only during the call.
    public func visitPages(
        of type: TypeCode, in selection: ContentsSelection = .init(),
        _ visit: (PageHeader, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        guard selection.includes(type) else { return }
        try snapshot.visitPages(of: type, in: Self.window(selection), bodies: true) { page in
            try visit(PageHeader(decoding: page.header), page.body)
        }
    }

    /// How many samples the pages hold that ``visitPages(of:in:_:)`` would visit; no body is read.
    public func countInPages(of type: TypeCode, in selection: ContentsSelection = .init()) throws -> Int {
        guard selection.includes(type) else { return 0 }
        var count = 0
        try snapshot.visitPages(of: type, in: Self.window(selection), bodies: false) { page in
            count += page.bounds.count
            return true
        }
        return count
    }

    /// Visits the objects of a type in order of start until `visit` returns false. Their identities are set,
    /// their members are not; see ``fillMembers(of:)``.
    public func visitObjects(
        of type: TypeCode, in selection: ContentsSelection = .init(), _ visit: (ObjectRecord) throws -> Bool
    ) throws {
        guard selection.includes(type) else { return }
        try snapshot.visitObjects(of: type, in: Self.window(selection)) { stored in
            guard selection.includes(start: stored.start) else { return true }
            return try visit(record(stored))
        }
    }

    /// The object with this sequence, without its members; `nil` where there is none.
    public func object(sequence: Int64) throws -> ObjectRecord? {
        try snapshot.object(sequence: sequence).map(record)
    }

    /// Fills in the samples that belong to each object, in the order they were saved.
    public func fillMembers(of objects: inout [ObjectRecord]) throws {
        try reader.fill(&objects)
    }

    /// The objects that belong to the one with this sequence, as routes belong to a workout, in the order
    /// they were saved.
    public func parts(of owner: Int64) throws -> [ObjectRecord] {
        try snapshot.links(ofOwner: owner).compactMap { link in
            dictionaries.type(link.memberType)?.kind.isPaged == false ? try object(sequence: link.member) : nil
        }
    }

    /// Sequences and types of the objects that the sample or object with this sequence belongs to.
    public func owners(of member: Int64) throws -> [(sequence: Int64, type: TypeCode)] {
        try snapshot.links(ofMember: member).map { ($0.owner, $0.ownerType) }
    }

    /// The files kept with an object, in the order they were added.
    public func attachments(of object: ObjectRecord) throws -> [AttachmentRecord] {
        try object.uuid.map { try AttachmentTable.records(of: $0, in: snapshot) } ?? []
    }

    /// One piece of an attachment's bytes; see ``AttachmentRecord/pieceSize``.
    public func attachmentPiece(_ number: Int, of attachment: UUID) throws -> [UInt8] {
        guard let bytes = try AttachmentTable.piece(number, of: attachment, in: snapshot) else {
            throw StorageError(.damaged, "a piece of an attachment is missing")
        }
        return bytes
    }

    private var reader: MemberReader {
        MemberReader(snapshot: snapshot, dictionaries: dictionaries, identities: identities)
    }

    private func record(_ stored: StoredObject) throws -> ObjectRecord {
        var row = ObjectRow(stored, reader: reader)
        return try row.record()
    }

    /// Pages and objects are found by their ends: whatever starts in the selection ends in or after it.
    private static func window(_ selection: ContentsSelection) -> PageWindow {
        guard selection.since != nil || selection.until != nil else { return .all }
        return .time(startsBefore: selection.until, endsAtOrAfter: selection.since)
    }
}
