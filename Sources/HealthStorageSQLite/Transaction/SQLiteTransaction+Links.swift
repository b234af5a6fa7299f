import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction {
    func addLink(_ link: StoredLink) throws {
        // A statement that may replace rows keeps a copy of every page it touches, and a workout has
        // thousands of links: a third of what they cost.
        try put(link, "INSERT OR IGNORE")
        if database.changesCount == 0 { try put(link, "INSERT OR REPLACE") }
    }

    private func put(_ link: StoredLink, _ verb: String) throws {
        try database.run("\(verb) INTO link (owner, member, owner_type, member_type) VALUES (?, ?, ?, ?)") { statement in
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
