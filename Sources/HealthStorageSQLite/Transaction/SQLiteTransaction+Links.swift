import HealthModel
import HealthStorage

extension SQLiteTransaction {
    func addLink(_ link: StoredLink) throws {
        try database.run(
            "INSERT OR REPLACE INTO link (owner, member, owner_type, member_type) VALUES (?, ?, ?, ?)"
        ) { statement in
            try statement.bind(link.owner, at: 1)
            try statement.bind(link.member, at: 2)
            try statement.bind(Int64(link.ownerType.rawValue), at: 3)
            try statement.bind(Int64(link.memberType.rawValue), at: 4)
            try statement.execute()
        }
    }

    func removeLinks(ofMember member: Int64) throws {
        try database.run("DELETE FROM link WHERE member = ?") { statement in
            try statement.bind(member, at: 1)
            try statement.execute()
        }
    }

    func replaceMember(_ member: Int64, with successor: Int64) throws {
        try database.run("UPDATE OR REPLACE link SET member = ? WHERE member = ?") { statement in
            try statement.bind(successor, at: 1)
            try statement.bind(member, at: 2)
            try statement.execute()
        }
    }
}
