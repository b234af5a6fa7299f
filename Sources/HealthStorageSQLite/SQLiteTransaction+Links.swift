import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction: LinkRangeTransaction {
    func hasLinks(_ owner: Int64) throws -> Bool {
        try database.run("SELECT 1 FROM link_run WHERE owner = ? LIMIT 1", [owner]) { try $0.step() }
    }

    func insert(_ run: LinkRange) throws {
        try database.execute(
            "INSERT INTO link_run (\(LinkRange.columns), reach) VALUES (?, ?, ?, ?, ?, ?)",
            [run.owner, run.first, run.last, run.ownerType, run.memberType, run.reach.rawValue])
    }

    func delete(_ run: LinkRange) throws {
        try database.execute("DELETE FROM link_run WHERE owner = ? AND first_member = ?", [run.owner, run.first])
    }
}
