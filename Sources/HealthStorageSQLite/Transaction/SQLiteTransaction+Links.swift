import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction {
    func addLink(_ link: StoredLink) throws {
        try addLinks([link])
    }

    /// With one statement for all: a workout has thousands of links.
    func addLinks(_ links: [StoredLink]) throws {
        var known: [StoredLink] = []
        // A statement that may replace rows keeps a copy of every page it touches, a third of what links cost.
        try put(links, "INSERT OR IGNORE") { known.append($0) }
        guard !known.isEmpty else { return }
        try put(known, "INSERT OR REPLACE") { _ in }
    }

    private func put(_ links: [StoredLink], _ verb: String, whenIgnored: (StoredLink) -> Void) throws {
        try database.run("\(verb) INTO link (owner, member, owner_type, member_type) VALUES (?, ?, ?, ?)") { statement in
            for link in links {
                try statement.bind(link.owner, at: 1)
                try statement.bind(link.member, at: 2)
                try statement.bind(Int64(link.ownerType.rawValue), at: 3)
                try statement.bind(Int64(link.memberType.rawValue), at: 4)
                try statement.execute()
                if statement.changesCount == 0 { whenIgnored(link) }
                statement.reset()
            }
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
