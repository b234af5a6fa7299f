import GRDB
import HealthModel
import HealthStorage

extension SQLiteSnapshot: LinkRangeSnapshot {
    final func linkRanges(ofOwner owner: Int64) throws -> [LinkRange] {
        try linkRanges("WHERE owner = ? ORDER BY first_member", [owner])
    }

    final func linkRanges(ofMember member: Int64) throws -> [LinkRange] {
        let starts = LinkRange.Reach.allCases.dropFirst().map { $0.earliestStart(containing: member) }
        return try linkRanges(Self.ofMember, [member] + starts)
    }

    final func linkRanges(ofOwner owner: Int64, in members: ClosedRange<Int64>) throws -> [LinkRange] {
        try linkRanges(
            "WHERE owner = ? AND first_member BETWEEN ? AND ? AND last_member >= ? ORDER BY first_member",
            [
                owner, LinkRange.Reach.many.earliestStart(containing: members.lowerBound), members.upperBound,
                members.lowerBound,
            ])
    }

    final func linkRanges(of memberType: TypeCode, ownerType: TypeCode) throws -> [LinkRange] {
        try linkRanges(
            "WHERE owner_type = ? AND member_type = ? ORDER BY first_member",
            [Int64(ownerType.rawValue), Int64(memberType.rawValue)])
    }

    private func linkRanges(_ conditions: String, _ arguments: [Int64]) throws -> [LinkRange] {
        try database.all("SELECT \(LinkRange.columns) FROM link_run \(conditions)", arguments) { try LinkRange($0) }
    }

    private static let ofMember: String = {
        let searches: [String] = LinkRange.Reach.allCases.enumerated().map { index, reach in
            let place =
                index == 0 ? "first_member = ?1" : "first_member BETWEEN ?\(index + 1) AND ?1 AND last_member >= ?1"
            return "WHERE reach = \(reach.rawValue) AND \(place)"
        }
        return searches.joined(separator: " UNION ALL SELECT \(LinkRange.columns) FROM link_run ") + " ORDER BY owner"
    }()
}

extension LinkRange {
    /// The columns that ``init(_:)`` reads.
    static let columns = "owner, first_member, last_member, owner_type, member_type"
}
