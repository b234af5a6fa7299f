import GRDB
import HealthModel
import HealthStorage

extension SQLiteSnapshot {
    final func links(ofOwner owner: Int64) throws -> [StoredLink] {
        try database.run("SELECT \(LinkRun.columns) FROM link_run WHERE owner = ? ORDER BY first_member") { statement in
            try statement.bind(owner, at: 1)
            var links: [StoredLink] = []
            while try statement.step() { links += try LinkRun(statement).links }
            return links
        }
    }

    final func links(ofMember member: Int64) throws -> [StoredLink] {
        try linkRuns(ofMember: member).map {
            StoredLink(owner: $0.owner, ownerType: $0.ownerType, member: member, memberType: $0.memberType)
        }
    }

    final func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        try database.run(
            """
            SELECT \(LinkRun.columns) FROM link_run
            WHERE owner_type = ? AND member_type = ? ORDER BY first_member
            """
        ) { statement in
            try statement.bind(Int64(ownerType.rawValue), at: 1)
            try statement.bind(Int64(memberType.rawValue), at: 2)
            var runs: [LinkRun] = []
            while try statement.step() { runs.append(try LinkRun(statement)) }
            return LinkRun.members(of: runs)
        }
    }

    /// Returns the runs that contain a member, by owner.
    final func linkRuns(ofMember member: Int64) throws -> [LinkRun] {
        try database.run(Self.runsOfMember) { statement in
            try statement.bind(member, at: 1)
            for (index, reach) in LinkRun.Reach.allCases.enumerated().dropFirst() {
                try statement.bind(reach.earliestStart(containing: member), at: Int32(index + 1))
            }
            var runs: [LinkRun] = []
            while try statement.step() { runs.append(try LinkRun(statement)) }
            return runs
        }
    }

    /// Returns the runs of an owner that contain some of the members, by member.
    final func linkRuns(ofOwner owner: Int64, in members: ClosedRange<Int64>) throws -> [LinkRun] {
        try database.run(
            """
            SELECT \(LinkRun.columns) FROM link_run
            WHERE owner = ? AND first_member BETWEEN ? AND ? AND last_member >= ? ORDER BY first_member
            """
        ) { statement in
            try statement.bind(owner, at: 1)
            try statement.bind(LinkRun.Reach.many.earliestStart(containing: members.lowerBound), at: 2)
            try statement.bind(members.upperBound, at: 3)
            try statement.bind(members.lowerBound, at: 4)
            var runs: [LinkRun] = []
            while try statement.step() { runs.append(try LinkRun(statement)) }
            return runs
        }
    }

    private static let runsOfMember: String = {
        let searches: [String] = LinkRun.Reach.allCases.enumerated().map { index, reach in
            let place =
                index == 0 ? "first_member = ?1" : "first_member BETWEEN ?\(index + 1) AND ?1 AND last_member >= ?1"
            return "SELECT \(LinkRun.columns) FROM link_run WHERE reach = \(reach.rawValue) AND \(place)"
        }
        return searches.joined(separator: " UNION ALL ") + " ORDER BY owner"
    }()
}

extension LinkRun {
    /// The columns that ``init(_:)`` reads.
    static let columns = "owner, first_member, last_member, owner_type, member_type"
}
