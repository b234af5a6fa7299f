import HealthModel
import HealthStorage

/// Reads the samples that belong to objects, for many objects at once: each page is decoded once
/// however many members it holds.
struct MemberReader {
    let snapshot: any StorageSnapshot
    let dictionaries: StoreDictionaries
    let identities: DerivedIdentities

    /// Fills in the members of every object, in the order they were saved.
    func fill(_ objects: inout [ObjectRecord]) throws {
        var links: [[StoredLink]] = []
        var wanted: [TypeCode: [Int64]] = [:]
        for object in objects {
            let own = try snapshot.links(ofOwner: object.sequence)
            for link in own { wanted[link.memberType, default: []].append(link.member) }
            links.append(own)
        }
        guard !wanted.isEmpty else { return }
        var members: [Int64: SampleRecord] = [:]
        let finder = PageFinder(snapshot: snapshot, identities: identities)
        for (type, sequences) in wanted {
            let rows = try finder.rows(of: type, sequences: Set(sequences).sorted())
            for row in 0..<rows.count {
                members[rows.sequences[row]] = rows.record(
                    at: row, dictionaries: dictionaries, identities: identities)
            }
        }
        for index in objects.indices {
            objects[index].members = links[index].compactMap { members[$0.member] }
        }
    }

    /// Samples of one type that belong to an object, ordered by start.
    func members(of owner: Int64, type: TypeCode) throws -> SampleColumns {
        let sequences = try snapshot.links(ofOwner: owner).filter { $0.memberType == type }.map(\.member)
        guard !sequences.isEmpty else { return SampleColumns(type: type) }
        let found = try PageFinder(snapshot: snapshot, identities: identities)
            .rows(of: type, sequences: sequences, columns: [.starts, .ends, .values, .units])
        var ordered = SampleColumns(type: type)
        let order = (0..<found.count).sorted {
            (found.starts[$0], found.sequences[$0]) < (found.starts[$1], found.sequences[$1])
        }
        ordered.append(order, of: found)
        return ordered
    }
}
