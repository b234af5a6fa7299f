import HealthModel
import HealthStorage

extension SQLiteSnapshot {
    final func links(ofOwner owner: Int64) throws -> [StoredLink] {
        try links("WHERE owner = ? ORDER BY member", of: owner)
    }

    final func links(ofMember member: Int64) throws -> [StoredLink] {
        try links("WHERE member = ? ORDER BY owner", of: member)
    }

    final func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        try database.run(
            """
            SELECT DISTINCT member FROM link INDEXED BY link_type
            WHERE owner_type = ? AND member_type = ? ORDER BY member
            """
        ) { statement in
            try statement.bind(Int64(ownerType.rawValue), at: 1)
            try statement.bind(Int64(memberType.rawValue), at: 2)
            var members: [Int64] = []
            while try statement.step() { members.append(statement.integer(0)) }
            return members
        }
    }

    private func links(_ conditions: String, of sequence: Int64) throws -> [StoredLink] {
        try database.run("SELECT owner, owner_type, member, member_type FROM link \(conditions)") { statement in
            try statement.bind(sequence, at: 1)
            var links: [StoredLink] = []
            while try statement.step() {
                links.append(StoredLink(
                    owner: statement.integer(0),
                    ownerType: TypeCode(rawValue: try statement.number(1)),
                    member: statement.integer(2),
                    memberType: TypeCode(rawValue: try statement.number(3))))
            }
            return links
        }
    }
}
