import HealthModel
import HealthStorage

extension PostgreSQLSnapshot {
    final func links(ofOwner owner: Int64) throws -> [StoredLink] {
        let rows = try rows(
            "SELECT \(Self.runColumns) FROM link_run WHERE person = $1 AND owner = $2 ORDER BY first_member"
        ) {
            $0.add(person)
            $0.add(owner)
        }
        return try runs(rows).flatMap(\.links)
    }

    final func links(ofMember member: Int64) throws -> [StoredLink] {
        try linkRuns(ofMember: member).map {
            StoredLink(owner: $0.owner, ownerType: $0.ownerType, member: member, memberType: $0.memberType)
        }
    }

    final func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        let rows = try rows(
            """
            SELECT \(Self.runColumns) FROM link_run
            WHERE person = $1 AND owner_type = $2 AND member_type = $3 ORDER BY first_member
            """
        ) {
            $0.add(person)
            $0.add(Int64(ownerType.rawValue))
            $0.add(Int64(memberType.rawValue))
        }
        return LinkRun.members(of: try runs(rows))
    }

    /// Returns the runs that contain a member, by owner.
    final func linkRuns(ofMember member: Int64) throws -> [LinkRun] {
        let rows = try rows(Self.runsOfMember) {
            $0.add(person)
            $0.add(member)
            for reach in LinkRun.Reach.allCases.dropFirst() { $0.add(reach.earliestStart(containing: member)) }
        }
        return try runs(rows)
    }

    /// Returns the runs of an owner that contain some of the members, by member.
    final func linkRuns(ofOwner owner: Int64, in members: ClosedRange<Int64>) throws -> [LinkRun] {
        let rows = try rows(
            """
            SELECT \(Self.runColumns) FROM link_run
            WHERE person = $1 AND owner = $2 AND first_member BETWEEN $3 AND $4 AND last_member >= $5
            ORDER BY first_member
            """
        ) {
            $0.add(person)
            $0.add(owner)
            $0.add(LinkRun.Reach.many.earliestStart(containing: members.lowerBound))
            $0.add(members.upperBound)
            $0.add(members.lowerBound)
        }
        return try runs(rows)
    }

    static let runColumns = "owner, first_member, last_member, owner_type, member_type"

    private func runs(_ rows: PostgreSQLRows) throws -> [LinkRun] {
        try (0..<rows.count).map { row in
            try LinkRun(
                owner: rows.integer(row, 0), ownerType: TypeCode(rawValue: rows.number(row, 3)),
                memberType: TypeCode(rawValue: rows.number(row, 4)), first: rows.integer(row, 1),
                last: rows.integer(row, 2))
        }
    }

    private static let runsOfMember: String = {
        let searches: [String] = LinkRun.Reach.allCases.enumerated().map { index, reach in
            let place = index == 0 ? "first_member = $2" : "first_member BETWEEN $\(index + 2) AND $2 AND last_member >= $2"
            return "SELECT \(runColumns) FROM link_run WHERE person = $1 AND reach = \(reach.rawValue) AND \(place)"
        }
        return searches.joined(separator: " UNION ALL ") + " ORDER BY owner"
    }()
}
