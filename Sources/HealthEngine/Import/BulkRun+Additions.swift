import Foundation
import HealthModel
import HealthStorage

extension BulkRun {
    /// Writes what is told of a sample or object, unless it is there already.
    mutating func write(_ addition: BulkBatch.Addition, draft: inout CommitDraft) throws {
        let finder = PageFinder(snapshot: transaction, identities: identities)
        switch addition {
        case .members(let members, let owner):
            guard let place = try finder.locate(owner), try transaction.object(sequence: place.sequence) != nil else {
                return strayAdditions += members.count
            }
            try link(members, to: place, finder, draft: &draft)
        case .quantities(let series, let sample):
            guard series.isSound, series.count > 0, let place = try finder.locate(sample),
                TypeCatalog.description(for: place.type)?.kind == .quantity
            else { return strayAdditions += 1 }
            guard try QuantitySeriesTable.read(of: place, in: transaction) == nil else { return }
            try QuantitySeriesTable.write(series, of: place, in: transaction)
            draft.types.insert(place.type)
        case .attachment(let record, let bytes, let owner):
            guard record.size == bytes.count, bytes.count <= AttachmentRecord.greatestSize,
                let place = try finder.locate(owner)
            else { return strayAdditions += 1 }
            let kept = try AttachmentTable.records(of: owner, in: transaction)
            guard !kept.contains(where: { $0.identifier == record.identifier }) else { return }
            // One of this identity is kept with another object: a file belongs to one object only.
            guard try AttachmentTable.piece(0, of: record.identifier, in: transaction) == nil else {
                return strayAdditions += 1
            }
            try AttachmentTable.setPieces(bytes, of: record, in: transaction)
            try AttachmentTable.setRecords(kept + [record], of: owner, in: transaction)
            draft.types.insert(place.type)
        }
    }

    private mutating func link(
        _ members: [UUID], to owner: StoredIdentity, _ finder: PageFinder, draft: inout CommitDraft
    ) throws {
        var linked = Set(try transaction.links(ofOwner: owner.sequence).map(\.member))
        for member in members {
            guard let place = try finder.locate(member), place.sequence != owner.sequence else {
                strayAdditions += 1
                continue
            }
            guard linked.insert(place.sequence).inserted else { continue }
            try transaction.addLink(
                StoredLink(
                    owner: owner.sequence, ownerType: owner.type, member: place.sequence, memberType: place.type))
            draft.types.insert(owner.type)
        }
    }
}
