import GRDB
import HealthModel
import HealthStorage

extension SQLiteSnapshot: LinkRunSnapshot {
    final func linkRuns(ofOwner owner: Int64) throws -> [LinkRun] {
        try linkRuns("WHERE owner = ? ORDER BY first_member", [owner])
    }

    final func linkRuns(ofMember member: Int64) throws -> [LinkRun] {
        let starts = LinkRun.Reach.allCases.dropFirst().map { $0.earliestStart(containing: member) }
        return try linkRuns(Self.ofMember, [member] + starts)
    }

    final func linkRuns(ofOwner owner: Int64, in members: ClosedRange<Int64>) throws -> [LinkRun] {
        try linkRuns(
            "WHERE owner = ? AND first_member BETWEEN ? AND ? AND last_member >= ? ORDER BY first_member",
            [
                owner, LinkRun.Reach.many.earliestStart(containing: members.lowerBound), members.upperBound,
                members.lowerBound,
            ])
    }

    final func linkRuns(of memberType: TypeCode, ownerType: TypeCode) throws -> [LinkRun] {
        try linkRuns(
            "WHERE owner_type = ? AND member_type = ? ORDER BY first_member",
            [Int64(ownerType.rawValue), Int64(memberType.rawValue)])
    }

    private func linkRuns(_ conditions: String, _ arguments: [Int64]) throws -> [LinkRun] {
        try database.run("SELECT \(LinkRun.columns) FROM link_run \(conditions)", arguments) { statement in
            var runs: [LinkRun] = []
            while try statement.step() { runs.append(try LinkRun(statement)) }
            return runs
        }
    }

    private static let ofMember: String = {
        let searches: [String] = LinkRun.Reach.allCases.enumerated().map { index, reach in
            let place =
                index == 0 ? "first_member = ?1" : "first_member BETWEEN ?\(index + 1) AND ?1 AND last_member >= ?1"
            return "WHERE reach = \(reach.rawValue) AND \(place)"
        }
        return searches.joined(separator: " UNION ALL SELECT \(LinkRun.columns) FROM link_run ") + " ORDER BY owner"
    }()
}

extension LinkRun {
    /// The columns that ``init(_:)`` reads.
    static let columns = "owner, first_member, last_member, owner_type, member_type"
}
