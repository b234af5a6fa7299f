import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction: LinkRunTransaction {
    func hasLinks(_ owner: Int64) throws -> Bool {
        try database.run("SELECT 1 FROM link_run WHERE owner = ? LIMIT 1") { statement in
            try statement.bind(owner, at: 1)
            return try statement.step()
        }
    }

    func insert(_ run: LinkRun) throws {
        try database.run("INSERT INTO link_run (\(LinkRun.columns), reach) VALUES (?, ?, ?, ?, ?, ?)") { statement in
            try statement.bind(run.owner, at: 1)
            try statement.bind(run.first, at: 2)
            try statement.bind(run.last, at: 3)
            try statement.bind(Int64(run.ownerType.rawValue), at: 4)
            try statement.bind(Int64(run.memberType.rawValue), at: 5)
            try statement.bind(run.reach.rawValue, at: 6)
            try statement.execute()
        }
    }

    func delete(_ run: LinkRun) throws {
        try database.run("DELETE FROM link_run WHERE owner = ? AND first_member = ?") { statement in
            try statement.bind(run.owner, at: 1)
            try statement.bind(run.first, at: 2)
            try statement.execute()
        }
    }
}
