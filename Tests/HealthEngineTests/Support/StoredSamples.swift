import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

/// Everything a store holds, read straight from its pages and rows: what the write side is checked by.
struct StoredSamples {
    /// Samples by type in page order, with UUIDs resolved.
    var samples: [TypeCode: [SampleRecord]] = [:]
    /// Objects by type, with their members' sequences.
    var objects: [TypeCode: [(object: StoredObject, members: [Int64])]] = [:]
    var tombstones: [StoredTombstone] = []
    /// How many rows each page has, by type.
    var pageSizes: [TypeCode: [Int]] = [:]

    init(_ engine: HealthEngine) throws {
        let identities = DerivedIdentities(seed: engine.identity().seed)
        self = try engine.storage.read { try StoredSamples($0, identities) }
    }

    private init(_ snapshot: any StorageSnapshot, _ identities: DerivedIdentities) throws {
        let dictionaries = try snapshot.dictionaries()
        for type in try snapshot.typesInUse() {
            try snapshot.visitPages(of: type, in: .all, bodies: true) { view in
                let header = try PageHeader(decoding: view.header)
                let page = try PageReader(header: header, body: view.body).read(.all)
                pageSizes[type, default: []].append(page.starts.count)
                for row in page.starts.indices {
                    samples[type, default: []].append(
                        SampleRecord(
                            uuid: page.uuid(at: row) ?? identities.uuid(for: page.sequences[row]),
                            type: type, start: page.starts[row], end: page.ends[row],
                            value: page.values[row], unit: dictionaries.unit(page.units[row]),
                            revision: dictionaries.revision(page.revisions[row]),
                            device: dictionaries.device(page.devices[row]),
                            metadata: page.metadata(at: row), creation: page.creation(at: row),
                            sequence: page.sequences[row]))
                }
                return true
            }
            try snapshot.visitObjects(of: type, in: .all) { object in
                let members = try snapshot.links(ofOwner: object.sequence).map(\.member)
                objects[type, default: []].append((object, members))
                return true
            }
        }
        try snapshot.visitTombstones(after: 0, types: nil) { tombstone in
            tombstones.append(tombstone)
            return true
        }
    }

    /// All samples of a type, in page order.
    subscript(type: TypeCode) -> [SampleRecord] { samples[type] ?? [] }

    var count: Int { samples.values.reduce(0) { $0 + $1.count } }
}
