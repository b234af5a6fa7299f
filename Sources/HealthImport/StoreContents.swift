package import Foundation
package import HealthEngine
package import HealthModel
package import HealthPages
import HealthStorage

extension HealthEngine {
    /// Reads the whole contents of the store at this moment. Later writes are not visible in `body` and do not wait for
    /// it. May be called from any thread, and concurrently.
    ///
    /// - Throws: `StorageError`, and the errors of `body`.
    package func readContents<Value>(_ body: (StoreContents) throws -> Value) throws -> Value {
        try storage.read { snapshot in
            try body(
                StoreContents(
                    dictionaries: dictionaries(in: snapshot), identities: identities,
                    profile: profile.read(in: snapshot), importMetadata: imports.metadata(in: snapshot),
                    snapshot: snapshot))
        }
    }
}

/// The contents of a store at one moment, for exports and other readers of the whole.
///
/// This is the person's own view: permissions are not checked. Valid only inside the closure of
/// ``HealthEngine/readContents(_:)``, on its thread. Methods throw `StorageError`, `PageError` and the errors of
/// visiting closures. Visits may be nested.
package struct StoreContents {
    /// The store's sources, devices, units and types.
    package let dictionaries: StoreDictionaries
    /// Derives the UUIDs of samples and objects that were saved without one.
    package let identities: DerivedIdentities
    /// The profile of the store's person.
    package let profile: Profile
    /// The metadata of the archives imported so far; see ``ImportHistory/metadata()``.
    package let importMetadata: [String: String]
    let snapshot: any StorageSnapshot

    /// Returns the types that have samples or objects, ascending by code.
    package func types() throws -> [TypeDescription] {
        try snapshot.typesInUse().compactMap { dictionaries.type($0) }
    }

    /// Visits the pages of a type that may contain something of the selection, in order of start, until `visit` returns
    /// `false`. The bytes are the page's body and are valid only during the call.
    package func visitPages(
        of type: TypeCode, in selection: ContentsSelection = .init(),
        _ visit: (PageHeader, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        guard selection.includes(type) else { return }
        try snapshot.visitPages(of: type, in: Self.window(selection), bodies: true) { page in
            try visit(PageHeader(of: page), page.body)
        }
    }

    /// Returns the number of samples in the pages that ``visitPages(of:in:_:)`` would visit. No body is read.
    package func countInPages(of type: TypeCode, in selection: ContentsSelection = .init()) throws -> Int {
        guard selection.includes(type) else { return 0 }
        var count = 0
        try snapshot.visitPages(of: type, in: Self.window(selection), bodies: false) { page in
            count += page.bounds.count
            return true
        }
        return count
    }

    /// Visits the objects of a type in order of start until `visit` returns `false`. Their identities are set; their
    /// members are not (see ``fillMembers(of:)``).
    package func visitObjects(
        of type: TypeCode, in selection: ContentsSelection = .init(), _ visit: (ObjectRecord) throws -> Bool
    ) throws {
        guard selection.includes(type) else { return }
        try snapshot.visitObjects(of: type, in: Self.window(selection)) { stored in
            guard selection.includes(start: stored.start) else { return true }
            return try visit(reader.record(of: stored))
        }
    }

    /// Returns the object with this sequence, without its members.
    package func object(sequence: Int64) throws -> ObjectRecord? {
        try snapshot.object(sequence: sequence).map { try reader.record(of: $0) }
    }

    /// Reads the samples that belong to each object, in the order they were saved.
    package func fillMembers(of objects: inout [ObjectRecord]) throws {
        try reader.fill(&objects)
    }

    /// Returns the objects that belong to the one with this sequence, as routes belong to a workout, in the order they
    /// were saved.
    package func parts(of owner: Int64) throws -> [ObjectRecord] {
        try snapshot.links(ofOwner: owner).compactMap { link in
            dictionaries.type(link.memberType)?.kind.isPaged == false ? try object(sequence: link.member) : nil
        }
    }

    /// Returns the attachments of an object, in the order they were added.
    package func attachments(of object: ObjectRecord) throws -> [AttachmentRecord] {
        try object.uuid.map { try AttachmentTable.records(of: $0, in: snapshot) } ?? []
    }

    /// Returns one piece of an attachment's bytes; see ``AttachmentRecord/pieceSize``.
    package func attachmentPiece(_ number: Int, of attachment: UUID) throws -> [UInt8] {
        guard let bytes = try AttachmentTable.piece(number, of: attachment, in: snapshot) else {
            throw StorageError(.damaged, "A piece of an attachment is missing.")
        }
        return bytes
    }

    private var reader: MemberReader {
        MemberReader(snapshot: snapshot, dictionaries: dictionaries, identities: identities)
    }

    /// Returns the window of a selection. It is by ends, because what starts in the selection ends in or after it.
    private static func window(_ selection: ContentsSelection) -> PageWindow {
        guard selection.since != nil || selection.until != nil else { return .all }
        return .time(startsBefore: selection.until, endsAtOrAfter: selection.since)
    }
}

/// Samples, objects and files that belong to others.
extension StoreContents {
    /// Returns whether an object's identity was given by an application or an import, and not derived.
    package func isGivenIdentity(of object: ObjectRecord) -> Bool {
        object.uuid.map { $0 != identities.uuid(for: object.sequence) } ?? false
    }

    /// Returns the selected samples that belong to an object: columns for each type, in order of start.
    package func memberRows(of owner: Int64, in selection: ContentsSelection = .init()) throws -> [SampleColumns] {
        let links = try snapshot.links(ofOwner: owner)
        guard !links.isEmpty else { return [] }
        return try Dictionary(grouping: links, by: \.memberType).sorted { $0.key < $1.key }.compactMap { type, links in
            guard dictionaries.type(type)?.kind.isPaged == true, selection.includes(type) else { return nil }
            let rows = try finder.rows(of: type, sequences: links.map(\.member).sorted())
            let chosen = rows.starts.indices.filter { selection.includes(start: rows.starts[$0]) }
            guard !chosen.isEmpty else { return nil }
            let picked = rows.permuted(by: chosen.map(Int32.init))
            return picked.permuted(by: picked.orderByStart())
        }
    }

    /// Returns the identities of the objects that belong to an object, in the order they were saved.
    package func memberObjects(of owner: Int64) throws -> [UUID] {
        try parts(of: owner).compactMap(\.uuid)
    }

    /// Visits the samples of a type that consist of several quantities, each with its identity and quantities.
    package func visitQuantitySeries(
        of type: TypeCode, in selection: ContentsSelection = .init(), _ visit: (UUID, QuantitySeries) throws -> Void
    ) throws {
        guard selection.includes(type) else { return }
        let sequences = try QuantitySeriesTable.sequences(of: type, in: snapshot)
        guard !sequences.isEmpty else { return }
        let rows = try finder.rows(of: type, sequences: sequences, columns: [.starts, .uuids])
        for (row, sequence) in rows.sequences.enumerated() where selection.includes(start: rows.starts[row]) {
            let place = StoredIdentity(type: type, sequence: sequence)
            guard let series = try QuantitySeriesTable.read(of: place, in: snapshot) else { continue }
            try visit(rows.uuid(at: row) ?? identities.uuid(for: sequence), series)
        }
    }

    /// Visits the samples and objects with attachments, in order of identity.
    package func visitAttachments(
        in selection: ContentsSelection = .init(), _ visit: (UUID, TypeCode, [AttachmentRecord]) throws -> Void
    ) throws {
        for owner in try AttachmentTable.owners(in: snapshot).sorted(by: { $0.uuidString < $1.uuidString }) {
            guard let place = try finder.locate(owner), selection.includes(place.type),
                try start(of: place).map(selection.includes(start:)) ?? false
            else { continue }
            try visit(owner, place.type, try AttachmentTable.records(of: owner, in: snapshot))
        }
    }

    private func start(of place: StoredIdentity) throws -> Double? {
        if let object = try snapshot.object(sequence: place.sequence) { return object.start }
        return try finder.rows(of: place.type, sequences: [place.sequence], columns: .starts).starts.first
    }

    private var finder: PageFinder { PageFinder(snapshot: snapshot, identities: identities) }
}
