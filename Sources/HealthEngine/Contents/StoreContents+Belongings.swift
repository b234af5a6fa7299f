public import Foundation
public import HealthModel
import HealthPages
import HealthStorage

/// What belongs to samples and objects beyond what they say themselves.
extension StoreContents {
    /// Whether an object's identity was given to it, by an application or an import, and not derived.
    public func isGivenIdentity(of object: ObjectRecord) -> Bool {
        object.uuid.map { $0 != identities.uuid(for: object.sequence) } ?? false
    }

    /// The samples that belong to an object, as far as they are selected: a set of columns for each type, in
    /// order of start.
    public func memberRows(of owner: Int64, in selection: ContentsSelection = .init()) throws -> [SampleColumns] {
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

    /// The identities of the objects that belong to an object, in the order they were saved.
    public func memberObjects(of owner: Int64) throws -> [UUID] {
        try parts(of: owner).compactMap(\.uuid)
    }

    /// Visits the samples of a type that stand for several quantities, each by its identity and start with its
    /// quantities.
    public func visitQuantitySeries(
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

    /// Visits all that has files, by its identity and type, with the files' descriptions, in order of identity.
    public func visitAttachments(
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
