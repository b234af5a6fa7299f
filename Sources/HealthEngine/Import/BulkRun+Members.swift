import HealthModel
import HealthPages
import HealthStorage

extension BulkRun {
    /// Where the members of each object are: stored samples of equal content that belong to no
    /// correlation yet, or samples added now.
    mutating func placeMembers(
        of objects: [BulkObject], draft: inout CommitDraft
    ) throws -> [[StoredIdentity]] {
        var places = objects.map { object in
            [StoredIdentity?](repeating: nil, count: object.members.count)
        }
        var byType: [TypeCode: [MemberPlace]] = [:]
        for (object, record) in objects.enumerated() {
            for (position, member) in record.members.enumerated() {
                byType[member.type, default: []].append(
                    MemberPlace(object: object, position: position, member: member))
            }
        }
        for (type, members) in byType.sorted(by: { $0.key < $1.key }) {
            for (place, sequence) in try place(members, of: type, draft: &draft) {
                count(member: sequence, of: type)
                places[place.object][place.position] = StoredIdentity(type: type, sequence: sequence)
            }
        }
        return places.map { $0.compactMap { $0 } }
    }

    /// Counts a member that was there before the import, unless a sample of the archive is counted for it.
    mutating func count(member sequence: Int64, of type: TypeCode) {
        if memory.countMember(sequence) { alreadyThere[type, default: 0] += 1 }
    }

    /// One member of one object.
    private struct MemberPlace {
        var object: Int
        var position: Int
        var member: BulkObject.Member
    }

    /// Places members of one type.
    private mutating func place(
        _ members: [MemberPlace], of type: TypeCode, draft: inout CommitDraft
    ) throws -> [(MemberPlace, Int64)] {
        let ordered = members.enumerated().sorted { left, right in
            (left.element.member.record.start, left.offset)
                < (right.element.member.record.start, right.offset)
        }.map(\.element)
        let columns = Self.columns(ordered, type: type)
        try extendClasses(revisions: columns.revisions, devices: columns.devices)

        var sequences = Array(repeating: Int64(0), count: ordered.count)
        var used: Set<Int64> = []
        let matcher = ContentMatcher(columns, classes: classes, strictness: .member)
        var isMatched = Array(repeating: false, count: ordered.count)
        try matcher.match(
            in: transaction, isMatched: &isMatched, isCandidate: { _ in true }, claimRun: { _ in 0 },
            claim: { row, sequence in
                guard !used.contains(sequence), try !belongsToCorrelation(sequence) else {
                    return false
                }
                used.insert(sequence)
                sequences[row] = sequence
                return true
            })

        let missing = sequences.indices.filter { sequences[$0] == 0 }
        if !missing.isEmpty {
            let new = columns.permuted(by: missing.map(Int32.init))
            let run = try add(new, draft: &draft)
            for (index, row) in missing.enumerated() {
                sequences[row] = run.lowerBound + Int64(index)
                memory.addMember(sequences[row], of: type)
            }
        }
        return Array(zip(ordered, sequences))
    }

    private func belongsToCorrelation(_ sequence: Int64) throws -> Bool {
        try transaction.links(ofMember: sequence).contains {
            // Types outside the catalog own members only if they were imported as correlations.
            TypeCatalog.description(for: $0.ownerType)?.kind ?? .correlation == .correlation
        }
    }

    private static func columns(_ members: [MemberPlace], type: TypeCode) -> SampleColumns {
        var builder = ColumnsBuilder(type: type)
        for place in members {
            builder.append(
                place.member.record, unit: place.member.unit, revision: place.member.revision,
                device: place.member.device, sequence: 0)
        }
        return builder.ordered()
    }
}
