import HealthModel
import HealthStorage

extension PostgreSQLSnapshot: LinkRangeSnapshot {
    final func linkRanges(ofOwner owner: Int64) throws -> [LinkRange] {
        try rows(
            "SELECT \(Self.runColumns) FROM link_run WHERE person = $1 AND owner = $2 ORDER BY first_member",
            [person, owner]
        ).map { try LinkRange($0) }
    }

    final func linkRanges(of memberType: TypeCode, ownerType: TypeCode) throws -> [LinkRange] {
        try rows(
            """
            SELECT \(Self.runColumns) FROM link_run
            WHERE person = $1 AND owner_type = $2 AND member_type = $3 ORDER BY first_member
            """,
            [person, ownerType, memberType]
        ).map { try LinkRange($0) }
    }

    final func linkRanges(ofMember member: Int64) throws -> [LinkRange] {
        if let known = linkWindow.runs(ofMember: member) { return known }
        let members = linkWindow.next(from: member)
        let starts = LinkRange.Reach.allCases.map { $0.earliestStart(containing: members.lowerBound) }
        let rows = try rows(Self.runsOfMembers, [person, members.upperBound, members.lowerBound] + starts)
        linkWindow.keep(try rows.map { try LinkRange($0) }, members)
        return linkWindow.runs(ofMember: member) ?? []
    }

    /// The runs of some successive members, read ahead: a program that asks for the owners of one sample is likely to
    /// ask for those of the next, and each answer is a round trip. The more often it asks, the more are read.
    struct LinkWindow {
        private var members: ClosedRange<Int64>?
        private var runs: [Int64: [LinkRange]] = [:]
        private var width: Int64 = 1

        /// Returns the runs that contain a member, by owner; `nil` if they aren't known.
        func runs(ofMember member: Int64) -> [LinkRange]? {
            guard let members, members.contains(member) else { return nil }
            return runs[member] ?? []
        }

        /// Returns the members to read, the first of which was asked for.
        mutating func next(from member: Int64) -> ClosedRange<Int64> {
            let (last, overflow) = member.addingReportingOverflow(width - 1)
            width = min(width * 16, 4_096)
            return member...(overflow ? .max : last)
        }

        mutating func keep(_ found: [LinkRange], _ members: ClosedRange<Int64>) {
            self.members = members
            runs = [:]
            for run in found where run.first <= members.upperBound && run.last >= members.lowerBound {
                for member in max(run.first, members.lowerBound)...min(run.last, members.upperBound) {
                    runs[member, default: []].append(run)
                }
            }
        }
    }

    final func linkRanges(ofOwner owner: Int64, in members: ClosedRange<Int64>) throws -> [LinkRange] {
        let rows = try rows(
            """
            SELECT \(Self.runColumns) FROM link_run
            WHERE person = $1 AND owner = $2 AND first_member BETWEEN $3 AND $4 AND last_member >= $5
            ORDER BY first_member
            """,
            [
                person, owner, LinkRange.Reach.many.earliestStart(containing: members.lowerBound), members.upperBound,
                members.lowerBound,
            ])
        return try rows.map { try LinkRange($0) }
    }

    static let runColumns = "owner, first_member, last_member, owner_type, member_type"

    private static let runsOfMembers: String = {
        let searches: [String] = LinkRange.Reach.allCases.enumerated().map { index, reach in
            """
            SELECT \(runColumns) FROM link_run
            WHERE person = $1 AND reach = \(reach.rawValue) AND first_member BETWEEN $\(index + 4) AND $2 AND last_member >= $3
            """
        }
        return searches.joined(separator: " UNION ALL ") + " ORDER BY owner"
    }()
}
