import HealthModel
import HealthPages
import HealthStorage

extension BulkRemoval {
    /// Members that stand twice because their correlation has changed: the old one, which leaves now, had the
    /// sample that the archive lists by itself, so the new one got another. The new one gets the sample itself;
    /// what it got instead is returned, to leave as well.
    func doubles(among missing: [StoredIdentity], leaving victims: [StoredIdentity]) throws -> [StoredIdentity] {
        let leaving = Set(victims.map(\.sequence))
        var orphans: [StoredIdentity] = []
        for owner in victims where TypeCatalog.description(for: owner.type)?.kind == .correlation {
            for link in try transaction.links(ofOwner: owner.sequence)
            where !leaving.contains(link.member) && memory.isClaimed(link.member) {
                let owners = try transaction.links(ofMember: link.member)
                guard owners.allSatisfy({ leaving.contains($0.owner) }) else { continue }
                orphans.append(StoredIdentity(type: link.memberType, sequence: link.member))
            }
        }
        guard !orphans.isEmpty else { return [] }
        var waiting: [BulkObject.MemberKey: [StoredIdentity]] = [:]
        for (key, orphan) in try contents(of: Array(Set(orphans))) { waiting[key, default: []].append(orphan) }
        let kept = missing.filter { !leaving.contains($0.sequence) && TypeCatalog.description(for: $0.type)?.kind.isPaged == true }
        let added = memory.addedMembers.map { StoredIdentity(type: $0.type, sequence: $0.sequence) }
        var doubles: [StoredIdentity] = []
        for (key, member) in try contents(of: kept + added) {
            guard let sample = waiting[key]?.popLast() else { continue }
            for link in try transaction.links(ofMember: member.sequence) {
                try transaction.addLink(
                    StoredLink(
                        owner: link.owner, ownerType: link.ownerType, member: sample.sequence, memberType: sample.type))
            }
            doubles.append(member)
        }
        return doubles
    }

    /// What samples are known by as members, in the order of their sequences.
    private func contents(of samples: [StoredIdentity]) throws -> [(BulkObject.MemberKey, StoredIdentity)] {
        var classes = ContentClasses()
        classes.extend(to: try transaction.dictionaries())
        let finder = PageFinder(snapshot: transaction, identities: engine.identities)
        var contents: [(BulkObject.MemberKey, StoredIdentity)] = []
        for (type, samples) in Dictionary(grouping: samples, by: \.type).sorted(by: { $0.key < $1.key }) {
            let rows = try finder.rows(
                of: type, sequences: samples.map(\.sequence).sorted(), columns: [.ends, .values, .units, .revisions, .devices])
            for row in rows.sequences.indices {
                contents.append(
                    (
                        BulkObject.MemberKey(
                            type: type, start: rows.starts[row], end: rows.ends[row], value: rows.values[row].bitPattern,
                            unit: rows.units[row], revision: classes.revisionClass(rows.revisions[row]),
                            device: classes.deviceClass(rows.devices[row])),
                        StoredIdentity(type: type, sequence: rows.sequences[row])
                    ))
            }
        }
        return contents.sorted { $0.1.sequence < $1.1.sequence }
    }
}
